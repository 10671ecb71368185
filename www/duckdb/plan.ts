/** The hand-over's SQL, which `src/catalog/` decides: a wasm of its own, needed only with DuckDB. */
import type { ListedFile, Version } from "../reader/index.js";
import { crossed } from "../reader/errors.js";
import { Loader, type WasmSource } from "../reader/loader.js";
import * as wasm from "../wasm/fdl_catalog.js";
import { unique } from "./sql.js";

/** Rows as objects from column name to text. */
export type Rows = Record<string, string | null>[];

/** What the hand-over asks of a catalog: see `src/catalog/queries.rs`. */
export interface CatalogQuery {
  name: string;
  sql: string;
}

/** What has to be known first: see `src/catalog/plan.rs`. */
export interface Questions {
  extensions: string[];
  queries: CatalogQuery[];
}

/** A table or a view of a version. */
export interface PlannedTable {
  schema: string;
  name: string;
  kind: "table" | "view";
  columns: PlannedColumn[];
  /** The publisher's comment. */
  comment: string | null;
  /** Its row count, where the catalog alone can tell. */
  rows: number | null;
  /** Why it cannot be read, as the end of a sentence; `null` where it can. */
  refused: string | null;
}

/** A column of a table, its type in DuckDB's words. */
export interface PlannedColumn {
  name: string;
  type: string;
  comment: string | null;
}

/** What DuckDB is told: see `src/catalog/plan.rs`. */
export interface Plan {
  extensions: string[];
  statements: string[];
  definitions: PlannedDefinition[];
  tables: PlannedTable[];
}

/** How a view or a macro of the publisher's is made. */
export interface PlannedDefinition {
  statement: string;
  needs: number[];
  table: number | null;
  comment: string | null;
}

/** A data file or delete file in the engine. */
export interface NamedFile {
  /** What the engine calls it. */
  name: string;
  url: string;
  /** Relative to the root. */
  path: string;
  /** Its length, as the catalog records it. */
  bytes: number | null;
}

/** A file that is not to be read, and why: the end of a sentence about its table. */
export interface WithheldFile {
  path: string;
  reason: string;
}

const catalog = new Loader(() =>
  Promise.resolve({ wasm, source: new URL("../wasm/fdl_catalog_bg.wasm", import.meta.url) }),
);

/** As `useWasm`, for the wasm of the hand-over; before the first version is handed over. */
export function useCatalogWasm(source: () => WasmSource | Promise<WasmSource>): void {
  catalog.use(async () => ({ wasm, source: await source() }));
}

/** Runs queries of the hand-over, whose values are all text. */
type Ask = (questions: Questions) => Promise<Record<string, Rows>>;

/** The hand-over of one version: what it asks, and what comes of the answers. */
export class HandOver {
  readonly #wasm: wasm.HandOver;

  /** @internal */
  constructor(planned: wasm.HandOver) {
    this.#wasm = planned;
  }

  /** What DuckDB is told. */
  async plan(ask: Ask): Promise<Plan> {
    await this.#answer(ask, () => this.#wasm.questions());
    return crossed(() => this.#wasm.plan() as Plan);
  }

  /** The data files and delete files. */
  async dataFiles(ask: Ask): Promise<ListedFile[]> {
    await this.#answer(ask, () => this.#wasm.questionsAboutFiles());
    return crossed(() => this.#wasm.dataFiles() as ListedFile[]);
  }

  /** The files that the plan may name; before there is a plan. */
  async namedFiles(ask: Ask): Promise<NamedFile[]> {
    await this.#answer(ask, () => this.#wasm.questionsAboutFiles());
    return crossed(() => this.#wasm.namedFiles() as NamedFile[]);
  }

  /** Keeps files from being read: tables that need one are refused, for that reason. */
  withhold(files: WithheldFile[]): void {
    const json = JSON.stringify(files);
    crossed(() => {
      this.#wasm.withhold(json);
    });
  }

  /** The statement that attaches the catalog, which the engine has as `file`, by DuckLake. */
  byDuckLake(file: string): string {
    return crossed(() => this.#wasm.byDuckLake(file));
  }

  /** Which data files hold no row of a page: the query that tells, where the catalog can. */
  filesLeftOut(page: string): CatalogQuery | null {
    return crossed(() => this.#wasm.filesLeftOut(page) as CatalogQuery | null);
  }

  /** The query that gives the rows of a page. */
  page(page: string, leftOut: bigint[]): string {
    return crossed(() => this.#wasm.page(page, BigInt64Array.from(leftOut)));
  }

  async #answer(ask: Ask, questions: () => unknown): Promise<void> {
    for (;;) {
      const asked = crossed(questions) as Questions;
      if (asked.queries.length === 0) return;
      const answers = JSON.stringify(await ask(asked));
      crossed(() => this.#wasm.answer(answers));
    }
  }

  /** Gives its memory back. */
  free(): void {
    this.#wasm.free();
  }
}

/**
 * What plans the hand-over of a version: its catalog is attached as `catalog`, its tables go to `alias`.
 *
 * Requests: its wasm, once for all versions.
 *
 * @throws {FdlError} `wasm_not_loaded`
 */
export async function planner({ record, data }: Version) {
  const { HandOver: Planned } = await catalog.load();
  const snapshot = BigInt(record.ducklake.snapshot_id);
  const { root, dataDir } = data;
  // No URL of a host: the engine would ask that for the name, before it looks at what it has.
  const names = `file:///fdl-${unique()}/`;
  return (alias: string, catalog: string): HandOver =>
    crossed(() => new HandOver(new Planned(alias, catalog, snapshot, names, root, dataDir)));
}
