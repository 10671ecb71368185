import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Lake, LakeTable, QueryResult } from "../duckdb/index.js";
import type { Failure } from "../locales/index.js";
import {
  openRepository,
  readTrustedSigners,
  type DataProgress,
  type Repository,
  type RepositoryOptions,
  type TipWarning,
  type Verdict,
  type Version,
} from "../reader/index.js";
import type { HistoryEntry, Refs } from "../reader/types.js";
import { giveBackAlias, takeAlias } from "./engine.js";
import type { WalkHistory } from "./history.js";
import { fullRef, isVersionId } from "./names.js";
import { failureOf } from "./notice.js";
import { asksForSigner, type Trust } from "./trusted-signers.js";
import { VersionTables, type RowsPage, type Step } from "./version-tables.js";

/** What a page asks a viewer for. */
export interface Wanted {
  src: string;
  /** `null`: HEAD. */
  ref: string | null;
  /** What it judges by, and where else it reads. */
  options: RepositoryOptions;
  /** Whether each data file is verified before a row of it is shown. */
  verifyData: boolean;
}

/**
 * The repository and the version that a viewer shows, and their loading.
 *
 * What is asked for last wins: an answer to an earlier question is thrown away when it comes.
 */
export class Shown implements ReactiveController {
  phase: "nothing" | "opening" | "reading" | "shown" | "failed" = "nothing";
  failure: Failure | null = null;
  repository: Repository | null = null;
  refs: Refs | null = null;
  refsFailure: Failure | null = null;
  version: Version | null = null;
  /** The verdict so far: it grows when the catalog is read. */
  verdict: Verdict | null = null;
  /** What versions are judged by. */
  trust: Trust = { signers: null, principal: null, revokes: false };
  /** What differs from what was seen before, where the page remembers that. */
  warnings: TipWarning[] = [];
  /** The tables by the catalog, once it has been read. */
  lakeTables: LakeTable[] | null = null;
  /** What is being loaded on the way to rows. */
  step: Step | null = null;
  /** Where the history begins: the ref that the visitor came by, or a version ID. */
  tip: string | null = null;
  walk: WalkHistory | null = null;
  /** The name that SQL calls the version by. */
  alias = "";

  #verifyData = false;
  #tables: VersionTables | null = null;
  /** Settles when the version shown before is out of the engine. */
  #left: Promise<void> = Promise.resolve();
  #reading = new AbortController();
  /** Calls into the repository that are under way: it must not be freed under them. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Opens a repository and reads the version that `wanted.ref` holds. */
  async open(wanted: Wanted): Promise<void> {
    this.close();
    this.set({ phase: "opening" });
    const { signal } = (this.#reading = new AbortController());
    const { src, ref, options } = wanted;
    this.#verifyData = wanted.verifyData;
    try {
      const opening = openRepository(src, { ...options, ref: ref ?? undefined, signal });
      const [repository, trust] = await Promise.all([opening, trustOf(options)]);
      if (signal.aborted) {
        repository.free();
        return;
      }
      this.repository = repository;
      this.trust = trust;
    } catch (thrown) {
      if (!signal.aborted) this.set({ phase: "failed", failure: failureOf(thrown) });
      return;
    }
    await this.read(wanted.ref);
  }

  /** Reads another version of the same repository. The one shown stays until it is there. */
  async read(ref: string | null): Promise<void> {
    const { repository } = this;
    if (!repository) return;
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.set({ phase: "reading", failure: null });
    const [refs, version] = await Promise.allSettled([
      this.keep(repository.refs({ signal })),
      this.keep(repository.version(ref ?? undefined, { signal })),
    ]);
    if (signal.aborted) {
      if (version.status === "fulfilled") version.value.free();
      return;
    }
    this.leave();
    if (refs.status === "fulfilled") this.set({ refs: refs.value, refsFailure: null });
    else this.set({ refs: null, refsFailure: failureOf(refs.reason) });
    if (version.status === "fulfilled") {
      this.setTip(repository, ref);
      this.enter(version.value);
      await this.warn(repository, ref, signal);
    } else this.set({ phase: "failed", failure: failureOf(version.reason) });
  }

  /** A version ID, by the ref that the history begins at where that ref holds it. */
  named(ref: string): string {
    const holder = this.refs?.refs.find(
      ({ name, version }) => name === this.tip && version === ref,
    );
    return holder?.name ?? ref;
  }

  /** Rows of a table of the version shown, without the engine; `null` where they take it. */
  async preview(
    table: { schema: string; name: string },
    page: RowsPage,
    signal: AbortSignal,
  ): Promise<QueryResult | null> {
    return (await this.#tables?.preview(table, page, signal)) ?? null;
  }

  /** The tables of the version shown, in the engine. */
  async tables(): Promise<Lake> {
    const tables = this.#tables;
    if (!tables) throw new DOMException("No version is shown.", "AbortError");
    try {
      const lake = await tables.open();
      if (tables === this.#tables) this.set({ lakeTables: lake.tables });
      return lake;
    } finally {
      // Reading the catalog was a check, whichever way it went.
      if (tables === this.#tables) this.set({ verdict: tables.version.verdict });
    }
  }

  /** Holds the data files of the version shown against what is recorded for them. */
  async verifyData(
    signal: AbortSignal,
    onProgress: (progress: DataProgress) => void,
  ): Promise<void> {
    const tables = this.#tables;
    if (!tables) throw new DOMException("No version is shown.", "AbortError");
    const verdict = await tables.verifyData(signal, onProgress);
    if (tables === this.#tables) this.set({ verdict });
  }

  /** Stops everything under way and lets go of the repository. */
  close(): void {
    this.#reading.abort();
    this.leave();
    const { repository } = this;
    if (repository) {
      void Promise.allSettled([this.#left, ...this.#underWay]).then(() => {
        repository.free();
      });
    }
    this.set({
      phase: "nothing",
      failure: null,
      repository: null,
      refs: null,
      refsFailure: null,
      tip: null,
      walk: null,
    });
  }

  hostConnected(): void {
    this.alias = takeAlias();
  }

  hostDisconnected(): void {
    const { alias } = this;
    this.close();
    void this.#left.then(() => {
      giveBackAlias(alias);
    });
  }

  private enter(version: Version): void {
    this.#tables = new VersionTables(version, {
      alias: this.alias,
      after: this.#left,
      verifyData: this.#verifyData,
      onStep: (step) => {
        if (this.version === version) this.set({ step });
      },
    });
    this.set({ phase: "shown", version, verdict: version.verdict });
  }

  private leave(): void {
    this.#left = this.#tables?.close() ?? this.#left;
    this.#tables = null;
    this.set({ version: null, verdict: null, warnings: [], lakeTables: null, step: null });
  }

  /** Comes after the version: what is shown does not wait for what was seen before. */
  private async warn(
    repository: Repository,
    ref: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const warnings = await this.keep(repository.warnings(ref ?? undefined, { signal }));
      if (!signal.aborted) this.set({ warnings });
    } catch {
      // The name led to a version a moment ago; what else can happen is that it was left.
    }
  }

  /** A version chosen by its ID is a step in the history that is shown already. */
  private setTip(repository: Repository, ref: string | null): void {
    const name = fullRef(ref, this.refs);
    if (this.tip !== null && name !== null && isVersionId(name)) return;
    if (this.tip === name && this.walk) return;
    this.tip = name;
    this.walk = (signal) => this.history(repository, name ?? undefined, signal);
  }

  private async *history(
    repository: Repository,
    tip: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryEntry, void, void> {
    // Each verdict takes a request more, and where nobody is trusted it would say so of every version.
    const verdicts = asksForSigner(this.trust);
    const steps = repository.history(tip, { signal, verdicts });
    try {
      for (;;) {
        const step = await this.keep(steps.next());
        if (step.done) return;
        yield step.value;
      }
    } finally {
      await this.keep(steps.return());
    }
  }

  private keep<Value>(call: Promise<Value>): Promise<Value> {
    const over = () => this.#underWay.delete(call);
    this.#underWay.add(call);
    call.then(over, over);
    return call;
  }

  private set(change: Partial<Shown>): void {
    Object.assign(this, change);
    this.host.requestUpdate();
  }
}

async function trustOf({
  trustedSigners,
  principal,
  revokedKeys,
}: RepositoryOptions): Promise<Trust> {
  return {
    signers: trustedSigners === undefined ? null : await readTrustedSigners(trustedSigners),
    principal: principal ?? null,
    revokes: revokedKeys !== undefined,
  };
}
