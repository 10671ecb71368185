/**
 * The SQL of a catalog's views and macros is its publisher's, and runs in the visitor's page: it reads what
 * the version has, and no file, no address, no other database. DuckDB's own parser takes it apart here.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openApi } from "./api.mjs";

let api;
before(async () => {
  api = await openApi();
  await api.run(async () => {
    window.catalogWasm = await import("/dist/wasm/fdl_catalog.js");
    await window.catalogWasm.default();
    window.engine = await window.startEngine();
    await window.engine.load("json");
  });
});
after(async () => {
  await api?.close();
  assert.deepEqual(api?.offOrigin, [], "nothing else was asked for");
});

/**
 * Runs in the page: plans a version with the table `towns`, the view `main.v` and macros, makes it, and
 * reads the view. What was refused, and with which words; what was read.
 */
async function planned({ views = {}, macros = {}, tables = ["towns"] }) {
  const hand = new window.catalogWasm.HandOver(
    "lake",
    "catalog",
    1n,
    "file:///lake/",
    "https://lake.example/",
    "data/",
  );
  const answer = (rows) => hand.answer(JSON.stringify(rows));
  answer({ metadata: [{ key: "version", value: "1.0" }] });
  const schemas = ["main", "other"].map((schema_name, id) => ({
    schema_id: `${id}`,
    schema_name,
    path: "s/",
  }));
  const entries = Object.entries(macros).map(([name, of], id) => ({
    name,
    id: `${100 + id}`,
    ...of,
  }));
  answer({
    snapshots: [{ snapshot_id: "1" }],
    schemas,
    tables: tables.map((table_name, id) => ({
      table_id: `${10 + id}`,
      schema_id: "0",
      table_name,
      path: "t/",
    })),
    columns: tables.flatMap((_, table) =>
      ["id", "name"].map((column_name, id) => ({
        table_id: `${10 + table}`,
        column_id: `${id + 1}`,
        begin_snapshot: "1",
        column_name,
        column_type: ["int32", "varchar"][id],
      })),
    ),
    views: Object.entries(views).map(([name, sql], id) => ({
      view_id: `${50 + id}`,
      schema_id: name.startsWith("other.") ? "1" : "0",
      view_name: name.replace(/^other\./, ""),
      dialect: "duckdb",
      sql,
    })),
    macros: entries.map(({ id, name }) => ({ macro_id: id, schema_id: "0", macro_name: name })),
    macro_impls: entries.map(({ id, sql, kind }) => ({
      macro_id: id,
      impl_id: "0",
      dialect: "duckdb",
      sql,
      kind,
    })),
    macro_parameters: entries.flatMap(({ id, parameters = [] }) =>
      parameters.map((parameter) => ({ macro_id: id, impl_id: "0", ...parameter })),
    ),
  });
  for (let asked; (asked = hand.questions()).queries.length > 0;) {
    for (const { name, sql } of asked.queries) {
      const { columns, rows } = await window.engine.query(sql);
      answer({
        [name]: rows.map((row) =>
          Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])),
        ),
      });
    }
  }
  const plan = hand.plan();
  hand.free();
  const connection = await window.engine.db.connect();
  const failed = [];
  try {
    await connection.query("ATTACH ':memory:' AS lake");
    await connection.query("USE lake");
    for (const { statement } of [
      ...plan.statements.map((statement) => ({ statement })),
      ...plan.definitions,
    ]) {
      await connection.query(statement).catch((error) => failed.push(error.message));
    }
    const made = await connection.query(
      "SELECT view_name AS name FROM duckdb_views() WHERE database_name = 'lake' UNION ALL SELECT function_name FROM duckdb_functions() WHERE database_name = 'lake' ORDER BY ALL",
    );
    const rows = [];
    for (const { schema, name, kind, refused } of plan.tables) {
      if (kind !== "view" || refused !== null || failed.length > 0) continue;
      const view = [schema, name].map((text) => `"${text}"`).join(".");
      rows.push((await connection.query(`SELECT count(*) FROM ${view}`)).numRows);
    }
    return {
      refused: plan.tables.filter(({ kind }) => kind === "view").map(({ refused }) => refused),
      made: made.toArray().map(({ name }) => name),
      failed,
      rows,
    };
  } finally {
    await connection.query("USE memory");
    await connection.query("DETACH DATABASE IF EXISTS lake");
    await connection.close();
  }
}

for (const sql of [
  "SELECT * FROM towns",
  "SELECT * FROM {DUCKLAKE_CATALOG}.main.towns",
  "SELECT * FROM main.towns",
  "FROM TOWNS t JOIN Towns u USING (id)",
  "WITH c AS (SELECT id FROM towns), d AS (FROM c) SELECT * FROM d, c",
  "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT * FROM r",
  "SELECT *, row_number() OVER (PARTITION BY name ORDER BY id DESC) AS n FROM towns QUALIFY n = 1",
  "SELECT (SELECT max(id) FROM towns), EXISTS (FROM towns), 1 IN (SELECT id FROM towns)",
  "SELECT [x + 1 FOR x IN [1, 2]], {'a': 1}, MAP {'k': 1}, list_transform([1], lambda y: y + 1)",
  "SELECT * FROM range(3) t(x), generate_series(1, 2) u(y), unnest([1, 2]) v(z)",
  "SELECT * FROM (VALUES (1, 'a'), (2, NULL)) t(id, name) ORDER BY ALL LIMIT 1 OFFSET 1",
  "SELECT id FROM towns UNION ALL SELECT 1 EXCEPT SELECT 2",
  "SELECT CAST(id AS DECIMAL(9, 2)), id::STRUCT(a INTEGER)[] FROM towns WHERE false",
  "SELECT name, count(*) FILTER (id > 1) FROM towns GROUP BY ROLLUP (name) HAVING count(*) > 0",
  "SELECT * EXCLUDE (id) REPLACE (upper(name) AS name) FROM towns TABLESAMPLE 10%",
  "SELECT t.*, l.x FROM towns t, LATERAL (SELECT t.id + 1 AS x) l",
  "SELECT * FROM towns ASOF JOIN towns u ON towns.id >= u.id",
  "SELECT DISTINCT ON (id) * FROM towns",
  "SELECT 'read_text(''x'')', 'https://lake.example/x.parquet' -- FROM read_text('x')",
  "SELECT json_extract('{\"a\": 1}', '$.a') FROM json_each('[1]')",
]) {
  test(`let through: ${sql}`, async () => {
    const { refused, failed, made, rows } = await api.run(planned, { views: { v: sql } });
    assert.deepEqual([refused, failed, rows], [[null], [], [1]]);
    assert.deepEqual(made, ["towns", "v"]);
  });
}

for (const sql of [
  "SELECT * FROM read_text('/demo/fdl.json')",
  "SELECT * FROM read_blob('/demo/fdl.json')",
  "SELECT * FROM read_csv('/demo/fdl.json')",
  "SELECT * FROM read_parquet('/demo/x.parquet')",
  "SELECT * FROM main.read_parquet('/demo/x.parquet')",
  "SELECT * FROM system.main.read_parquet('/demo/x.parquet')",
  "SELECT * FROM parquet_schema('/demo/x.parquet')",
  "SELECT * FROM parquet_scan('/demo/x.parquet')",
  "SELECT * FROM read_json('/demo/fdl.json')",
  "SELECT * FROM glob('*')",
  "SELECT * FROM sniff_csv('/demo/fdl.json')",
  "SELECT * FROM '/demo/x.parquet'",
  'SELECT * FROM "https://lake.example/x.parquet"',
  'SELECT * FROM main."https://lake.example/x.parquet"',
  'SELECT * FROM lake.main."x.parquet"',
  'SELECT * FROM "https://lake"."example/x"."parquet"',
  "SELECT (SELECT content FROM read_text('/demo/fdl.json'))",
  "SELECT * FROM towns WHERE id IN (SELECT size FROM read_text('/demo/fdl.json'))",
  "SELECT * FROM towns ORDER BY (SELECT size FROM read_text('/demo/fdl.json'))",
  "SELECT * FROM towns LIMIT (SELECT size FROM read_text('/demo/fdl.json'))",
  "SELECT [x FOR x IN (SELECT list(content) FROM read_text('/demo/fdl.json'))]",
  "SELECT list_transform([1], lambda y: (SELECT content FROM read_text('/demo/fdl.json')))",
  "SELECT sum(id) OVER (ORDER BY (SELECT size FROM read_text('/demo/fdl.json'))) FROM towns",
  "SELECT count(*) FILTER ((SELECT size > 1 FROM read_text('/demo/fdl.json'))) FROM towns",
  "WITH c AS (FROM read_text('/demo/fdl.json')) SELECT * FROM c",
  "WITH c AS MATERIALIZED (FROM read_text('/demo/fdl.json')) SELECT 1",
  "SELECT 1 UNION ALL SELECT size FROM read_text('/demo/fdl.json')",
  "SELECT * FROM towns, LATERAL (SELECT * FROM read_text('/demo/fdl.json'))",
  "SELECT * FROM (SELECT * FROM (SELECT * FROM read_text('/demo/fdl.json')))",
  "SELECT * FROM towns JOIN towns u ON (SELECT size > 1 FROM read_text('/demo/fdl.json'))",
  "FROM (DESCRIBE SELECT * FROM read_text('/demo/fdl.json'))",
  "FROM (SUMMARIZE SELECT * FROM read_text('/demo/fdl.json'))",
  "FROM (SHOW TABLES)",
  "SELECT * FROM query('SELECT 1')",
  "SELECT * FROM query_table('towns')",
  "SELECT * FROM duckdb_settings()",
  "SELECT * FROM duckdb_tables",
  "SELECT * FROM information_schema.tables",
  "SELECT * FROM sqlite_master",
  "SELECT * FROM memory.main.towns",
  "SELECT * FROM catalog.main.ducklake_metadata",
  "SELECT * FROM json_execute_serialized_sql('{}')",
  "SELECT getvariable('x')",
  "SELECT GETVARIABLE('x') FROM towns",
  "SELECT current_setting('threads')",
  "SELECT id FROM towns WHERE getenv('HOME') IS NULL",
  "SELECT nextval('s')",
  // A name that is given in one place does not count in another.
  'SELECT * FROM (WITH "x.parquet" AS (SELECT 1) FROM "x.parquet"), "x.parquet"',
  "SELECT 1; SELECT 2",
  "SELECT 1; DETACH catalog",
  "COPY towns TO 'x'",
  "ATTACH 'x'",
  "SET threads = 1",
  "INSTALL httpfs",
  "CREATE TABLE x (i INTEGER)",
  "PIVOT towns ON name USING sum(id)",
  "EXPLAIN SELECT 1",
  "",
  "nonsense",
  "SELECT * FROM v",
]) {
  test(`refused: ${sql}`, async () => {
    const from = api.host.log.length;
    const { refused, made } = await api.run(planned, { views: { v: sql } });
    assert.match(refused[0], /^(reads|calls|needs|holds|is not|could not) /);
    assert.deepEqual(made, ["towns"]);
    assert.deepEqual(api.host.log.slice(from), [], "nothing was read");
  });
}

const reading = { kind: "table", sql: "SELECT * FROM read_text('/demo/fdl.json')" };

for (const [what, macros, made] of [
  ["a macro of rows that reads a file", { m: reading }, []],
  [
    "a macro with a subquery that does",
    { m: { kind: "scalar", sql: "(SELECT size FROM read_text('x'))" } },
    [],
  ],
  ["one that ends its own body", { m: { kind: "scalar", sql: "1), (a) AS TABLE (SELECT 1" } }, []],
  [
    "one with a statement behind it",
    { m: { kind: "scalar", sql: "1); DETACH catalog; SELECT (1" } },
    [],
  ],
  ["one of an unknown kind", { m: { kind: "other", sql: "SELECT 1" } }, []],
  [
    "a macro that stays inside",
    { m: { kind: "scalar", sql: "(SELECT max(id) FROM main.towns)" } },
    ["m", "w"],
  ],
]) {
  test(`macros are held to the same: ${what}`, async () => {
    const views = { v: "SELECT * FROM m()", w: "SELECT m() AS x" };
    const found = await api.run(planned, { macros, views });
    assert.notEqual(found.refused[0], null, "no macro of rows is left");
    assert.deepEqual(found.made, [...made, "towns"].toSorted());
  });
}

test("a parameter's name and default are no SQL", async () => {
  const parameters = [
    { parameter_name: "a) AS (SELECT 1", parameter_type: "unknown" },
    {
      parameter_name: "b",
      parameter_type: "varchar",
      default_value: "1'), (x) AS (1",
      default_value_type: "varchar",
    },
  ];
  const { made, failed } = await api.run(planned, {
    macros: { m: { kind: "scalar", sql: "b", parameters } },
  });
  assert.deepEqual([made, failed], [["m", "towns"], []]);
});

test("a view needs the views that it reads, whatever their order; one that needs itself is none", async () => {
  const views = {
    a: "FROM b",
    b: "FROM c",
    c: "FROM towns",
    d: "FROM e",
    e: "FROM d",
    "other.f": "FROM main.a",
  };
  const { refused, made } = await api.run(planned, { views });
  assert.deepEqual(made, ["a", "b", "c", "f", "towns"]);
  assert.deepEqual(
    refused.map((reason) => reason === null),
    [true, true, true, false, false, true],
  );
});

test("in another schema, an odd name could be taken for a file: it must be given with its schema", async () => {
  const tables = ["towns", "x.parquet"];
  const views = {
    "other.v": 'FROM "x.parquet"',
    "other.w": 'FROM main."x.parquet"',
    u: 'FROM "x.parquet"',
  };
  const { refused } = await api.run(planned, { tables, views });
  assert.deepEqual(
    refused.map((reason) => reason === null),
    [false, true, true],
  );
});
