/** DuckDB-Wasm, started, with Parquet loaded. */
import {
  AsyncDuckDB,
  createWorker,
  getJsDelivrBundles,
  VoidLogger,
  type AsyncDuckDBConnection,
} from "@duckdb/duckdb-wasm";
import { loadExtension, type Build } from "./extension.js";
import { aborted, engineNotLoaded, queryFailed } from "./failures.js";
import { FdlError } from "../reader/index.js";

/** Where the engine's parts come from. */
export interface EngineOptions {
  /** The engine's two files. Default: DuckDB-Wasm's own delivery network. */
  engine?: { wasm: string; worker: string } | undefined;
  /**
   * A folder with `<version>/<platform>/<name>.duckdb_extension.wasm`. Default: DuckDB's own host.
   */
  extensionRepository?: string | undefined;
}

/** A query's answer. */
export interface QueryResult {
  columns: { name: string; type: string }[];
  /** Every value as DuckDB writes it, NULL as `null`. */
  rows: (string | null)[][];
  /** Whether there are more rows than `limit` allowed. */
  more: boolean;
}

/** What can be said with a query. */
export interface QueryOptions {
  /** Give no more rows than this. Default: all. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Starts DuckDB-Wasm and loads Parquet.
 *
 * @throws {FdlError} `engine_not_loaded`, `extension_missing`, `extension_mismatch`
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const { wasm, worker } = options.engine ?? delivered();
  let thread: Worker | undefined;
  try {
    thread = await startWorker(worker);
    const db = new AsyncDuckDB(new VoidLogger(), thread);
    await Promise.race([db.instantiate(wasm), failureOf(thread), absenceOf(wasm)]);
    // Only so does the engine read remote files by range.
    await db.open({
      filesystem: {
        forceFullHTTPReads: false,
        allowFullHTTPReads: true,
        reliableHeadRequests: true,
      },
    });
    const connection = await db.connect();
    // What is loaded is looked at first (extension.ts), so nothing is loaded unasked.
    await connection.query("SET autoinstall_known_extensions = false");
    await connection.query("SET autoload_known_extensions = false");
    const [build] = (
      await connection.query("SELECT version() AS version, platform FROM pragma_platform()")
    ).toArray() as [Build];
    const { version, platform } = build;
    await loadExtension(connection, "parquet", { version, platform }, options.extensionRepository);
    return new Engine(db, connection, { version, platform }, options.extensionRepository);
  } catch (cause) {
    thread?.terminate();
    throw cause instanceof FdlError ? cause : engineNotLoaded(cause);
  }
}

function delivered() {
  const { eh } = getJsDelivrBundles();
  if (!eh) throw engineNotLoaded("no build for this browser");
  return { wasm: eh.mainModule, worker: eh.mainWorker };
}

/** A worker of another origin must come in through a blob, which a strict policy may forbid. */
async function startWorker(url: string): Promise<Worker> {
  const absolute = new URL(url, document.baseURI);
  return absolute.origin === location.origin
    ? new Worker(absolute)
    : await createWorker(absolute.href);
}

/** Rejects when the worker does: one that could not be loaded never answers. */
function failureOf(thread: Worker): Promise<never> {
  return new Promise((_, reject) => {
    thread.addEventListener("error", ({ message }) => {
      reject(new Error(message || "its worker could not be loaded"));
    });
  });
}

/**
 * Rejects when the engine's wasm cannot be had: the worker would wait for it for ever, so it is
 * asked for beside it, and no further than its headers.
 */
async function absenceOf(wasm: string): Promise<never> {
  const response = await fetch(new URL(wasm, document.baseURI));
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${wasm} was answered with status ${String(response.status)}`);
  return await new Promise(() => undefined);
}

/** DuckDB-Wasm, started. */
export class Engine {
  readonly #extensions = new Map<string, Promise<void>>();

  /** @internal */
  constructor(
    /** The engine itself, for what is not offered here. */
    readonly db: AsyncDuckDB,
    readonly connection: AsyncDuckDBConnection,
    readonly build: Build,
    private readonly extensionRepository: string | undefined,
  ) {}

  /** DuckDB's version, such as `v1.5.1`. */
  get version(): string {
    return this.build.version;
  }

  /** Loads an extension beside Parquet, once. */
  async load(extension: string): Promise<void> {
    let loading = this.#extensions.get(extension);
    if (!loading) {
      loading = loadExtension(this.connection, extension, this.build, this.extensionRepository);
      this.#extensions.set(extension, loading);
      loading.catch(() => this.#extensions.delete(extension));
    }
    await loading;
  }

  /**
   * Runs SQL. What gives rows gives them as text, so that no value is bent on its way through
   * JavaScript.
   *
   * @throws {FdlError} `query_failed` with DuckDB's own words, `aborted`
   */
  async query(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { limit = Infinity, signal } = options;
    if (signal?.aborted) throw aborted();
    const connection = await this.db.connect();
    const cancel = () => void connection.cancelSent();
    signal?.addEventListener("abort", cancel);
    try {
      const columns = await describe(connection, sql);
      const asText = columns
        ? `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${unterminated(sql)}\n)`
        : sql;
      const result: QueryResult = { columns: columns ?? [], rows: [], more: false };
      const reader = await connection.send(asText, true);
      for await (const batch of reader) {
        if (signal?.aborted) throw aborted();
        const fields = batch.schema.fields;
        if (result.columns.length === 0) {
          result.columns = fields.map(({ name, type }) => ({ name, type: String(type) }));
        }
        const vectors = fields.map((_, index) => batch.getChildAt(index));
        for (let row = 0; row < batch.numRows; row++) {
          if (result.rows.length >= limit) {
            await connection.cancelSent();
            return { ...result, more: true };
          }
          const value = (vector: (typeof vectors)[number]) => vector?.get(row) as Scalar;
          result.rows.push(vectors.map((vector) => text(value(vector))));
        }
      }
      if (signal?.aborted) throw aborted();
      return result;
    } catch (cause) {
      if (signal?.aborted) throw aborted();
      throw cause instanceof FdlError ? cause : queryFailed(cause);
    } finally {
      signal?.removeEventListener("abort", cancel);
      await connection.close();
    }
  }

  /**
   * Runs a statement whose rows, if any, are not wanted.
   *
   * @throws {FdlError} `query_failed`, `aborted` where the signal was aborted before
   */
  async run(statement: string, { signal }: Pick<QueryOptions, "signal"> = {}): Promise<void> {
    if (signal?.aborted) throw aborted();
    try {
      await this.connection.query(statement);
    } catch (cause) {
      throw queryFailed(cause);
    }
  }

  /** Ends the engine and gives its memory back. */
  async close(): Promise<void> {
    await this.connection.close();
    await this.db.terminate();
  }
}

/** The columns of a query that gives rows; `undefined` for what is not one. */
async function describe(connection: AsyncDuckDBConnection, sql: string) {
  try {
    const described = await connection.query(`DESCRIBE SELECT * FROM (${unterminated(sql)}\n)`);
    const rows = described.toArray() as { column_name: string; column_type: string }[];
    return rows.map((row) => ({ name: row.column_name, type: row.column_type }));
  } catch {
    // Running it says what is wrong with it, if anything is.
    return undefined;
  }
}

/** What DuckDB gives where it does not give text: to EXPLAIN, INSERT and the like. */
type Scalar = string | number | bigint | boolean | null | undefined;

function unterminated(sql: string): string {
  return sql.replace(/[\s;]+$/, "");
}

function text(value: Scalar): string | null {
  return value === null || value === undefined ? null : String(value);
}
