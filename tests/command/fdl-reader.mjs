/** Runs the command as a person or a script would: another process, its two outputs, its exit code. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const commandFile = fileURLToPath(new URL("../../dist/reader/command.js", import.meta.url));

/**
 * @param {string[]} args
 * @param {{ cwd?: string, nodeArgs?: string[] }} [options]
 * @returns {Promise<{ exitCode: number, stdout: string, stderr: string }>}
 */
export function run(args, { cwd, nodeArgs = [] } = {}) {
  const child = spawn(process.execPath, [...nodeArgs, commandFile, ...args], { cwd });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, ...said }));
  });
}

/**
 * The same with --json. Standard output must be one JSON document and nothing else.
 *
 * @returns {Promise<{ exitCode: number, document: object, stderr: string }>}
 */
export async function runJson(args, options) {
  const { exitCode, stdout, stderr } = await run([...args, "--json"], options);
  return { exitCode, document: theDocument(stdout), stderr };
}

/** What a standard output holds: one JSON object and the end of its line. */
export function theDocument(stdout) {
  const document = JSON.parse(stdout);
  assert.equal(typeof document, "object");
  assert.ok(document !== null && stdout.endsWith("}\n"), stdout);
  return document;
}

/** The error in a document, which must be one of the documented shape. */
export function errorOf({ document }) {
  assert.deepEqual(Object.keys(document), ["error"], JSON.stringify(document));
  assert.deepEqual(Object.keys(document.error), ["code", "message", "path"]);
  const { code, message, path } = document.error;
  assert.match(code, /^[a-z0-9_]+$/);
  assert.match(message, /^\S.*\.$/s, "a sentence");
  assert.ok(path === null || typeof path === "string");
  return document.error;
}
