/** Viewers in someone's page: removed, changed while they read, several at once; any path. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { after, afterEach, before, describe, test } from "node:test";
import { judged } from "./api.mjs";
import { ask, firstRows, listed, lookAt, low, openSite, shown, srcOf, verdict } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

/** Waits for a request whose path ends so. */
async function asked(host, end) {
  while (!host.log.some(({ path }) => path.endsWith(end))) await wait(5);
}

describe("a viewer that is removed", () => {
  test("ends its requests, and makes none after them", async () => {
    const isIn = (path) => path.startsWith(srcOf("tagged"));
    const slow = await site.on({ faults: (path) => (isIn(path) ? { delay: 1500 } : {}) });
    const page = await slow.embed([{ src: srcOf("tagged") }]);
    const ended = [];
    page.on("requestfailed", (request) => ended.push(new URL(request.url()).pathname));
    await asked(slow.host, "/refs.json");
    await page.locator("fdl-viewer").evaluate((viewer) => viewer.remove());
    await wait(300);
    const files = ["HEAD", "fdl.json", "refs.json"].map((file) => srcOf("tagged") + file);
    assert.deepEqual(ended.sort(), files);
    const paths = slow.host.log.map(({ path }) => path).filter(isIn);
    assert.deepEqual(paths.sort(), files);
  });

  test("ends the reading of its catalog", async () => {
    const isCatalog = (path) => path.endsWith("/ducklake.duckdb");
    const slow = await site.on({ faults: (path) => (isCatalog(path) ? { delay: 1500 } : {}) });
    const page = await slow.embed([{ src: srcOf("no-files-json") }]);
    const ended = [];
    page.on("requestfailed", (request) => ended.push(request.url().split("/").at(-1)));
    await shown(page);
    await lookAt(page.locator("fdl-rows"));
    await asked(slow.host, "/ducklake.duckdb");
    await page.locator("fdl-viewer").evaluate((viewer) => viewer.remove());
    await wait(300);
    assert.ok(ended.includes("ducklake.duckdb"));
    assert.ok(!slow.host.log.some(({ path }) => path.endsWith(".parquet")));
  });

  test("shows its version again where it is put back", async () => {
    const page = await site.embed([{ src: srcOf("tagged") }]);
    await shown(page);
    assert.equal((await firstRows(page)).rows.length, 20);
    await page.evaluate(() => {
      const viewer = document.querySelector("fdl-viewer");
      viewer.remove();
      document.body.append(document.createElement("section"));
      document.querySelector("section").append(viewer);
    });
    await shown(page);
    assert.equal((await firstRows(page)).rows.length, 20);
    const called = await page.locator("fdl-query .names button").innerText();
    assert.deepEqual((await ask(page, `SELECT count(*) FROM ${called}`)).rows, [["50"]]);
  });
});

describe("what is asked for last is shown", () => {
  test("of two repositories, though the first answers later", async () => {
    const late = srcOf("tagged");
    const slow = await site.on({ faults: (path) => (path.startsWith(late) ? { delay: 400 } : {}) });
    const page = await slow.embed([{ src: late }]);
    await asked(slow.host, "/fdl.json");
    await page.locator("fdl-viewer").evaluate((viewer, src) => (viewer.src = src), srcOf("merge"));
    await page.locator("fdl-dataset", { hasText: "Merge" }).waitFor();
    await wait(1000);
    assert.equal(await page.locator("fdl-dataset h2").innerText(), "Merge");
    assert.ok(!slow.host.log.some(({ path }) => path.startsWith(`${late}versions/`)));
  });

  test("of several refs, though the first answers later", async () => {
    const [first, , third] = judged.tagged.versions;
    const slow = await site.on({
      faults: (path) => (path.includes(first.id) ? { delay: 400 } : {}),
    });
    const page = await slow.embed([{ src: srcOf("tagged") }], low);
    await shown(page);
    await page.locator("fdl-viewer").evaluate(({ shadowRoot }) => {
      window.alerts = 0;
      const look = () => (window.alerts += shadowRoot.querySelectorAll("[role=alert]").length);
      new window.MutationObserver(look).observe(shadowRoot, { childList: true, subtree: true });
    });
    await page.locator("fdl-viewer").evaluate((viewer, id) => (viewer.ref = id), first.id);
    await asked(slow.host, `${first.id}/version.json`);
    await page.locator("fdl-viewer").evaluate((viewer) => (viewer.ref = "2025-final"));
    await page.locator("fdl-version", { hasText: "Add a note column" }).waitFor();
    await page.locator("fdl-viewer").evaluate((viewer, id) => (viewer.ref = id), first.id);
    await page.locator("fdl-viewer").evaluate((viewer, id) => (viewer.ref = id), third.id);
    await page.locator("fdl-version", { hasText: "Fewer towns" }).waitFor();
    await wait(1000);
    assert.equal(await page.locator("fdl-version .message").innerText(), "Fewer towns");
    assert.equal(await page.evaluate(() => window.alerts), 0);
    const [{ rows }] = third.tables;
    assert.deepEqual(await listed(page), [{ name: "main.towns", rows: `${rows} rows` }]);
  });

  test("of several tables, and only its rows", async () => {
    const page = await site.portal();
    await shown(page);
    await firstRows(page);
    const buttons = page.locator("fdl-tables button");
    await buttons.evaluateAll((buttons) => {
      for (const index of [1, 2, 0, 2, 1]) buttons[index].click();
    });
    const { rows } = judged.demo.versions.at(-1).tables[1];
    const count = page.locator("fdl-rows .count");
    await count.filter({ hasText: rows.toLocaleString("en") }).waitFor();
    await wait(500);
    assert.equal(await count.innerText(), `The first 20 of ${rows.toLocaleString("en")} rows.`);
    assert.equal(await page.locator("fdl-rows fdl-grid").count(), 1);
  });
});

describe("several viewers on a page", () => {
  test("share the engine, and each has its own tables", async () => {
    const { trusted_signers } = judged.tagged;
    const page = await site.embed([
      { src: srcOf("tagged"), "trusted-signers": trusted_signers },
      { src: srcOf("tagged"), ref: "2025-final" },
      { src: srcOf("several-schemas"), table: "archive.towns", lang: "ja" },
    ]);
    const [one, two, three] = await page.locator("fdl-viewer").all();
    for (const viewer of [one, two, three]) {
      await viewer.locator("article").waitFor();
      await firstRows(viewer);
    }
    assert.deepEqual(await page.locator("fdl-rows .count").allInnerTexts(), [
      "The first 20 of 50 rows.",
      "The first 20 of 120 rows.",
      "30 行のうち、最初の 20 行。",
    ]);
    assert.equal((await verdict(one)).signature, "Signed, and trusted");
    assert.equal((await verdict(two)).signature, "Nobody vouches");
    const names = await page.locator("fdl-query .names button:first-child").allInnerTexts();
    assert.equal(new Set(names.map((name) => name.split(".")[0])).size, 3);
    assert.deepEqual((await ask(two, `SELECT count(*) FROM ${names[1]}`)).rows, [["120"]]);
    const workers = page.seen.requests.filter((url) => url.endsWith("worker.js"));
    assert.equal(workers.length, 1);

    await one.evaluate((viewer) => viewer.remove());
    const left = page.locator("fdl-viewer").first();
    assert.deepEqual((await ask(left, `SELECT count(*) FROM ${names[1]}`)).rows, [["120"]]);
  });
});

describe("the site below a path", () => {
  test("finds its demo and its engine there, and keeps to it", async () => {
    const page = await site.visit("below/a/path/?ref=2025-05");
    await shown(page);
    assert.equal((await firstRows(page)).rows.length, 20);
    await page.locator("fdl-refs select").selectOption("refs/heads/main");
    await page
      .locator("fdl-refs option:checked", { hasText: "main" })
      .waitFor({ state: "attached" });
    assert.equal(new URL(page.url()).pathname, "/below/a/path/");
    const outside = page.seen.requests.filter(
      (url) => !new URL(url).pathname.startsWith("/below/a/path/"),
    );
    assert.deepEqual(outside, []);
  });
});
