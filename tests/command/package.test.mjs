/** The npm package as someone gets it: packed, unpacked elsewhere, and used by its name. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sizeLimit, wasmSize } from "../../scripts/steps/wasm.mjs";
import { about, root } from "./cast.mjs";

const project = fileURLToPath(new URL("../../", import.meta.url));
const { dependencies, bin } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));

let made, tarball, contents;

before(() => {
  made = mkdtempSync(join(tmpdir(), "fdl-reader package "));
  const packed = ran("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", made], {
    cwd: project,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout);
  tarball = join(made, filename);
  contents = files.map(({ path }) => path);
});

after(() => rmSync(made, { recursive: true }));

function ran(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    ...options,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** A project that depends on the package. `needed` are those of its dependencies that are there. */
function installed(name, needed = []) {
  const user = join(made, name);
  const modules = join(user, "node_modules");
  const unpacked = join(modules, "fdl-reader");
  mkdirSync(unpacked, { recursive: true });
  ran("tar", ["-xzf", tarball, "--strip-components=1", "-C", unpacked]);
  for (const dependency of needed) {
    const link = join(modules, dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(project, "node_modules", dependency), link);
  }
  writeFileSync(join(user, "package.json"), '{ "type": "module" }');
  return { user, unpacked };
}

/** Runs a module in a project and gives what it printed as JSON. */
function evaluated(user, source) {
  const script = join(user, "script.js");
  writeFileSync(script, source);
  const { status, stdout, stderr } = ran(process.execPath, [script], { cwd: user });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test("the package holds what is built for it, its README and its licence, and nothing else", () => {
  const folders = new Set(contents.map((path) => path.split("/").slice(0, -1).join("/")));
  assert.deepEqual([...folders].sort(), [
    "",
    "dist/duckdb",
    "dist/elements",
    "dist/locales",
    "dist/preview",
    "dist/reader",
    "dist/wasm",
  ]);
  const atRoot = contents.filter((path) => !path.includes("/"));
  assert.deepEqual(atRoot.sort(), ["LICENSE", "README.md", "package.json"]);
  for (const entry of [
    ...["dist/reader/index.js", "dist/reader/index.d.ts", "dist/reader/node.js"],
    ...["dist/reader/command.js", "dist/wasm/fdl_reader.js", "dist/wasm/fdl_reader_bg.wasm"],
    ...["dist/duckdb/index.js", "dist/duckdb/index.d.ts"],
    ...["dist/elements/index.js", "dist/elements/index.d.ts", "dist/locales/index.js"],
  ]) {
    assert.ok(contents.includes(entry), entry);
  }
  const wasm = contents.filter((path) => path.endsWith(".wasm"));
  const ours = ["fdl_catalog", "fdl_reader", "fdl_reader_whole"];
  assert.deepEqual(
    wasm.sort(),
    ours.map((name) => `dist/wasm/${name}_bg.wasm`),
    "DuckDB's engine is not in it",
  );
});

test("the wasm that verifies keeps to its size", () => {
  const { brotli } = wasmSize(readFileSync(join(project, "dist/wasm/fdl_reader_bg.wasm")));
  assert.ok(brotli <= sizeLimit, `${brotli} bytes after brotli, ${sizeLimit} at most`);
});

test("in Node the package alone, without its dependencies, opens a folder", () => {
  const { user } = installed("reads a folder");
  const answer = evaluated(
    user,
    `import { FdlError, openRepository } from "fdl-reader";
     const repository = await openRepository(${JSON.stringify(root("tagged"))}, {
       trustedSigners: ${JSON.stringify(about("tagged").trusted_signers)},
     });
     const version = await repository.version("2025-final");
     const verdict = await version.verify();
     const error = await repository.version("mian").catch((error) => error);
     console.log(JSON.stringify({
       id: version.id, verdict, refs: (await repository.refs()).refs.length,
       isFdlError: error instanceof FdlError, code: error.code,
     }));`,
  );
  const [, { id }] = about("tagged").versions;
  assert.deepEqual([answer.id, answer.refs], [id, 2]);
  assert.deepEqual([answer.verdict.integrity, answer.verdict.signature], ["intact", "trusted"]);
  assert.deepEqual([answer.isFdlError, answer.code], [true, "unknown_ref"]);
});

test("importing the package loads nothing, and a failure to load is not kept", () => {
  const { user, unpacked } = installed("loads late");
  const answer = evaluated(
    user,
    `import { renameSync } from "node:fs";
     const wasm = ${JSON.stringify(join(unpacked, "dist/wasm/fdl_reader_bg.wasm"))};
     renameSync(wasm, wasm + ".away");
     const { openRepository } = await import("fdl-reader");
     const open = () => openRepository(${JSON.stringify(root("tagged"))});
     const { code, message } = await open().catch((error) => error);
     renameSync(wasm + ".away", wasm);
     console.log(JSON.stringify({ code, message, later: (await open()).settings.fdl }));`,
  );
  assert.equal(answer.code, "wasm_not_loaded");
  assert.match(answer.message, /fdl_reader_bg\.wasm'\. Reload the page, or in Node install/);
  assert.equal(answer.later, "0.1");
});

test("in Node the wasm of the hand-over is read from disk", () => {
  const { user, unpacked } = installed("plans a hand-over", Object.keys(dependencies));
  const [{ name, sql }] = evaluated(
    user,
    `import "fdl-reader/duckdb";
     import { planner } from ${JSON.stringify(join(unpacked, "dist/duckdb/plan.js"))};
     const data = { root: "https://host.example/lake/", dataDir: "data/" };
     const version = { record: { ducklake: { snapshot_id: 12 } }, data };
     const asked = [];
     const ask = ({ queries }) => (asked.push(...queries), { metadata: [] });
     await (await planner(version))("lake", "catalog").plan(ask).catch(() => undefined);
     console.log(JSON.stringify(asked));`,
  );
  assert.equal(name, "metadata");
  assert.match(sql, / FROM "catalog"\.main\.ducklake_metadata /);
});

test("the package's bin is the command", () => {
  const { user, unpacked } = installed("has a command");
  const program = join(unpacked, bin["fdl-reader"]);
  accessSync(program, constants.X_OK);
  const link = join(user, "node_modules", ".bin", "fdl-reader");
  mkdirSync(dirname(link));
  symlinkSync(program, link);
  const help = ran(link, ["--help"]);
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  assert.match(help.stdout, /fdl-reader verify URL/);
  const refs = ran(link, ["refs", root("tagged"), "--json"]);
  assert.equal(JSON.parse(refs.stdout).head, "refs/heads/main");
});

test("server rendering may import the elements and the hand-over, which need a page to run", () => {
  const { user } = installed("renders on a server", Object.keys(dependencies));
  const answer = evaluated(
    user,
    `import { FdlError } from "fdl-reader";
     import * as duckdb from "fdl-reader/duckdb";
     import * as elements from "fdl-reader/elements";
     elements.configureEngine({});
     const error = await duckdb.startEngine().catch((error) => error);
     console.log(JSON.stringify({
       duckdb: typeof duckdb.attach, elements: typeof elements.FdlViewer,
       document: typeof document, isFdlError: error instanceof FdlError, code: error.code,
     }));`,
  );
  assert.deepEqual(answer, {
    ...{ duckdb: "function", elements: "function", document: "undefined" },
    ...{ isFdlError: true, code: "engine_not_loaded" },
  });
});

test("what is written for TypeScript finds the types of every door", () => {
  const { user } = installed("has types", Object.keys(dependencies));
  symlinkSync(join(project, "node_modules", "@types"), join(user, "node_modules", "@types"));
  writeFileSync(
    join(user, "page.ts"),
    `import { openRepository, type Verdict, type HistoryEntry } from "fdl-reader";
     import { attach, startEngine } from "fdl-reader/duckdb";
     import { configureEngine, FdlViewer } from "fdl-reader/elements";
     const repository = await openRepository("https://host.example/lake/", { trustedSigners: "" });
     const version = await repository.version("main");
     const verdict: Verdict = version.verdict;
     for await (const entry of repository.history()) {
       const step: HistoryEntry = entry;
       if (step.kind === "version") console.log(step.record.created_at, verdict.signature);
     }
     const lake = await attach(await startEngine(), version, { as: "lake" });
     lake.tables.map(({ schema, name }) => schema + name);
     configureEngine({ extensionRepository: "/duckdb-ext" });
     const viewer: FdlViewer = document.createElement("fdl-viewer");
     // @ts-expect-error -- a number is no address
     await openRepository(7);
     document.body.append(viewer);`,
  );
  for (const module of ["nodenext", "esnext"]) {
    const resolution = module === "esnext" ? ["--moduleResolution", "bundler"] : [];
    const { status, stdout } = ran(
      process.execPath,
      [join(project, "node_modules", "typescript", "bin", "tsc"), "page.ts", "--noEmit"].concat(
        ...["--strict", "--target", "es2022", "--skipLibCheck", "--module", module],
        ...resolution,
      ),
      { cwd: user },
    );
    assert.equal(status, 0, stdout);
  }
});

test("each file that is packed has its types and its source map beside it", () => {
  const { unpacked } = installed("is whole");
  for (const folder of ["duckdb", "elements", "locales", "preview", "reader"]) {
    const names = readdirSync(join(unpacked, "dist", folder));
    for (const name of names.filter((name) => name.endsWith(".js"))) {
      assert.ok(names.includes(name.replace(/\.js$/, ".d.ts")), name);
      assert.ok(names.includes(`${name}.map`), name);
    }
  }
});
