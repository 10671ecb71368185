/** The page's one engine, as visitors meet it: shared by all that is on the page, and followed by another when it is gone. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ask, openSite, shown, srcOf } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site?.close());

const towns = "SELECT count(*) AS n FROM lake.main.towns";

test("two copies of the elements, asked at the same time, share one engine and its names", async () => {
  const page = await site.embed([{ src: srcOf("tagged") }, { src: srcOf("second-commit") }]);
  await page.locator("fdl-viewer article[aria-busy=false]").nth(1).waitFor();
  const same = await page.evaluate(async () => {
    const copies = [import("/fdl-viewer.js"), import("/below/a/path/fdl-viewer.js")];
    const [one, other] = await Promise.all(copies);
    const engines = await Promise.all([one.sharedEngine(), other.sharedEngine()]);
    return one !== other && engines[0] === engines[1];
  });
  assert.equal(same, true);
  await ask(page.locator("fdl-viewer").last(), "SELECT 1"); // rows alone need no engine
  assert.equal(page.workers().length, 1);
  const { rows } = await ask(
    page.locator("fdl-viewer").first(),
    "SELECT DISTINCT database_name FROM duckdb_views() WHERE NOT internal ORDER BY 1",
  );
  assert.deepEqual(rows, [["lake"], ["lake2"]]);
});

test("an engine that fails is followed by another, without the page being loaded again", async () => {
  const page = await site.embed([{ src: srcOf("tagged") }]);
  await shown(page);
  const before = await ask(page, towns);
  await page.evaluate(async () => {
    const { sharedEngine } = await import("/fdl-viewer.js");
    await (await sharedEngine()).db.terminate();
  });
  const { says } = await ask(page, towns);
  assert.match(says, /The query engine stopped/);
  assert.match(says, /Run it again/);
  assert.deepEqual(await ask(page, towns), before);
  assert.equal(page.workers().length, 1);
});

test("a name that a viewer had is given back when it leaves the page", async () => {
  const page = await site.embed([{ src: srcOf("tagged") }]);
  await shown(page);
  await ask(page, towns);
  await page.evaluate((src) => {
    document.querySelector("fdl-viewer").remove();
    return new Promise((resolve) => setTimeout(resolve, 500)).then(() => {
      const viewer = document.createElement("fdl-viewer");
      viewer.setAttribute("src", src);
      document.body.append(viewer);
    });
  }, srcOf("second-commit"));
  await shown(page);
  const { rows } = await ask(page, towns);
  assert.equal(rows.length, 1);
});
