/** `fdl-reader/duckdb`: hand a version over to DuckDB-Wasm. */
export { attach, type AttachOptions, type Lake, type LakeTable } from "./attach.js";
export type { CatalogEngine } from "./catalog.js";
export { dataFilesOf } from "./data-files.js";
export { Engine } from "./engine.js";
export { useCatalogWasm } from "./plan.js";
export type { QueryOptions, QueryResult } from "./result.js";
export { startEngine, type EngineOptions } from "./start.js";
export type { VerifyOptions } from "./verified-files.js";
