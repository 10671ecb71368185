/** Data that is verified before the engine gets it: not one other byte reaches it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { inRoot, judged, openApi, rootOf } from "./api.mjs";

let api;
let fault;
before(async () => {
  api = await openApi({
    faults: (path, request) => fault?.(path, request),
    headers: { "cache-control": "no-store" }, // each request is seen
  });
  await api.run(async () => (window.engine = await window.startEngine()) && undefined);
});
beforeEach(() => (fault = undefined));
after(() => api?.close());

/** Runs in the page: what becomes of each table, and how far progress went. */
async function attachVerified({ root, verifyData = true, cancelAt = Infinity }) {
  const controller = new AbortController();
  const told = [];
  const onProgress = (progress) => {
    told.push(progress);
    if (progress.files >= cancelAt) controller.abort();
  };
  const version = await (await window.fdl.openRepository(root)).version();
  const before = (await window.engine.db.globFiles("*")).length;
  const given = verifyData === true ? { onProgress } : { onProgress, ...verifyData };
  try {
    const { signal } = controller;
    const lake = await window.duckdb.attach(window.engine, version, { verifyData: given, signal });
    const tables = {};
    for (const { schema, name, refused } of lake.tables) {
      const first = await lake.rows({ schema, name }, { limit: 1 }).then(
        ({ rows }) => rows.length,
        ({ code, message }) => ({ code, message }),
      );
      const all = `SELECT count(*) FROM (SELECT DISTINCT * FROM lake."${schema}"."${name}")`;
      const rows = await window.engine.query(all).then(
        ({ rows }) => Number(rows[0][0]),
        ({ code }) => code,
      );
      tables[name] = { refused, first, rows };
    }
    await lake.detach();
    return { tables, told, left: (await window.engine.db.globFiles("*")).length - before };
  } catch ({ code, facts }) {
    return { code, facts, left: (await window.engine.db.globFiles("*")).length - before };
  }
}

/** Attaches the version, and says what was asked for of its data files. */
async function verified(given) {
  const from = api.host.log.length;
  const found = await api.run(attachVerified, given);
  const asked = api.host.log.slice(from).filter(({ path }) => path.endsWith(".parquet"));
  return { ...found, asked };
}

test("each file is asked for once, whole, and the engine asks for none", async () => {
  const { tables, told, left, asked } = await verified({ root: "demo/" });
  const expected = judged.demo.versions.find(({ refs }) => refs.includes("refs/heads/main")).tables;
  for (const { name, rows } of expected) {
    assert.deepEqual([name, tables[name].refused, tables[name].rows], [name, null, rows]);
  }
  assert.ok(asked.every(({ method, headers }) => method === "GET" && !headers.range));
  assert.equal(new Set(asked.map(({ path }) => path)).size, asked.length);
  const last = told.at(-1);
  assert.deepEqual([last.received, last.files], [last.total, last.filesTotal]);
  assert.equal(last.filesTotal, asked.length);
  assert.equal(left, 0, "no file stays in the engine");
});

test("a table with a flipped byte gives no row, and names the file; the others are read", async () => {
  const { path } = (await verified({ root: "demo/" })).asked.find(({ path }) =>
    path.includes("/cities/"),
  );
  const bytes = readFileSync(inRoot(`www${path}`));
  bytes[bytes.length >> 1] ^= 1;
  fault = (asked) => (asked === path ? { body: bytes } : undefined);
  const { tables } = await verified({ root: "demo/" });
  const { refused, first, rows } = tables.cities;
  assert.ok(refused.includes(path.slice("/demo/".length)), refused);
  assert.match(refused, /hash_mismatch/);
  assert.equal(first.code, "unsupported_table");
  assert.ok(first.message.includes(path.split("/").at(-1)));
  assert.equal(rows, "query_failed");
  assert.equal(tables.admin1.refused, null);
  assert.ok(tables.admin1.rows > 0);
});

test("what the engine has read before under the file's address does not count", async () => {
  const { path } = (await verified({ root: "demo/" })).asked.find(({ path }) =>
    path.includes("/admin1/"),
  );
  const other = readFileSync(inRoot(`www${path}`));
  fault = (asked) => (asked === path ? { body: other } : undefined);
  await api.run(async (path) => {
    await window.engine.query(`FROM read_parquet('${new URL(path, location.href).href}')`);
  }, path);
  fault = (asked) => (asked === path ? { status: 404 } : undefined);
  const { tables } = await verified({ root: "demo/" });
  assert.match(tables.admin1.refused, /missing_file/);
});

test("a table that no signed hash covers is refused by name", async () => {
  const { tables, asked } = await verified({ root: rootOf("files-without-hashes") });
  for (const { refused } of Object.values(tables)) assert.match(refused, /no signed sha256/);
  assert.deepEqual(asked, []);
});

test("a files.json that the record does not name covers nothing", async () => {
  const { tables, asked } = await verified({ root: rootOf("files-json-not-named") });
  for (const { refused } of Object.values(tables)) assert.match(refused, /no signed sha256/);
  assert.deepEqual(asked, []);
});

test("what cannot be had now is no verdict on the table: attaching fails, and nothing stays", async () => {
  fault = (path) => (path.endsWith(".parquet") ? { status: 503 } : undefined);
  const { code, left } = await verified({ root: "demo/" });
  assert.deepEqual([code, left], ["http_status", 0]);
});

test("more than the limit is not fetched, and both figures are told", async () => {
  const { code, facts, asked } = await verified({ root: "demo/", verifyData: { limit: 1000 } });
  assert.equal(code, "data_too_large");
  assert.equal(facts.limit, "1000");
  assert.ok(Number(facts.bytes) > 1000);
  assert.deepEqual(asked, []);
});

test("cancelling ends the requests and leaves nothing in the engine", async () => {
  const { code, left, asked } = await verified({ root: "demo/", cancelAt: 2 });
  assert.deepEqual([code, left], ["aborted", 0]);
  assert.ok(asked.length <= 8, `${asked.length} requests`);
  const then = api.host.log.length;
  await api.page.waitForTimeout(200);
  assert.equal(api.host.log.length, then);
});

test("by DuckLake the extension is asked for first, and data cannot be verified before", async () => {
  const found = await api.run(async (root) => {
    const version = await (await window.fdl.openRepository(root)).version();
    const attach = (options) =>
      window.duckdb.attach(window.engine, version, { by: "ducklake", ...options }).then(
        () => "attached",
        ({ code, message }) => ({ code, message }),
      );
    const found = [await attach({}), await attach({ verifyData: true })];
    const left = await window.engine.query(
      "SELECT count(*) FROM duckdb_databases() WHERE NOT internal",
    );
    return [...found, Number(left.rows[0][0])];
  }, rootOf("tagged"));
  assert.equal(found[0].code, "extension_missing");
  assert.match(found[0].message, /ducklake.*extensionRepository/);
  assert.equal(found[1].code, "not_verifiable_by_ducklake");
  assert.equal(found[2], 1);
});
