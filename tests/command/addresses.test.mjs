/** A repository is the same from a folder and from a host, whatever its address is made of. */
import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startHost } from "../hosts/server.mjs";
import { about, copyOf, folder, names, root, signersFile } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

/** A host of a folder, for one test. */
async function hostOf(t, root, settings = {}) {
  const host = await startHost({ root, ...settings });
  t.after(() => host.close());
  return host;
}

/** What a call came to, with the root's address taken out of every text. */
async function cameTo(address, base, command, ...options) {
  const { exitCode, stdout, stderr } = await run([command, address, ...options]);
  const text = (output) => output.replaceAll(`${base}/`, "<root>/");
  return { exitCode, stdout: text(stdout), stderr: text(stderr) };
}

async function assertSame(url, name, ...call) {
  const [here, there] = await Promise.all([
    cameTo(root(name), pathToFileURL(root(name)).href, ...call),
    cameTo(`${url}${name}`, `${url}${name}`, ...call),
  ]);
  assert.deepEqual(there, here, `${name}: ${call[0]}`);
  assert.ok(here.stdout || here.stderr);
}

test("each command gives the same over HTTP as from a folder", async (t) => {
  const { url } = await hostOf(t, folder);
  for (const name of ["tagged", "retention", "after-init", "missing-parent", "flipped-dataset"]) {
    for (const command of ["refs", "log", "show", "verify"]) {
      await assertSame(url, name, command);
      await assertSame(url, name, command, "--json");
    }
  }
});

test("each repository gives the same over HTTP as from a folder", async (t) => {
  const { url } = await hostOf(t, folder);
  for (const name of names) {
    const signers = signersFile(t, name);
    await assertSame(url, name, "verify", "--json", "--allowed-signers", signers);
  }
});

test("a path may hold spaces, #, ?, % and any script", async (t) => {
  const path = join("a b", "c#d?e=f&g", "100%25", "日本語 の湖");
  const repository = copyOf(t, "tagged", path);
  const base = repository.slice(0, -path.length);
  const { url } = await hostOf(t, base);
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  for (const address of [repository, pathToFileURL(repository).href, `${url}${encoded}`]) {
    for (const slash of ["", "/"]) {
      const { document, exitCode } = await runJson(["verify", `${address}${slash}`]);
      assert.deepEqual([document.integrity, exitCode], ["intact", 0], address + slash);
    }
  }
  const { stdout, exitCode } = await run(["refs", repository]);
  assert.match(stdout, /refs\/tags\/2025-final/);
  assert.equal(exitCode, 0);
});

test("a folder may be named from where one stands", async (t) => {
  const repository = copyOf(t, "tagged");
  for (const [cwd, at] of [
    [dirname(repository), basename(repository)],
    [dirname(repository), `./${basename(repository)}/`],
    [repository, "."],
    [join(repository, "refs"), ".."],
  ]) {
    assert.equal((await runJson(["refs", at], { cwd })).exitCode, 0, at);
  }
  // A colon alone does not make an address.
  const colon = join(dirname(repository), "lake:2026");
  renameSync(repository, colon);
  const { exitCode } = await runJson(["refs", "lake:2026"], { cwd: dirname(colon) });
  assert.equal(exitCode, 0);
});

test("a query, such as an access token, is kept by every request, and a fragment by none", async (t) => {
  const { url, log } = await hostOf(t, root("tagged"));
  for (const command of ["refs", "log", "show", "verify"]) {
    for (const address of [`${url}?token=a%2Fb+c`, `${url.slice(0, -1)}?token=a%2Fb+c#part`]) {
      assert.equal((await runJson([command, address])).exitCode, 0);
    }
  }
  assert.ok(log.length > 20);
  for (const { method, path } of log) {
    assert.equal(method, "GET");
    assert.match(path, /^\/[^?#]+\?token=a%2Fb\+c$/);
  }
});

test("a root with and without the final slash asks for the same files", async (t) => {
  const { url, log } = await hostOf(t, folder);
  const paths = [];
  for (const slash of ["", "/"]) {
    log.length = 0;
    assert.equal((await runJson(["verify", `${url}tagged${slash}`])).exitCode, 0);
    paths.push(log.map(({ path }) => path).sort());
  }
  assert.deepEqual(paths[0], paths[1]);
  assert.ok(paths[0].includes("/tagged/fdl.json"));
});

test("a version ID needs neither HEAD nor refs.json", async (t) => {
  const { url, log } = await hostOf(t, root("tagged"));
  const [{ id }] = about("tagged").versions;
  assert.equal((await runJson(["verify", url, "--ref", id])).document.id, id);
  assert.deepEqual(log.map(({ path }) => path).sort(), [
    "/fdl.json",
    ...["dataset.json", "ducklake.duckdb", "expired.json", "files.json", "version.json"].map(
      (file) => `/versions/${id}/${file}`,
    ),
    `/versions/${id}/version.json.sig`,
  ]);
});

test("what is no address of a repository is refused before anything is asked", async () => {
  for (const [address, sentence] of [
    ["ftp://host.example/lake/", /only http, https and file addresses are read/],
    ["s3://bucket/lake/", /only http, https and file addresses are read/],
    ["https://", /it names no host/],
    ["http://a b/", /a space or a control character/],
  ]) {
    const answer = await runJson(["refs", address]);
    const { code, message } = errorOf(answer);
    assert.deepEqual([code, answer.exitCode], ["invalid_url", 2], address);
    assert.match(message, sentence);
  }
});

test("where there is no repository, the address that was looked for is named", async (t) => {
  const nowhere = join(root("tagged"), "versions");
  const { url } = await hostOf(t, nowhere);
  for (const [address, path] of [
    [nowhere, `${pathToFileURL(nowhere)}/fdl.json`],
    [join(nowhere, "not", "there"), `${pathToFileURL(nowhere)}/not/there/fdl.json`],
    [join(root("tagged"), "HEAD"), `${pathToFileURL(root("tagged"))}/HEAD/fdl.json`],
    [url, `${url}fdl.json`],
  ]) {
    const answer = await runJson(["verify", address]);
    const error = errorOf(answer);
    assert.deepEqual([error.code, error.path, answer.exitCode], ["not_a_repository", path, 2]);
    assert.match(error.message, /it is the folder that holds fdl\.json/);
  }
});

test("a name too long for the disk, and a folder in place of a file, are nothing there", async (t) => {
  const repository = copyOf(t, "tagged");
  mkdirSync(join(repository, "refs", "heads", "team"));
  const { url } = await hostOf(t, repository);
  for (const address of [repository, url]) {
    for (const ref of ["x".repeat(300), "team"]) {
      const answer = await runJson(["show", address, "--ref", ref]);
      assert.deepEqual([errorOf(answer).code, answer.exitCode], ["unknown_ref", 2], ref);
    }
  }
});
