/**
 * The signed extensions that DuckDB-Wasm loads, kept so that a page needs no host but its own.
 *
 * DuckDB does not compare an extension's version with its own, so the two are pinned together:
 * @duckdb/duckdb-wasm in package.json is DuckDB v1.5.1, and so are these.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { quietly, Sentence } from "./command.mjs";
import { python } from "./python.mjs";
import { inRoot } from "./root.mjs";

/** As DuckDB looks for them below `custom_extension_repository`, and their sha256. */
const extensions = {
  "v1.5.1/wasm_eh/parquet.duckdb_extension.wasm":
    "82dc14353de0d518f5824a799e69aedcc05eea82ff1a8d1814715ecf72bfc951",
  "v1.5.1/wasm_eh/json.duckdb_extension.wasm":
    "29844ad96567fbc1f05ff1d4d99a22c1e6723ba290e2e83f019f1777beb240f6",
};

const folder = inRoot("build", "duckdb-ext");

export const duckdbExtensions = {
  title: "DuckDB's extensions",
  doing: "Fetching DuckDB's extensions",
  done: () =>
    Object.entries(extensions).every(([path, sha256]) => holds(join(folder, path), sha256)),
  run: async () => {
    const wheel = inRoot("build", "wheel");
    rmSync(wheel, { recursive: true, force: true });
    // The wheel holds no Python of ours: any Python may fetch it, whatever version it asks for.
    await quietly("duckdb-extensions", python, [
      ...["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--require-hashes"],
      ...["--python-version", "3.12", "--dest", wheel],
      ...["-r", inRoot("scripts", "duckdb-extensions.txt")],
    ]);
    const [name] = readdirSync(wheel);
    const unpacked = join(wheel, "unpacked");
    await quietly("unpack", python, ["-m", "zipfile", "-e", join(wheel, name), unpacked]);
    for (const [path, sha256] of Object.entries(extensions)) {
      const source = join(unpacked, "embedding_atlas", "static", "duckdb-wasm", path);
      if (!holds(source, sha256)) throw new Sentence(`${source} is not the file that is pinned.`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(source, join(folder, path));
    }
    rmSync(wheel, { recursive: true });
  },
};

function holds(path, sha256) {
  return (
    existsSync(path) && createHash("sha256").update(readFileSync(path)).digest("hex") === sha256
  );
}
