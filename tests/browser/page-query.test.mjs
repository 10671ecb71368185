/** What a visitor sees of statements that are no queries. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { openSite, shown, srcOf } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site?.close());

/** Runs SQL by the button: what is said, and the rows where there are any. */
async function run(page, sql) {
  await page.locator("fdl-query textarea").fill(sql);
  await page.locator("fdl-query .first").click();
  await page.locator("fdl-query [aria-busy=false]").waitFor();
  const says = await page.locator("fdl-query [aria-live]").innerText();
  const cells = page.locator("fdl-query fdl-grid td");
  return { says, cells: await cells.allInnerTexts() };
}

for (const [lang, ran, counted, bent, undone] of [
  [
    "en",
    /^Done in [\d.]+ s\. It gives no rows\.$/,
    /^1 row in [\d.]+ s\.$/,
    "cannot be shown exactly",
    "What it changed was undone",
  ],
  [
    "ja",
    /^[\d.]+ 秒で終わりました。行を返さない文です。$/,
    /^[\d.]+ 秒で 1 行。$/,
    "正確に表示できない値です",
    "文による変更は取り消しました",
  ],
]) {
  test(`that it ran, how many rows it changed, and that it was undone: ${lang}`, async () => {
    const page = await site.embed([{ src: srcOf("tagged"), lang }]);
    await shown(page);
    for (const sql of ["CREATE TABLE mine (id INTEGER)", "SET VARIABLE x = 1", "-- a comment"]) {
      const { says, cells } = await run(page, sql);
      assert.match(says, ran, sql);
      assert.deepEqual(cells, [], sql);
    }
    const { says, cells } = await run(page, "INSERT INTO mine SELECT id FROM lake.main.towns");
    assert.match(says, counted);
    assert.deepEqual(cells, ["50"]);
    const refused = await run(page, "DELETE FROM mine RETURNING DATE '2020-02-29' AS v");
    assert.ok(refused.says.includes(bent), refused.says);
    assert.ok(refused.says.includes(undone), refused.says);
    assert.deepEqual((await run(page, "SELECT count(*) FROM mine")).cells, ["50"]);
  });
}
