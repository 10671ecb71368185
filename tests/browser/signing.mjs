/** Repositories that a key made here signs, served beside the site: whom a page may trust, and how. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atTip, change, copyOf, temporary } from "../command/cast.mjs";

function keygen(...args) {
  const { status, stderr } = spawnSync("ssh-keygen", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** A key pair: its path, its public half as a list has it, and its fingerprint. */
export function keyIn(folder, name) {
  const path = join(folder, name);
  keygen("-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path);
  const { stdout } = spawnSync("ssh-keygen", ["-l", "-f", path], { encoding: "utf8" });
  return {
    path,
    public: readFileSync(`${path}.pub`, "utf8").trim(),
    fingerprint: stdout.split(" ")[1],
  };
}

/**
 * A copy of a scenario whose tip one key signs. Each of `record` changes members of its record;
 * `certified` are ssh-keygen's arguments for a certificate to sign by.
 */
export function signedLake(t, { name = "tagged", record = {}, certified } = {}) {
  const folder = temporary(t);
  const [key, authority, other] = ["alice", "authority", "other"].map((name) =>
    keyIn(folder, name),
  );
  const lake = copyOf(t, name);
  if (certified) keygen("-q", "-s", authority.path, ...certified, `${key.path}.pub`);
  const file = atTip(lake, "version.json");
  change(file, () => record);
  rmSync(`${file}.sig`, { force: true });
  const by = certified ? `${key.path}-cert.pub` : key.path;
  keygen("-Y", "sign", "-q", "-n", "fdl", "-f", by, file);
  return { lake, key, authority, other };
}
