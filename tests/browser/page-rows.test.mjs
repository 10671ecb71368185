/** The rows of a table on the page: without the engine where they can be shown exactly, page by page. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ask, firstRows, openSite, shown, srcOf } from "./page.mjs";

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
