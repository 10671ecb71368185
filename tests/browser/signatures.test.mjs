/**
 * Signatures by every kind of key, in a page that was loaded securely, where the browser checks ECDSA and
 * RSA, and in one that was not, where the reader brings them itself.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { copyOf, temporary } from "../command/cast.mjs";
import { openBrowser } from "../hosts/browser.mjs";
import { startHost } from "../hosts/server.mjs";
import { inRoot } from "./api.mjs";
import { keygen, keyIn, signTip } from "./signing.mjs";

const kinds = {
  ed25519: ["ed25519"],
  "ECDSA P-256": ["ecdsa", "-b", "256"],
  "ECDSA P-384": ["ecdsa", "-b", "384"],
  "ECDSA P-521": ["ecdsa", "-b", "521"],
  "RSA 2048": ["rsa", "-b", "2048"],
  "RSA 4096": ["rsa", "-b", "4096"],
};

let chromium;
before(async () => (chromium = await openBrowser()));
after(() => chromium?.close());

/** A key, one that certifies it, and one that it certifies itself: whom a list trusts, and signs by. */
function keysOf(t, kind) {
  const folder = temporary(t);
  const [key, above, below] = ["key", "above", "below"].map((name) => keyIn(folder, name, kind));
  const certify = (by, { path }) => {
    keygen("-q", "-s", by.path, "-I", "one", "-n", "alice", `${path}.pub`);
    return `${path}-cert.pub`;
  };
  const certificate = certify(above, key);
  const [type, base64] = readFileSync(certificate, "utf8").split(" ");
  const forged = Buffer.from(base64, "base64");
  forged[forged.length - 1] ^= 1;
  return {
    key,
    certificate,
    certificateBelow: certify(key, below),
    trusted: `alice ${key.public}\nalice cert-authority ${above.public}`,
    byCertificate: `alice cert-authority ${type} ${base64}`,
    byForgedCertificate: `alice cert-authority ${type} ${forged.toString("base64")}`,
  };
}

/** A copy of a repository whose tip is signed; `change` makes another record of the one signed. */
function signed(t, by, change = (record) => record) {
  const lake = copyOf(t, "tagged");
  const record = signTip(lake, by);
  writeFileSync(record, change(readFileSync(record, "utf8")));
  return lake;
}

/** Runs in the page: what a repository's verdict says of its signature. */
async function outcome({ root, ...trust }) {
  const { openRepository } = await import("fdl-reader");
  const repository = await openRepository(new URL(root, location.href), trust);
  const { signature, signer, checks } = (await repository.version()).verdict;
  return `${signature}: ${signer.principal ?? checks[0].code}`;
}

for (const [host, wasm] of [
  ["localhost", "fdl_reader_bg.wasm"],
  ["insecure.test", "fdl_reader_whole_bg.wasm"],
]) {
  test(`signatures are checked in a page of ${host}, by ${wasm} alone`, async (t) => {
    const lakes = {};
    const expected = {};
    const given = {};
    for (const [name, kind] of Object.entries(kinds)) {
      const { key, trusted, ...keys } = keysOf(t, kind);
      const add = (what, lake, found, trust = {}) => {
        const root = `lakes/${Object.keys(lakes).length}/`;
        lakes[`/${root}`] = lake;
        expected[`${name}, ${what}`] = found;
        given[`${name}, ${what}`] = { root, trustedSigners: trusted, ...trust };
      };
      const other = (record) => record.replace(/"message": "/, '"message": "!');
      const [byKey, byBelow] = [key.path, keys.certificateBelow].map((by) => signed(t, by));
      add("good", byKey, "trusted: alice");
      add("by certificate", signed(t, keys.certificate), "trusted: alice");
      add("of another record", signed(t, key.path, other), "bad: bad_signature");
      add("by an authority with a certificate", byBelow, "trusted: alice", {
        trustedSigners: keys.byCertificate,
      });
      add("by one with a forged certificate", byBelow, "untrusted: unknown_key", {
        trustedSigners: keys.byForgedCertificate,
      });
      add("revoked", byKey, "untrusted: revoked", { revokedKeys: key.public });
    }
    const server = await startHost({
      mounts: { "/": inRoot("tests/browser/pages"), "/dist/": inRoot("dist"), ...lakes },
    });
    t.after(() => server.close());
    const address = server.url.replace(/127\.0\.0\.1|localhost/, host);
    const { page, requests, close } = await chromium.newPage({ hosts: [address] });
    t.after(close);
    await page.goto(`${address}api.html`);
    assert.equal(await page.evaluate(() => window.isSecureContext), host === "localhost");
    const found = {};
    for (const [what, it] of Object.entries(given)) found[what] = await page.evaluate(outcome, it);
    assert.deepEqual(found, expected);
    const loaded = requests
      .map((url) => url.split("/").at(-1))
      .filter((name) => /wasm$/.test(name));
    assert.deepEqual(loaded, [wasm]);
  });
}
