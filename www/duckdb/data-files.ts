/** Which data files a version has, by its verified catalog. */
import type { CatalogOptions, ListedFile, Version } from "../reader/index.js";
import { openCatalog, type CatalogEngine } from "./catalog.js";
import { planner } from "./plan.js";

/**
 * The data files and delete files of a version, with the length and the number of rows that its
 * catalog records for each: for `version.verifyData({ files })`, where the record names no files.json.
 * An engine that is still starting will do.
 *
 * Requests: the catalog, and the first time the wasm that reads its rows.
 *
 * @throws {FdlError} as `version.catalog()`, and `wasm_not_loaded`, `unsupported_storage`,
 * `unsupported_format`, `malformed_catalog`, `query_failed`
 */
export async function dataFilesOf(
  starting: CatalogEngine | Promise<CatalogEngine>,
  version: Version,
  options: CatalogOptions = {},
): Promise<ListedFile[]> {
  const [engine, bytes, handOver] = await Promise.all([
    starting,
    version.catalog(options),
    planner(version),
  ]);
  const catalog = await openCatalog(engine, version, bytes, options);
  const planned = handOver("", catalog.name);
  try {
    return await planned.dataFiles(({ queries }) => catalog.read(queries));
  } finally {
    planned.free();
    await catalog.close();
  }
}
