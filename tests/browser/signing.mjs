/** Repositories that a key made here signs, served beside the site: whom a page may trust, and how. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atTip, change, copyOf, temporary } from "../command/cast.mjs";

export function keygen(...args) {
  const { status, stderr } = spawnSync("ssh-keygen", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** A key pair: its path, its public half as a list has it, and its fingerprint. */
export function keyIn(folder, name, kind = ["ed25519"]) {
  const path = join(folder, name);
  keygen("-q", "-t", ...kind, "-N", "", "-C", name, "-f", path);
  const { stdout } = spawnSync("ssh-keygen", ["-l", "-f", path], { encoding: "utf8" });
  return {
    path,
    public: readFileSync(`${path}.pub`, "utf8").trim(),
    fingerprint: stdout.split(" ")[1],
  };
}

/** Signs the tip of a repository anew, by a key or a certificate; gives the path of its record. */
export function signTip(lake, by) {
  const file = atTip(lake, "version.json");
  rmSync(`${file}.sig`, { force: true });
  keygen("-Y", "sign", "-q", "-n", "fdl", "-f", by, file);
  return file;
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
  change(atTip(lake, "version.json"), () => record);
  signTip(lake, certified ? `${key.path}-cert.pub` : key.path);
  return { lake, key, authority, other };
}
