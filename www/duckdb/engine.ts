/** DuckDB-Wasm, started: what it is asked, and what becomes of that when it is gone. */
import {
  DuckDBDataProtocol,
  type AsyncDuckDB,
  type AsyncDuckDBConnection,
} from "@duckdb/duckdb-wasm";
import { FdlError } from "../reader/index.js";
import { loadExtension, type Build } from "./extension.js";
import { aborted, engineLost, outOfMemory, queryFailed, reasonOf } from "./failures.js";
import { wrongAt } from "./host.js";
import { Life, unlessAborted } from "./life.js";
import { ask, type QueryOptions, type QueryResult } from "./result.js";

/** How long a query that was cancelled may keep the engine busy, in milliseconds. */
const STUCK = 10_000;

/** What an engine is made of. */
export interface EngineParts {
  db: AsyncDuckDB;
  connection: AsyncDuckDBConnection;
  build: Build;
  extensionRepository: string | undefined;
  /** Its worker, where the engine was started here: only then it is also ended here. */
  thread: Worker | undefined;
  /** How long it may be silent, in milliseconds. */
  silence: number;
}

/** DuckDB-Wasm, started: `startEngine` makes one. */
export class Engine {
  readonly #extensions = new Map<string, Promise<void>>();
  /** The URLs of remote files, by their names in the engine. */
  readonly #remote = new Map<string, string>();
  readonly #connection: AsyncDuckDBConnection;
  readonly #thread: Worker | undefined;
  readonly #extensionRepository: string | undefined;
  readonly #life: Life;
  /** The engine itself, for what is not offered here. */
  readonly db: AsyncDuckDB;
  readonly build: Build;

  /** @internal */
  constructor({ db, connection, build, extensionRepository, thread, silence }: EngineParts) {
    this.db = db;
    this.build = build;
    this.#connection = connection;
    this.#thread = thread;
    this.#extensionRepository = extensionRepository;
    this.#life = new Life(async () => {
      this.#mustBeThere();
      await db.ping();
    }, silence);
    // An error that the worker did not catch: DuckDB-Wasm forgets who waits for it.
    thread?.addEventListener("error", ({ message }) => {
      this.#end(engineLost(message || "its worker failed"));
    });
  }

  /** DuckDB's version, such as `v1.5.1`. */
  get version(): string {
    return this.build.version;
  }

  /**
   * Aborted when the engine is gone, with the FdlError that says why. What was attached to it is gone
   * with it: start another, and attach again.
   */
  get lost(): AbortSignal {
    return this.#life.lost;
  }

  /** Whether files are read by range: a caller's own engine may have been opened without it. */
  get readsByRange(): boolean {
    const { forceFullHTTPReads = true } = this.db.config.filesystem ?? {};
    return !forceFullHTTPReads;
  }

  /**
   * Loads an extension, once. One that is loaded already is left as it is.
   *
   * @throws {FdlError} `extension_missing`, `extension_mismatch`, `engine_lost`
   */
  async load(extension: string): Promise<void> {
    let loading = this.#extensions.get(extension);
    if (!loading) {
      loading = this.#ask(() =>
        loadExtension(this.#connection, extension, this.build, this.#extensionRepository),
      );
      this.#extensions.set(extension, loading);
      loading.catch(() => this.#extensions.delete(extension));
    }
    await loading;
  }

  /**
   * Runs SQL. What gives rows gives them as text, so that no value is bent on its way through
   * JavaScript.
   *
   * @throws {FdlError} `query_failed` with DuckDB's own words, `out_of_memory`, `engine_lost`, and at
   * once when the signal is aborted `aborted`
   */
  async query(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { signal } = options;
    return await this.#ask(async () => {
      const connection = await this.db.connect();
      const cancel = () => void connection.cancelSent();
      signal?.addEventListener("abort", cancel);
      try {
        signal?.throwIfAborted();
        return await ask(connection, sql, options);
      } finally {
        signal?.removeEventListener("abort", cancel);
        await connection.close();
      }
    }, signal);
  }

  /**
   * Runs a statement whose rows, if any, are not wanted.
   *
   * @throws {FdlError} as `query`
   */
  async run(statement: string, { signal }: Pick<QueryOptions, "signal"> = {}): Promise<void> {
    await this.#ask(() => this.#connection.query(statement), signal);
  }

  /**
   * Runs statements one after another on a connection of their own, which is where USE and SET end: `work`
   * gets the function that runs one. It may catch what that throws, and go on.
   *
   * @throws {FdlError} as `query`
   */
  async together<Answer>(
    work: (run: (statement: string) => Promise<void>) => Promise<Answer>,
  ): Promise<Answer> {
    const connection = await this.#ask(() => this.db.connect());
    try {
      return await work(async (statement) => {
        await this.#ask(() => connection.query(statement));
      });
    } finally {
      if (!this.lost.aborted) await this.#ask(() => connection.close());
    }
  }

  /** Gives the engine a file by its bytes. They are moved: the array is empty afterwards. */
  async addFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#ask(() => this.db.registerFileBuffer(name, bytes));
  }

  /** Gives the engine names for files that it reads by range, when it needs them. */
  async addRemoteFiles(files: { name: string; url: string }[]): Promise<void> {
    const { HTTP } = DuckDBDataProtocol;
    for (const { name, url } of files) this.#remote.set(name, url);
    await this.#ask(() =>
      Promise.all(files.map(({ name, url }) => this.db.registerFileURL(name, url, HTTP, false))),
    );
  }

  /** Takes files out of the engine again. */
  async dropFiles(names: string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) this.#remote.delete(name);
    await this.#ask(() => this.db.dropFiles(names));
    // What DuckDB keeps of files is kept by their names, which nobody will use again.
    if (this.#thread) {
      await this.run("SET enable_external_file_cache = false");
      await this.run("SET enable_external_file_cache = true");
    }
  }

  /**
   * Ends the engine and gives its memory back. A caller's own engine keeps running, with all that was
   * in it before.
   */
  async close(): Promise<void> {
    if (!this.#thread && !this.lost.aborted) await this.#ask(() => this.#connection.close());
    this.#end(engineLost("it was closed"));
  }

  /** What `work` comes to, in the words of this package; nothing is waited for in vain. */
  async #ask<Answer>(work: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (signal?.aborted) throw aborted();
    try {
      this.#mustBeThere();
      const answer = this.#life.during(work());
      if (!signal) return await answer;
      try {
        return await unlessAborted(answer, signal);
      } finally {
        if (signal.aborted) this.#letStop(answer);
      }
    } catch (cause) {
      throw signal?.aborted ? aborted() : await this.#failure(cause);
    }
  }

  /** DuckDB-Wasm answers nothing once it was terminated by whoever else has it. */
  #mustBeThere(): void {
    if (this.db.isDetached()) this.#end(engineLost("it was terminated"));
    this.lost.throwIfAborted();
  }

  /** What does not stop would keep everything else waiting: the engine is given up then. */
  #letStop(cancelled: Promise<unknown>): void {
    if (!this.#thread) return;
    const stuck = setTimeout(() => {
      this.#end(engineLost("a cancelled query did not stop"));
    }, STUCK);
    const stopped = () => {
      clearTimeout(stuck);
    };
    cancelled.then(stopped, stopped);
  }

  async #failure(cause: unknown): Promise<FdlError> {
    if (cause instanceof FdlError) return cause;
    const reason = reasonOf(cause);
    if (isDeath(cause)) {
      const lost = engineLost(reason === "" ? "it fails without saying why" : cause);
      this.#end(lost);
      return lost;
    }
    if (!/^Out of Memory Error\b/.test(reason)) {
      return (await this.#failureOfFile(reason)) ?? queryFailed(cause);
    }
    // WebAssembly never gives memory back: an engine that is at its limit stays there.
    if (this.#thread) this.#end(engineLost("it ran out of memory"));
    return outOfMemory(cause);
  }

  /** Where DuckDB's words name a remote file, what is wrong there. */
  async #failureOfFile(reason: string): Promise<FdlError | undefined> {
    for (const [name, url] of this.#remote) {
      if (reason.includes(name) || reason.includes(url)) return await wrongAt(url);
    }
    return undefined;
  }

  #end(why: FdlError): void {
    if (this.#thread) void this.db.terminate();
    this.#life.end(why);
  }
}

/**
 * A trap of the WebAssembly, or what DuckDB says once it no longer trusts itself. Without any words it
 * fails once its memory is damaged, and then always: many answers of broken hosts can do that.
 */
function isDeath(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const traps = ["RuntimeError", "RangeError", "InternalError"];
  return traps.includes(cause.name) || /^(FATAL Error|$)/.test(cause.message);
}
