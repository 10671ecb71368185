/** Text of a repository, of the address and of DuckDB is shown as text, whatever it looks like. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { inRoot, judged } from "./api.mjs";
import { ask, columns, firstRows, history, lookAt, openSite, shown, srcOf } from "./page.mjs";

const { facts, versions, trusted_signers } = judged["hostile-text"];
const [table, wide] = versions.at(-1).tables;
const read = (file) => {
  const { id } = versions.at(-1);
  const path = inRoot(`build/repositories/hostile-text/versions/${id}/${file}`);
  return JSON.parse(readFileSync(path, "utf8"));
};
const dataset = read("dataset.json");
const record = read("version.json");

let site;
before(async () => (site = await openSite()));
// Among the errors that no page may have are dialogs, and scripts that the page's policy forbade.
afterEach(() => site.leave());
after(() => site.close());

/** Everything that is in the page, shadow trees included. */
const everything = (page) =>
  page.evaluate(() => {
    const below = (root) =>
      [...root.querySelectorAll("*")].flatMap((element) => [
        element,
        ...(element.shadowRoot ? below(element.shadowRoot) : []),
      ]);
    return below(document).map((element) => ({
      name: element.localName,
      href: element.getAttribute("href"),
      handlers: element.getAttributeNames().filter((name) => name.startsWith("on")),
    }));
  });

/** Of all that was written, no element has come. */
async function isText(page) {
  const elements = await everything(page);
  const body = elements.slice(elements.findIndex(({ name }) => name === "body"));
  assert.deepEqual(
    body.filter(({ name }) => ["img", "script", "iframe", "object", "embed"].includes(name)),
    [],
  );
  assert.deepEqual(
    body.filter(({ handlers }) => handlers.length > 0),
    [],
  );
  for (const { href } of body) assert.match(href ?? "https:", /^(https?:|\/|\?)/);
}

const widthOf = (page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Opens everything that can be opened. */
const unfold = (page) =>
  page.locator("fdl-viewer details:not([open]) > summary").evaluateAll((all) => {
    for (const summary of all) summary.click();
  });

describe("a repository full of markup, scripts and endless words", () => {
  for (const width of [1280, 360]) {
    test(`shows it all as text and scrolls nowhere sideways, ${width} px wide`, async () => {
      const context = { viewport: { width, height: 640 } };
      const page = await site.portal({ src: srcOf("hostile-text") }, context);
      await shown(page);
      assert.equal(await page.locator("fdl-dataset h2").textContent(), dataset.title);
      assert.equal(
        await page.locator("fdl-dataset .description").textContent(),
        dataset.description,
      );
      assert.equal(await page.locator("fdl-version .message").textContent(), record.message);
      const { rows, columns: heads } = await firstRows(page);
      assert.deepEqual(
        heads.map(({ name }) => name),
        table.columns.map(({ name }) => name),
      );
      assert.deepEqual(rows[0][1], '<img src=x onerror="alert(1)">');
      assert.deepEqual(rows[2], ["3", null, null, ""]);
      await history(page);
      await unfold(page);
      assert.deepEqual(
        (await columns(page)).map(({ name }) => name),
        table.columns.map(({ name }) => name),
      );
      assert.equal(await widthOf(page), width);
      await isText(page);
    });
  }

  test("links only to the web", async () => {
    const page = await site.portal({ src: srcOf("hostile-text") });
    await shown(page);
    const links = await page
      .locator("fdl-viewer a")
      .evaluateAll((links) => links.map(({ href }) => href));
    assert.deepEqual(links, [new URL(facts.link).href]);
  });

  test("opens a cell of ten thousand characters where it stands, and closes it again", async () => {
    const page = await site.portal(
      { src: srcOf("hostile-text") },
      { viewport: { width: 360, height: 640 } },
    );
    await shown(page);
    await firstRows(page);
    const cell = page.locator("fdl-grid button.cell", { hasText: /^x+$/ });
    assert.equal((await cell.textContent()).length, 2000);
    const { height } = await cell.boundingBox();
    await cell.press("Enter");
    assert.equal((await cell.textContent()).length, 10_000);
    assert.ok((await cell.boundingBox()).height > 10 * height);
    assert.equal(await widthOf(page), 360);
    await cell.press("Enter");
    assert.equal((await cell.boundingBox()).height, height);
  });

  test("has its tables called by names that SQL takes", async () => {
    const page = await site.portal({ src: srcOf("hostile-text") });
    await shown(page);
    for (const { name, rows } of [table, wide]) {
      await page.locator("fdl-query .names button", { hasText: name }).click();
      const called = await page.locator("fdl-query textarea").inputValue();
      const answer = await ask(page, `SELECT count(*) AS n FROM ${called}`);
      assert.deepEqual(answer.rows, [[`${rows}`]]);
      await page.locator("fdl-query textarea").fill("");
    }
  });

  test("shows a version past retention, whatever reason its host gives", async () => {
    const context = { viewport: { width: 360, height: 640 } };
    const page = await site.portal({ src: srcOf("hostile-text"), ref: facts.expired }, context);
    await shown(page);
    await history(page);
    assert.equal(await widthOf(page), 360);
    await isText(page);
  });

  test("does so too in a page that trusts its signer", async () => {
    const attributes = { src: srcOf("hostile-text"), "trusted-signers": trusted_signers };
    const page = await site.embed([attributes]);
    await shown(page);
    await unfold(page);
    await isText(page);
  });
});

describe("what comes from elsewhere", () => {
  const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>';

  test("SQL's answer and its errors are text", async () => {
    const page = await site.portal({ src: srcOf("tagged") });
    await shown(page);
    const { columns, rows } = await ask(
      page,
      `SELECT '${markup}' AS "${markup.replaceAll('"', '""')}"`,
    );
    assert.deepEqual([columns[0].name, rows], [markup, [[markup]]]);
    const { says } = await ask(page, `SELECT nothing FROM "${markup.replaceAll('"', '""')}"`);
    assert.ok(says.includes("<img src=x"));
    await isText(page);
  });

  for (const asked of [
    { src: markup },
    { src: "javascript:alert(1)" },
    { src: srcOf("tagged"), ref: markup },
    { src: srcOf("tagged"), table: markup },
    { src: srcOf("tagged"), lang: markup },
    { src: `${srcOf("tagged")}${"endless".repeat(60)}` },
    { src: srcOf("tagged"), ref: "endless".repeat(60) },
    { src: srcOf("tagged"), table: "endless".repeat(60) },
  ]) {
    const [[name, value]] = Object.entries(asked).slice(-1);
    test(`the address' ${name} is text: ${value.slice(0, 30)}`, async () => {
      const page = await site.portal(asked, { viewport: { width: 360, height: 640 } });
      await page.locator("fdl-viewer .notice, fdl-viewer article").first().waitFor();
      await lookAt(page.locator("footer"));
      assert.equal(await widthOf(page), 360);
      await isText(page);
    });
  }
});
