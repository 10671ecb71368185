/** dist/: the npm package by tsc, the site by Vite. */
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { quietly } from "./command.mjs";
import { inRoot, npmTool } from "./root.mjs";
import { stamped } from "./stamp.mjs";

const packaged = ["reader", "duckdb", "preview", "elements", "locales"];
const configuration = ["package.json", "package-lock.json", "tsconfig.json"];

export const packageFolders = stamped({
  title: "The npm package in dist",
  doing: "Compiling TypeScript to dist",
  stamp: "package",
  inputs: [...packaged, "wasm"]
    .map((name) => `www/${name}`)
    .concat(configuration, "tsconfig.build.json"),
  outputs: [
    "dist/reader/index.js",
    "dist/wasm/fdl_reader_bg.wasm",
    "dist/wasm/fdl_reader_whole_bg.wasm",
    "dist/wasm/fdl_catalog_bg.wasm",
  ],
  run: async () => {
    // Made aside, so that a compile that fails leaves the last package as it was.
    const made = inRoot("build", "package");
    rmSync(made, { recursive: true, force: true });
    const to = ["--project", inRoot("tsconfig.build.json"), "--outDir", made];
    await quietly("tsc", npmTool("tsc"), to);
    cpSync(inRoot("www", "wasm"), join(made, "wasm"), { recursive: true });
    chmodSync(join(made, "reader", "command.js"), 0o755);
    mkdirSync(inRoot("dist"), { recursive: true });
    for (const name of [...packaged, "wasm"]) {
      rmSync(inRoot("dist", name), { recursive: true, force: true });
      renameSync(join(made, name), inRoot("dist", name));
    }
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
