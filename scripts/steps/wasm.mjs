/** From Rust to www/wasm/: compiled, bound to JavaScript, and made small. */
import { readFileSync, renameSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { quietly } from "./command.mjs";
import { inRoot, npmTool } from "./root.mjs";
import { target, wasmBindgen, wasmBindgenVersion } from "./rust.mjs";
import { stamped } from "./stamp.mjs";

const compiled = `target/${target}/release/fdl_reader.wasm`;
const bound = "www/wasm/fdl_reader_bg.wasm";

/** Cargo knows by itself what has changed, so it is always asked. */
export const compileWasm = {
  title: "WebAssembly from Rust",
  doing: "Compiling Rust to WebAssembly",
  done: () => false,
  run: () =>
    quietly("cargo-build", "cargo", [
      ...["build", "--lib", "--release"],
      ...["--target", target, "--target-dir", inRoot("target")],
    ]),
};

export const bindWasm = stamped({
  title: "www/wasm",
  doing: "Binding the WebAssembly to JavaScript and making it small",
  stamp: "wasm",
  inputs: [compiled, "package-lock.json"],
  outputs: [bound, "www/wasm/fdl_reader.js", "www/wasm/fdl_reader.d.ts"],
  facts: wasmBindgenVersion,
  run: async () => {
    await quietly("wasm-bindgen-bind", wasmBindgen, [
      ...["--target", "web", "--out-dir", inRoot("www", "wasm"), inRoot(compiled)],
    ]);
    // The module itself says which features it uses; --all-features would make one that browsers refuse.
    const small = inRoot("build", "fdl_reader_small.wasm");
    await quietly("wasm-opt", npmTool("wasm-opt"), [
      ...["-Oz", "--strip-producers", "--strip-target-features"],
      ...[inRoot(bound), "-o", small],
    ]);
    renameSync(small, inRoot(bound));
  },
});

/** The size that a visitor downloads, in a sentence. */
export function wasmSize() {
  const bytes = readFileSync(inRoot(bound));
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const [raw, small] = [bytes, brotli].map(({ length }) => length.toLocaleString("en"));
  return `fdl_reader_bg.wasm: ${raw} bytes, ${small} after brotli -q 11`;
}
