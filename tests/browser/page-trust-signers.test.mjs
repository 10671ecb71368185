/** Who signed, whom the page trusts, and what it asks for: the page says each, and what to do. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { change } from "../command/cast.mjs";
import { low, openSite, shown, verdict } from "./page.mjs";
import { signedLake } from "./signing.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

/** A page that embeds a repository with these attributes. */
async function embed(lake, attributes, context = low) {
  const host = await site.on({ mounts: { "/made/": lake } });
  const page = await host.embed([{ src: "/made/", ...attributes }], context);
  await shown(page);
  return page;
}

const signature = (page) => page.locator("fdl-verdict #signature");
const refusal = (page) => page.locator("fdl-viewer .main > .notice").innerText();

/** The pairs of a section of the details, each term with what it is. */
async function pairs(page, heading) {
  const details = page.locator("fdl-verdict details");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  return page
    .locator("fdl-verdict section", { has: page.locator("h4", { hasText: heading }) })
    .locator("dl")
    .first()
    .evaluate((list) =>
      Object.fromEntries(
        [...list.querySelectorAll("dt")].map((term) => [
          term.textContent.trim(),
          term.nextElementSibling.textContent.replace(/\s+/g, " ").trim(),
        ]),
      ),
    );
}

describe("a key that does not make the version trusted is told from every other", () => {
  test("one that the repository lists is a state of its own, with its way on", async (t) => {
    const { lake, key, other } = signedLake(t);
    change(`${lake}/fdl.json`, () => ({ signers: [`alice@example.org ${key.public}`] }));
    const page = await embed(lake, { "trusted-signers": `carol ${other.public}` });
    assert.equal((await verdict(page)).signature, "Listed by the repository, not trusted");
    assert.equal(await signature(page).locator(".mark.good").count(), 0);
    const says = await signature(page).innerText();
    assert.ok(says.includes(key.fingerprint));
    assert.match(says, /Compare the key with one that the publisher gives elsewhere/);
    assert.match(await refusal(page), /^No rows are shown\n+.*The repository itself lists the key/);
    const who = await pairs(page, "Who signed");
    assert.deepEqual(
      [who["Principal"], who["In fdl.json"]],
      ["None in the page’s list", "listed for alice@example.org, which proves nothing"],
    );
  });

  test("a revoked one shows no row, whomever the page trusts", async (t) => {
    const { lake, key } = signedLake(t);
    for (const list of [{ "trusted-signers": `alice ${key.public}` }, {}]) {
      const page = await embed(lake, { ...list, "revoked-keys": key.public });
      assert.equal((await verdict(page)).signature, "Signed, but the key was revoked");
      assert.equal(await signature(page).locator(".word.bad").count(), 1);
      assert.match(await refusal(page), /^No rows are shown\n+The key .* was revoked/);
      assert.equal(await page.locator("fdl-rows").count(), 0);
    }
  });

  test("one of somebody else than the page asks for", async (t) => {
    const { lake, key } = signedLake(t);
    const list = `alice@example.org ${key.public}`;
    const page = await embed(lake, { "trusted-signers": list, principal: "bob@example.org" });
    assert.equal((await verdict(page)).signature, "Signed, but by someone else");
    assert.match(await signature(page).innerText(), /alice@example\.org.*bob@example\.org/s);
    await refusal(page);
    const asked = await embed(lake, { "trusted-signers": list, principal: "*@example.org" });
    assert.equal((await verdict(asked)).signature, "Signed, and trusted");
  });

  test("one that counts no longer, at the time that the page chose", async (t) => {
    const { lake, key } = signedLake(t);
    const list = `alice valid-before="20260601" ${key.public}`;
    for (const [time, word, says] of [
      ["created", "Signed, and trusted", /, the time that the record gives$/],
      ["now", "Signed, but the key no longer counted", /, when this page opened the repository$/],
      ["2026-05-01T12:30:00Z", "Signed, and trusted", /May 1, 2026, 12:30 UTC, the time that/],
    ]) {
      const page = await embed(lake, { "trusted-signers": list, time, lang: "en" });
      assert.deepEqual([time, (await verdict(page)).signature], [time, word]);
      assert.match((await pairs(page, "Who signed"))["Time used"], says);
    }
  });

  test("a list of revoked keys that cannot be read opens nothing, and says so", async (t) => {
    const { lake, key } = signedLake(t);
    const host = await site.on({ mounts: { "/made/": lake } });
    const attributes = { "trusted-signers": `alice ${key.public}`, "revoked-keys": "not a key" };
    const page = await host.embed([{ src: "/made/", ...attributes }], low);
    const alert = page.locator("fdl-viewer [role=alert]");
    await alert.waitFor();
    assert.match(await alert.innerText(), /The list of revoked keys cannot be read\n.*line 1/s);
  });
});

describe("who signed", () => {
  test("is shown with the key, and an author who is not the signer is pointed out", async (t) => {
    const author = { name: "Bob", email: "bob@example.org" };
    const { lake, key } = signedLake(t, { record: { author } });
    const page = await embed(lake, { "trusted-signers": `alice@example.org ${key.public}` });
    assert.equal((await verdict(page)).signature, "Signed, and trusted");
    const aside = await signature(page).locator(".aside").innerText();
    assert.match(
      aside,
      /names Bob <bob@example\.org> as its author, and alice@example\.org signed/,
    );
    const { "Time used": time, ...who } = await pairs(page, "Who signed");
    assert.match(time, /the time that the record gives$/);
    assert.deepEqual(who, {
      Principal: "alice@example.org",
      Author: "Bob <bob@example.org>, as the record says itself",
      "Key type": "ssh-ed25519",
      Fingerprint: key.fingerprint,
      Namespace: "fdl",
      "Line with the key": "line 1 of the trusted signers",
    });
  });

  test("is pointed out no further where the author is the signer", async (t) => {
    const author = { name: "Alice", email: "alice@example.org" };
    const { lake, key } = signedLake(t, { record: { author } });
    const page = await embed(lake, { "trusted-signers": `alice@example.org ${key.public}` });
    assert.equal(await signature(page).locator(".aside").count(), 0);
  });

  test("with a certificate: its ID, number, names, validity and who issued it", async (t) => {
    const certified = ["-I", "<b>laptop</b>", "-n", "alice@example.org,al", "-z", "4711"];
    certified.push("-V", "20250101000000Z:20300101000000Z");
    const { lake, authority } = signedLake(t, { certified });
    const list = `*@example.org cert-authority ${authority.public}`;
    const page = await embed(lake, { "trusted-signers": list, lang: "en" });
    assert.equal((await verdict(page)).signature, "Signed, and trusted");
    const who = await pairs(page, "Who signed");
    assert.equal(who["Principal"], "alice@example.org");
    assert.equal(who["Certificate"], "“<b>laptop</b>”, number 4711");
    assert.equal(who["Issued for"], "alice@example.org and al");
    assert.equal(who["It counts"], "from Jan 1, 2025, 00:00 UTC until Jan 1, 2030, 00:00 UTC");
    assert.equal(who["Issued by"], authority.fingerprint);
  });
});

describe("whom the page trusts", () => {
  test("is listed: who, from when until when, for what, and who signed this version", async (t) => {
    const { lake, key, authority } = signedLake(t);
    const list = [
      `alice namespaces="fdl,git",valid-after="20200101Z" ${key.public}`,
      "# a comment",
      `*@example.org cert-authority ${authority.public}`,
      "bob ssh-frob AAAA",
    ].join("\n");
    const page = await embed(lake, { "trusted-signers": list, lang: "en" });
    await page.locator("fdl-verdict summary").click();
    const trusted = page.locator("fdl-verdict #trusted");
    const [alice, example] = await trusted.locator(".trusted li").allInnerTexts();
    assert.match(alice, /^alice\n+signed this version\n/);
    assert.ok(alice.includes(`ssh-ed25519 ${key.fingerprint}`));
    assert.match(alice, /fdl,git\n.*from Jan 1, 2020, 00:00 UTC on · Line 1/s);
    assert.match(example, /^\*@example\.org\n(?!signed)/);
    assert.match(example, /Certificate authority: .*\n.*anything\n.*always · Line 3/s);
    assert.match(
      await trusted.innerText(),
      /Lines that cannot be read.*\nLine 4: the key type "ssh-frob" is not known\.$/s,
    );
  });

  test("is nobody where no list is given, which is said", async (t) => {
    const { lake } = signedLake(t);
    const page = await embed(lake, {});
    await page.locator("fdl-verdict summary").click();
    const says = await page.locator("fdl-verdict #trusted").innerText();
    assert.match(says, /This page was given no trusted signers/);
  });
});

describe("the report", () => {
  const opened = async (t, context) => {
    const { lake, key } = signedLake(t);
    const page = await embed(lake, { "trusted-signers": `alice ${key.public}` }, context);
    await page.locator("fdl-verdict summary").click();
    return page;
  };

  test("is copied as plain text by a button", async (t) => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const page = await opened(t, { ...low, permissions });
    const report = page.locator("fdl-report");
    await report.locator("button").click();
    await report.getByText("The report is in the clipboard.").waitFor();
    const copied = await page.evaluate(() => window.navigator.clipboard.readText());
    assert.match(copied, /^version +[0-9a-f-]{36}\nintegrity +intact.*\nsignature +trusted/);
  });

  test("stands there to be selected where the browser does not let the page copy", async (t) => {
    const page = await opened(t, low);
    await page.evaluate(() => {
      window.navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    const report = page.locator("fdl-report");
    await report.locator("button").press("Enter");
    const text = report.locator("textarea");
    await text.waitFor();
    assert.match(await text.inputValue(), /^version +[0-9a-f-]{36}\n/);
    assert.equal(await text.evaluate((text) => text.selectionEnd > 100), true);
  });
});
