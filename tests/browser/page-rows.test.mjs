/** The rows of a table on the page: without the engine where they can be shown exactly, page by page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { inRoot } from "./api.mjs";
import { ask, firstRows, lookAt, openSite, rowsIn, shown, srcOf } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site?.close());

const ofDuckdb = (page) =>
  page.seen.requests.filter((url) => /duckdb|fdl_catalog|worker\.js/.test(url));

test("first rows and the pages after them need nothing of DuckDB; SQL does", async () => {
  const page = await site.embed([{ src: srcOf("tagged") }]);
  await shown(page);
  const { rows } = await firstRows(page);
  assert.equal(rows.length, 20);
  const count = page.locator("fdl-rows .count");
  const [previous, next] = await page.locator("fdl-rows .pages button").all();
  assert.equal(await previous.getAttribute("aria-disabled"), "true");
  await next.click();
  await count.filter({ hasText: "Rows 21 to 40 of 50." }).waitFor();
  await next.click();
  await count.filter({ hasText: "Rows 41 to 50 of 50." }).waitFor();
  assert.equal(await next.getAttribute("aria-disabled"), "true");
  await previous.click();
  await previous.click();
  await count.filter({ hasText: "The first 20 of 50 rows." }).waitFor();
  assert.deepEqual((await firstRows(page)).rows, rows);
  assert.deepEqual(ofDuckdb(page), []);
  assert.deepEqual((await ask(page, "SELECT count(*) FROM lake.main.towns")).rows, [["50"]]);
  assert.notDeepEqual(ofDuckdb(page), []);
});

test("where only the engine is exact, the page says that it loads DuckDB, and pages by it", async () => {
  const slow = await site.on({
    faults: (path) => (/duckdb-eh\.wasm/.test(path) ? { delay: 700 } : {}),
  });
  const page = await slow.embed([{ src: srcOf("inlined-deletes"), lang: "ja" }]);
  await shown(page);
  await page.locator("fdl-rows", { hasText: "問い合わせエンジン DuckDB-Wasm" }).waitFor();
  assert.equal((await firstRows(page)).rows.length, 20);
  await page.locator("fdl-rows .pages button", { hasText: "次の行" }).click();
  await page.locator("fdl-rows .count", { hasText: "21～40 行目。" }).waitFor();
  assert.notDeepEqual(ofDuckdb(page), []);
});

/** Presses the head of a column by the keyboard, and waits for what is said of the rows then. */
async function sortBy(page, column, says) {
  const head = page.locator("fdl-rows th", { hasText: column });
  await head.locator("button").press("Enter");
  await page.locator("fdl-rows .count", { hasText: says }).waitFor();
  const focused = await head
    .locator("button")
    .evaluate((button) => button.getRootNode().activeElement === button);
  assert.equal(focused, true, "the focus stays");
  return await head.getAttribute("aria-sort");
}

test("a column's head sorts by it, ascending, descending, and as stored again; that takes the engine", async () => {
  const page = await site.embed([{ src: srcOf("tagged") }]);
  await shown(page);
  const stored = await firstRows(page);
  await page
    .locator("fdl-rows", { hasText: "DuckDB-Wasm, several megabytes, is loaded" })
    .waitFor();
  assert.deepEqual(ofDuckdb(page), []);
  const grid = page.locator("fdl-rows fdl-grid");
  const sql = (order) => ask(page, `FROM lake.main.towns ORDER BY ${order} NULLS LAST LIMIT 20`);
  assert.equal(await sortBy(page, "name", "Sorted by name, ascending."), "ascending");
  const ascending = await rowsIn(grid);
  assert.notDeepEqual(ofDuckdb(page), []);
  assert.equal(await sortBy(page, "name", "Sorted by name, descending."), "descending");
  const descending = await rowsIn(grid);
  assert.equal(await sortBy(page, "name", /^The first 20 of 50 rows\.$/), null);
  assert.deepEqual(await rowsIn(grid), stored);
  assert.deepEqual(ascending, await sql("name ASC"));
  assert.deepEqual(descending, await sql("name DESC"));
  assert.notDeepEqual(ascending.rows, descending.rows);
});

test("pages of rows that are sorted by a column with the same value in many lack none and repeat none", async () => {
  const page = await site.portal({ table: "cities" });
  await shown(page);
  await firstRows(page);
  await sortBy(page, "country", "Sorted by country, ascending.");
  const grid = page.locator("fdl-rows fdl-grid");
  const found = (await rowsIn(grid)).rows;
  for (const range of ["21 to 40", "41 to 60"]) {
    await page.locator("fdl-rows .pages button", { hasText: "Next rows" }).click();
    await page.locator("fdl-rows .count", { hasText: `Rows ${range} of` }).waitFor();
    found.push(...(await rowsIn(grid)).rows);
  }
  const all = "country, name, lat, lng, admin1, admin2";
  const { rows } = await ask(page, `FROM lake.main.cities ORDER BY ${all} LIMIT 60`);
  assert.deepEqual(found, rows);
});

test("columns are chosen, one at least, without the engine, and stay chosen on the next page", async () => {
  const page = await site.embed([{ src: srcOf("tagged"), lang: "ja" }]);
  await shown(page);
  const { rows } = await firstRows(page);
  const grid = page.locator("fdl-rows fdl-grid");
  await page.locator("fdl-rows summary", { hasText: "列を選ぶ" }).press("Enter");
  const [id, name, note] = await page.locator("fdl-rows .choice input").all();
  const heads = (names) =>
    page.waitForFunction((names) => {
      const viewer = document.querySelector("fdl-viewer").shadowRoot;
      const { shadowRoot } = viewer.querySelector("fdl-rows").shadowRoot.querySelector("fdl-grid");
      return (
        [...shadowRoot.querySelectorAll("th .name")].map((one) => one.textContent).join() === names
      );
    }, names);
  await id.press("Space");
  await heads("name,note");
  assert.deepEqual(
    (await rowsIn(grid)).rows,
    rows.map((row) => row.slice(1)),
  );
  await note.press("Space");
  await heads("name");
  await name.press("Space");
  assert.equal(await name.isChecked(), true, "the last one stays");
  await page.locator("fdl-rows .pages button", { hasText: "次の行" }).click();
  await page.locator("fdl-rows .count", { hasText: "21～40 行目。" }).waitFor();
  await heads("name");
  await note.press("Space");
  await id.press("Space");
  await heads("id,name,note");
  assert.deepEqual(ofDuckdb(page), []);
});

test("an order that cannot be had leaves a way back to the rows as they are stored", async () => {
  const without = await site.on({
    faults: (path) => (/duckdb-eh\.wasm/.test(path) ? { status: 503 } : undefined),
  });
  const page = await without.embed([{ src: srcOf("tagged") }]);
  await shown(page);
  const stored = await firstRows(page);
  await page.locator("fdl-rows th button").first().click();
  const notice = page.locator("fdl-rows .notice");
  assert.match(await notice.innerText(), /The query engine could not be loaded/);
  assert.equal(await page.locator("fdl-rows fdl-grid").count(), 0);
  await notice.locator("button", { hasText: "as they are stored" }).click();
  assert.deepEqual(await firstRows(page), stored);
});

/** A page that verifies data before it shows a row, and what is asked for of the data files. */
async function verifying(faults, attributes = {}) {
  const own = await site.on({ faults });
  const page = await own.embed([{ src: "/demo/", "verify-data": "", ...attributes }]);
  await shown(page);
  const asked = () => own.host.log.filter(({ path }) => path.endsWith(".parquet"));
  return { page, asked };
}

test("with verify-data each data file is downloaded whole before a row is shown, and the page says so", async () => {
  const late = (path) => (path.endsWith(".parquet") ? { delay: 400 } : undefined);
  const { page, asked } = await verifying(late, { lang: "ja" });
  await page
    .locator("fdl-verdict", { hasText: "すべて丸ごとダウンロードし" })
    .waitFor({ state: "attached" });
  await page.locator("fdl-data", { hasText: "記録と違うファイルの行は表示しません" }).waitFor();
  await lookAt(page.locator("fdl-rows"));
  const progress = page.locator("fdl-rows .progress", {
    hasText: /すべてのデータファイルをダウンロードして確かめています：\d+ ファイルのうち \d+/,
  });
  await progress.waitFor();
  assert.equal(await page.locator("fdl-rows fdl-grid").count(), 0);
  const { rows } = await firstRows(page);
  assert.equal(rows.length, 20);
  await page.locator("fdl-rows .count", { hasText: "SHA-256 が記録と一致しています。" }).waitFor();
  assert.ok(asked().length > 0);
  assert.ok(asked().every(({ status, headers }) => status === 200 && !headers.range));
  assert.equal(new Set(asked().map(({ path }) => path)).size, asked().length, "each once");
  const before = asked().length;
  await ask(page, "SELECT count(DISTINCT name) FROM lake.main.cities");
  assert.equal(asked().length, before, "SQL reads what was verified");
});

test("with verify-data a table with a file that is not the recorded one shows no row, and says which", async () => {
  let flipped;
  const { page } = await verifying(
    (path) => {
      if (!/\/admin1\/.*\.parquet$/.test(path) || path !== (flipped ??= path)) return undefined;
      const bytes = readFileSync(inRoot(`www${path}`));
      bytes[bytes.length >> 1] ^= 1;
      return { body: bytes };
    },
    { table: "admin1" },
  );
  await lookAt(page.locator("fdl-rows"));
  const refused = page.locator("fdl-table .notice");
  await refused.waitFor();
  const says = await refused.innerText();
  assert.ok(says.includes(flipped.split("/").at(-1)), says);
  assert.match(says, /not the file that was signed/);
  assert.equal(await page.locator("fdl-grid").count(), 0);
  await page.locator("fdl-tables button", { hasText: "admin2" }).click();
  assert.equal((await firstRows(page)).rows.length, 20);
});
