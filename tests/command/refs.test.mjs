import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { about, copyOf, names, root } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

/** Repositories whose refs are not all to be had, and what refs says of them. */
const otherwise = {
  "html-fdl": "html_instead",
  "unknown-major-version": "unknown_major_version",
  "malformed-ref": "malformed_ref",
  "html-refs": [],
  "html-refs-json": ["refs/heads/main"], // without refs.json a host cannot list them
  "no-refs-json": ["refs/heads/main"],
};

/** The root that serves a repository's refs. */
const urlOf = (name) => `${pathToFileURL(root(name))}/`;

/** As the judge found them: every branch and tag, by name. */
function judged(name) {
  return about(name)
    .versions.flatMap(({ id, refs }) => refs.map((ref) => ({ name: ref, version: id })))
    .filter((ref) => !ref.name.startsWith("refs/requests/"))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

for (const name of names) {
  test(`refs gives HEAD, and every branch and tag with its version: ${name}`, async () => {
    const answer = await runJson(["refs", root(name)]);
    const expected = otherwise[name];
    if (typeof expected === "string") {
      assert.equal(errorOf(answer).code, expected);
      assert.equal(answer.exitCode, 2);
      return;
    }
    const refs = judged(name).filter((ref) => !expected || expected.includes(ref.name));
    const head = name === "no-head" ? null : "refs/heads/main";
    assert.deepEqual(answer.document, { head, root: urlOf(name), refs });
    assert.equal(answer.exitCode, 0);
  });
}

test("after init there is a HEAD and no ref", async () => {
  const { document, exitCode } = await runJson(["refs", root("after-init")]);
  const nothing = { head: "refs/heads/main", root: urlOf("after-init"), refs: [] };
  assert.deepEqual(document, nothing);
  assert.equal(exitCode, 0);
});

test("for people: a line for each ref, and which one HEAD is", async () => {
  const { stdout, stderr, exitCode } = await run(["refs", root("tagged")]);
  const [main, tag] = judged("tagged");
  assert.equal(
    stdout,
    `${main.version}  refs/heads/main  (HEAD)\n${tag.version}  refs/tags/2025-final\n`,
  );
  assert.equal(stderr, "");
  assert.equal(exitCode, 0);
});

test("for people: what is missing is said", async (t) => {
  const init = await run(["refs", root("after-init")]);
  assert.match(init.stdout, /^HEAD is refs\/heads\/main, which does not exist yet/);

  const repository = copyOf(t, "tagged");
  writeFileSync(join(repository, "HEAD"), "ref: refs/heads/next\n");
  const next = await run(["refs", repository]);
  assert.match(next.stdout, /refs\/heads\/main\n.*\nHEAD is refs\/heads\/next, which does not/);

  rmSync(join(repository, "HEAD"));
  assert.match((await run(["refs", repository])).stdout, /There is no HEAD: name a ref/);
  rmSync(join(repository, "refs.json"));
  assert.match((await run(["refs", repository])).stdout, /names no refs: it has no HEAD/);
});
