/** The page by keyboard alone, and for who hears it instead of seeing it. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { ask, firstRows, history, lookAt, low, openSite, shown, srcOf } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

/** Runs in the page: numbers every control that can be seen, in the order in which it is seen. */
function numberControls() {
  const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const inside = (element) => {
    if (element.localName === "slot") return element.assignedElements();
    return [...(element.shadowRoot ?? element).children];
  };
  const walk = (element) => [
    ...(element.matches(controls) && element.checkVisibility() ? [element] : []),
    ...inside(element).flatMap(walk),
  ];
  const found = walk(document.body);
  for (const [index, control] of found.entries()) control.dataset.number = String(index);
  return found.length;
}

/** Runs in the page: the control that has the focus, and whether that can be seen. */
function focused() {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const { outlineStyle, outlineWidth } = window.getComputedStyle(element);
  const { top, bottom, width } = element.getBoundingClientRect();
  return {
    number: Number(element.dataset.number),
    name: element.localName,
    outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
    inView: width > 0 && bottom > 0 && top < window.innerHeight,
  };
}

describe("the keyboard", () => {
  for (const width of [1280, 360]) {
    test(`reaches every control in the order of the page, and the focus is seen, ${width} px wide`, async () => {
      const context = { viewport: { width, height: 800 } };
      const page = await site.portal({ src: srcOf("branches") }, context);
      await shown(page);
      await firstRows(page);
      await history(page);
      for (const summary of await page.locator("summary").all()) await summary.press("Enter");
      await lookAt(page.locator("header.site"));
      await page.locator("header .name").focus();
      const count = await page.evaluate(numberControls);
      assert.ok(count > 20);
      for (let number = 0; number < count; number++) {
        const found = await page.evaluate(focused);
        const { name } = found;
        assert.deepEqual(found, { number, name, outlined: true, inView: true });
        await page.keyboard.press("Tab");
      }
    });
  }

  test("opens a table, a version and another repository", async () => {
    const page = await site.portal({ src: srcOf("dropped-and-renamed-tables") });
    await shown(page);
    await page.locator("fdl-tables button", { hasText: "towns" }).press("Enter");
    assert.equal(new URL(page.url()).searchParams.get("table"), "main.towns");
    await history(page);
    await page.locator("fdl-history button", { hasText: "Rename" }).press("Enter");
    await page.locator("fdl-version", { hasText: "Rename" }).waitFor();
    await page.locator("summary", { hasText: "Open another repository" }).press("Enter");
    const address = new URL(srcOf("tagged"), page.url()).href;
    await page.locator("#src").fill(address);
    await page.locator("#src").press("Enter");
    await page.locator("fdl-dataset", { hasText: "Tagged" }).waitFor();
    assert.equal(new URL(page.url()).search, `?src=${encodeURIComponent(address)}`);
  });

  test("runs SQL by Ctrl+Enter and by the button, which keeps the focus", async () => {
    const page = await site.portal({ src: srcOf("tagged") });
    await shown(page);
    assert.deepEqual((await ask(page, "SELECT 1 AS one")).rows, [["1"]]);
    await page.locator("fdl-query textarea").fill("SELECT 2 AS two");
    const run = page.locator("fdl-query .first");
    await run.press("Enter");
    await page.locator("fdl-query fdl-grid .name", { hasText: "two" }).waitFor();
    assert.equal(await run.evaluate((run) => run.getRootNode().activeElement === run), true);
  });

  test("goes on at the first entry that came when older versions are shown", async () => {
    const page = await site.portal({ src: srcOf("long-history") });
    await shown(page);
    const { length } = await history(page);
    await page.locator("fdl-history .button").press("Enter");
    await page.locator("fdl-history", { hasText: "whole history" }).waitFor();
    const entry = page.locator("fdl-history li").nth(length).locator("button");
    assert.equal(
      await entry.evaluate((entry) => entry.getRootNode().activeElement === entry),
      true,
    );
  });
});

describe("what goes on is announced", () => {
  test("by one status that stays while its words change", async () => {
    const slow = await site.on({ delay: 100 });
    const page = await slow.portal({ src: srcOf("tagged") }, low);
    const status = page.locator("fdl-viewer [role=status]");
    await page.locator("fdl-viewer [role=status]", { hasText: "Opening the repository" }).waitFor();
    const first = await status.elementHandle();
    await shown(page);
    const said = () => first.evaluate((status) => [status.isConnected, status.textContent]);
    assert.deepEqual(await said(), [true, "Tagged, branch main, is shown."]);
    await page.locator("fdl-refs select").selectOption("refs/tags/2025-final");
    await page.locator("fdl-viewer [role=status]", { hasText: "Reading the version" }).waitFor();
    await page.locator("fdl-version", { hasText: "Add a note column" }).waitFor();
    assert.deepEqual(await said(), [true, "Tagged, tag 2025-final, is shown."]);
  });

  test("where rows and answers are loaded, and how many came", async () => {
    const page = await site.portal({ src: srcOf("tagged") }, low);
    await shown(page);
    const live = (element) => page.locator(`${element} [aria-live=polite]`);
    const rows = await live("fdl-rows").elementHandle();
    await firstRows(page);
    assert.equal((await rows.textContent()).trim(), "The first 20 of 50 rows.");
    const answers = await live("fdl-query").elementHandle();
    await ask(page, "FROM range(3)");
    assert.match(await answers.textContent(), /3 rows in [\d.]+ s\./);
  });

  test("a failure as an alert", async () => {
    const page = await site.portal({ src: "/repositories/nowhere/" });
    const alert = page.locator("fdl-viewer [role=alert]");
    await alert.waitFor();
    assert.match(await alert.innerText(), /There is no repository here/);
  });

  test("the language of each word is said: the page's own, and Japanese where it was chosen", async () => {
    const page = await site.portal({}, { ...low, locale: "ja" });
    await shown(page);
    const lang = (selector) => page.locator(selector).first().getAttribute("lang");
    assert.equal(await lang("html"), "ja");
    assert.equal(await lang("fdl-verdict"), "ja");
    await page.locator("header button", { hasText: "English" }).click();
    await page.locator("fdl-verdict", { hasText: "Signed, and trusted" }).waitFor();
    assert.equal(await lang("html"), "en");
  });
});
