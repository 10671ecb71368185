import type { Lake, QueryResult } from "../duckdb/index.js";
import type { Preview } from "../preview/index.js";
import type { DataProgress, Verdict, Version } from "../reader/index.js";
import { sharedEngine } from "./engine.js";

/** What is being loaded, while it is. Sizes are in bytes. */
export type Step =
  | { at: "engine" }
  | { at: "catalog"; received: number; total: number }
  | { at: "data"; progress: DataProgress }
  | { at: "reading" };

/** Which rows of a table are wanted: so many, after those that are passed over. */
export interface RowsPage {
  offset: number;
  limit: number;
  /** By name, in this order; `null`: all. */
  columns: string[] | null;
  /** `null`: as they are stored, which takes no engine. */
  order: RowsOrder | null;
}

/** By which column rows are sorted, NULL last. */
export interface RowsOrder {
  column: string;
  descending: boolean;
}

/** One version's tables: previewed from its files, or in the shared engine, attached when first asked for. */
export class VersionTables {
  /** By schema and name; `null` where only the engine can show the rows exactly. */
  readonly #previews = new Map<string, Preview | null>();
  #lake: Promise<Lake> | undefined;
  #verifying: Promise<unknown> | undefined;
  readonly #closing = new AbortController();

  constructor(
    readonly version: Version,
    private readonly options: {
      /** The name that SQL calls the version by. */
      alias: string;
      /** Settles when the version that had the name before is detached. */
      after: Promise<void>;
      /** Whether each data file is verified before a row of it is shown: only the engine holds them whole. */
      verifyData: boolean;
      onStep: (step: Step | null) => void;
    },
  ) {}

  /** Rows without the engine; `null` where only the engine can show them exactly. */
  async preview(
    table: { schema: string; name: string },
    { offset, limit, columns, order }: RowsPage,
    signal: AbortSignal,
  ): Promise<QueryResult | null> {
    if (order !== null || this.options.verifyData) return null;
    const key = JSON.stringify([table.schema, table.name]);
    const known = this.#previews.get(key);
    if (known === null) return null;
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const { preview, isNotPreviewable } = await import("../preview/index.js");
    either.throwIfAborted();
    try {
      const previewed = known ?? preview(this.version, table);
      this.#previews.set(key, previewed);
      const page = { offset, limit, columns: columns ?? undefined };
      return await previewed.rows({ ...page, signal: either });
    } catch (thrown) {
      if (!isNotPreviewable(thrown)) throw thrown;
      this.#previews.set(key, null);
      return null;
    }
  }

  /** The attached version. A failure is not kept: the next call tries again. */
  open(): Promise<Lake> {
    return (this.#lake ??= this.#attach().catch((cause: unknown) => {
      this.#lake = undefined;
      throw cause;
    }));
  }

  async #attach(): Promise<Lake> {
    const { signal } = this.#closing;
    const { alias, after, verifyData, onStep } = this.options;
    try {
      await after;
      signal.throwIfAborted();
      onStep({ at: "engine" });
      const { attach } = await import("../duckdb/index.js");
      // The engine starts while the catalog comes in and is checked.
      const lake = await attach(sharedEngine(), this.version, {
        as: alias,
        signal,
        onProgress: ({ received, total }) => {
          onStep(received < total ? { at: "catalog", received, total } : { at: "engine" });
        },
        verifyData: verifyData && {
          onProgress: (progress) => {
            onStep({ at: "data", progress });
          },
        },
      });
      // Gone with its engine: the next call attaches to a new one.
      const forget = () => (this.#lake = undefined);
      lake.engine.lost.addEventListener("abort", forget, { signal });
      return lake;
    } finally {
      onStep(null);
    }
  }

  /**
   * Holds the data files against what is recorded for them. Where the record names no files.json, the
   * catalog says which there are.
   */
  verifyData(signal: AbortSignal, onProgress: (progress: DataProgress) => void): Promise<Verdict> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const verifying = this.#verify(either, onProgress);
    this.#verifying = verifying.catch(() => undefined);
    return verifying;
  }

  async #verify(
    signal: AbortSignal,
    onProgress: (progress: DataProgress) => void,
  ): Promise<Verdict> {
    const { version } = this;
    if (version.record.files !== null) return await version.verifyData({ signal, onProgress });
    const { dataFilesOf } = await import("../duckdb/index.js");
    const files = await dataFilesOf(sharedEngine(), version, { signal });
    return await version.verifyData({ files, signal, onProgress });
  }

  /** Stops what is under way, detaches, and frees the version. */
  async close(): Promise<void> {
    this.#closing.abort();
    try {
      await this.#verifying;
      await (await this.#lake)?.detach();
    } catch {
      // What never opened needs no closing.
    } finally {
      this.version.free();
    }
  }
}
