/** Where files come from, and what came before: mirrors, and the memory of tips. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { about, change, copyOf } from "../command/cast.mjs";
import { low, openSite, shown, srcOf, verdict } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

const { trusted_signers: trusted, versions } = about("tagged");
const [oldest, , newest] = versions.map(({ id }) => id);

describe("a mirror stands in", () => {
  /** A page whose repository answers 503 for these files; `/mirror/` is well. */
  const embed = async (fails) => {
    const failing = (path) => path.startsWith("/made/") && fails.some((end) => path.endsWith(end));
    const host = await site.on({
      mounts: { "/made/": `build/repositories/tagged`, "/mirror/": `build/repositories/tagged` },
      faults: (path) => (failing(path) ? { status: 503 } : {}),
    });
    const mirrors = `  /mirror/
      /repositories/merge/ `;
    const attributes = { src: "/made/", "trusted-signers": trusted, mirrors };
    const page = await host.embed([attributes], low);
    await shown(page);
    await page.locator("fdl-verdict summary").click();
    return { page, mirror: `${host.host.url}mirror/`, own: `${host.host.url}made/` };
  };

  test("for one file: which root served what is said, and why", async () => {
    const { page, mirror, own } = await embed(["/dataset.json"]);
    assert.deepEqual(await verdict(page), {
      integrity: "Intact so far",
      signature: "Signed, and trusted",
    });
    const notice = await page.locator("fdl-verdict .mirrors").innerText();
    assert.ok(notice.startsWith(`Some files were read from ${mirror}, since`), notice);
    assert.match(notice, /A mirror needs no trust/);
    const row = (file) => page.locator("fdl-verdict .checks tr", { hasText: file });
    const described = await row("dataset.json").innerText();
    assert.ok(described.includes(`Not read from ${own}: `), described);
    assert.match(described, /status 503/);
    assert.equal(await row("dataset.json").locator(".root").innerText(), mirror);
    assert.equal(await row("version.json.sig").locator(".root").innerText(), own);
    assert.equal(await page.getByText("which may be behind").count(), 0);
  });

  test("for the refs: that they may be behind is said beside them", async () => {
    const { page, mirror } = await embed(["/refs.json", "/HEAD", "/main", "/2025-final"]);
    const says = await page.locator("fdl-viewer .refs p").innerText();
    assert.equal(
      says,
      `Branches and tags were read from a mirror, ${mirror}, which may be behind.`,
    );
  });

  test("and nothing is said of mirrors that were not needed", async () => {
    const { page } = await embed([]);
    assert.equal(await page.locator("fdl-verdict .mirrors").count(), 0);
    assert.equal(await page.locator("fdl-verdict .root").count(), 0);
    const asked = page.seen.requests.filter((url) => /mirror|merge/.test(url));
    assert.deepEqual(asked, []);
  });
});

describe("a page that remembers", () => {
  const warnings = (page) => page.locator("fdl-warnings .notice");

  /** A page that has seen a copy of a repository, which a test may change. */
  const seen = async (t, attributes = {}) => {
    const lake = copyOf(t, "tagged");
    const host = await site.on({ mounts: { "/made/": lake } });
    const all = { src: "/made/", "trusted-signers": trusted, remember: "", ...attributes };
    const page = await host.embed([all], low);
    await shown(page);
    await settled(page);
    assert.equal(await warnings(page).count(), 0);
    /** Shows the repository again, as a later visit does. */
    const again = async (later = all) => {
      await page.locator("fdl-viewer").evaluate((viewer, later) => {
        const next = document.createElement("fdl-viewer");
        for (const [name, value] of Object.entries(later)) next.setAttribute(name, value);
        viewer.replaceWith(next);
      }, later);
      await shown(page);
      await settled(page);
    };
    return { page, lake, again, all };
  };

  /** What was seen is read after the version. */
  const settled = (page) =>
    page.waitForFunction(() => {
      const keys = Object.keys(window.localStorage);
      return keys.some((key) => key.startsWith("fdl-reader tip"));
    });

  const hold = (lake, ref, version) =>
    change(`${lake}/refs.json`, ({ refs }) => ({ refs: { ...refs, [ref]: version } }));

  test("warns of an older version, shows the one it saw, and accepts it when told to", async (t) => {
    const { page, lake, again } = await seen(t);
    hold(lake, "refs/heads/main", oldest);
    await again();
    await warnings(page).waitFor();
    const says = await warnings(page).innerText();
    assert.match(says, /^This may be older than what you saw before\n/);
    assert.ok(says.includes(newest) && says.includes(oldest), says);
    await warnings(page).getByRole("button", { name: "Show the version seen before" }).click();
    await page.locator("fdl-version", { hasText: "Fewer towns" }).waitFor();
    await again();
    await warnings(page).getByRole("button", { name: "Accept what is here now" }).press("Enter");
    const status = page.locator("fdl-warnings [role=status]", { hasText: "Accepted" });
    await status.waitFor();
    assert.equal(await warnings(page).count(), 0);
    assert.equal(
      await status.evaluate((status) => status.getRootNode().activeElement === status),
      true,
    );
    hold(lake, "refs/heads/main", newest);
    await again();
    assert.equal(await warnings(page).count(), 0);
  });

  test("says nothing of a version that comes after the one it saw", async (t) => {
    const { page, lake, again } = await seen(t);
    await page.evaluate((oldest) => {
      const key = Object.keys(window.localStorage).find((key) => key.includes(" tip "));
      window.localStorage.setItem(key, JSON.stringify({ document: "fdl-tip/1", version: oldest }));
    }, oldest);
    await again();
    await page.waitForFunction(
      (newest) => Object.values(window.localStorage).some((text) => text.includes(newest)),
      newest,
    );
    assert.equal(await warnings(page).count(), 0);
    assert.ok(lake);
  });

  test("warns of a tag that moved", async (t) => {
    const { page, lake, again } = await seen(t, { ref: "2025-final" });
    hold(lake, "refs/tags/2025-final", newest);
    await again();
    await warnings(page).waitFor();
    assert.match(await warnings(page).innerText(), /^The tag has moved\n/);
  });

  test("warns of another repository at the same address", async (t) => {
    const { page, lake, again } = await seen(t);
    change(`${lake}/fdl.json`, () => ({ id: '<img src="x">' }));
    await again();
    await warnings(page).waitFor();
    assert.match(await warnings(page).innerText(), /^Another repository is here now\n.*<img src=/s);
  });

  test("says in Japanese what it says in English", async (t) => {
    const { page, lake, again, all } = await seen(t);
    hold(lake, "refs/heads/main", oldest);
    await again({ ...all, lang: "ja" });
    await warnings(page).waitFor();
    const says = await warnings(page).innerText();
    assert.match(says, /^前に見たものより古いかもしれません\n/);
    assert.ok(says.includes(newest) && says.includes(oldest), says);
  });

  test("that cannot remember says so, and shows the version all the same", async () => {
    const page = await site.visit("pages/embed.html", low);
    await page.evaluate(
      ([src, trusted]) => {
        Object.defineProperty(window, "localStorage", {
          get: () => {
            throw new window.DOMException("The page may not keep anything", "SecurityError");
          },
        });
        const viewer = document.createElement("fdl-viewer");
        viewer.setAttribute("src", src);
        viewer.setAttribute("trusted-signers", trusted);
        viewer.setAttribute("remember", "");
        document.body.append(viewer);
      },
      [srcOf("tagged"), trusted],
    );
    await shown(page);
    await warnings(page).waitFor();
    const says = await warnings(page).innerText();
    assert.match(says, /^What you saw cannot be remembered\n.*may not keep anything/s);
    assert.equal(await warnings(page).getByRole("button").count(), 0);
  });

  test("is one that was asked to: without it nothing is kept", async () => {
    const page = await site.embed([{ src: srcOf("tagged"), "trusted-signers": trusted }], low);
    await shown(page);
    assert.equal(await page.evaluate(() => window.localStorage.length), 0);
  });
});
