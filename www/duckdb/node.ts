/** `fdl-reader/duckdb` in Node: the same, with the wasm read from disk, and an engine for catalogs. */
export * from "./index.js";
export { startNodeEngine } from "./engine-node.js";
