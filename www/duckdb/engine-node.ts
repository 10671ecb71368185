/**
 * DuckDB-Wasm in Node, as far as reading a catalog takes: a DuckDB file needs no extension, and
 * nothing is fetched. Queries must give text, as those of a catalog do.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CatalogEngine } from "./catalog.js";
import type { QueryResult } from "./result.js";
import { engineNotLoaded, queryFailed } from "./failures.js";
import { useCatalogWasm } from "./plan.js";

useCatalogWasm(() => readFile(new URL("../wasm/fdl_catalog_bg.wasm", import.meta.url)));

/**
 * Starts DuckDB-Wasm, with the wasm that the package has beside it.
 *
 * @throws {FdlError} `engine_not_loaded`
 */
export async function startNodeEngine(): Promise<CatalogEngine> {
  try {
    const { createDuckDB, NODE_RUNTIME, VoidLogger } = await import("@duckdb/duckdb-wasm/blocking");
    const locate = createRequire(import.meta.url);
    const build = (name: string) => ({
      mainModule: locate.resolve(`@duckdb/duckdb-wasm/dist/duckdb-${name}.wasm`),
      mainWorker: "", // it runs in this thread
    });
    const builds = { mvp: build("mvp"), eh: build("eh") };
    const db = await createDuckDB(builds, new VoidLogger(), NODE_RUNTIME);
    await db.instantiate();
    const connection = db.connect();
    const query = (sql: string): QueryResult => {
      try {
        const table = connection.query(sql);
        const columns = table.schema.fields.map(({ name, type }) => ({ name, type: String(type) }));
        const vectors = columns.map((_, index) => table.getChildAt(index));
        const rows = Array.from({ length: table.numRows }, (_, row) =>
          vectors.map((vector) => vector?.get(row) as string | null),
        );
        return { columns, rows, more: false };
      } catch (cause) {
        throw queryFailed(cause);
      }
    };
    return {
      version: query("SELECT version()").rows[0]?.[0] ?? "",
      addFile: (name, bytes) => {
        db.registerFileBuffer(name, bytes);
        return Promise.resolve();
      },
      dropFiles: (names) => {
        db.dropFiles(names);
        return Promise.resolve();
      },
      query: (sql) => Promise.resolve(query(sql)),
      run: (statement) => Promise.resolve(void query(statement)),
    };
  } catch (cause) {
    throw engineNotLoaded(cause);
  }
}
