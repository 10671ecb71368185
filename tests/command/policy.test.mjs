/** Whom the caller trusts, and when: signatures made here, and ssh-keygen -Y verify as the judge. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { atTip, change, copyOf, temporary } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

function keygen(...args) {
  const { status, stderr } = spawnSync("ssh-keygen", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** A key pair; its public half as a list has it. */
function keyIn(folder, name) {
  const path = `${folder}/${name}`;
  keygen("-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path);
  return { path, public: readFileSync(`${path}.pub`, "utf8").trim() };
}

/** A repository whose tip a key signs (or, given its path, a certificate), and a list that has the key. */
function signed(t, certified) {
  const folder = temporary(t);
  const key = keyIn(folder, "alice");
  const authority = keyIn(folder, "authority");
  if (certified) keygen("-q", "-s", authority.path, ...certified, `${key.path}.pub`);
  const lake = copyOf(t, "tagged");
  const record = atTip(lake, "version.json");
  const by = certified ? `${key.path}-cert.pub` : key.path;
  const sign = () => {
    rmSync(`${record}.sig`, { force: true });
    keygen("-Y", "sign", "-q", "-n", "fdl", "-f", by, record);
  };
  sign();
  /** Changes members of the record, and signs it again. */
  const resign = (members) => {
    change(record, () => members);
    sign();
  };
  const file = (name, content) => {
    writeFileSync(`${folder}/${name}`, content);
    return `${folder}/${name}`;
  };
  const list = (text) => file("allowed_signers", text);
  const judge = (list, ...more) => {
    const call = ["-Y", "verify", "-n", "fdl", "-f", list, "-s", `${record}.sig`, ...more];
    return spawnSync("ssh-keygen", call, { input: readFileSync(record) }).status === 0;
  };
  return { lake, key, authority, file, list, judge, folder, resign };
}

const at = "-Overify-time=20260305090000Z";

async function verified(lake, ...options) {
  const { document, exitCode } = await runJson(["verify", lake, ...options]);
  const { signature, signer, checks } = document;
  return { signature, code: checks[0].code, exitCode, signer, verdict: document };
}

test("a revoked key counts for nothing, in a list of keys as in a KRL, whatever the time", async (t) => {
  const { lake, key, file, list, judge, folder } = signed(t);
  const signers = list(`alice ${key.public}`);
  const other = keyIn(folder, "bob");
  keygen("-q", "-k", "-f", `${folder}/krl`, `${key.path}.pub`);
  keygen("-q", "-k", "-f", `${folder}/other-krl`, `${other.path}.pub`);
  const none = file("none", "# nobody yet\n\n");
  const plain = file("plain", `${other.public}\n${key.public}\n`);
  for (const [revoked, isRevoked] of [
    [plain, true],
    [`${folder}/krl`, true],
    [none, false],
    [`${folder}/other-krl`, false],
  ]) {
    assert.equal(judge(signers, "-I", "alice", at, "-r", revoked), !isRevoked, revoked);
    for (const time of ["created", "2020-01-01T00:00:00Z", "now"]) {
      const options = ["--allowed-signers", signers, "--revoked", revoked, "--time", time];
      const { signature, code, exitCode } = await verified(lake, ...options);
      const expected = isRevoked ? ["untrusted", "revoked", 1] : ["trusted", null, 0];
      assert.deepEqual([signature, code, exitCode], expected, revoked);
    }
  }
});

test("where nobody is listed, a revoked key and a name that is asked for still decide", async (t) => {
  const { lake, key, file } = signed(t);
  const revoked = file("revoked", `${key.public}\n`);
  for (const [options, code, expected] of [
    [[], "no_trusted_signers", 0],
    [["--revoked", revoked], "revoked", 1],
    [["--principal", "alice"], "no_trusted_signers", 1],
  ]) {
    const found = await verified(lake, ...options);
    assert.deepEqual([found.signature, found.code, found.exitCode], ["untrusted", code, expected]);
  }
});

test("a list of revoked keys that cannot be read opens nothing, and says which line is wrong", async (t) => {
  const { lake, key, file, list, judge, folder } = signed(t);
  const signers = list(`alice ${key.public}`);
  keygen("-q", "-k", "-f", `${folder}/krl`, `${key.path}.pub`);
  const krl = readFileSync(`${folder}/krl`);
  for (const [content, words] of [
    [`${key.public}\nnot a key\n`, "line 2 is no public key"],
    [krl.subarray(0, krl.length - 1), "it is a KRL that is damaged"],
    [Buffer.from([0xff, 0xfe]), "it is neither text nor a KRL"],
  ]) {
    const revoked = file("revoked", content);
    assert.ok(!judge(signers, "-I", "alice", at, "-r", revoked));
    const call = ["verify", lake, "--allowed-signers", signers, "--revoked", revoked];
    const answer = await runJson(call);
    const { code, message } = errorOf(answer);
    assert.deepEqual([code, answer.exitCode], ["invalid_revoked_keys", 2]);
    assert.ok(message.includes(words), message);
  }
});

test("the signer is whom the caller asks for, by name or by pattern", async (t) => {
  const { lake, key, list, judge } = signed(t);
  const signers = list(`alice@example.org,*@example.com ${key.public}`);
  for (const [principal, trusted] of [
    ["alice@example.org", true],
    ["carol@example.com", true],
    ["bob@example.org", false],
    ["Alice@example.org", false],
    ["*@example.org", true],
    ["*@example.com", true],
    ["*@example.net", false],
    ["carol*@example.com", false],
    ["", false],
  ]) {
    if (/^[^*?!]+$/.test(principal)) assert.equal(judge(signers, "-I", principal, at), trusted);
    const options = ["--allowed-signers", signers, `--principal=${principal}`];
    const { signature, code, exitCode } = await verified(lake, ...options);
    const expected = trusted ? ["trusted", null, 0] : ["untrusted", "principal_not_allowed", 1];
    assert.deepEqual([signature, code, exitCode], expected, principal);
  }
});

test("a key counts when the record was made, now, or at a given time, and the verdict says which", async (t) => {
  const { lake, key, list } = signed(t);
  const signers = list(`alice valid-before="20260401Z" ${key.public}`);
  for (const [time, time_is, trusted] of [
    ["created", "created", true],
    ["2026-03-31T23:59:59Z", "given", true],
    ["2026-04-01T09:00:00+09:00", "given", true],
    ["2026-04-01T00:00:01Z", "given", false],
    ["now", "now", false],
  ]) {
    const found = await verified(lake, "--allowed-signers", signers, "--time", time);
    const expected = trusted ? ["trusted", null] : ["untrusted", "expired_key"];
    assert.deepEqual([found.signature, found.code], expected, time);
    assert.equal(found.signer.time_is, time_is);
    if (time_is === "given") assert.equal(found.signer.time, time);
  }
  const answer = await runJson(["verify", lake, "--time", "yesterday"]);
  assert.deepEqual([errorOf(answer).code, answer.exitCode], ["invalid_time", 2]);
});

test("a certificate counts for the names in it that the line of its authority admits", async (t) => {
  const options = [
    "-I",
    "alice's laptop",
    "-z",
    "7",
    "-n",
    "alice,root",
    "-V",
    "20260101Z:20270101Z",
  ];
  const { lake, key, authority, list, judge, folder } = signed(t, options);
  for (const [line, trusted, code] of [
    [`alice cert-authority ${authority.public}`, true, null],
    [`* cert-authority ${authority.public}`, true, null],
    [`bob cert-authority ${authority.public}`, false, "principal_not_allowed"],
    [`alice ${authority.public}`, false, "unknown_key"],
    [`alice ${key.public}`, false, "unknown_key"],
    [`alice cert-authority ${key.public}`, false, "unknown_key"],
  ]) {
    const signers = list(line);
    assert.equal(judge(signers, "-I", "alice", at), trusted, line);
    const found = await verified(lake, "--allowed-signers", signers);
    assert.deepEqual(
      [found.signature, found.code],
      [trusted ? "trusted" : "untrusted", code],
      line,
    );
  }
  const signers = list(`* cert-authority ${authority.public}`);
  const { signer } = await verified(lake, "--allowed-signers", signers);
  assert.deepEqual([signer.principal, signer.key_type], ["alice, root", "ssh-ed25519"]);
  const { authority: fingerprint, ...certificate } = signer.certificate;
  assert.match(fingerprint, /^SHA256:/);
  assert.deepEqual(certificate, {
    ...{ key_id: "alice's laptop", serial: "7", principals: ["alice", "root"] },
    ...{ valid_after: "2026-01-01T00:00:00Z", valid_before: "2027-01-01T00:00:00Z" },
  });
  const late = await verified(lake, "--allowed-signers", signers, "--time", "2027-01-01T00:00:00Z");
  assert.deepEqual([late.signature, late.code], ["untrusted", "certificate_expired"]);
  keygen("-q", "-k", "-f", `${folder}/krl`, `${authority.path}.pub`);
  const revoked = await verified(
    ...[lake, "--allowed-signers", signers, "--revoked", `${folder}/krl`],
  );
  assert.deepEqual([revoked.signature, revoked.code], ["untrusted", "revoked"]);
  const { stdout } = await run(["verify", lake, "--allowed-signers", signers]);
  assert.match(stdout, /in the certificate "alice's laptop", number 7, by the authority SHA256:/);
});

test("a key that only the repository lists is expected, and trusted by nobody", async (t) => {
  const { lake, key, list } = signed(t);
  const settings = `${lake}/fdl.json`;
  const listed = {
    ...JSON.parse(readFileSync(settings)),
    signers: [`alice@example.org ${key.public}`],
  };
  writeFileSync(settings, JSON.stringify(listed));
  const found = await verified(lake, "--allowed-signers", list("# nobody yet"));
  assert.deepEqual([found.signature, found.code, found.exitCode], ["untrusted", "listed_key", 1]);
  assert.equal(found.signer.listed_as, "alice@example.org");
  const without = await verified(lake);
  assert.deepEqual([without.signature, without.code], ["untrusted", "no_trusted_signers"]);
  assert.equal(without.signer.listed_as, "alice@example.org");
});

test("an author who is not the signer is pointed out, and decides nothing", async (t) => {
  const { lake, key, list, resign } = signed(t);
  for (const [author, is_signer] of [
    [{ name: "Alice", email: "alice@example.org" }, true],
    [{ name: "alice@example.org" }, true],
    [{ name: "Bob", email: "bob@example.org" }, false],
    [{ name: "Alice" }, null], // it is no address, and may well be hers
    [{}, null],
  ]) {
    resign({ author });
    const options = ["--allowed-signers", list(`alice@example.org ${key.public}`)];
    const { signature, verdict } = await verified(lake, ...options);
    assert.deepEqual([signature, verdict.author.is_signer], ["trusted", is_signer]);
    const { stdout } = await run(["verify", lake, ...options]);
    assert.equal(stdout.includes("(not the one who signed)"), is_signer === false);
  }
});
