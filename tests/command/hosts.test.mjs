/** Hosts that are down, refuse, or answer something else: never "nothing there", never "fine". */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "node:test";
import { startHost } from "../hosts/server.mjs";
import { copyOf, root, signersFile } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const commands = ["refs", "log", "show", "verify"];

async function host(t, settings) {
  const started = await startHost({ root: root("tagged"), ...settings });
  t.after(() => started.close());
  return started.url;
}

/** Answers every request whose path ends in `file`, or every one, with a fault. */
const faulty = (fault, file = "") => ({
  faults: (path) => (path.endsWith(file) ? fault : undefined),
});

/** Every command must end with this error on every output, and exit with 2. */
async function assertFails(url, code, sentence) {
  for (const command of commands) {
    const answer = await runJson([command, url]);
    const error = errorOf(answer);
    assert.deepEqual([error.code, answer.exitCode], [code, 2], command);
    assert.match(error.message, sentence);
    assert.ok(error.path.startsWith(url), error.path);
    const text = await run([command, url]);
    assert.deepEqual([text.stdout, text.exitCode], ["", 2]);
    // Of a broken connection Node says now this, now that; the rest is the same.
    assert.match(text.stderr, /^fdl-reader: .+\n$/);
    assert.match(text.stderr, sentence);
  }
}

/** An address where nobody listens. */
async function nobody() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

test("a host that is down: could not fetch, and what stood in the way", async () => {
  await assertFails(await nobody(), "could_not_fetch", /connect ECONNREFUSED 127\.0\.0\.1/);
});

test("a host that has no name: could not fetch, and what stood in the way", async () => {
  const answer = await runJson(["refs", "http://lake.invalid/"]);
  const { code, message } = errorOf(answer);
  assert.deepEqual([code, answer.exitCode], ["could_not_fetch", 2]);
  assert.match(message, /lake\.invalid\/fdl\.json: fetch failed \(.*lake\.invalid\)\. The network/);
});

test("a host that hangs up without an answer: could not fetch", async (t) => {
  const server = createServer((socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address();
  await assertFails(`http://127.0.0.1:${port}/`, "could_not_fetch", /fetch failed \(.+\)\./);
});

test("a host that fails: its status, and whom to ask", async (t) => {
  const url = await host(t, faulty({ status: 500 }));
  await assertFails(url, "http_status", /answered .* with status 500\. Ask whoever runs the host/);
});

test("a host that refuses: its status, and that the file may be missing", async (t) => {
  const url = await host(t, faulty({ status: 403 }));
  await assertFails(url, "http_status", /status 403\. It does not allow .* check the address/);
});

test("a host whose every answer is its start page has no repository", async (t) => {
  const url = await host(t, { root: root("..") + "/logs", spa: true });
  await assertFails(url, "html_instead", /is a web page where a file of the repository is due/);
});

test("a single-page host of a repository is read like any other", async (t) => {
  const repository = copyOf(t, "no-refs-json");
  const url = await host(t, { root: repository, spa: true });
  const { document, exitCode } = await runJson([
    ...["verify", url, "--allowed-signers", signersFile(t, "no-refs-json")],
  ]);
  assert.deepEqual([document.integrity, document.signature, exitCode], ["intact", "trusted", 0]);
  const unknown = await runJson(["show", url, "--ref", "mian"]);
  assert.deepEqual([errorOf(unknown).code, unknown.exitCode], ["unknown_ref", 2]);
});

test("a body that breaks off could not be fetched: cut by the network is not changed", async (t) => {
  for (const file of ["fdl.json", "HEAD", "refs.json"]) {
    const url = await host(t, faulty({ truncate: 4 }, file));
    await assertFails(url, "could_not_fetch", /terminated \(other side closed\)/);
  }
  for (const file of ["version.json", "expired.json"]) {
    const url = await host(t, faulty({ body: "{}          ", truncate: 4 }, `/${file}`));
    for (const command of ["show", "verify"]) {
      const answer = await runJson([command, url]);
      assert.deepEqual([errorOf(answer).code, answer.exitCode], ["could_not_fetch", 2]);
    }
  }
});

test("a catalog or dataset.json that could not be fetched is unchecked, not broken", async (t) => {
  const signers = signersFile(t, "tagged");
  for (const file of ["ducklake.duckdb", "dataset.json"]) {
    for (const [fault, code] of [
      [{ status: 500 }, "http_status"],
      [{ status: 403 }, "http_status"],
      [{ truncate: 100 }, "could_not_fetch"],
    ]) {
      const url = await host(t, faulty(fault, file));
      const { document, exitCode } = await runJson(["verify", url, "--allowed-signers", signers]);
      const check = document.checks.find((check) => check.file === file);
      assert.deepEqual([check.outcome, check.code], ["unchecked", code]);
      assert.deepEqual([document.integrity, document.signature], ["unchecked", "trusted"]);
      assert.ok(!document.covers.includes(file));
      assert.equal(exitCode, 2);
    }
  }
});

test("what show could not fetch is said, and does not look like nothing there", async (t) => {
  const url = await host(t, faulty({ status: 500 }, "dataset.json"));
  const { document, stderr, exitCode } = await runJson(["show", url]);
  assert.deepEqual([document.dataset, exitCode], [null, 0]);
  assert.match(stderr, /^fdl-reader: The host answered .*dataset\.json with status 500/);
});

test("a signature that could not be fetched is unchecked, which no list accepts", async (t) => {
  const signers = ["--allowed-signers", signersFile(t, "tagged")];
  for (const fault of [{ status: 500 }, { status: 403 }, { truncate: 30 }]) {
    const url = await host(t, faulty(fault, "version.json.sig"));
    const { document, exitCode } = await runJson(["verify", url, ...signers]);
    assert.deepEqual([document.integrity, document.signature], ["intact", "unchecked"]);
    assert.equal(exitCode, 2);
    assert.equal((await runJson(["verify", url])).exitCode, 0);
  }
});

test("what is known to be wrong outweighs what could not be checked", async (t) => {
  const signers = signersFile(t, "tagged");
  const changed = readFileSync(`${root("tagged")}/refs.json`);
  const url = await host(t, {
    faults: (path) => {
      if (path.endsWith("ducklake.duckdb")) return { status: 500 };
      if (path.endsWith("dataset.json")) return { body: changed };
      return undefined;
    },
  });
  const { document, exitCode } = await runJson(["verify", url, "--allowed-signers", signers]);
  assert.deepEqual([document.integrity, exitCode], ["broken", 1]);

  const unsigned = await host(t, { root: root("unsigned"), ...faulty({ status: 500 }, ".duckdb") });
  assert.equal((await runJson(["verify", unsigned, "--allowed-signers", signers])).exitCode, 1);
  assert.equal((await runJson(["verify", unsigned])).exitCode, 2);
});

test("a file that never ends is read to its limit and no further", async (t) => {
  const url = await host(t, faulty({ body: "x".repeat(1 << 20) }, "HEAD"));
  await assertFails(url, "too_large", /HEAD is larger than 65536 bytes/);
});
