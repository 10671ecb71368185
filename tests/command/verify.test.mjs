import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { about, names, root, signersFile, temporary, tipOf } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const members = [
  ...[
    "document",
    "repository",
    "id",
    "root",
    "integrity",
    "signature",
    "signer",
    "author",
    "checks",
  ],
  ...["covers", "skipped_lines", "data"],
];
const signerMembers = [
  ...["principal", "key_type", "fingerprint", "namespace", "line", "time", "time_is"],
  ...["listed_as", "certificate"],
];

const integrities = ["intact", "broken", "unchecked"];
const signatures = ["trusted", "untrusted", "unsigned", "bad", "unchecked"];
const outcomes = ["passed", "failed", "unchecked", "absent"];

/** A verdict must be one of the documented shape. */
function assertVerdict(verdict) {
  assert.deepEqual(Object.keys(verdict), members);
  assert.equal(verdict.document, "fdl-verdict/1");
  assert.deepEqual(Object.keys(verdict.repository), ["url", "id"]);
  assert.deepEqual(Object.keys(verdict.author), ["name", "email", "is_signer"]);
  assert.ok(integrities.includes(verdict.integrity), verdict.integrity);
  assert.ok(signatures.includes(verdict.signature), verdict.signature);
  if (verdict.signer) assert.deepEqual(Object.keys(verdict.signer), signerMembers);
  for (const { file, outcome, code, message, facts, ...served } of verdict.checks) {
    assert.equal(typeof file, "string");
    assert.deepEqual(Object.keys(served), ["root", "passed_over"]);
    assert.ok(outcomes.includes(outcome), outcome);
    // What passed can still have something to be said of it: a file that is not understood.
    assert.ok(outcome === "passed" || code !== null);
    assert.equal(message === null, code === null);
    if (facts) assert.equal(facts.code, code);
  }
  assert.equal(verdict.data, null, "only with --data");
  for (const file of verdict.covers) assert.equal(typeof file, "string");
}

async function verified(name, ...options) {
  const { document, exitCode } = await runJson(["verify", root(name), ...options]);
  assertVerdict(document);
  return { verdict: document, exitCode };
}

const whole = names.filter((name) => !about(name).fails && name !== "after-init");

/** Who signed a version, as ssh-keygen finds it: a principal; `null` where nobody on the list did. */
function judged(name, id, signers) {
  const record = `${root(name)}/versions/${id}/version.json`;
  if (!existsSync(`${record}.sig`)) return null;
  const keygen = (action, ...more) =>
    spawnSync(
      "ssh-keygen",
      ["-Y", action, "-n", "fdl", "-f", signers, "-s", `${record}.sig`, ...more],
      { encoding: "utf8", input: readFileSync(record) },
    );
  const [principal] = keygen("find-principals").stdout.split("\n");
  return principal && keygen("verify", "-I", principal).status === 0 ? principal : null;
}

for (const name of whole) {
  test(`an intact version is trusted if ssh-keygen -Y verify says so: ${name}`, async (t) => {
    const signers = signersFile(t, name);
    const { verdict, exitCode } = await verified(name, "--allowed-signers", signers);
    const principal = judged(name, verdict.id, signers);
    assert.equal(verdict.id, tipOf(root(name)));
    assert.equal(verdict.integrity, "intact");
    assert.equal(verdict.signature === "trusted", principal !== null);
    assert.equal(verdict.signer?.principal ?? null, principal);
    assert.equal(exitCode, principal === null ? 1 : 0);
  });
}

test("each version has a verdict of its own", async (t) => {
  const signers = signersFile(t, "mixed-signers");
  const came = [];
  for (const { id } of about("mixed-signers").versions) {
    const { verdict, exitCode } = await verified(
      ...["mixed-signers", "--ref", id, "--allowed-signers", signers],
    );
    came.push([verdict.signature, verdict.signer?.principal ?? null, exitCode]);
  }
  assert.deepEqual(came, [
    ["trusted", "alice@example.org", 0],
    ["trusted", "bob@example.org", 0],
    ["unsigned", null, 1],
    ["untrusted", null, 1],
    ["trusted", "alice@example.org", 0],
  ]);
});

test("a trusted verdict names the signer, the line, the time, and every file that it covers", async (t) => {
  const { verdict } = await verified("tagged", "--allowed-signers", signersFile(t, "tagged"));
  const record = JSON.parse(
    readFileSync(`${root("tagged")}/versions/${verdict.id}/version.json`, "utf8"),
  );
  const { fingerprint, ...signer } = verdict.signer;
  assert.deepEqual(signer, {
    ...{ principal: "alice@example.org", key_type: "ssh-ed25519", namespace: "fdl", line: 1 },
    ...{ time: record.created_at, time_is: "created", certificate: null },
    listed_as: "alice@example.org",
  });
  assert.deepEqual(verdict.author, { name: "alice", email: null, is_signer: null });
  assert.match(fingerprint, /^SHA256:[A-Za-z0-9+/]{43}$/);
  const files = ["dataset.json", "files.json", "ducklake.duckdb"];
  assert.deepEqual(
    verdict.checks.map(({ file, outcome }) => [file, outcome]),
    ["version.json.sig", ...files].map((file) => [file, "passed"]),
  );
  assert.deepEqual(verdict.covers, ["version.json", ...files]);
});

test("without a list nobody vouches, and an intact version exits with 0", async () => {
  for (const [name, signature, code] of [
    ["tagged", "untrusted", "no_trusted_signers"],
    ["untrusted-signer", "untrusted", "no_trusted_signers"],
    ["unsigned", "unsigned", "unsigned"],
  ]) {
    const { verdict, exitCode } = await verified(name);
    assert.deepEqual([verdict.integrity, verdict.signature, exitCode], ["intact", signature, 0]);
    assert.equal(verdict.checks[0].code, code);
    assert.equal(verdict.signer?.principal ?? null, null);
  }
});

test("an empty list trusts nobody, which is not the same as no list", async (t) => {
  const list = temporary(t, "allowed_signers");
  for (const text of ["", "\n# nobody yet\n"]) {
    writeFileSync(list, text);
    const { verdict, exitCode } = await verified("tagged", "--allowed-signers", list);
    assert.deepEqual([verdict.signature, verdict.checks[0].code], ["untrusted", "listed_key"]);
    assert.equal(exitCode, 1);
  }
});

test("a list with the line ends of Windows is read as any other", async (t) => {
  const list = temporary(t, "allowed_signers");
  const { trusted_signers: text } = about("tagged");
  writeFileSync(list, `# whom we trust\n\n${text}`.replaceAll("\n", "\r\n"));
  const { verdict, exitCode } = await verified("tagged", "--allowed-signers", list);
  assert.deepEqual([verdict.signature, verdict.signer.line, exitCode], ["trusted", 3, 0]);
  assert.equal(verdict.signer.principal, "alice@example.org");
});

test("a list that cannot be read is a wrong call, never an empty list", async (t) => {
  const nothing = temporary(t, "none");
  for (const file of [nothing, root("tagged")]) {
    const call = ["verify", root("tagged"), "--allowed-signers", file];
    const answer = await runJson(call);
    const { code, message, path } = errorOf(answer);
    assert.deepEqual([code, path, answer.exitCode], ["usage", file, 2]);
    assert.match(message, /^The list of allowed signers could not be read: /);
    const text = await run(call);
    assert.deepEqual([text.stdout, text.stderr], ["", `fdl-reader: ${message}\n`]);
  }
});

test("a good signature for another namespace than the one asked for is not trusted", async (t) => {
  const { verdict, exitCode } = await verified(
    ...["tagged", "--namespace", "git", "--allowed-signers", signersFile(t, "tagged")],
  );
  assert.deepEqual([verdict.signature, verdict.checks[0].code], ["untrusted", "wrong_namespace"]);
  assert.deepEqual(verdict.checks[0].facts, {
    ...{ code: "wrong_namespace", expected: "git", found: "fdl" },
  });
  assert.equal(exitCode, 1);
  const same = await verified(
    ...["tagged", "--namespace", "fdl", "--allowed-signers", signersFile(t, "tagged")],
  );
  assert.equal(same.exitCode, 0);
});

test("past retention or withdrawn the catalog could not be checked, trusted or not", async (t) => {
  for (const [name, code] of [
    ["retention", "past_retention"],
    ["withdrawal", "withdrawn"],
    ["expired-with-catalog", "past_retention"],
  ]) {
    const { facts, versions } = about(name);
    const [id] = facts.expired ?? facts.withdrawn ?? [versions.at(-1).id];
    for (const list of [[], ["--allowed-signers", signersFile(t, name)]]) {
      const { verdict, exitCode } = await verified(name, "--ref", id, ...list);
      assert.equal(verdict.integrity, "unchecked");
      const catalog = verdict.checks.find(({ file }) => file === "ducklake.duckdb");
      assert.deepEqual([catalog.outcome, catalog.code], ["unchecked", code]);
      assert.ok(!verdict.covers.includes("ducklake.duckdb"));
      assert.equal(exitCode, 2);
    }
  }
});

test("after init there is no version to verify", async () => {
  const answer = await runJson(["verify", root("after-init")]);
  assert.deepEqual([errorOf(answer).code, answer.exitCode], ["no_version", 2]);
});

test("for people: the two answers, who signed, every check, and what is not covered", async (t) => {
  const signers = signersFile(t, "tagged");
  const { stdout, stderr, exitCode } = await run([
    ...["verify", root("tagged"), "--allowed-signers", signers],
  ]);
  assert.equal(
    stdout.replace(/SHA256:\S+/, "SHA256:…").replace(/[0-9a-f-]{36}/, "ID"),
    `version    ID
integrity  intact: every file that was read is the one that the record names
signature  trusted: it is good, and by someone on the list of allowed signers
listed as  alice@example.org (line 1 of the list)
key        ssh-ed25519 SHA256:…
namespace  fdl
time used  2026-03-05T09:00:00Z, which the record gives
expected   fdl.json lists the key as alice@example.org, which proves nothing
author     alice

passed     version.json.sig
passed     dataset.json
passed     files.json
passed     ducklake.duckdb

covered    version.json, dataset.json, files.json, ducklake.duckdb
uncovered  which version a ref holds
           the versions before this one: each needs a verdict of its own
           the data files (Parquet), which were not read
`,
  );
  assert.deepEqual([stderr, exitCode], ["", 0]);
});

test("for people: each outcome has words of its own", async (t) => {
  const list = (name) => ["--allowed-signers", signersFile(t, name)];
  for (const [name, options, integrity, signature] of [
    ["tagged", [], "intact: every file", "untrusted: it is good, but without --allowed-signers"],
    [
      "untrusted-signer",
      list("tagged"),
      "intact: every file",
      "untrusted: it is good, by a key that the repository lists",
    ],
    ["unsigned", list("unsigned"), "intact: every file", "unsigned: there is none, so anyone"],
    ["flipped-record", [], "intact: every file", "bad: it does not belong to this record"],
    ["flipped-catalog", [], "broken: not every file", "untrusted: "],
    ["expired-with-catalog", [], "unchecked: not every file could be", "untrusted: "],
  ]) {
    const { stdout } = await run(["verify", root(name), ...options]);
    assert.ok(stdout.includes(`\nintegrity  ${integrity}`), stdout);
    assert.ok(stdout.includes(`\nsignature  ${signature}`), stdout);
    const coversRecord = !/^(unsigned|bad)/.test(signature);
    assert.equal(stdout.includes("uncovered  the record itself (version.json)\n"), !coversRecord);
  }
});
