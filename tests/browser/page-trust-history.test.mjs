/** Each version of the history carries a verdict of its own, in words. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { about, copyOf } from "../command/cast.mjs";
import { history, openSite, shown, srcOf } from "./page.mjs";

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

const { trusted_signers: trusted, versions } = about("tagged");
const [oldest, middle] = versions.map(({ id }) => id);

/** What the history says of each version, newest first. */
async function badges(page) {
  await shown(page);
  await history(page);
  return page.locator("fdl-history .badge").allInnerTexts();
}

test("a version is trusted, unsigned, bad or unchecked whatever its neighbours are", async (t) => {
  const lake = copyOf(t, "tagged");
  const record = `${lake}/versions/${middle}/version.json`;
  writeFileSync(record, `${readFileSync(record, "utf8")} `);
  rmSync(`${lake}/versions/${oldest}/version.json.sig`);
  let status;
  const host = await site.on({
    mounts: { "/made/": lake },
    faults: (path) => (status && path.endsWith(`${oldest}/version.json.sig`) ? { status } : {}),
  });
  const attributes = { src: "/made/", "trusted-signers": trusted };
  const [first, ...others] = await badges(await host.embed([attributes]));
  assert.equal(first, "Signed by alice@example.org, trusted");
  assert.deepEqual(others, ["Bad signature", "Not signed"]);
  status = 503;
  const page = await host.embed([{ ...attributes, lang: "ja" }]);
  assert.deepEqual((await badges(page)).slice(1), ["署名が合わない", "署名を確かめられない"]);
});

test("signers whom the page does not trust are told from those whom it does", async () => {
  const [alice] = trusted.split("\n");
  const revoked = alice.slice(alice.indexOf("ssh-"));
  const [page, other] = [
    await site.embed([{ src: srcOf("tagged"), "trusted-signers": alice }]),
    await site.embed([
      { src: srcOf("tagged"), "trusted-signers": trusted, "revoked-keys": revoked },
    ]),
  ];
  assert.deepEqual(await badges(page), [
    "Signed by alice@example.org, trusted",
    "Signed, listed by the repository alone",
    "Signed by alice@example.org, trusted",
  ]);
  assert.deepEqual(await badges(other), [
    "Signed with a revoked key",
    "Signed by bob@example.org, trusted",
    "Signed with a revoked key",
  ]);
});

test("where nobody is trusted no verdict is asked for, nor shown", async () => {
  const page = await site.portal({ src: srcOf("tagged") });
  assert.deepEqual(await badges(page), []);
  const signatures = page.seen.requests.filter((url) => url.endsWith(".sig"));
  assert.equal(signatures.length, 1);
});
