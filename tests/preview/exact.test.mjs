/** By preview, every row of every table is what native DuckLake reads, in its order; or it is refused. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { openRepository } from "../../dist/reader/node.js";
import { preview } from "../../dist/preview/index.js";
import { inRoot, judged } from "../browser/api.mjs";
import { startHost } from "../hosts/server.mjs";

/** Why tables of these scenarios are left to the engine, and nothing else may be. */
const leftToTheEngine = {
  "deletes-both": ["inlined"],
  "inlined-deletes": ["inlined"],
  "inlined-rows": ["inlined"],
  "inlined-rows-and-added-columns": ["inlined"],
  "nested-members-of-inlined-rows": ["inlined"],
  "files-json-not-named": ["no_files_json"],
  "no-files-json": ["no_files_json"],
  // Its files.json is older than what a preview needs of one.
  demo: ["too_little_said"],
  // Powers of two that DuckDB writes wrong.
  "values-at-random": ["type"],
};

let host, total;
before(async () => {
  host = await startHost({
    mounts: { "/": inRoot("build/repositories"), "/demo/": inRoot("www/demo") },
    headers: { connection: "close" }, // comparing takes longer than an idle connection is kept
  });
  total = { tables: 0, rows: 0 };
});
after(async () => {
  await host?.close();
  // A preview that refused everything would agree with every judge.
  assert.ok(total.tables >= 150, `${total.tables} tables`);
  assert.ok(total.rows >= 250_000, `${total.rows} rows`);
  console.log(`${total.tables} tables and ${total.rows} rows were shown by preview`);
});

const whole = Object.values(judged).filter(
  ({ fails, facts, versions }) =>
    !fails && !facts.missing && versions.some(({ tables }) => tables.length > 0),
);
for (const { name, rule } of whole) {
  test(`${name}: ${rule}`, async () => {
    const refused = new Set();
    for (const expected of await nativeRows(name)) {
      const reason = await compare(name, expected);
      if (reason) refused.add(reason);
    }
    assert.deepEqual([...refused], leftToTheEngine[name] ?? []);
  });
}

/** Why the table is refused; `null` where its rows are those that are expected. */
async function compare(name, { version: id, schema, name: table, columns, rows }) {
  const repository = await openRepository(`${host.url}${name}/`, { ref: id });
  const version = await repository.version(id);
  try {
    const shown = await preview(version, { schema, name: table }).rows({ limit: Infinity });
    assert.deepEqual(shown.columns, columns);
    assert.equal(shown.rows.length, rows.length);
    assert.deepEqual(shown.rows, rows);
    assert.equal(shown.more, false);
    total.tables++;
    total.rows += rows.length;
    return null;
  } catch (error) {
    if (error.code !== "not_previewable") throw error;
    return error.facts.reason;
  } finally {
    version.free();
    repository.free();
  }
}

/** What native DuckLake gives, a line for each table of each version. */
async function nativeRows(name) {
  const root = inRoot(name === "demo" ? "www/demo" : `build/repositories/${name}`);
  const script = inRoot("tests/preview/rows.py");
  const { stdout } = await promisify(execFile)(inRoot("build/venv/bin/python"), [script, root], {
    maxBuffer: 2 ** 30,
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  assert.ok(lines.length > 0);
  return lines.map((line) => JSON.parse(line));
}
