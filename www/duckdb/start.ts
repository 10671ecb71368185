/** Starting DuckDB-Wasm, or taking in one that runs already. */
import {
  AsyncDuckDB,
  createWorker,
  getJsDelivrBundles,
  VoidLogger,
  type AsyncDuckDBConnection,
} from "@duckdb/duckdb-wasm";
import { FdlError } from "../reader/index.js";
import { Engine } from "./engine.js";
import type { Build } from "./extension.js";
import { engineNotLoaded, unsupportedEngine } from "./failures.js";
import { isNewer } from "./versions.js";

/** The oldest DuckDB that reads what DuckLake writes today. */
const OLDEST = "v1.5.0";

/** Where the engine's parts come from. */
export interface EngineOptions {
  /** The engine's two files. Default: DuckDB-Wasm's own delivery network. */
  engine?: { wasm: string; worker: string } | undefined;
  /**
   * A folder with `<version>/<platform>/<name>.duckdb_extension.wasm`. Default: DuckDB's own host.
   */
  extensionRepository?: string | undefined;
  /**
   * An engine that the page has started and opened itself, in place of one that is started here. Its
   * settings stay as they are, and it is never ended. What it gets: extensions that it lacks,
   * and as long as versions are attached their databases and files.
   */
  db?: AsyncDuckDB | undefined;
  /** After how many milliseconds without a sign of life it counts as lost. Default: 120,000. */
  silence?: number | undefined;
}

/**
 * Starts DuckDB-Wasm, or takes in `db`, and loads Parquet.
 *
 * @throws {FdlError} `engine_not_loaded`, `unsupported_engine`, `extension_missing`, `extension_mismatch`
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  if (options.db) return await takeIn(options.db, undefined, options);
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
    return await takeIn(db, thread, options);
  } catch (cause) {
    thread?.terminate();
    throw cause instanceof FdlError ? cause : engineNotLoaded(cause);
  }
}

async function takeIn(
  db: AsyncDuckDB,
  thread: Worker | undefined,
  { extensionRepository, silence = 120_000 }: EngineOptions,
): Promise<Engine> {
  if (db.isDetached()) throw engineNotLoaded("it was terminated");
  try {
    const connection = await db.connect();
    // What is loaded is looked at first (extension.ts), so nothing is loaded unasked.
    if (thread) {
      await connection.query("SET autoinstall_known_extensions = false");
      await connection.query("SET autoload_known_extensions = false");
    }
    const build = await buildOf(connection);
    const engine = new Engine({ db, connection, build, extensionRepository, thread, silence });
    await engine.load("parquet");
    return engine;
  } catch (cause) {
    throw cause instanceof FdlError && cause.code !== "query_failed"
      ? cause
      : engineNotLoaded(cause);
  }
}

async function buildOf(connection: AsyncDuckDBConnection): Promise<Build> {
  const asked = "SELECT version() AS version, platform FROM pragma_platform()";
  const [found] = (await connection.query(asked)).toArray() as [Build];
  const { version, platform } = found;
  // The build without exceptions breaks at the first error.
  if (isNewer(OLDEST, version) || platform === "wasm_mvp") {
    throw unsupportedEngine(version, platform, OLDEST);
  }
  return { version, platform };
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
