/** Rows of one table, filtered, sorted and page by page: the same as of the whole, from fewer files. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { judged, openApi, rootOf } from "./api.mjs";

const table = { schema: "main", name: "days" };
const files = 10;

let api;
before(async () => {
  api = await openApi();
  await api.run(async (root) => {
    window.engine = await window.startEngine();
    window.version = await (await window.fdl.openRepository(root)).version();
    window.lake = await window.duckdb.attach(window.engine, window.version);
  }, rootOf("many-files"));
});
after(() => api?.close());

/** The rows, and how many data files were asked for them. */
async function rows(request) {
  // What the engine has read of a file it does not ask for again, so it gets them anew.
  await api.run(async () => {
    await window.lake.detach();
    window.lake = await window.duckdb.attach(window.engine, window.version);
  });
  const from = api.host.log.length;
  const { rows } = await api.run(
    ([table, request]) => window.lake.rows(table, request),
    [table, request],
  );
  const asked = api.host.log.slice(from).map(({ path }) => path);
  return { rows, files: new Set(asked.filter((path) => !path.includes("-delete"))).size };
}

/** What the whole view gives. */
const whole = (rest) =>
  api.run(
    async (sql) => (await window.lake.engine.query(sql)).rows,
    `SELECT * FROM lake.main.days ${rest}`,
  );

const where = (column, is, value) => ({ filters: [{ column, is, value }], limit: 5000 });

for (const [what, request, rest, atMost] of [
  ["equal", where("id", "=", "550"), "WHERE id = 550", 1],
  ["equal to what no file holds", where("id", "=", "5000"), "WHERE id = 5000", 0],
  ["not equal", where("id", "<>", "550"), "WHERE id <> 550", files],
  ["less", where("id", "<", "100"), "WHERE id < 100", 1],
  ["at most", where("id", "<=", "100"), "WHERE id <= 100", 2],
  ["greater", where("day", ">", "2026-06-01"), "WHERE day > '2026-06-01'", 2],
  ["at least", where("note", ">=", "day 9"), "WHERE note >= 'day 9'", 2],
  ["holding a text", where("note", "contains", "AY 77"), "WHERE note ILIKE '%ay 77%'", files],
  ["NULL", where("share", "null"), "WHERE share IS NULL", 1],
  ["not NULL", where("day", "not null"), "WHERE day IS NOT NULL", files],
  ["greater, where NaN is", where("share", ">", "140"), "WHERE share > 140", 3],
  ["equal to NaN", where("share", "=", "nan"), "WHERE share = 'nan'", 2],
]) {
  test(`a filter asks the files alone that may pass it: ${what}`, async () => {
    const { rows: found, files } = await rows({ ...request, order: [{ column: "id" }] });
    assert.deepEqual(found, await whole(`${rest} ORDER BY id`));
    assert.ok(files <= atMost && files >= Math.min(found.length, 1), `${files} files`);
  });
}

test("filters hold together", async () => {
  const filters = [
    { column: "id", is: ">", value: "690" },
    { column: "note", is: "<", value: "day 71" },
  ];
  const { rows: found, files } = await rows({ filters, order: [{ column: "id" }], limit: 100 });
  assert.deepEqual(found, await whole("WHERE id > 690 AND note < 'day 71' ORDER BY id LIMIT 100"));
  assert.ok(files <= 4, `${files} files`);
});

for (const [column, descending, offset, atMost] of [
  ["id", false, 0, 1],
  ["id", true, 0, 1],
  ["id", true, 98, 2],
  ["day", true, 5, 1],
  ["share", false, 0, 3],
  ["share", true, 0, 4],
  ["share", true, 90, 4],
  ["note", false, 30, 3],
  ["id", false, 950, files],
]) {
  test(`an order asks the files alone that may come first: ${column} ${String(descending)} ${offset}`, async () => {
    const order = [{ column, descending }, { column: "id" }];
    const { rows: found, files } = await rows({ order, offset, limit: 20 });
    const direction = descending ? "DESC" : "ASC";
    const rest = `ORDER BY ${column} ${direction} NULLS LAST, id LIMIT 20 OFFSET ${offset}`;
    assert.deepEqual(found, await whole(rest));
    assert.ok(files <= atMost && files >= 1, `${files} files`);
  });
}

test("pages as the rows are stored hold each row once, and ask for the files of their rows", async () => {
  const all = [];
  for (let offset = 0; ; offset += 130) {
    const { rows: page, files } = await rows({ offset, limit: 130 });
    assert.ok(files <= 3, `${files} files`);
    all.push(...page);
    if (page.length < 130) break;
  }
  const byText = (one, other) => (String(one) < String(other) ? -1 : 1);
  assert.deepEqual(all.toSorted(byText), (await whole("")).toSorted(byText));
  assert.deepEqual((await rows({ limit: 5000 })).rows, all);
});

test("rows come as they are stored, file by file in the order in which the files were written", async () => {
  const { found, expected } = await api.run(async (root) => {
    const version = await (await window.fdl.openRepository(root)).version();
    const lake = await window.duckdb.attach(window.engine, version, { as: "stored" });
    const table = { schema: "main", name: "cities" };
    const { files } = version.files.tables.find(({ name }) => name === table.name);
    const [first, last] = [files[0], files.at(-1)].map(({ path }) => version.dataUrl(path));
    const { rows: all } = lake.tables.find(({ name }) => name === table.name);
    const named = (rows) => rows.map(([country, name]) => `${country} ${name}`);
    const page = async (offset) => named((await lake.rows(table, { offset, limit: 3 })).rows);
    const stored = async (url, from) => {
      const sql = `SELECT country, name FROM read_parquet('${url}', file_row_number = true)`;
      return named(
        (await window.engine.query(`${sql} ORDER BY file_row_number ${from} LIMIT 3`)).rows,
      );
    };
    const found = [await page(0), await page(Number(all) - 3)];
    // Of the first file the first rows are not deleted, and of the last one none is.
    const expected = [await stored(first, ""), (await stored(last, "DESC")).toReversed()];
    await lake.detach();
    return { found, expected };
  }, rootOf("demo"));
  assert.deepEqual(found, expected);
});

test("columns are chosen, and a name is no SQL", async () => {
  const { rows: found } = await rows({ columns: ["note", "id"], limit: 1 });
  assert.deepEqual(found, [["day 0", "0"]]);
  const code = await api.run(
    async (table) =>
      await window.lake
        .rows(table, { columns: ['id" FROM lake.main.days --'] })
        .catch((error) => error.code),
    table,
  );
  assert.equal(code, "query_failed");
});

test("the row count is the catalog's own", async () => {
  const tip = judged["many-files"].versions.at(-1).tables[0];
  const from = api.host.log.length;
  assert.equal(await api.run(() => window.lake.tables[0].rows), tip.rows);
  assert.equal(api.host.log.length, from);
});
