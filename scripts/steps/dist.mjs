/** dist/: the npm package by tsc, the site by Vite. */
import { chmodSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { quietly } from "./command.mjs";
import { inRoot, npmTool } from "./root.mjs";
import { stamped } from "./stamp.mjs";

const packaged = ["reader", "duckdb", "elements", "locales"];
const configuration = ["package.json", "package-lock.json", "tsconfig.json"];

export const packageFolders = stamped({
  title: "The npm package in dist",
  doing: "Compiling TypeScript to dist",
  stamp: "package",
  inputs: [...packaged, "wasm"]
    .map((name) => `www/${name}`)
    .concat(configuration, "tsconfig.build.json"),
  outputs: ["dist/reader/index.js", "dist/wasm/fdl_reader_bg.wasm"],
  run: async () => {
    for (const name of [...packaged, "wasm"]) {
      rmSync(inRoot("dist", name), { recursive: true, force: true });
    }
    await quietly("tsc", npmTool("tsc"), ["--project", inRoot("tsconfig.build.json")]);
    cpSync(inRoot("www", "wasm"), inRoot("dist", "wasm"), { recursive: true });
    chmodSync(inRoot("dist", "reader", "command.js"), 0o755);
  },
});

export const site = stamped({
  title: "The site in dist/site",
  doing: "Building the site in dist/site",
  stamp: "site",
  inputs: ["www", "build/duckdb-ext", "vite.config.ts", ...configuration],
  outputs: ["dist/site/index.html", "dist/site/fdl-viewer.js", "dist/site/duckdb-ext"],
  run: async () => {
    await quietly("vite", npmTool("vite"), ["build"]);
    const into = (name) => inRoot("dist", "site", name);
    cpSync(inRoot("www", "demo"), into("demo"), { recursive: true });
    cpSync(inRoot("build", "duckdb-ext"), into("duckdb-ext"), { recursive: true });
    mkdirSync(into("duckdb"));
    for (const file of ["duckdb-eh.wasm", "duckdb-browser-eh.worker.js"]) {
      cpSync(
        inRoot("node_modules", "@duckdb", "duckdb-wasm", "dist", file),
        into(`duckdb/${file}`),
      );
    }
  },
});
