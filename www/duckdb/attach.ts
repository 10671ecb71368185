/** Handing a version over by Parquet: its verified catalog, and a view for each of its tables. */
import type { CatalogOptions, Version } from "../reader/index.js";
import type { Engine, QueryOptions, QueryResult } from "./engine.js";
import { malformedCatalog, nameTaken, unsupportedStorage, unsupportedTable } from "./failures.js";
import { planner, type Rows } from "./plan.js";
import { identifier, literal } from "./sql.js";

/** A table of a version that was handed over. */
export interface LakeTable {
  schema: string;
  name: string;
  /** Its row count, from the catalog. */
  rows: number;
  columns: { name: string; type: string }[];
  /** Why it cannot be read, as the end of a sentence; `null` where it can. */
  refused: string | null;
}

/** How a version is handed over. */
export interface AttachOptions extends CatalogOptions {
  /** The name under which its tables are: `<as>.<schema>.<table>`. Default: `lake`. */
  as?: string | undefined;
}

/** A version, handed over. */
export interface Lake {
  name: string;
  engine: Engine;
  tables: LakeTable[];
  /** Takes its tables out of the engine again. */
  detach(): Promise<void>;
}

let attached = 0;

/**
 * Hands a version over. The bytes that were verified are the bytes that DuckDB gets. An engine that
 * is still starting will do: the catalog is read meanwhile, and a broken one is told at once.
 *
 * Requests: the catalog, and the first time the wasm that plans. Parquet files are read, by range, when a query needs them.
 *
 * @throws {FdlError} as `version.catalog()`, and `wasm_not_loaded`, `unsupported_storage`, `unsupported_format`,
 * `malformed_catalog`, `name_taken`, `query_failed`
 */
export async function attach(
  starting: Engine | Promise<Engine>,
  version: Version,
  { as = "lake", ...options }: AttachOptions = {},
): Promise<Lake> {
  const [engine, bytes, handOver] = await Promise.all([
    starting,
    version.catalog(options),
    planner(version),
  ]);
  const { storage } = version.record.catalog;
  if (storage && isNewer(storage, engine.version))
    throw unsupportedStorage(storage, engine.version);

  const catalog = `fdl catalog ${String(++attached)}`;
  const { signal } = options;
  const rowsOf = async (sql: string) => objects(await engine.query(sql, { signal }));
  const databases: string[] = [];
  const detach = async () => {
    // Taken off the list, so that a second call leaves alone what has the name by then.
    for (const database of databases.splice(0).reverse()) {
      await engine.run(`DETACH DATABASE IF EXISTS ${identifier(database)}`);
    }
    await engine.db.dropFile(catalog);
  };
  await engine.db.registerFileBuffer(catalog, bytes);
  try {
    await engine.run(`ATTACH ${literal(catalog)} AS ${identifier(catalog)} (READ_ONLY)`, {
      signal,
    });
    databases.push(catalog);
    // A view under the name of one of its tables would run the publisher's SQL in this page.
    const views = await rowsOf(
      `SELECT view_name FROM duckdb_views() WHERE database_name = ${literal(catalog)} AND NOT internal`,
    );
    if (views.length > 0) throw malformedCatalog("it holds views where DuckLake has tables");

    const rows: Record<string, Rows> = {};
    for (const { name, sql } of handOver.queries(catalog)) rows[name] = await rowsOf(sql);

    const plan = handOver.plan(as, catalog, rows);
    for (const extension of plan.extensions) await engine.load(extension);

    const taken = `SELECT 1 FROM duckdb_databases() WHERE lower(database_name) = lower(${literal(as)})`;
    if ((await rowsOf(taken)).length > 0) throw nameTaken(as);
    await engine.run(`ATTACH ':memory:' AS ${identifier(as)}`, { signal });
    databases.push(as);
    for (const statement of plan.statements) await engine.run(statement, { signal });

    const tables = plan.tables.map((table) => ({ ...table, rows: 0 }));
    for (const { place, rows } of plan.row_counts ? await rowsOf(plan.row_counts) : []) {
      const table = tables[Number(place)];
      if (table) table.rows = Number(rows);
    }
    return { name: as, engine, tables, detach };
  } catch (cause) {
    await detach();
    throw cause;
  }
}

/**
 * The first rows of a table.
 *
 * @throws {FdlError} `unsupported_table` where it cannot be read, `query_failed`
 */
export async function firstRows(
  lake: Lake,
  { schema, name }: { schema: string; name: string },
  { limit = 20, signal }: QueryOptions = {},
): Promise<QueryResult> {
  const known = lake.tables.find((table) => table.schema === schema && table.name === name);
  if (known?.refused) throw unsupportedTable(schema, name, known.refused);
  const table = [lake.name, schema, name].map(identifier).join(".");
  return await lake.engine.query(`SELECT * FROM ${table} LIMIT ${String(limit)}`, { signal });
}

function objects({ columns, rows }: QueryResult): Rows {
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
  );
}

/** Whether `duckdb-v1.6.0` is newer than `v1.5.1`. */
function isNewer(storage: string, engine: string): boolean {
  const numbers = (text: string) => /v(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [wanted, had] = [numbers(storage), numbers(engine)];
  const differs = wanted.findIndex((number, index) => number !== had[index]);
  return differs >= 0 && (wanted[differs] ?? 0) > (had[differs] ?? 0);
}
