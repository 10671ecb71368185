/** Data files are verified when the visitor asks for it: with progress, to the end or not. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { about, atTip, copyOf } from "../command/cast.mjs";
import { firstRows, low, openSite, shown, srcOf, verdict } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

const data = (page) => page.locator("fdl-data");
const button = (page, name) => data(page).getByRole("button", { name });

async function embed(src, { host = site, ...attributes } = {}) {
  const page = await host.embed([{ src, ...attributes }], low);
  await shown(page);
  return page;
}

/** Verifies to the end: what is said as a whole, and of each kind. */
async function verified(page) {
  await button(page, "Verify the data files").press("Enter");
  await data(page).locator(".word").waitFor();
  return {
    word: await data(page).locator(".word").innerText(),
    counts: (await data(page).locator(".counts li").allInnerTexts()).map((line) => line.trim()),
  };
}

const { trusted_signers: trusted } = about("tagged");

describe("verifying the data files", () => {
  test("of a version whose files.json hashes each comes to: every one is what is recorded", async () => {
    const page = await embed(srcOf("tagged"), { "trusted-signers": trusted });
    const { word, counts } = await verified(page);
    assert.equal(word, "Every data file is the one that is recorded");
    assert.match(counts[0], /^\d+ files? verified: the SHA-256 is the one that is recorded\.$/);
    assert.match(counts[1], /^files\.json, which the record names, says.* were read\.$/);
    assert.equal(counts.length, 2);
    await page.locator("fdl-verdict summary").click();
    const uncovered = await page.locator("fdl-verdict details").innerText();
    assert.doesNotMatch(uncovered, /have not been compared with anything/);
    assert.match(uncovered, /data files \(\d+\)/);
  });

  test("without hashes comes to what it is: length and rows, no more", async () => {
    const page = await embed(srcOf("files-without-hashes"));
    const { word, counts } = await verified(page);
    assert.equal(word, "No data file differs, but not every one is hashed");
    assert.match(counts[0], /compared: no SHA-256 is recorded.*not forgery\.$/);
    await page.locator("fdl-verdict summary").click();
    const says = await page.locator("fdl-verdict details").innerText();
    assert.match(says, /No SHA-256 is recorded for \d+ files of data/);
  });

  test("without a files.json that the record names takes the list from the catalog", async () => {
    const page = await embed(srcOf("files-json-not-named"));
    const { counts } = await verified(page);
    assert.match(counts.at(-1), /^The catalog says which files there are\./);
  });

  test("says of source files that the host keeps to itself that this is no fault", async () => {
    const page = await embed(srcOf("private-sources"));
    const { word, counts } = await verified(page);
    assert.equal(word, "Every data file is the one that is recorded");
    assert.match(counts[1], /^1 file not published: .*That is no fault\.$/);
    const problem = await data(page).locator(".problems li").innerText();
    assert.match(problem, /sources\/0{64}\s+source file · Not published\s+not_available/);
  });

  test("finds one flipped bit, names the file, and shows no row any more", async (t) => {
    const lake = copyOf(t, "tagged");
    const { tables } = JSON.parse(readFileSync(atTip(lake, "files.json"), "utf8"));
    const { path } = tables[0].files[0];
    const bytes = readFileSync(`${lake}/${path}`);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(`${lake}/${path}`, bytes);
    const host = await site.on({ mounts: { "/made/": lake } });
    const page = await embed("/made/", { host, "trusted-signers": trusted });
    assert.equal((await verdict(page)).integrity, "Intact so far");
    const { word, counts } = await verified(page);
    assert.equal(word, "Data files are not as recorded");
    assert.match(counts.join("\n"), /^1 file failed: .*tell the publisher\.$/m);
    const problem = await data(page).locator(".problems li").innerText();
    assert.ok(problem.includes(path));
    assert.match(problem, /data file · Failed\s+hash_mismatch/);
    assert.equal((await verdict(page)).integrity, "Broken");
    const integrity = await page.locator("fdl-verdict #integrity .says").innerText();
    assert.ok(integrity.startsWith(`${path} is not as`), integrity);
    const refused = await page.locator("fdl-viewer .main > .notice").innerText();
    assert.match(refused, /^No rows are shown\n.*What was found:\n.*its sha256 is/s);
    assert.equal(await page.locator("fdl-rows").count(), 0);
  });

  test("shows how far it has come, and ends when it is cancelled", async () => {
    let delay = 30_000;
    const faults = (path) => (path.endsWith(".parquet") ? { delay } : {});
    const host = await site.on({ faults });
    const page = await embed(srcOf("tagged"), { host });
    const ended = [];
    page.on("requestfailed", (request) => ended.push(request.url()));
    await button(page, "Verify the data files").click();
    await data(page).locator("progress").waitFor();
    await page.waitForTimeout(300);
    await button(page, "Cancel").click();
    await data(page).getByText("Cancelled: nothing is said of the data files.").waitFor();
    while (!ended.some((url) => url.endsWith(".parquet"))) await wait(20);
    assert.equal(await data(page).locator(".word").count(), 0);
    delay = 0;
    await button(page, "Verify them again").click();
    await data(page).locator(".word").waitFor();
    assert.match(await data(page).locator(".word").innerText(), /^Every data file/);
  });

  test("is not begun by itself, and leaves the rows as they are", async () => {
    const page = await embed(srcOf("tagged"), { "trusted-signers": trusted });
    assert.equal(await data(page).locator("progress, .word").count(), 0);
    assert.ok(!page.seen.requests.some((url) => url.endsWith(".parquet")));
    assert.equal((await firstRows(page)).rows.length, 20);
    await verified(page);
    assert.equal(await page.locator("fdl-rows fdl-grid tbody tr").count(), 20);
  });

  test("is not offered for a version past retention, which has none", async () => {
    const page = await embed(srcOf("expired-with-catalog"));
    assert.equal(await data(page).count(), 0);
  });
});
