/** What the page does with a version that it cannot believe: it says why, and shows no row. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { judged } from "./api.mjs";
import { ask, firstRows, low, openSite, shown, srcOf, verdict } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

/** A page that trusts the scenario's signers. */
const trusting = (name, context, host = site) =>
  host.embed([{ src: srcOf(name), "trusted-signers": judged[name].trusted_signers }], context);

/** The notice in place of rows, once it is there; not a row may be. */
async function refusal(page) {
  const notice = page.locator("fdl-viewer .main > .notice");
  await notice.waitFor();
  assert.equal(await page.locator("fdl-rows, fdl-grid, fdl-query").count(), 0);
  return await notice.innerText();
}

describe("one byte changed", () => {
  test("in dataset.json: the file is named, its description is not shown, nor a row", async () => {
    const page = await trusting("flipped-dataset");
    await shown(page);
    assert.match(
      await refusal(page),
      /^No rows are shown\n.*dataset\.json is broken.*tell the publisher/s,
    );
    assert.deepEqual(await verdict(page), {
      integrity: "Broken",
      signature: "Signed, and trusted",
    });
    assert.match(await page.locator("fdl-verdict #integrity").innerText(), /dataset\.json/);
    assert.equal(await page.locator("fdl-dataset h2").innerText(), "flipped-dataset");
  });

  test("in the catalog: it is found when SQL needs it, and no row is shown from then on", async () => {
    const page = await trusting("flipped-catalog", low);
    await shown(page);
    assert.equal((await verdict(page)).integrity, "Intact so far");
    const box = page.locator("fdl-query textarea");
    await box.fill("SELECT 1");
    await box.press("Control+Enter");
    assert.match(
      await refusal(page),
      /^No rows are shown\n.*ducklake\.duckdb is broken.*tell the publisher/s,
    );
    assert.deepEqual(await verdict(page), {
      integrity: "Broken",
      signature: "Signed, and trusted",
    });
    assert.match(await page.locator("fdl-verdict #integrity").innerText(), /ducklake\.duckdb/);
  });

  test("in version.json: the record and its signature do not belong together", async () => {
    const page = await trusting("flipped-record");
    await shown(page);
    assert.match(
      await refusal(page),
      /^No rows are shown\n+The record and its signature do not belong together/,
    );
    assert.equal((await verdict(page)).signature, "Bad signature");
    await page.locator("fdl-verdict summary").click();
    const failed = page.locator("fdl-verdict tr", { hasText: "Failed" });
    assert.match(await failed.innerText(), /version\.json/);
  });

  test("in version.json: nor is a row shown where nobody is trusted anyway", async () => {
    const page = await site.portal({ src: srcOf("flipped-record") });
    await shown(page);
    assert.match(await refusal(page), /^No rows are shown\n+The record and its signature/);
  });
});

describe("trusted signers given", () => {
  for (const [name, word, says] of [
    ["untrusted-signer", "Listed by the repository, not trusted", /this page does not trust/],
    ["unsigned", "Not signed", /carries no signature/],
  ]) {
    test(`${name}: no rows, in words; the description stands under the warning`, async () => {
      const page = await trusting(name);
      await shown(page);
      assert.match(
        await refusal(page),
        /^No rows are shown\n.*its description stand here .* unconfirmed/s,
      );
      assert.deepEqual(await verdict(page), { integrity: "Intact so far", signature: word });
      assert.match(await page.locator("fdl-verdict #signature").innerText(), says);
      // What the publisher says of the table comes after it.
      const order = await page.evaluate(() => {
        const { shadowRoot } = document.querySelector("fdl-viewer");
        const notice = shadowRoot.querySelector(".main > .notice");
        const table = shadowRoot.querySelector("fdl-table");
        return notice.compareDocumentPosition(table) & notice.DOCUMENT_POSITION_FOLLOWING;
      });
      assert.ok(order);
    });
  }

  test("a file that the host did not give could not be checked: no rows until it is", async () => {
    let status = 503;
    const faults = (path) => (path.endsWith("/dataset.json") && status ? { status } : {});
    const failing = await site.on({ faults });
    const page = await trusting("tagged", low, failing);
    await shown(page);
    assert.match(await refusal(page), /^No rows are shown\n.*dataset\.json could not.*status 503/s);
    assert.equal((await verdict(page)).integrity, "Not checked");
    status = undefined;
    await page.locator("fdl-viewer .main > .notice button").click();
    assert.equal((await firstRows(page)).rows.length, 20);
    assert.equal((await verdict(page)).integrity, "Intact so far");
  });

  test("a version signed by one of them shows its rows; its catalog counts once SQL has read it", async () => {
    const page = await trusting("tagged");
    await shown(page);
    assert.equal((await firstRows(page)).rows.length, 20);
    const signature = "Signed, and trusted";
    assert.deepEqual(await verdict(page), { integrity: "Intact so far", signature });
    await ask(page, "SELECT count(*) FROM lake.main.towns");
    assert.deepEqual(await verdict(page), { integrity: "Intact", signature });
  });

  test("a branch of the demo that nobody signed shows no row in the portal", async () => {
    const page = await site.portal({ ref: "first-rows" });
    await shown(page);
    await refusal(page);
    assert.equal((await verdict(page)).signature, "Not signed");
  });
});

describe("without trusted signers nobody vouches, and the rows are shown", () => {
  for (const [name, says] of [
    ["untrusted-signer", /good signature by the key SHA256:/],
    ["unsigned", /carries no signature/],
  ]) {
    test(name, async () => {
      const page = await site.portal({ src: srcOf(name) });
      await shown(page);
      assert.equal((await verdict(page)).signature, "Nobody vouches");
      assert.match(await page.locator("fdl-verdict #signature").innerText(), says);
      assert.equal((await firstRows(page)).rows.length, 20);
    });
  }
});
