/** Rust, its WebAssembly target, and wasm-bindgen's tools. */
import { existsSync, readFileSync } from "node:fs";
import { answer, quietly, Sentence } from "./command.mjs";
import { onPath } from "./programs.mjs";
import { inRoot } from "./root.mjs";

export const target = "wasm32-unknown-unknown";

export const wasmBindgen = inRoot("build", "tools", "bin", "wasm-bindgen");
export const wasmTestRunner = inRoot("build", "tools", "bin", "wasm-bindgen-test-runner");

/** The tool must be of the very version of the crate that the code is compiled with. */
export function wasmBindgenVersion() {
  const lock = readFileSync(inRoot("Cargo.lock"), "utf8");
  return /^name = "wasm-bindgen"\nversion = "(.+)"$/m.exec(lock)[1];
}

export const rust = {
  title: "Rust",
  doing: "Looking for Rust",
  done: () => answer("cargo", ["--version"]) !== null && onPath("cc") !== null,
  run: () => {
    throw new Sentence(
      onPath("cargo")
        ? "A C compiler is missing, which Rust needs for linking: install one (on Debian: apt-get install gcc libc6-dev), then run this again."
        : "Rust is missing: install it with rustup (https://rustup.rs), then run this again.",
    );
  },
};

export const wasmTarget = {
  title: `Rust's target ${target}`,
  doing: `Installing Rust's target ${target}`,
  done: () => {
    const folder = answer("rustc", ["--print", "target-libdir", "--target", target]);
    return folder !== null && existsSync(folder);
  },
  run: () => rustup("target", target),
};

export const rustComponents = {
  title: "rustfmt and clippy",
  doing: "Installing rustfmt and clippy",
  done: () => ["fmt", "clippy"].every((name) => answer("cargo", [name, "--version"]) !== null),
  run: () => rustup("component", "rustfmt", "clippy"),
};

export const wasmBindgenTools = {
  title: "wasm-bindgen",
  doing: "Building wasm-bindgen (about 4 minutes)",
  done: () =>
    [wasmBindgen, wasmTestRunner].every(
      (tool) => answer(tool, ["--version"])?.split(" ")[1] === wasmBindgenVersion(),
    ),
  // Not --locked: the lock file that this version was published with does not resolve.
  run: () =>
    quietly("wasm-bindgen", "cargo", [
      "install",
      "wasm-bindgen-cli",
      ...["--version", wasmBindgenVersion()],
      ...["--root", inRoot("build", "tools")],
      "--force",
    ]),
};

/** What the comparison with native DuckLake asks for SQL. */
export const handOver = {
  title: "examples/hand-over.rs",
  doing: "Compiling what hands over to native DuckDB",
  done: () => false, // cargo knows by itself what has changed
  run: () =>
    quietly("cargo-build", "cargo", [
      ...["build", "--example", "hand-over", "--target-dir", inRoot("target")],
    ]),
};

async function rustup(kind, ...names) {
  if (!onPath("rustup")) {
    throw new Sentence(
      `Rust's ${kind} ${names.join(", ")} is missing: install it with your Rust, or install Rust with rustup (https://rustup.rs), then run this again.`,
    );
  }
  await quietly(`rustup-${kind}`, "rustup", [kind, "add", ...names]);
}
