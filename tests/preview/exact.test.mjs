/** By preview, every row of every table is what native DuckLake reads; or it is refused, for a reason. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { openRepository } from "../../dist/reader/node.js";
import { preview } from "../../dist/preview/index.js";
import { inRoot, judged } from "../browser/api.mjs";
import { startHost } from "../hosts/server.mjs";

/** Types of which not every value has a text that is certain, at any depth; and JSON only at the top. */
const uncertain = /\b(UHUGEINT|TIME WITH TIME ZONE|VARIANT|GEOMETRY)\b/;

/** The tables that are refused for what their values are. */
const refusedValues = {
  // DuckDB writes the shortest digits of some powers of two one too high or too low.
  "values-at-random main.powers": "type",
};

const whole = Object.values(judged).filter(
  ({ fails, facts, versions }) =>
    !fails && !facts.missing && versions.some(({ tables }) => tables.length > 0),
);
const rootOf = (name) => inRoot(name === "demo" ? "www/demo" : `build/repositories/${name}`);

let host, native, total;
before(async () => {
  host = await startHost({
    mounts: { "/": inRoot("build/repositories"), "/demo/": inRoot("www/demo") },
    headers: { connection: "close" }, // comparing takes longer than an idle connection is kept
  });
  native = await nativeRows(whole.map(({ name }) => rootOf(name)));
  total = { tables: 0, rows: 0 };
});
after(async () => {
  await host?.close();
  // A preview that refused everything would agree with every judge.
  assert.ok(total.tables >= 550, `${total.tables} tables`);
  assert.ok(total.rows >= 280_000, `${total.rows} rows`);
  console.log(`${total.tables} tables and ${total.rows} rows were shown by preview`);
});

// Without a test node runs no after(), and nothing would be counted.
test("there are repositories to read by preview", () => assert.ok(whole.length > 0));

for (const { name, rule } of whole) {
  test(`${name}: ${rule}`, async () => {
    const tables = native.get(rootOf(name));
    native.delete(rootOf(name)); // many rows: they need not all be kept to the end
    assert.ok(tables.length > 0);
    for (const line of tables) await compare(name, JSON.parse(line));
  });
}

async function compare(name, { version: id, schema, name: table, columns, rows }) {
  const repository = await openRepository(`${host.url}${name}/`, { ref: id });
  const version = await repository.version(id);
  const what = `${schema}.${table} of ${id}`;
  const reason = refusedValues[`${name} ${schema}.${table}`] ?? reasonIn(version, schema, table);
  const read = async () =>
    await preview(version, { schema, name: table }).rows({ limit: Infinity });
  try {
    if (reason) {
      await assert.rejects(read(), (error) => {
        assert.equal(error.code, "not_previewable", `${what}: ${error.stack}`);
        assert.equal(error.facts.reason, reason, what);
        return true;
      });
      return;
    }
    const shown = await read();
    assert.deepEqual(shown.columns, columns, what);
    assert.equal(shown.more, false, what);
    // DuckLake promises an order within a data file, and none over several.
    const { files } = listed(version, schema, table);
    const comparable = files.length > 1 ? inOneOrder : (these) => these;
    assert.deepEqual(comparable(shown.rows), comparable(rows), what);
    total.tables++;
    total.rows += rows.length;
  } finally {
    version.free();
    repository.free();
  }
}

function listed({ files }, schema, name) {
  return files.tables.find((table) => table.schema === schema && table.name === name);
}

/** Why the version's own files leave a table to the engine; `null` where nothing in them does. */
function reasonIn(version, schema, name) {
  if (!version.files || !version.record.files) return "no_files_json";
  const { inlined, files, columns } = listed(version, schema, name);
  if (inlined) return "inlined";
  const needs = files.flatMap((file) => file.needs);
  if (needs.some((need) => need !== "snapshot_filter")) return "file_needs_more";
  if (new Set(files.map(({ path }) => path)).size < files.length) return "file_needs_more";
  return columns.some(isUncertain) ? "type" : null;
}

function isUncertain({ type }) {
  return uncertain.test(type) || (type !== "JSON" && /\bJSON\b/.test(type));
}

/** Rows in an order that depends on nothing but themselves. */
function inOneOrder(rows) {
  const texts = rows.map((row) => JSON.stringify(row)).sort();
  return texts.map((row) => JSON.parse(row));
}

/** By root, what native DuckLake gives: a line of JSON for each table of each version. */
async function nativeRows(roots) {
  const answers = new Map(roots.map((root) => [root, []]));
  const python = spawn(
    inRoot("build/venv/bin/python"),
    [inRoot("tests/preview/rows.py"), ...roots],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(python, "close");
  for await (const line of createInterface({ input: python.stdout })) {
    const [, root] = /^\{"root": ("(?:[^"\\]|\\.)*")/.exec(line);
    answers.get(JSON.parse(root)).push(line);
  }
  assert.deepEqual(await ended, [0, null]);
  return answers;
}
