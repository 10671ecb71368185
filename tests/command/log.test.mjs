import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { about, atTip, change, copyOf, root, signersFile } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const members = [
  ...["id", "seq", "parents", "created_at", "author", "message", "refs"],
  ...["expired", "missing", "signature"],
];

const ids = (versions) => versions.map(({ id }) => id);
const newestFirst = (name) => ids(about(name).versions).reverse();

/** What a record on disk says, in the members that log gives. */
function recorded(name, id) {
  const file = join(root(name), "versions", id, "version.json");
  const { seq, parents, created_at, author, message } = JSON.parse(readFileSync(file, "utf8"));
  return { id, seq, parents, created_at, author: { email: null, ...author }, message };
}

test("log gives the history, newest first, as the records have it", async () => {
  for (const name of ["first-commit", "tagged", "merge", "retention", "withdrawal"]) {
    const { document, exitCode } = await runJson(["log", root(name)]);
    assert.deepEqual(Object.keys(document), ["versions"]);
    assert.deepEqual(ids(document.versions), newestFirst(name), name);
    for (const version of document.versions) {
      assert.deepEqual(Object.keys(version), members);
      const judged = about(name).versions.find(({ id }) => id === version.id);
      const { refs, expired, missing, signature, ...record } = version;
      assert.equal(signature, null, "nobody was asked to vouch");
      assert.deepEqual(record, recorded(name, version.id));
      assert.deepEqual([refs, expired, missing], [judged.refs, judged.expired, false]);
    }
    assert.equal(exitCode, 0);
  }
});

test("after init the history has no versions, which is not an error", async () => {
  const { document, exitCode } = await runJson(["log", root("after-init")]);
  assert.deepEqual(document, { versions: [] });
  assert.equal(exitCode, 0);
  const text = await run(["log", root("after-init")]);
  assert.match(text.stdout, /no version yet: refs\/heads\/main does not exist/);
  assert.deepEqual([text.stderr, text.exitCode], ["", 0]);
});

test("a ref that is unknown is an error, though the repository has no version", async () => {
  for (const name of ["after-init", "tagged"]) {
    const answer = await runJson(["log", root(name), "--ref", "mian"]);
    assert.equal(errorOf(answer).code, "unknown_ref");
    assert.equal(answer.exitCode, 2);
  }
});

test("-n gives so many of the newest versions at most", async () => {
  const all = newestFirst("long-history");
  for (const [n, count] of [
    ["0", 0],
    ["1", 1],
    ["5", 5],
    [String(all.length), all.length],
    ["500", all.length],
  ]) {
    const { document, exitCode } = await runJson(["log", root("long-history"), "-n", n]);
    assert.deepEqual(ids(document.versions), all.slice(0, count));
    assert.equal(exitCode, 0);
  }
  assert.equal((await run(["log", root("long-history"), "-n", "0"])).stdout, "");
});

test("--ref is a branch, a tag, a full name or a version ID", async () => {
  const [first, draft, bob] = ids(about("branches").versions);
  for (const [ref, expected] of [
    ["draft", [draft, first]],
    ["team/bob", [bob, draft, first]],
    ["refs/heads/draft", [draft, first]],
    ["v1", [first]],
    ["refs/tags/v1", [first]],
    [draft, [draft, first]],
    ["refs/requests/1", [draft, first]],
  ]) {
    const { document } = await runJson(["log", root("branches"), "--ref", ref]);
    assert.deepEqual(ids(document.versions), expected, ref);
  }
});

test("a parent without a record is missing: true, and nothing is made up for it", async () => {
  for (const [name, id] of [
    ["missing-parent", about("missing-parent").facts.missing],
    ["withdrawal-record-deleted", about("withdrawal-record-deleted").facts.withdrawn[1]],
  ]) {
    const { document, exitCode } = await runJson(["log", root(name)]);
    assert.equal(document.versions[0].missing, false);
    assert.deepEqual(Object.keys(document.versions[1]), members);
    assert.deepEqual(document.versions[1], {
      ...{ id, seq: null, parents: [], created_at: null, author: null, message: null },
      ...{ refs: [], expired: null, missing: true, signature: null },
    });
    assert.equal(document.versions.length, 2);
    assert.equal(exitCode, 0);
    const { stdout } = await run(["log", root(name)]);
    assert.match(stdout, new RegExp(`version ${id}\nIts record is missing: it was withdrawn`));
  }
});

test("a graph of parents that leads back to itself ends", async () => {
  for (const name of ["self-parent", "cycle"]) {
    const { document, exitCode } = await runJson(["log", root(name)]);
    const seen = ids(document.versions);
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.length, name === "cycle" ? 2 : 1);
    assert.equal(exitCode, 0);
  }
});

test("for people: what is past retention or withdrawn says so", async (t) => {
  const retention = await run(["log", root("retention")]);
  assert.equal(retention.stdout.match(/^Status: {2}past retention since 2026-/gm).length, 2);
  const withdrawal = await run(["log", root("withdrawal")]);
  assert.equal(withdrawal.stdout.match(/^Status: {2}withdrawn on 2026-/gm).length, 2);

  const repository = copyOf(t, "first-commit");
  writeFileSync(atTip(repository, "expired.json"), '{"reason": "moved to the archive"}');
  const other = await run(["log", repository]);
  assert.match(other.stdout, /^Status: {2}past retention, for the reason "moved to the archive"/m);
});

test("for people: a version with its refs, author, date, parents of a merge and message", async () => {
  const [draft, main, merge] = about("merge").versions.slice(1);
  const { stdout } = await run(["log", root("merge"), "-n", "1"]);
  assert.equal(
    stdout,
    `version ${merge.id}  (refs/heads/main)
Author:  alice
Date:    ${recorded("merge", merge.id).created_at}
Merge:   ${main.id} ${draft.id}

    Merge draft
`,
  );
});

test("a record that gives neither author nor message is still told", async (t) => {
  const repository = copyOf(t, "first-commit");
  change(atTip(repository, "version.json"), () => ({ author: undefined, message: undefined }));
  const { document } = await runJson(["log", repository]);
  const [{ author, message }] = document.versions;
  assert.deepEqual([author, message], [{ name: null, email: null }, null]);
  const { stdout } = await run(["log", repository]);
  assert.match(stdout, /^Author: {2}not given\nDate: {4}\S+\n$/m);
});

test("for people: what could be read is told before what could not", async (t) => {
  const repository = copyOf(t, "tagged");
  const [first] = about("tagged").versions;
  writeFileSync(join(repository, "versions", first.id, "version.json"), "{");
  const text = await run(["log", repository]);
  assert.equal(text.stdout.match(/^version /gm).length, 2);
  assert.match(text.stderr, /version\.json ends in the middle/);
  assert.equal(text.exitCode, 2);

  const json = await runJson(["log", repository]);
  assert.equal(errorOf(json).code, "truncated_json");
  assert.equal(json.exitCode, 2);
});

test("without refs.json the versions of the history are the same", async (t) => {
  const repository = copyOf(t, "long-history");
  rmSync(join(repository, "refs.json"));
  const { document } = await runJson(["log", repository]);
  assert.deepEqual(ids(document.versions), newestFirst("long-history"));
});

test("with --allowed-signers each version says who signed it", async (t) => {
  const list = signersFile(t, "long-history");
  const { document } = await runJson(["log", root("long-history"), "--allowed-signers", list]);
  const judged = about("long-history").versions.toReversed();
  assert.ok(judged.length > 3);
  for (const [index, { signature }] of document.versions.entries()) {
    assert.deepEqual(Object.keys(signature), ["outcome", "code", "principal", "fingerprint"]);
    assert.deepEqual([signature.outcome, signature.code], ["trusted", null]);
    assert.match(signature.principal, new RegExp(judged[index].signer));
    assert.match(signature.fingerprint, /^SHA256:/);
  }
  const text = await run(["log", root("long-history"), "--allowed-signers", list]);
  assert.equal(text.stdout.match(/^Signed: {2}trusted, \S+@\S+$/gm).length, judged.length);
});

test("a signature that does not count is said so for its version alone", async (t) => {
  const copy = copyOf(t, "second-commit");
  rmSync(atTip(copy, "version.json.sig"));
  const call = ["log", copy, "--allowed-signers", signersFile(t, "second-commit")];
  const { document, exitCode } = await runJson(call);
  const outcomes = document.versions.map(({ signature }) => [signature.outcome, signature.code]);
  assert.deepEqual(outcomes, [
    ["unsigned", "unsigned"],
    ["trusted", null],
  ]);
  assert.equal(exitCode, 0, "the history was given");
  assert.match((await run(call)).stdout, /^Signed: {2}unsigned$/m);
  const elsewhere = await run([...call, "--namespace", "elsewhere"]);
  assert.match(elsewhere.stdout, /^Signed: {2}untrusted \(wrong_namespace\)$/m);
});
