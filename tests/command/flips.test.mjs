/** One byte is changed, anywhere: verify exits with 1, whether or not the file can still be read. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { atTip, copyOf, signersFile } from "./cast.mjs";
import { run } from "./fdl-reader.mjs";

/** Flips one bit of a byte, runs verify with and without a list, and mends the file again. */
async function verifyFlipped(repository, signers, file, at, bit) {
  const path = atTip(repository, file);
  const content = readFileSync(path);
  const flipped = Buffer.from(content);
  flipped[at] ^= bit;
  writeFileSync(path, flipped);
  const list = ["--allowed-signers", signers];
  const answers = await Promise.all(
    [list, []].map((options) => run(["verify", repository, "--json", ...options])),
  );
  writeFileSync(path, content);
  return answers;
}

/** The places in a file where one kind of thing can go wrong each. */
function places(text, marks) {
  return marks.map((mark) => {
    const at = text.indexOf(mark);
    assert.ok(at >= 0, mark);
    return [mark, at];
  });
}

const marks = {
  "version.json": [
    ...["{", '"fdl"', "0.1", '"id"', '"seq"', ": 2", '"parents"', "[", '"created_at"', "2026-"],
    ...["T09:", "Z", '"author"', '"bob"', '"message"', "Add a", '"catalog"', "ducklake.duckdb"],
    ...['"storage"', '"bytes"', '"sha256"', '"dataset"', "dataset.json", '"files"', "files.json"],
    ...['"format"', '"1.0"', '"snapshot_id"', ",", "\n", "  "],
  ],
  "dataset.json": ["{", '"title"', ": ", '"tables"', "[", '"columns"', "\n"],
  "files.json": ["{", '"tables"', '"path"', '"record_count"', "data/"],
};

for (const file of ["version.json", "dataset.json", "files.json"]) {
  test(`one flipped byte of ${file} makes verify exit with 1`, async (t) => {
    const repository = copyOf(t, "second-commit");
    const signers = signersFile(t, "second-commit");
    const text = readFileSync(atTip(repository, file), "latin1");
    for (const [mark, at] of places(text, marks[file])) {
      for (const bit of [1, 128]) {
        for (const { exitCode, stdout } of await verifyFlipped(
          ...[repository, signers, file, at, bit],
        )) {
          assert.equal(exitCode, 1, `${JSON.stringify(mark)} ^ ${bit}: ${stdout}`);
        }
      }
    }
  });
}

test("one flipped byte of the catalog makes verify exit with 1", async (t) => {
  const repository = copyOf(t, "second-commit");
  const signers = signersFile(t, "second-commit");
  const { length } = readFileSync(atTip(repository, "ducklake.duckdb"));
  for (const at of [0, 8, 4096, Math.floor(length / 2), length - 1]) {
    for (const { exitCode, stdout } of await verifyFlipped(
      ...[repository, signers, "ducklake.duckdb", at, 1],
    )) {
      assert.equal(exitCode, 1);
      assert.equal(JSON.parse(stdout).integrity, "broken");
    }
  }
});

test("a record of a later major version whose signature fits is not broken, but not known", async (t) => {
  const repository = copyOf(t, "second-commit");
  const path = atTip(repository, "version.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"0.1"', '"1.0"'));
  const changed = await run(["verify", repository, "--json"]);
  assert.equal(JSON.parse(changed.stdout).error.code, "broken_version");
  assert.equal(changed.exitCode, 1);

  // Unsigned, nothing tells a later version from a changed one.
  writeFileSync(atTip(repository, "version.json.sig"), "<!doctype html>");
  const later = await run(["verify", repository, "--json"]);
  assert.equal(JSON.parse(later.stdout).error.code, "unknown_major_version");
  assert.equal(later.exitCode, 2);
});
