/** From Rust to www/wasm/: compiled, bound to JavaScript, and made small. */
import { copyFileSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { quietly } from "./command.mjs";
import { silencePanics } from "./panics.mjs";
import { inRoot, npmTool } from "./root.mjs";
import { target, wasmBindgen, wasmBindgenVersion } from "./rust.mjs";
import { stamped } from "./stamp.mjs";

/**
 * The crate is compiled once for each wasm, with the features that it is made of. Whoever follows a
 * ref and verifies needs the reader alone; the hand-over's SQL comes with DuckDB.
 */
const modules = [
  { name: "fdl_reader", features: "reader" }, // ECDSA and RSA are the browser's
  { name: "fdl_reader_whole", features: "reader,ecdsa,rsa" }, // where it has them not
  { name: "fdl_catalog", features: "catalog" },
];

const compiled = (name) => `build/wasm/${name}.wasm`;
const bound = (name) => `www/wasm/${name}_bg.wasm`;

/** The most that the wasm which verifies may come to, in bytes after `brotli -q 11`. */
export const sizeLimit = 150_000;

/** Cargo knows by itself what has changed, so it is always asked. */
export const compileWasm = {
  title: "WebAssembly from Rust",
  doing: "Compiling Rust to WebAssembly",
  done: () => false,
  run: async () => {
    for (const module of modules) await compile(module);
  },
};

export const bindWasm = stamped({
  title: "www/wasm",
  doing: "Binding the WebAssembly to JavaScript and making it small",
  stamp: "wasm",
  inputs: [
    ...modules.map(({ name }) => compiled(name)),
    ...["package-lock.json", "scripts/steps/wasm.mjs", "scripts/steps/panics.mjs"],
  ],
  outputs: modules.flatMap(({ name }) => [
    bound(name),
    `www/wasm/${name}.js`,
    `www/wasm/${name}.d.ts`,
  ]),
  facts: wasmBindgenVersion,
  run: async () => {
    for (const { name } of modules) await bind(name, inRoot("www", "wasm"));
  },
});

/** Hashing alone, for `npm run bench`. */
export const benchWasm = {
  title: "The wasm that is measured",
  doing: "Making the wasm that is measured",
  done: () => false,
  run: async () => {
    await compile({ name: "fdl_bench", features: "bench" });
    await bind("fdl_bench", inRoot("build", "bench", "wasm"));
  },
};

async function compile({ name, features }) {
  mkdirSync(inRoot("build", "wasm"), { recursive: true });
  await quietly("cargo-build", "cargo", [
    ...["--config", `target.${target}.rustflags=${JSON.stringify(withoutPaths())}`],
    ...["build", "--lib", "--release", "--no-default-features", "--features", features],
    ...["--target", target, "--target-dir", inRoot("target")],
  ]);
  copyFileSync(inRoot("target", target, "release", "fdl_reader.wasm"), inRoot(compiled(name)));
}

/** Where crates lie on the machine that builds is no visitor's business. */
function withoutPaths() {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const folders = [join(cargo, "registry", "src"), join(cargo, "git", "checkouts"), inRoot()];
  return folders.map((folder) => `--remap-path-prefix=${folder}=`);
}

async function bind(name, folder) {
  await quietly("wasm-bindgen-bind", wasmBindgen, [
    // By their names the functions are found that begin a panic; wasm-opt drops the names.
    ...["--target", "web", "--keep-debug", "--out-dir", folder, inRoot(compiled(name))],
  ]);
  // The module itself says which features it uses; --all-features would make one that browsers refuse.
  const small = inRoot("build", "wasm", `${name}_small.wasm`);
  const made = join(folder, `${name}_bg.wasm`);
  await silencePanics(made);
  await quietly("wasm-opt", npmTool("wasm-opt"), [
    // A function that has one caller stays a function, and those of one name, which are much alike,
    // stand together: neither makes fewer bytes, but brotli makes fewer of them.
    ...["-Os", "--one-caller-inline-max-function-size", "1", "--reorder-functions-by-name"],
    ...["--strip-debug", "--strip-producers", "--strip-target-features"],
    ...[made, "-o", small],
  ]);
  renameSync(small, made);
}

/** The sizes that a visitor downloads, a line for each wasm. */
export function wasmSizes() {
  const [reader, ...others] = modules.map(({ name }) => {
    const { raw, brotli } = wasmSize(readFileSync(inRoot(bound(name))));
    const [bytes, small] = [raw, brotli].map((size) => size.toLocaleString("en"));
    return `${name}_bg.wasm: ${bytes} bytes, ${small} after brotli -q 11`;
  });
  return `${reader} (at most ${sizeLimit.toLocaleString("en")})\n${others.join("\n")}`;
}

/** How many bytes a wasm has, and how many after `brotli -q 11`. */
export function wasmSize(bytes) {
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return { raw: bytes.length, brotli: brotli.length };
}
