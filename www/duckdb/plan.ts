/** The hand-over's SQL, which `src/catalog/` decides: a wasm of its own, needed only with DuckDB. */
import type { ListedFile, Version } from "../reader/index.js";
import { crossed } from "../reader/errors.js";
import { Loader, type WasmSource } from "../reader/loader.js";
import * as wasm from "../wasm/fdl_catalog.js";

/** Rows as objects from column name to text. */
export type Rows = Record<string, string | null>[];

/** What the hand-over asks of a catalog: see `src/catalog/rows.rs`. */
export interface CatalogQuery {
  name: string;
  sql: string;
}

/** What DuckDB is told: see `src/catalog/plan.rs`. */
interface Plan {
  statements: string[];
  tables: {
    schema: string;
    name: string;
    columns: { name: string; type: string }[];
    refused: string | null;
  }[];
  row_counts: string | null;
  extensions: string[];
}

const catalog = new Loader(wasm, () => new URL("../wasm/fdl_catalog_bg.wasm", import.meta.url));

/** As `useWasm`, for the wasm of the hand-over; before the first version is handed over. */
export function useCatalogWasm(source: () => WasmSource | Promise<WasmSource>): void {
  catalog.use(source);
}

/**
 * What plans the hand-over of a version.
 *
 * Requests: its wasm, once for all versions.
 *
 * @throws {FdlError} `wasm_not_loaded`
 */
export async function planner({ record, data }: Version) {
  const { catalogQueries, planHandOver, dataFiles } = await catalog.load();
  const snapshot = BigInt(record.ducklake.snapshot_id);
  return {
    /** The queries that read the catalog, attached as `catalog`. */
    queries: (catalog: string) => catalogQueries(catalog, snapshot) as CatalogQuery[],

    /** What DuckDB is told, from the rows that the queries gave. */
    plan(alias: string, catalog: string, rows: Record<string, Rows>): Plan {
      const json = JSON.stringify(rows);
      const { root, dataDir } = data;
      return crossed(() => planHandOver(alias, catalog, snapshot, root, dataDir, json) as Plan);
    },

    /** The data files and delete files, from the same rows. */
    dataFiles(rows: Record<string, Rows>): ListedFile[] {
      const json = JSON.stringify(rows);
      return crossed(() => dataFiles(snapshot, data.dataDir, json) as ListedFile[]);
    },
  };
}
