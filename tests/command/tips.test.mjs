/** The memory of tips, in a store of the page's own: see `www/reader/tips.ts`. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { openRepository } from "../../dist/reader/node.js";
import { about, change, copyOf } from "./cast.mjs";

const ids = about("long-history").versions.map(({ id }) => id);
const trustedSigners = about("long-history").trusted_signers;

/** A store as a page could have it. */
function store() {
  const texts = new Map();
  return {
    texts,
    read: async (key) => texts.get(key) ?? null,
    write: async (key, text) => void texts.set(key, text),
  };
}

/** Points refs of a copy at versions. */
function point(copy, refs) {
  writeFileSync(join(copy, "refs.json"), JSON.stringify({ refs }));
}

const main = (number) => ({ "refs/heads/main": ids[number] });

/** What the page is warned of when it opens the repository and asks for a ref. */
async function warned(copy, tips, ref = "main") {
  const repository = await openRepository(copy, { trustedSigners, tips });
  return await repository.warnings(ref);
}

const codes = (warnings) => warnings.map(({ code }) => code);

test("a tip that comes after the one seen is remembered at once, and an older one is warned of", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  for (const number of [0, 0, 1, 3]) {
    point(copy, main(number));
    assert.deepEqual(await warned(copy, tips), [], `version ${number}`);
  }
  point(copy, main(1));
  for (let visit = 0; visit < 2; visit += 1) {
    const [warning, ...more] = await warned(copy, tips);
    assert.deepEqual(more, []);
    assert.deepEqual(warning.facts, {
      code: "rolled_back",
      ref: "refs/heads/main",
      seen: ids[3],
      found: ids[1],
    });
    assert.equal(warning.code, "rolled_back");
    for (const end of [ids[1], ids[3], "refs/heads/main"]) assert.ok(warning.message.includes(end));
  }
  point(copy, main(3));
  assert.deepEqual(await warned(copy, tips), [], "it is as it was");
});

test("what the page accepts is remembered in place of what was seen", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(3));
  await warned(copy, tips);
  point(copy, main(1));
  const [warning] = await warned(copy, tips);
  await warning.accept();
  assert.deepEqual(await warned(copy, tips), []);
  point(copy, main(0));
  const [{ facts }] = await warned(copy, tips);
  assert.deepEqual([facts.seen, facts.found], [ids[1], ids[0]]);
});

test("a tag that moved is warned of, until that is accepted, wherever it went", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  const tag = (number) => point(copy, { ...main(3), "refs/tags/final": ids[number] });
  tag(1);
  assert.deepEqual(await warned(copy, tips, "final"), []);
  tag(2);
  const [warning] = await warned(copy, tips, "final");
  const { code, ref, seen, found } = warning.facts;
  assert.deepEqual([code, ref, seen, found], ["moved_tag", "refs/tags/final", ids[1], ids[2]]);
  assert.deepEqual(await warned(copy, tips, "main"), [], "the branch is another matter");
  await warning.accept();
  assert.deepEqual(await warned(copy, tips, "final"), []);
});

test("another repository at the same root is warned of, until that is accepted", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  const { settings } = await openRepository(copy);
  await warned(copy, tips);
  change(join(copy, "fdl.json"), () => ({ id: "another" }));
  const [warning] = await warned(copy, tips);
  assert.equal(warning.code, "changed_id");
  const { url, seen, found } = warning.facts;
  assert.deepEqual([url, seen, found], [`${pathToFileURL(copy)}/`, settings.id, "another"]);
  await warning.accept();
  assert.deepEqual(await warned(copy, tips), []);

  change(join(copy, "fdl.json"), () => ({ id: undefined }));
  const [without] = await warned(copy, tips);
  assert.deepEqual([without.facts.seen, without.facts.found], ["another", null]);
  await without.accept();
  assert.deepEqual(await warned(copy, tips), [], "that it has none is remembered, too");
});

test("where the way back cannot be followed that is said, and may be accepted", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(0));
  await warned(copy, tips);
  point(copy, main(3));
  rmSync(join(copy, "versions", ids[2], "version.json"));
  const [warning] = await warned(copy, tips);
  const { code, reason, version } = warning.facts;
  assert.deepEqual([code, reason, version], ["cannot_tell", "missing", ids[2]]);
  await warning.accept();
  assert.deepEqual(await warned(copy, tips), []);
});

test("what the page does not trust is not remembered, and without tips nothing is", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  rmSync(join(copy, "versions", ids[3], "version.json.sig"));
  point(copy, main(3));
  assert.deepEqual(await warned(copy, tips), []);
  point(copy, main(1));
  assert.deepEqual(await warned(copy, tips), [], "the tip of before was not vouched for");
  point(copy, main(0));
  assert.deepEqual(codes(await warned(copy, tips)), ["rolled_back"]);
  assert.deepEqual(await warned(copy, undefined), []);
});

test("a version ID and a ref for the host's own use are not remembered", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, { ...main(3), "refs/requests/1": ids[1] });
  for (const ref of [ids[0], "refs/requests/1"]) {
    assert.deepEqual(await warned(copy, tips, ref), []);
    assert.equal([...tips.texts.keys()].filter((key) => key.includes(" tip ")).length, 0);
  }
});

test("what is kept is short JSON by the repository's id, the ref and the root without its query", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(3));
  const { settings } = await openRepository(copy);
  const url = `${pathToFileURL(copy)}/`;
  // A host would get its token; a folder does not mind it.
  const repository = await openRepository(`${url}?token=secret`, { tips });
  await repository.warnings();
  assert.deepEqual(Object.fromEntries(tips.texts), {
    [`fdl-reader id ${url}`]: `{"document":"fdl-id/1","id":"${settings.id}"}`,
    [`fdl-reader tip ${settings.id} refs/heads/main`]: `{"document":"fdl-tip/1","version":"${ids[3]}"}`,
  });
});

test("a store that is full keeps nobody from reading, and says so once", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(1));
  await warned(copy, tips);
  const full = () => Promise.reject(new Error("the quota has been exceeded."));
  point(copy, main(3));
  const [warning, ...more] = await warned(copy, { ...tips, write: full });
  assert.deepEqual([warning.code, more], ["store_unusable", []]);
  assert.equal(warning.facts.reason, "the quota has been exceeded");
  await warning.accept(); // there is nothing to accept

  point(copy, main(0));
  const [rolledBack] = await warned(copy, { ...tips, write: full });
  assert.equal(rolledBack.facts.seen, ids[1]);
  await assert.rejects(rolledBack.accept(), { name: "FdlError", code: "store_unusable" });
  const empty = { ...store(), write: full };
  assert.deepEqual(codes(await warned(copy, empty)), ["store_unusable"]);
});

test("a store that cannot be read is not written over", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(3));
  await warned(copy, tips);
  const before = [...tips.texts];
  const refuses = {
    ...tips,
    read: () => {
      throw new Error("access is denied");
    },
  };
  point(copy, main(1));
  assert.deepEqual(codes(await warned(copy, refuses)), ["store_unusable"]);
  assert.deepEqual([...tips.texts], before);
  assert.deepEqual(codes(await warned(copy, tips)), ["rolled_back"]);
});

test("where there is no localStorage the page is told, and reads", async (t) => {
  const copy = copyOf(t, "long-history");
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("The operation is insecure."); // as browsers say it
    },
  });
  t.after(() => delete globalThis.localStorage);
  const repository = await openRepository(copy, { tips: "localStorage" });
  const [warning, ...more] = await repository.warnings();
  assert.deepEqual([warning.code, more], ["store_unusable", []]);
  assert.equal(warning.facts.reason, "The operation is insecure");
  assert.equal((await repository.version()).verdict.integrity, "intact");
});

test("what is damaged in a store is said, and begun anew", async (t) => {
  const copy = copyOf(t, "long-history");
  const tips = store();
  point(copy, main(3));
  await warned(copy, tips);
  const sound = [...tips.texts];
  for (const damaged of [
    "",
    "{",
    "null",
    "7",
    "[]",
    "{}",
    `{"document":"fdl-tip/2","version":"${ids[3]}"}`,
    '{"document":"fdl-tip/1","version":"<img src=x onerror=alert(1)>"}',
    '{"document":"fdl-tip/1","version":7}',
    '{"document":"fdl-id/1","id":7}',
    '{"__proto__":{"document":"fdl-tip/1"}}',
  ]) {
    for (const key of tips.texts.keys()) tips.texts.set(key, damaged);
    assert.deepEqual(
      codes(await warned(copy, tips)),
      ["store_unusable", "store_unusable"],
      damaged,
    );
    assert.deepEqual([...tips.texts], sound, damaged);
    assert.deepEqual(await warned(copy, tips), [], damaged);
  }
});
