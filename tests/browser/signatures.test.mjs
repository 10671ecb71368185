/**
 * Signatures by every kind of key, in a page that was loaded securely, where the browser checks ECDSA and
 * RSA, and in one that was not, where the reader brings them itself.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { atTip, copyOf, temporary } from "../command/cast.mjs";
import { openBrowser } from "../hosts/browser.mjs";
import { startHost } from "../hosts/server.mjs";
import { inRoot } from "./api.mjs";

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

function keygen(...args) {
  const { status, stderr } = spawnSync("ssh-keygen", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** A key of its own, with a certificate by an authority of the same kind, as lines of a list. */
function keyOf(t, kind) {
  const folder = temporary(t);
  for (const name of ["key", "authority", "other"]) {
    keygen("-q", "-t", ...kind, "-N", "", "-f", join(folder, name));
  }
  keygen(
    "-q",
    "-s",
    join(folder, "authority"),
    "-I",
    "one",
    "-n",
    "alice",
    join(folder, "key.pub"),
  );
  keygen("-q", "-s", join(folder, "key"), "-I", "two", "-n", "alice", join(folder, "other.pub"));
  const line = (file) => readFileSync(join(folder, file), "utf8");
  const [type, base64] = line("key-cert.pub").split(" ");
  const forged = Buffer.from(base64, "base64");
  forged[forged.length - 1] ^= 1;
  return {
    path: join(folder, "key"),
    certificate: join(folder, "key-cert.pub"),
    list: `alice ${line("key.pub")}alice cert-authority ${line("authority.pub")}`,
    revoked: line("key.pub"),
    byKey: join(folder, "other-cert.pub"),
    authorities: [base64, forged.toString("base64")].map(
      (it) => `alice cert-authority ${type} ${it}`,
    ),
  };
}

/** A copy of a repository whose tip is signed; `change` makes another record of the one signed. */
function signed(t, by, change = (record) => record) {
  const lake = copyOf(t, "tagged");
  const file = atTip(lake, "version.json");
  rmSync(`${file}.sig`, { force: true });
  keygen("-Y", "sign", "-q", "-n", "fdl", "-f", by, file);
  writeFileSync(file, change(readFileSync(file, "utf8")));
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
      const key = keyOf(t, kind);
      const add = (what, lake, found, more = {}) => {
        const root = `lakes/${Object.keys(lakes).length}/`;
        lakes[`/${root}`] = lake;
        expected[`${name}, ${what}`] = found;
        given[`${name}, ${what}`] = { root, trustedSigners: key.list, ...more };
      };
      add("good", signed(t, key.path), "trusted: alice");
      add("by certificate", signed(t, key.certificate), "trusted: alice");
      const other = (record) => record.replace(/"message": "/, '"message": "!');
      add("of another record", signed(t, key.path, other), "bad: bad_signature");
      const [certified, forged] = key.authorities;
      add("by an authority with a certificate", signed(t, key.byKey), "trusted: alice", {
        trustedSigners: certified,
      });
      add("by one with a forged certificate", signed(t, key.byKey), "untrusted: unknown_key", {
        trustedSigners: forged,
      });
      add("revoked", signed(t, key.path), "untrusted: revoked", { revokedKeys: key.revoked });
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
