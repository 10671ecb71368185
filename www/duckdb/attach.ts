/** Handing a version over by Parquet: its verified catalog, and a view for each of its tables. */
import type { CatalogOptions, Version } from "../reader/index.js";
import type { Engine } from "./engine.js";
import { openCatalog } from "./catalog.js";
import { nameTaken, notVerifiableByDuckLake, unsupportedTable } from "./failures.js";
import { define } from "./definitions.js";
import { pageOf, type RowsRequest } from "./page.js";
import { planner, type NamedFile, type PlannedTable, type Questions } from "./plan.js";
import type { QueryResult } from "./result.js";
import { identifier, literal } from "./sql.js";
import { addVerified, type VerifyOptions } from "./verified-files.js";

/** A table or a view of a version that was handed over. */
export type LakeTable = PlannedTable;

/** How a version is handed over. */
export interface AttachOptions extends CatalogOptions {
  /** The name under which its tables are: `<as>.<schema>.<table>`. Default: `lake`. */
  as?: string | undefined;
  /**
   * Whether each data file is fetched whole and verified before DuckDB gets it, so that not one
   * unverified byte reaches it. Tables with a file that is not what was signed, or that no signed hash
   * covers, are refused. Default: no, DuckDB reads by range what a query needs.
   */
  verifyData?: boolean | VerifyOptions | undefined;
  /**
   * Whether the tables are views over Parquet files, or the catalog is attached by DuckDB's own
   * extension `ducklake`, where `extensionRepository` has that. Default: `parquet`.
   */
  by?: "parquet" | "ducklake" | undefined;
}

/** A version, handed over. */
export interface Lake {
  name: string;
  engine: Engine;
  tables: LakeTable[];
  /**
   * Rows of one table or view, from no more data files than may hold them: the statistics in the
   * catalog tell. SQL of one's own runs on the views, by `engine.query`.
   *
   * @throws {FdlError} `unsupported_table` where it cannot be read, `query_failed`, `aborted`
   */
  rows(table: { schema: string; name: string }, request?: RowsRequest): Promise<QueryResult>;
  /** Takes its tables out of the engine again. */
  detach(): Promise<void>;
}

/**
 * Hands a version over. The bytes that were verified are the bytes that DuckDB gets. An engine that
 * is still starting will do: the catalog is read meanwhile, and a broken one is told at once.
 *
 * Requests: the catalog, and the first time the wasm that plans. Parquet files are read, by range, when a query needs them;
 * with `verifyData` each is fetched here.
 *
 * @throws {FdlError} as `version.catalog()`, and `wasm_not_loaded`, `unsupported_storage`, `unsupported_format`,
 * `malformed_catalog`, `name_taken`, `query_failed`, `engine_lost`; with `verifyData` `data_too_large`; by DuckLake
 * `extension_missing`, `extension_mismatch`
 */
export async function attach(
  starting: Engine | Promise<Engine>,
  version: Version,
  { as = "lake", verifyData = false, by = "parquet", ...options }: AttachOptions = {},
): Promise<Lake> {
  if (by === "ducklake" && verifyData !== false) throw notVerifiableByDuckLake();
  const [engine, bytes, handOver] = await Promise.all([
    starting,
    version.catalog(options),
    planner(version),
  ]);
  const { signal } = options;
  const catalog = await openCatalog(engine, version, bytes, { signal });
  const planned = handOver(as, catalog.name);
  let attached = false;
  let detached = false;
  let files: NamedFile[] = [];
  const detach = async () => {
    // Once, so that a second call leaves alone what has the name by then.
    if (detached) return;
    detached = true;
    if (attached && !engine.lost.aborted)
      await engine.run(`DETACH DATABASE IF EXISTS ${identifier(as)}`);
    planned.free();
    await catalog.close();
    if (!engine.lost.aborted) await engine.dropFiles(files.map(({ name }) => name));
  };
  const ask = async ({ extensions, queries }: Questions) => {
    for (const extension of extensions) await engine.load(extension);
    return await catalog.read(queries);
  };
  try {
    files = await planned.namedFiles(ask);
    if (verifyData === false) await engine.addRemoteFiles(files);
    else {
      const given = verifyData === true ? {} : verifyData;
      planned.withhold(await addVerified(engine, version, files, { ...given, signal }));
    }
    const { extensions, statements, definitions, tables } = await planned.plan(ask);
    for (const extension of extensions) await engine.load(extension);

    const taken = `SELECT 1 FROM duckdb_databases() WHERE lower(database_name) = lower(${literal(as)})`;
    if ((await catalog.rowsOf(taken)).length > 0) throw nameTaken(as);
    if (by === "ducklake") {
      await engine.load("ducklake");
      await engine.run(planned.byDuckLake(catalog.name), { signal });
      attached = true;
    } else {
      await engine.run(`ATTACH ':memory:' AS ${identifier(as)}`, { signal });
      attached = true;
      for (const statement of statements) await engine.run(statement, { signal });
      await define(engine, as, definitions, tables);
    }
    const rows: Lake["rows"] = async ({ schema, name }, request = {}) => {
      const known = tables.find((table) => table.schema === schema && table.name === name);
      if (known?.refused) throw unsupportedTable(schema, name, known.refused);
      return await pageOf(engine, planned, { schema, name, ...request });
    };
    return { name: as, engine, tables, rows, detach };
  } catch (cause) {
    await detach();
    throw cause;
  }
}
