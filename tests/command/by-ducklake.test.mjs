/** By DuckLake: what the reader tells DuckDB, run in native DuckDB over HTTP, gives what the judge has. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { inRoot } from "../browser/api.mjs";
import { startHost } from "../hosts/server.mjs";

const python = inRoot("build/venv/bin/python");

async function run(program, given) {
  const child = spawn(program, given, { cwd: inRoot(""), stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [status] = await once(child, "close");
  return { status, said };
}

/** The script's answer for these scenarios, and which data files it asked the host for. */
async function heldAgainstTheJudge(...names) {
  const built = await run("cargo", ["build", "-q", "--example", "hand-over"]);
  assert.equal(built.status, 0, built.said);
  const repositories = inRoot("build/repositories");
  const host = await startHost({ root: repositories });
  try {
    const script = inRoot("tests/conformance/by_ducklake.py");
    const program = inRoot("target/debug/examples/hand-over");
    const answer = await run(python, [script, program, host.url, repositories, ...names]);
    return { ...answer, read: host.log.filter(({ path }) => path.endsWith(".parquet")) };
  } finally {
    await host.close();
  }
}

test("the statement attaches the frozen catalog at its snapshot, with the data files of the root", async () => {
  const names = ["second-commit", "tagged", "types", "deletes-both", "renamed-columns"];
  const { status, said, read } = await heldAgainstTheJudge(...names);
  assert.equal(status, 0, said);
  assert.deepEqual(
    said.trim().split("\n"),
    names.map((name) => `${name}: the same`),
  );
  assert.ok(read.length > 0, "the data files came over HTTP");
});

test("a catalog with a view or a macro that may not be run is refused whole: DuckLake would bring them all", async () => {
  const names = ["hostile-views", "hostile-macros"];
  const { status, said, read } = await heldAgainstTheJudge(...names);
  assert.equal(status, 1, said);
  const lines = said.trim().split("\n");
  assert.equal(lines.length, names.length, said);
  for (const [index, name] of names.entries()) {
    assert.ok(lines[index].startsWith(`${name}: malformed_catalog`), lines[index]);
  }
  assert.equal(read.length, 0, "no data file was asked for");
});
