/** Mirrors: read where the first root fails or is broken, in Node and by the command. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { openRepository } from "../../dist/reader/node.js";
import { startHost } from "../hosts/server.mjs";
import { atTip, change, copyOf, root, signersFile, tipOf } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const tagged = root("tagged");
const urlOf = (folder) => `${pathToFileURL(folder)}/`;

async function host(t, settings) {
  const started = await startHost({ root: tagged, ...settings });
  t.after(() => started.close());
  return started;
}

/** The check of a file. */
const checkOf = ({ checks }, file) => checks.find((check) => check.file === file);

test("while the first root is well, nothing is asked of a mirror", async (t) => {
  const mirror = await host(t);
  for (const command of ["refs", "log", "show", "verify"]) {
    const { exitCode } = await runJson([command, tagged, "--mirror", mirror.url]);
    assert.equal(exitCode, 0, command);
  }
  assert.deepEqual(mirror.log, []);
});

test("what is at a host that is down is read from a folder, and is said to be", async (t) => {
  const down = await host(t, { faults: () => ({ status: 503 }) });
  const mirrored = ["--mirror", tagged];
  for (const command of ["refs", "log", "show", "verify"]) {
    const alone = await runJson([command, tagged]);
    const { document, exitCode, stderr } = await runJson([command, down.url, ...mirrored]);
    assert.deepEqual([exitCode, stderr], [0, ""], command);
    if (command !== "verify") assert.deepEqual(document, alone.document);
    else assert.deepEqual([document.root, document.repository.url], [urlOf(tagged), down.url]);
  }
  const text = await run(["verify", down.url, ...mirrored]);
  assert.match(text.stdout, new RegExp(`^read from {2}${urlOf(tagged)}, a mirror$`, "m"));
});

test("a broken file is read from the next root, and the verdict says from which and why", async (t) => {
  const copy = copyOf(t, "tagged");
  writeFileSync(atTip(copy, "ducklake.duckdb"), "other bytes");
  const call = ["verify", copy, "--allowed-signers", signersFile(t, "tagged")];
  assert.equal((await runJson(call)).exitCode, 1);
  const mirror = await host(t);
  const { document, exitCode } = await runJson([...call, "--mirror", mirror.url]);
  assert.deepEqual([document.integrity, document.signature, exitCode], ["intact", "trusted", 0]);
  const { root: served, passed_over } = checkOf(document, "ducklake.duckdb");
  assert.equal(served, mirror.url);
  assert.deepEqual(
    passed_over.map((other) => [other.root, other.code]),
    [[urlOf(copy), "size_mismatch"]],
  );
  assert.equal(checkOf(document, "version.json.sig").root, urlOf(copy));
  const paths = mirror.log.map(({ path }) => path);
  assert.deepEqual(paths, ["/fdl.json", `/versions/${tipOf(copy)}/ducklake.duckdb`]);
  const text = await run([...call, "--mirror", mirror.url]);
  assert.match(text.stdout, new RegExp(`It was read from ${mirror.url}`));
  assert.match(text.stdout, new RegExp(`Not from ${urlOf(copy)} \\(size_mismatch\\)`));
});

test("a mirror of another repository is not read", async (t) => {
  const copy = copyOf(t, "tagged");
  rmSync(atTip(copy, "ducklake.duckdb"));
  const other = copyOf(t, "tagged");
  change(join(other, "fdl.json"), () => ({ id: "another" }));
  const { document, exitCode } = await runJson(["verify", copy, "--mirror", other]);
  assert.equal(exitCode, 1);
  const { code, facts, message } = checkOf(document, "ducklake.duckdb");
  assert.equal(code, "missing_file");
  assert.deepEqual(
    [facts.mirrors[0].code, facts.mirrors[0].found],
    ["other_repository", "another"],
  );
  assert.match(message, /belongs to another repository/);

  const both = ["--mirror", other, "--mirror", tagged];
  const found = await runJson(["verify", copy, ...both]);
  assert.equal(found.exitCode, 0);
  const codes = checkOf(found.document, "ducklake.duckdb").passed_over.map(({ code }) => code);
  assert.deepEqual(codes, ["missing_file", "other_repository"]);
});

test("where every root fails, the error is the first one's and names the others", async (t) => {
  const down = await host(t, { faults: () => ({ status: 503 }) });
  const nowhere = join(root("tagged"), "nowhere");
  const answer = await runJson(["show", down.url, "--mirror", nowhere]);
  const { code, path, message } = errorOf(answer);
  assert.deepEqual([code, path, answer.exitCode], ["http_status", `${down.url}fdl.json`, 2]);
  assert.ok(message.includes(urlOf(nowhere)), message);
});

test("a mirror is named by an address that can be one", async () => {
  const answer = await runJson(["show", tagged, "--mirror", "ftp://host.example/"]);
  assert.deepEqual([errorOf(answer).code, answer.exitCode], ["invalid_url", 2]);
  const forgotten = await runJson(["show", tagged, "--mirror"]);
  assert.deepEqual([errorOf(forgotten).code, forgotten.exitCode], ["usage", 2]);
});

test("in Node, too, the refs say which root served them, and data files are where the catalog was", async (t) => {
  const down = await host(t, { faults: () => ({ status: 500 }) });
  const repository = await openRepository(down.url, { mirrors: [tagged] });
  assert.deepEqual([repository.url, repository.servedBy], [down.url, urlOf(tagged)]);
  assert.equal((await repository.refs()).root, urlOf(tagged));
  const version = await repository.version();
  assert.equal(version.data.root, urlOf(tagged));
  assert.ok((await version.catalog()).length > 0);
});

test("a call that is given up asks nothing of a mirror", async (t) => {
  const slow = await host(t, { delay: 10_000 });
  const mirror = await host(t);
  const controller = new AbortController();
  const opening = openRepository(slow.url, { mirrors: [mirror.url], signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(opening, { name: "FdlError", code: "aborted" });
  const own = new AbortController();
  const fetching = openRepository(slow.url, {
    mirrors: [mirror.url],
    fetch: (request) => fetch(request, { signal: own.signal }),
  });
  setTimeout(() => own.abort(), 50);
  await assert.rejects(fetching, { name: "FdlError", code: "aborted" });
  assert.deepEqual(mirror.log, []);
});
