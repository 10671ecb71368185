/** Other programs: run quietly with a log, in full view, or for their answer. */
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { inRoot, root } from "./root.mjs";

/** Something that a person can act on: shown as its sentence, without a stack. */
export class Sentence extends Error {}

/** Runs a command into build/logs/<log>.log, which is shown only if the command fails. */
export async function quietly(log, command, args, { env } = {}) {
  mkdirSync(inRoot("build", "logs"), { recursive: true });
  const path = inRoot("build", "logs", `${log}.log`);
  const file = createWriteStream(path);
  file.write(`$ ${[command, ...args].join(" ")}\n`);
  const status = await run(command, args, env, (chunk) => file.write(chunk));
  file.end();
  await once(file, "close");
  if (status !== 0) {
    process.stderr.write(readFileSync(path));
    throw new Sentence(`\n${command} failed (${status}); what it said stands above and in ${path}`);
  }
}

/** Runs a command in full view and gives its exit status and what it said. */
export async function loudly(command, args, { env } = {}) {
  const said = [];
  const status = await run(command, args, env, (chunk, stream) => {
    stream.write(chunk);
    said.push(chunk);
  });
  return { status, said: Buffer.concat(said).toString() };
}

/** What a short command answers on standard output; `null` where it is missing or fails. */
export function answer(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

async function run(command, args, env, hear) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk) => hear(chunk, process.stdout));
  child.stderr.on("data", (chunk) => hear(chunk, process.stderr));
  const [status, signal] = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...ending) => resolve(ending));
  });
  return status ?? signal;
}
