/** `fdl-reader/duckdb` in Node: the same, with the wasm read from disk. */
import { readFile } from "node:fs/promises";
import { useCatalogWasm } from "./plan.js";

export * from "./index.js";

useCatalogWasm(() => readFile(new URL("../wasm/fdl_catalog_bg.wasm", import.meta.url)));
