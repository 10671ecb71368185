/** The two outputs: whole, however long, and whatever stands at their other end. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startHost } from "../hosts/server.mjs";
import { change, copyOf, root, temporary } from "./cast.mjs";
import { commandFile, errorOf, run, runJson, theDocument } from "./fdl-reader.mjs";

/** A history whose messages are longer than any pipe holds at once. */
function longHistory(t) {
  const repository = copyOf(t, "long-history");
  const versions = readdirSync(join(repository, "versions"));
  for (const id of versions) {
    change(join(repository, "versions", id, "version.json"), () => ({
      message: `${id}\n${"0123456789\n".repeat(20_000)}end of ${id}`,
    }));
  }
  return { repository, versions };
}

/** The command with its outputs where a test wants them. */
function start(args, stdio) {
  const child = spawn(process.execPath, [commandFile, ...args], { stdio });
  const exited = new Promise((resolve) => child.once("close", resolve));
  return { child, exited };
}

test("a long output is not cut off in a pipe", async (t) => {
  const { repository, versions } = longHistory(t);
  const text = await run(["log", repository]);
  for (const id of versions) assert.ok(text.stdout.includes(`end of ${id}\n`));
  const { document } = await runJson(["log", repository]);
  assert.equal(document.versions.length, versions.length);
  for (const { id, message } of document.versions) assert.ok(message.endsWith(`end of ${id}`));
});

test("a reader that is slow gets everything", async (t) => {
  const { repository, versions } = longHistory(t);
  const { child, exited } = start(["log", repository, "--json"], ["ignore", "pipe", "inherit"]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  let stdout = "";
  for await (const text of child.stdout.setEncoding("utf8")) stdout += text;
  assert.equal(await exited, 0);
  assert.equal(theDocument(stdout).versions.length, versions.length);
});

test("a reader that leaves, as head does, ends the command without a word", async (t) => {
  const { repository } = longHistory(t);
  for (const form of [[], ["--json"]]) {
    const { child, exited } = start(["log", repository, ...form], ["ignore", "pipe", "pipe"]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.stdout.once("data", () => child.stdout.destroy());
    assert.equal(await exited, 0);
    assert.equal(stderr, "");
  }
});

test("a history that nobody reads any more is not fetched any more", async (t) => {
  const { repository, versions } = longHistory(t);
  const { url, log, close } = await startHost({ root: repository, delay: 20 });
  t.after(close);
  const { child, exited } = start(["log", url], ["ignore", "pipe", "inherit"]);
  child.stdout.once("data", () => child.stdout.destroy());
  await exited;
  const records = log.filter(({ path }) => path.endsWith("/version.json"));
  assert.ok(records.length < versions.length, `${records.length} of ${versions.length}`);
});

test("verify exits with its own code although nobody reads", async () => {
  for (const [name, code] of [
    ["tagged", 0],
    ["flipped-catalog", 1],
    ["expired-with-catalog", 2],
  ]) {
    const { child, exited } = start(["verify", root(name)], ["ignore", "pipe", "inherit"]);
    child.stdout.destroy();
    assert.equal(await exited, code, name);
  }
});

test(
  "an answer that cannot be written is no success",
  { skip: !existsSync("/dev/full") },
  async () => {
    for (const form of [[], ["--json"]]) {
      const full = openSync("/dev/full", "w");
      const { child, exited } = start(["refs", root("tagged"), ...form], ["ignore", full, "pipe"]);
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      assert.equal(await exited, 2);
      closeSync(full);
      assert.match(stderr, /^fdl-reader: The answer could not be written: ENOSPC/);
    }
  },
);

test("what fails in the command itself is an error of one document too", async () => {
  // What nobody waits for throws while a repository is read.
  const thrower = `globalThis.Response = class extends Response {
    constructor(...args) {
      super(...args);
      setImmediate(() => { throw new Error("out of luck"); });
    }
  }`;
  const nodeArgs = ["--import", `data:text/javascript,${encodeURIComponent(thrower)}`];
  for (const command of ["refs", "log", "show", "verify"]) {
    const answer = await runJson([command, root("tagged")], { nodeArgs });
    const { code, message, path } = errorOf(answer);
    assert.deepEqual([code, path, answer.exitCode], ["internal", null, 2]);
    assert.match(message, /^The command itself failed: out of luck\. Please report this/);
    assert.equal(answer.stderr, `fdl-reader: ${message}\n`);
  }
});

test("where one stands may be gone: that is an error of one document too", async (t) => {
  const gone = temporary(t, "gone");
  const { stdout, status } = spawnSync(
    "sh",
    ["-c", 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" refs lake --json'].concat(
      ...["sh", gone, process.execPath, commandFile],
    ),
    { encoding: "utf8" },
  );
  assert.deepEqual([theDocument(stdout).error.code, status], ["internal", 2]);
});
