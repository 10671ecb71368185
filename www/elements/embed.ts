/**
 * fdl-viewer.js: the elements in one file, for `<script type="module">`.
 *
 * The engine's files lie beside it, in `duckdb/` and `duckdb-ext/`; a page that has them elsewhere
 * imports `configureEngine` from this file and calls it before any rows are shown.
 */
import { configureEngine } from "./index.js";

export * from "./index.js";

const beside = (path: string): string => new URL(/* @vite-ignore */ path, import.meta.url).href;

configureEngine({
  engine: {
    wasm: beside("duckdb/duckdb-eh.wasm"),
    worker: beside("duckdb/duckdb-browser-eh.worker.js"),
  },
  extensionRepository: beside("duckdb-ext"),
});
