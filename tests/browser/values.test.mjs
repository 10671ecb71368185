/** Values of every type reach the page as native DuckDB writes them, and statements of every kind are answered. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { inRoot, openApi } from "./api.mjs";

let api;
before(async () => {
  api = await openApi();
  await api.run(async () => {
    window.engine = await window.startEngine();
    await window.engine.load("json");
  });
});
after(() => api?.close());

const asked = (sql, options) =>
  api.run(
    ([sql, options]) =>
      window.engine.query(sql, options).catch(({ code, message }) => ({ code, message })),
    [sql, options],
  );

/** What native DuckDB gives to each query; one may be a list, with what has to run before it. */
function native(queries) {
  const { status, stdout, stderr } = spawnSync(
    inRoot("build/venv/bin/python"),
    [inRoot("tests/browser/values.py")],
    { input: JSON.stringify(queries.map((query) => [query].flat())), encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const huge = "170141183460469231731687303715884105727";
const nines = "9".repeat(38);
const quotes = `'it''s "so", [a] {b: c}'`;

/** Expressions, by the kind of value that they give. */
const values = {
  BOOLEAN: ["true", "false"],
  integers: [
    "(-128)::TINYINT",
    "255::UTINYINT",
    "(-32768)::SMALLINT",
    "65535::USMALLINT",
    "(-2147483648)::INTEGER",
    "4294967295::UINTEGER",
    "9007199254740993::BIGINT",
    "(-9223372036854775808)::BIGINT",
    "18446744073709551615::UBIGINT",
  ],
  HUGEINT: [`${huge}::HUGEINT`, `(-${huge} - 1)::HUGEINT`],
  "a sum of BIGINT": ["(SELECT sum(9223372036854775807) FROM range(3))"],
  UHUGEINT: ["340282366920938463463374607431768211455::UHUGEINT", "0::UHUGEINT"],
  DECIMAL: [
    `${nines}::DECIMAL(38,0)`,
    `'-0.${nines}'::DECIMAL(38,38)`,
    `'${"9".repeat(28)}.0000000001'::DECIMAL(38,10)`,
    "1.10::DECIMAL(4,2)",
    "(-0.05)::DECIMAL(9,2)",
    "0::DECIMAL(18,6)",
  ],
  FLOAT: ["'inf'::FLOAT", "'nan'::FLOAT", "'-0.0'::FLOAT", "1e-45::FLOAT", "3.4028235e38::FLOAT"],
  DOUBLE: [
    "'-inf'::DOUBLE",
    "'nan'::DOUBLE",
    "'-0.0'::DOUBLE",
    "5e-324::DOUBLE",
    "1.7976931348623157e308::DOUBLE",
    "0.1::DOUBLE + 0.2::DOUBLE",
    "1e21::DOUBLE",
    "1::DOUBLE",
  ],
  VARCHAR: ["''", "'NULL'", quotes, "'日本🦆\n\t<b>&amp;'", "chr(0) || 'after'"],
  DATE: [
    "DATE '5877642-06-25 (BC)'",
    "DATE '5881580-07-10'",
    "'infinity'::DATE",
    "'-infinity'::DATE",
  ],
  TIMESTAMP: [
    "TIMESTAMP '290309-12-22 (BC) 00:00:00'",
    "TIMESTAMP '294247-01-10 04:00:54.775806'",
    "'infinity'::TIMESTAMP",
    "'-infinity'::TIMESTAMP",
    "TIMESTAMP '0044-03-15 (BC) 12:00:00.000001'",
    "'2020-02-29 23:59:59'::TIMESTAMP_S",
    "'2020-02-29 23:59:59.999'::TIMESTAMP_MS",
    "'2262-04-11 23:47:16.854775806'::TIMESTAMP_NS",
    "'1677-09-22 00:00:00.000000001'::TIMESTAMP_NS",
    "'infinity'::TIMESTAMP_NS",
    "'infinity'::TIMESTAMP_S",
  ],
  TIMESTAMPTZ: [
    "TIMESTAMPTZ '2020-02-29 23:59:59.123456+00'",
    "'infinity'::TIMESTAMPTZ",
    "TIMESTAMPTZ '0044-03-15 (BC) 12:00:00+00'",
  ],
  TIME: ["TIME '24:00:00'", "TIME '00:00:00.000001'", "'12:34:56.123456789'::TIME_NS"],
  TIMETZ: ["TIMETZ '23:59:59.999999-15:59:59'", "TIMETZ '00:00:00+09:30'"],
  INTERVAL: [
    "INTERVAL '1 month -3 days 4 hours'",
    "INTERVAL '-1 year 2 days -00:00:00.000001'",
    "INTERVAL '2147483647 months'",
    "INTERVAL 0 SECOND",
  ],
  UUID: [
    "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID",
    "'00000000-0000-0000-0000-000000000000'::UUID",
  ],
  BLOB: ["'\\x00\\xFFa\\x5C''\"'::BLOB", "''::BLOB"],
  BIT: ["'0101011'::BIT", "bitstring('1', 100)"],
  ENUM: [`'it''s'::ENUM('a', 'it''s', '')`, "''::ENUM('a', '')"],
  UNION: [
    "union_value(n := 1::HUGEINT)",
    "union_value(s := 'x')::UNION(n INTEGER, s VARCHAR)",
    "[union_value(s := NULL::VARCHAR)]",
  ],
  ARRAY: ["[1, NULL, 3]::INTEGER[3]", "[[1.5, 2], [NULL, 4]]::DECIMAL(9,3)[2][2]"],
  LIST: [
    "[]::INTEGER[]",
    `[${quotes}, NULL, 'NULL', '', ' a ', 'a, b', '\\', '日本']`,
    `[[[[${quotes}, NULL], NULL], []], NULL]`,
    "[TIMESTAMP '290309-12-22 (BC) 00:00:00', NULL, 'infinity']",
    "['\\xFF'::BLOB, '\\x00'::BLOB]",
    `[${huge}::HUGEINT, -1]`,
  ],
  STRUCT: [
    `{'a': 1, 'b "q"': {'c': [{'d': ${quotes}}, NULL]}, 'e': NULL::DATE}`,
    "row(1, 'x', NULL)",
    "{'x': 1.10::DECIMAL(38,10), 'i': INTERVAL 1 MONTH, 'u': '\\x00'::BLOB}",
  ],
  MAP: [
    "MAP {}::MAP(INTEGER, INTEGER)",
    `MAP {${quotes}: [MAP {1: NULL}, NULL], '': NULL}`,
    "MAP {{'k': 1}: {'v': [1.50, NULL]}}",
  ],
  VARIANT: [
    "42::VARIANT",
    "{'a': [1::VARIANT, 'x'::VARIANT, NULL], 'd': DATE '2020-01-01'}::VARIANT",
    `${huge}::HUGEINT::VARIANT`,
    "1.10::DECIMAL(38,10)::VARIANT",
    "'text'::VARIANT",
  ],
  BIGNUM: [`'${"9".repeat(60)}'::BIGNUM`, `'-1'::BIGNUM`],
  GEOMETRY: ["'POINT (1 2.5)'::GEOMETRY", "['LINESTRING (0 0, 1 1)'::GEOMETRY, NULL]"],
  JSON: [`'{"a": [1.10, null, "é"]}'::JSON`, "'null'::JSON", `['"x"'::JSON, NULL]`],
  "NULL without a type": ["NULL", "[NULL]", "{'a': NULL}"],
};

/** A value and a NULL of its type, which the optimizer cannot tell. */
const both = (value) =>
  `SELECT ${value} AS given, CASE WHEN random() < 0 THEN ${value} END AS none`;

describe("a value and a NULL of its type are what native DuckDB writes", () => {
  for (const [kind, expressions] of Object.entries(values)) {
    test(kind, async () => {
      const judge = native(expressions.map(both));
      for (const [index, expression] of expressions.entries()) {
        const found = await asked(both(expression));
        assert.deepEqual(found, { ...judge[index], more: false }, expression);
        assert.equal(found.rows[0][1], null, expression);
      }
    });
  }
});

describe("what gives rows is answered with its own columns", () => {
  const made = "CREATE TABLE kept (id INTEGER, v DECIMAL(38,10))";
  const filled = "INSERT INTO kept VALUES (1, 1.10), (2, NULL)";
  const queries = {
    "columns of one name": "SELECT 1 AS x, 2.50 AS x, 'x' AS X",
    "names with quotes, dots and spaces": `SELECT 1 AS "a.b""c", 2 AS " ", 3 AS "é 日本", 4 AS "'"`,
    "no rows": "SELECT 1.10 AS v, 'x' AS w WHERE false",
    VALUES: "VALUES (1, 1.10), (2, NULL)",
    "FROM first": "FROM kept ORDER BY id",
    WITH: "WITH kept AS (SELECT 0.10 AS v) FROM kept",
    TABLE: "TABLE kept",
    "a query in parentheses": "(SELECT 1.10) UNION ALL (SELECT 2)",
    PIVOT: "PIVOT kept ON id USING sum(v)",
    UNPIVOT: "UNPIVOT (SELECT 1.10 AS a, 2.20 AS b) ON a, b",
    "a comment at the end": "SELECT 1.10 AS v -- no more; SELECT 2",
    "semicolons in texts and comments": "SELECT ';' AS \";\", $q$;'$q$ AS q /* ; */, 1.10 AS v",
  };
  test("queries of every form", async () => {
    const judge = native(Object.values(queries).map((query) => [made, filled, query]));
    await asked(`${made}; ${filled}`);
    for (const [index, [form, query]] of Object.entries(queries).entries()) {
      assert.deepEqual(await asked(query), { ...judge[index], more: false }, form);
      const terminated = await asked(`/* ; */ ; ${query}\n; -- done;\n;`);
      assert.deepEqual(terminated, { ...judge[index], more: false }, form);
    }
    await asked("DROP TABLE kept");
  });

  test("of several statements the last one, as exactly as if it were alone", async () => {
    const [alone] = native(["SELECT 1.10::DECIMAL(38,10) AS v, 'é;界' AS w"]);
    const found = await asked(
      "SET VARIABLE v = 'é;界'; SELECT 2;\nSELECT 1.10::DECIMAL(38,10) AS v, getvariable('v') AS w;",
    );
    assert.deepEqual(found, { ...alone, more: false });
    const added = "CREATE TABLE a AS SELECT 1 AS z; ALTER TABLE a ADD COLUMN w INTEGER; FROM a";
    assert.deepEqual((await asked(`${added}; `)).rows, [["1", null]]);
    assert.deepEqual((await asked("DROP TABLE a; SELECT 1")).rows, [["1"]]);
  });

  test("questions about tables", async () => {
    await asked(`${made}; ${filled}`);
    const described = {
      columns: ["column_name", "column_type", "null", "key", "default", "extra"],
      rows: [
        ["id", "INTEGER", "YES", null, null, null],
        ["v", "DECIMAL(38,10)", "YES", null, null, null],
      ],
    };
    for (const sql of ["DESCRIBE kept", "DESC kept;", "SHOW kept", "describe FROM kept -- all"]) {
      const { columns, rows } = await asked(sql);
      assert.deepEqual({ columns: columns.map(({ name }) => name), rows }, described, sql);
    }
    assert.deepEqual((await asked("SHOW TABLES")).rows, [["kept"]]);
    const summary = await asked("SUMMARIZE kept");
    const share = summary.columns.findIndex(({ name }) => name === "null_percentage");
    assert.equal(summary.columns[share].type, "DECIMAL(9,2)");
    assert.deepEqual(
      summary.rows.map((row) => row[share]),
      ["0.00", "50.00"],
    );
    const info = await asked("PRAGMA table_info('kept')");
    assert.deepEqual(
      info.columns.slice(0, 4).map(({ type }) => type),
      ["INTEGER", "VARCHAR", "VARCHAR", "BOOLEAN"],
    );
    assert.deepEqual(info.rows[1].slice(0, 4), ["1", "v", "DECIMAL(38,10)", "false"]);
    assert.match((await asked("EXPLAIN FROM kept")).rows[0][1], /SEQ_SCAN/);
    assert.match((await asked("EXPLAIN ANALYZE FROM kept")).rows[0][1], /Total Time/);
    assert.deepEqual((await asked("CALL pragma_version()")).rows[0][0], "v1.5.1");
    await asked("DROP TABLE kept");
  });

  test("no more rows than are wanted, of several statements too", async () => {
    const found = await asked("SELECT 1; FROM range(100000)", { limit: 5 });
    assert.deepEqual([found.rows.length, found.more], [5, true]);
    assert.equal((await asked("SELECT 1; FROM range(5)", { limit: 5 })).more, false);
  });
});

describe("what gives no rows", () => {
  const nothing = { columns: [], rows: [], more: false };
  const counted = (count) => ({
    ...nothing,
    columns: [{ name: "Count", type: "BIGINT" }],
    rows: [[count]],
  });

  test("has no columns either", async () => {
    for (const sql of [
      "CREATE TABLE made (id INTEGER)",
      "CREATE VIEW seen AS FROM made",
      "SET threads = 1",
      "SET VARIABLE x = 1",
      "BEGIN; SELECT 1; COMMIT",
      "DROP VIEW seen",
      "-- nothing but a comment",
      "/* ; */",
      "",
      " ;\n; ",
    ]) {
      assert.deepEqual(await asked(sql), nothing, sql);
    }
  });

  test("counts what it changed, where DuckDB does", async () => {
    assert.deepEqual(await asked("INSERT INTO made FROM range(3)"), counted("3"));
    assert.deepEqual(await asked("COPY made TO 'made.csv'"), counted("3"));
    assert.deepEqual(await asked("DELETE FROM made WHERE id = 1"), counted("1"));
    const returned = await asked("UPDATE made SET id = id + 10 RETURNING id");
    assert.deepEqual(returned.rows.flat().toSorted(), ["10", "12"]);
  });

  test("is done to its end where no more of its rows are wanted", async () => {
    const { rows, more } = await asked("INSERT INTO made FROM range(50000) RETURNING id", {
      limit: 5,
    });
    assert.deepEqual([rows.length, more], [5, true]);
    assert.deepEqual(await asked("DELETE FROM made WHERE id < 50000"), counted("50002"));
  });

  test("is undone where what it gives cannot be told exactly", async () => {
    await asked("INSERT INTO made VALUES (1)");
    for (const value of ["1.10::DECIMAL(38,10)", "DATE '2020-02-29'", "[id]", "1::VARIANT"]) {
      for (const sql of [
        `DELETE FROM made RETURNING ${value} AS v`,
        `UPDATE made SET id = 2 RETURNING id, ${value} AS v`,
        `INSERT INTO made VALUES (2) RETURNING ${value} AS v`,
        `PREPARE p AS INSERT INTO made VALUES (2) RETURNING ${value} AS v; EXECUTE p`,
        `BEGIN; DELETE FROM made RETURNING ${value} AS v`,
      ]) {
        const { code, message } = await asked(sql);
        if (value.endsWith("VARIANT")) assert.match(message, /VARIANT/, sql);
        else {
          assert.equal(code, "values_not_exact", `${sql}: ${message}`);
          assert.match(message, /"v".*cannot be shown exactly.*undone/, sql);
        }
        assert.deepEqual((await asked("FROM made")).rows, [["1"]], sql);
      }
    }
    const text = await asked("DELETE FROM made RETURNING CAST([1.10] AS VARCHAR) AS v");
    assert.deepEqual(text.rows, [["[1.10]"]]);
    assert.deepEqual((await asked("FROM made")).rows, []);
    await asked("DROP TABLE made");
  });

  test("CALL gives the rows of a function as a query does, of every type", async () => {
    const { columns, rows } = await asked(
      "CALL range(DATE '2020-02-28', DATE '2020-03-01', INTERVAL 1 DAY)",
    );
    assert.deepEqual(
      columns.map(({ type }) => type),
      ["TIMESTAMP"],
    );
    assert.deepEqual(rows, [["2020-02-28 00:00:00"], ["2020-02-29 00:00:00"]]);
    assert.match((await asked("CALL nowhere()")).message, /nowhere does not exist/);
  });
});

describe("an error shows the line of the visitor's own text, and the caret its place", () => {
  const shown = (line, text, at) =>
    `LINE ${line}: ${text}\n${" ".repeat(`LINE ${line}: `.length + at)}^`;
  const cases = {
    "that cannot be parsed": ["SELECT\n1 1", /^Parser Error: syntax error/, shown(2, "1 1", 2)],
    "in a text without an end": [
      "SELECT 'a",
      /^Parser Error: unterminated/,
      shown(1, "SELECT 'a", 7),
    ],
    "that is nothing else": ["$$", /^Parser Error: unterminated/, shown(1, "$$", 0)],
    "in the first line": [
      "SELECT 'a'::INTEGER",
      /^Conversion Error/,
      shown(1, "SELECT 'a'::INTEGER", 10),
    ],
    "further down": ["SELECT\n\n'a'::INTEGER;", /^Conversion Error/, shown(3, "'a'::INTEGER", 3)],
    "in the second statement": [
      "SELECT 1\n;\nSELECT 'a'::INTEGER",
      /^Conversion Error/,
      shown(3, "SELECT 'a'::INTEGER", 10),
    ],
    "of a name": ["SELECT 1;\n-- é\nSELECT 1 +\nnowhere", /^Binder Error/, shown(4, "nowhere", 0)],
    "in the ninth line": [
      `${"\n".repeat(8)}SELECT 'a'::INTEGER`,
      /^Conversion Error/,
      shown(9, " SELECT 'a'::INTEGER", 11),
    ],
    "that closes what it did not open": [
      "SELECT 1) t, (SELECT 2",
      /^Parser Error/,
      shown(1, "SELECT 1) t, (SELECT 2", 8),
    ],
    "in what is no statement": ["nowhere", /^Parser Error/, shown(1, "nowhere", 0)],
    "while it runs": ["SELECT error('LINE 7: own words')", /LINE 7: own words/, undefined],
  };
  for (const [where, [sql, kind, place]] of Object.entries(cases)) {
    test(where, async () => {
      const { code, message } = await asked(sql);
      assert.equal(code, "query_failed");
      assert.match(message, kind);
      assert.doesNotMatch(message, /COLUMNS|VARCHAR|exception_type|SELECT NULL/);
      if (place !== undefined) assert.ok(message.endsWith(`\n\n${place}`), message);
      assert.ok((message.match(/\nLINE \d+:/g) ?? []).length <= 1, message);
    });
  }

  test("of several statements none is run where one cannot be parsed", async () => {
    const { message } = await asked("CREATE TABLE halfway (id INTEGER);\nSELEC 1");
    assert.match(message, /^Parser Error/);
    assert.deepEqual((await asked("SHOW TABLES")).rows, []);
  });
});
