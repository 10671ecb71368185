/** A verified catalog, attached to an engine as the DuckDB file that it is. */
import type { Version } from "../reader/index.js";
import type { QueryOptions, QueryResult } from "./result.js";
import { malformedCatalog, unsupportedStorage } from "./failures.js";
import type { CatalogQuery, Rows } from "./plan.js";
import { identifier, literal, unique } from "./sql.js";
import { isNewer } from "./versions.js";

/** What an engine must be able to do so that a catalog can be read. */
export interface CatalogEngine {
  /** DuckDB's version, such as `v1.5.1`. */
  readonly version: string;
  /** Aborted when the engine is gone, and with it all that was in it. */
  readonly lost?: AbortSignal;
  addFile(name: string, bytes: Uint8Array): Promise<void>;
  dropFiles(names: string[]): Promise<void>;
  query(sql: string, options?: QueryOptions): Promise<QueryResult>;
  run(statement: string, options?: Pick<QueryOptions, "signal">): Promise<void>;
}

/** A catalog that can be asked. */
export interface OpenCatalog {
  /** The name under which it is attached. */
  name: string;
  rowsOf(sql: string): Promise<Rows>;
  /** What these queries give, by their names. */
  read(queries: CatalogQuery[]): Promise<Record<string, Rows>>;
  /** Takes it out of the engine again. */
  close(): Promise<void>;
}

/**
 * Attaches the catalog of a version, whose verified bytes these are.
 *
 * @throws {FdlError} `unsupported_storage`, `malformed_catalog`, `query_failed`, `aborted`
 */
export async function openCatalog(
  engine: CatalogEngine,
  { record }: Version,
  bytes: Uint8Array,
  { signal }: Pick<QueryOptions, "signal"> = {},
): Promise<OpenCatalog> {
  const { storage } = record.catalog;
  if (storage && isNewer(storage, engine.version))
    throw unsupportedStorage(storage, engine.version);

  const name = `fdl catalog ${unique()}`;
  const rowsOf = async (sql: string) => objects(await engine.query(sql, { signal }));
  const close = async () => {
    if (engine.lost?.aborted) return;
    await engine.run(`DETACH DATABASE IF EXISTS ${identifier(name)}`);
    await engine.dropFiles([name]);
  };
  await engine.addFile(name, bytes);
  try {
    await engine.run(`ATTACH ${literal(name)} AS ${identifier(name)} (READ_ONLY)`, { signal });
    // A view under the name of one of its tables would run the publisher's SQL in this page.
    const views = await rowsOf(
      `SELECT view_name FROM duckdb_views() WHERE database_name = ${literal(name)} AND NOT internal`,
    );
    if (views.length > 0) throw malformedCatalog("it holds views where DuckLake has tables");
  } catch (cause) {
    await close();
    throw cause;
  }
  const read = async (queries: CatalogQuery[]) => {
    const rows: Record<string, Rows> = {};
    for (const { name, sql } of queries) rows[name] = await rowsOf(sql);
    return rows;
  };
  return { name, rowsOf, read, close };
}

function objects({ columns, rows }: QueryResult): Rows {
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
  );
}
