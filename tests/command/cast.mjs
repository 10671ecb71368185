/** The repositories that the maker made, what the judge says of them, and copies to do things to. */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL("../../build/repositories/", import.meta.url));

/** The root of a repository. */
export const root = (name) => join(folder, name);

/** What the maker and the judge wrote down beside a repository. */
export const about = (name) => JSON.parse(readFileSync(`${root(name)}.json`, "utf8"));

/**
 * The name of every repository but the demo, which lies elsewhere, and those that differ from others in
 * their tables alone, which no command reads.
 */
export const names = readdirSync(folder)
  .filter((file) => file.endsWith(".json") && file !== "demo.json")
  .map((file) => file.slice(0, -".json".length))
  .filter((name) => about(name).in_browser);

/** A folder for one test. `under` is the path inside it that is given back. */
export function temporary(t, under = "") {
  const made = mkdtempSync(join(tmpdir(), "fdl-reader-"));
  t.after(() => rmSync(made, { recursive: true }));
  return join(made, under);
}

/** A copy of a repository that a test may change. */
export function copyOf(t, name, under = "lake") {
  const copy = temporary(t, under);
  cpSync(root(name), copy, { recursive: true });
  return copy;
}

/** A file with the trusted signers of a repository. */
export function signersFile(t, name) {
  const file = temporary(t, "allowed_signers");
  writeFileSync(file, about(name).trusted_signers);
  return file;
}

/** The version that a repository's main holds. */
export function tipOf(repository) {
  return readFileSync(join(repository, "refs", "heads", "main"), "utf8").trim();
}

/** The path of a file in the folder of that version. */
export function atTip(repository, file) {
  return join(repository, "versions", tipOf(repository), file);
}

/** Changes the members of a JSON file. What was signed or hashed no longer fits: that may be meant. */
export function change(file, change) {
  const content = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...content, ...change(content) }, null, 2));
}
