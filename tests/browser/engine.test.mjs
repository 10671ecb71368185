/** DuckDB-Wasm in the page: what it gives, and what is said when a part of it is not right. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { inRoot, judged, openApi, rootOf } from "./api.mjs";

const extension = "build/duckdb-ext/v1.5.1/wasm_eh/parquet.duckdb_extension.wasm";

describe("an engine that is all there", () => {
  let api;
  before(async () => {
    api = await openApi();
    await api.run(async () => (window.engine = await window.startEngine()) && undefined);
  });
  after(() => api?.close());
  const query = (sql, options) =>
    api.run(([sql, options]) => window.engine.query(sql, options), [sql, options]);

  test("gives every value as DuckDB writes it, and NULL as null", async () => {
    const { columns, rows, more } = await query(
      `SELECT 170141183460469231731687303715884105727 AS h, 1.10::DECIMAL(38,10) AS d, NULL AS n,
              TIMESTAMP '290309-12-22 (BC) 00:00:00' AS t, [1, NULL] AS l, {'a': 'x'} AS s,
              '\\x00\\xFF'::BLOB AS b, INTERVAL 1 MONTH AS i, true AS f;`,
    );
    assert.deepEqual(
      columns.map(({ type }) => type),
      [
        "HUGEINT",
        "DECIMAL(38,10)",
        "INTEGER",
        "TIMESTAMP",
        "INTEGER[]",
        "STRUCT(a VARCHAR)",
      ].concat(["BLOB", "INTERVAL", "BOOLEAN"]),
    );
    assert.deepEqual(rows, [
      ["170141183460469231731687303715884105727", "1.1000000000", null].concat([
        "290309-12-22 (BC) 00:00:00",
        "[1, NULL]",
        "{'a': x}",
        "\\x00\\xFF",
        "1 month",
        "true",
      ]),
    ]);
    assert.equal(more, false);
  });

  test("keeps the order that a query asks for, and columns of one name apart", async () => {
    const { columns, rows } = await query(
      "SELECT a AS x, -a AS x FROM range(3) t(a) ORDER BY a DESC -- last",
    );
    assert.deepEqual(
      columns.map(({ name }) => name),
      ["x", "x"],
    );
    assert.deepEqual(rows, [
      ["2", "-2"],
      ["1", "-1"],
      ["0", "0"],
    ]);
  });

  test("gives no more rows than are wanted, and says that there are more", async () => {
    const { rows, more } = await query("FROM range(100000)", { limit: 5 });
    assert.deepEqual([rows.length, more], [5, true]);
    assert.equal((await query("FROM range(5)", { limit: 5 })).more, false);
  });

  test("runs statements that give no rows, and several at once", async () => {
    await query("CREATE TABLE notes (id INTEGER); INSERT INTO notes VALUES (1), (2)");
    assert.deepEqual((await query("FROM notes ORDER BY id")).rows, [["1"], ["2"]]);
    assert.ok((await query("EXPLAIN FROM notes")).rows.length > 0);
    assert.ok((await query("SHOW TABLES")).rows.flat().includes("notes"));
  });

  test("says in DuckDB's words what is wrong with a query, and goes on", async () => {
    const failure = await api.run(() =>
      window.engine
        .query("SELECT nothing FROM nowhere")
        .catch(({ code, message }) => ({ code, message })),
    );
    assert.equal(failure.code, "query_failed");
    assert.match(failure.message, /nowhere does not exist/);
    assert.deepEqual((await query("SELECT 1 AS one")).rows, [["1"]]);
  });

  test("a query that is cancelled ends, and the engine goes on", async () => {
    const code = await api.run(async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const endless =
        "SELECT count(*) FROM range(100000) a, range(100000) b WHERE (a.range * b.range) % 7 = 3";
      const { signal } = controller;
      return await window.engine.query(endless, { signal }).then(String, (error) => error.code);
    });
    assert.equal(code, "aborted");
    assert.deepEqual((await query("SELECT 1 AS one")).rows, [["1"]]);
  });

  test("versions attach side by side, and leave nothing behind when they are detached", async () => {
    const { trusted_signers: trustedSigners, versions } = judged["second-commit"];
    const given = {
      root: rootOf("second-commit"),
      trustedSigners,
      ids: versions.map(({ id }) => id),
    };
    const counts = await api.run(async ({ root, trustedSigners, ids }) => {
      const repository = await window.fdl.openRepository(root, { trustedSigners });
      const lakes = [];
      for (const [index, id] of ids.entries()) {
        const version = await repository.version(id);
        lakes.push(await window.duckdb.attach(window.engine, version, { as: `v${index}` }));
      }
      const { rows } = await window.engine.query(
        "SELECT (SELECT count(*) FROM v0.main.towns), (SELECT count(*) FROM v1.main.towns)",
      );
      for (const lake of lakes) await lake.detach();
      const left = "SELECT database_name FROM duckdb_databases() WHERE NOT internal";
      return { counts: rows[0].map(Number), left: (await window.engine.query(left)).rows.flat() };
    }, given);
    const expected = versions.map(({ tables }) => tables[0].rows);
    assert.deepEqual(counts.counts.toSorted(), expected.toSorted());
    assert.deepEqual(counts.left, ["memory"]);
  });

  test("a version that was detached leaves alone what has its name by then", async () => {
    const rows = await api.run(async (root) => {
      const repository = await window.fdl.openRepository(root);
      const attach = async () =>
        window.duckdb.attach(window.engine, await repository.version(), { as: "again" });
      const first = await attach();
      await first.detach();
      const second = await attach();
      await first.detach();
      const { rows } = await window.engine.query("SELECT count(*) FROM again.main.towns");
      await second.detach();
      return rows;
    }, rootOf("tagged"));
    assert.deepEqual(rows, [[String(judged.tagged.versions.at(-1).tables[0].rows)]]);
  });
});

describe("a part that is not right is named before it does harm", () => {
  const started = async (faults, options = {}) => {
    const api = await openApi({ faults });
    try {
      return await api.run(
        (options) =>
          window.startEngine(options).then(
            () => "started",
            ({ code, message }) => ({ code, message }),
          ),
        options,
      );
    } finally {
      await api.close();
    }
  };

  test("an extension for another version of DuckDB is not loaded", async () => {
    const other = readFileSync(inRoot(extension));
    const version = other.lastIndexOf("v1.5.1");
    assert.ok(version > other.length - 512, "the version stands in the footer");
    other.write("v1.5.6", version);
    const answer = await started((path) =>
      path.includes("/parquet.") ? { body: other } : undefined,
    );
    assert.equal(answer.code, "extension_mismatch");
    assert.match(answer.message, /v1\.5\.6.*v1\.5\.1/);
  });

  test("an extension whose bytes were changed is refused by DuckDB's own signature check", async () => {
    const changed = readFileSync(inRoot(extension));
    changed[changed.length >> 1] ^= 1;
    const answer = await started((path) =>
      path.includes("/parquet.") ? { body: changed } : undefined,
    );
    assert.equal(answer.code, "engine_not_loaded");
  });

  test("a missing extension, and a host that cannot be reached", async () => {
    const missing = await started((path) =>
      path.includes("/parquet.") ? { status: 404 } : undefined,
    );
    assert.equal(missing.code, "extension_missing");
    const unreachable = await started(undefined, { extensionRepository: "http://127.0.0.1:9/" });
    assert.equal(unreachable.code, "extension_missing");
  });

  test("a missing engine or worker", async () => {
    for (const part of ["duckdb-eh.wasm", "worker.js"]) {
      const answer = await started((path) => (path.endsWith(part) ? { status: 404 } : undefined));
      assert.equal(answer.code, "engine_not_loaded", part);
    }
  });

  test("a catalog stored in a form that is newer than the engine", async () => {
    const api = await openApi();
    const answer = await api.run(async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      const newer = { ...version.record.catalog, storage: "duckdb-v2.0.0" };
      Object.assign(version.record.catalog, newer);
      return await window.duckdb
        .attach(window.startEngine(), version)
        .catch(({ code, message }) => ({ code, message }));
    }, rootOf("tagged"));
    await api.close();
    assert.equal(answer.code, "unsupported_storage");
    assert.match(answer.message, /v2\.0\.0.*v1\.5\.1/);
  });
});
