/** Which steps a command takes, in their order. */
import { packageFolders, site } from "./dist.mjs";
import { duckdbExtensions } from "./extensions.mjs";
import { node, packages } from "./node.mjs";
import { chromedriver, chromium, sshKeygen } from "./programs.mjs";
import { earlierDuckdb, pythonPackages, venv } from "./python.mjs";
import { handOver, rust, rustComponents, wasmBindgenTools, wasmTarget } from "./rust.mjs";
import { bindWasm, compileWasm } from "./wasm.mjs";

/** What `npm run build` and `npm start` need, and the building itself. */
export const building = [
  node,
  rust,
  wasmTarget,
  packages,
  venv,
  duckdbExtensions,
  wasmBindgenTools,
  compileWasm,
  bindWasm,
  packageFolders,
  site,
];

/** What the comparison with native DuckLake needs: no npm packages, no browser. */
export const conforming = [node, rust, venv, pythonPackages, earlierDuckdb, sshKeygen, handOver];

/** What the tests need beside that. */
export const testing = [
  rustComponents,
  pythonPackages,
  earlierDuckdb,
  sshKeygen,
  chromium,
  chromedriver,
];
