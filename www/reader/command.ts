#!/usr/bin/env node
/** The command `fdl-reader`: refs, log, show and verify, for people and, with --json, for programs. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FdlError, openRepository, type Version } from "./node.js";
import { logText, printable, refsText, showText, verdictText } from "./report.js";
import type { HistoryEntry, Verdict } from "./types.js";

const USAGE = `Usage: fdl-reader refs URL
       fdl-reader log URL [--ref REF] [-n NUMBER]
       fdl-reader show URL [--ref REF]
       fdl-reader verify URL [--ref REF] [--allowed-signers FILE] [--namespace NAME]

URL is the root of a repository: an address, or a folder on disk. REF is a branch, a tag, a full
name such as refs/heads/main, or a version ID; without it, HEAD.

  --json  print one JSON document, whatever happens
  --help  print this

verify exits with 0 when the version is intact and, with --allowed-signers, signed by one of them;
with 1 when it is not; with 2 when it could not be checked or the call was wrong. The others exit
with 0, or with 2 on an error.`;

/** A call that cannot be understood. */
class UsageError extends Error {}

interface Call {
  command: string;
  url: string;
  ref: string | undefined;
  count: number;
  trustedSigners: string | undefined;
  namespace: string | undefined;
}

/** What a command came to. */
interface Answer {
  document: object;
  text: string;
  exitCode: number;
}

const commands: Record<string, (call: Call) => Promise<Answer>> = { refs, log, show, verify };

async function refs({ url }: Call): Promise<Answer> {
  const repository = await openRepository(url);
  const document = await repository.refs();
  return { document, text: refsText(document), exitCode: 0 };
}

async function log({ url, ref, count }: Call): Promise<Answer> {
  const repository = await openRepository(url, { ref });
  const entries: HistoryEntry[] = [];
  if (count > 0) {
    try {
      for await (const entry of repository.history(ref)) {
        if (entries.push(entry) >= count) break;
      }
    } catch (error) {
      // A repository without a version has a history without entries.
      if (!(error instanceof FdlError && error.code === "no_version")) throw error;
    }
  }
  return { document: { versions: entries.map(logEntry) }, text: logText(entries), exitCode: 0 };
}

function logEntry(entry: HistoryEntry) {
  const { id, refs } = entry;
  if (entry.kind === "missing") {
    const nothing = { seq: null, parents: [], created_at: null, author: null, message: null };
    return { id, ...nothing, refs, expired: null, missing: true };
  }
  const { seq, parents, created_at, author, message } = entry.record;
  return {
    id,
    seq,
    parents,
    created_at,
    author,
    message,
    refs,
    expired: entry.expired,
    missing: false,
  };
}

async function show({ url, ref }: Call): Promise<Answer> {
  const repository = await openRepository(url, { ref });
  const version = await repository.version(ref);
  const { id, record, dataset, expired } = version;
  const tables = tablesOf(version);
  const document = { id, record, dataset, expired, tables };
  return { document, text: showText(document), exitCode: 0 };
}

/** The tables as dataset.json describes them, or else as files.json lists them. */
function tablesOf({ dataset, files }: Version) {
  if (dataset && dataset.tables.length > 0) return dataset.tables;
  return (files?.tables ?? []).map(({ schema, name, columns, files: dataFiles, inlined }) => {
    const counts = dataFiles.map(({ record_count, delete_file }) =>
      record_count === null
        ? NaN
        : record_count - (delete_file ? (delete_file.delete_count ?? NaN) : 0),
    );
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const known = inlined === false && !Number.isNaN(rows);
    return {
      schema,
      name,
      title: null,
      description: null,
      rows: known ? rows : null,
      columns: columns ?? [],
    };
  });
}

async function verify({ url, ref, trustedSigners, namespace }: Call): Promise<Answer> {
  const repository = await openRepository(url, { ref, trustedSigners, namespace });
  const version = await repository.version(ref);
  const document = await version.verify();
  const exitCode = exitCodeOf(document, trustedSigners !== undefined);
  return { document, text: verdictText(document), exitCode };
}

/** 1 outweighs 2: what is known to be wrong is not merely unchecked. */
function exitCodeOf({ integrity, signature }: Verdict, mustBeTrusted: boolean): number {
  if (integrity === "broken" || signature === "bad") return 1;
  if (mustBeTrusted && (signature === "untrusted" || signature === "unsigned")) return 1;
  if (integrity === "unchecked") return 2;
  return mustBeTrusted && signature === "unchecked" ? 2 : 0;
}

async function call(args: string[]): Promise<Call> {
  const { values, positionals } = understood(args);
  const [command = "", url, ...rest] = positionals;
  if (!Object.hasOwn(commands, command)) throw new UsageError(`There is no command "${command}".`);
  if (url === undefined) throw new UsageError(`${command} needs the URL of a repository.`);
  if (rest.length > 0)
    throw new UsageError(`${command} takes one URL, not also "${rest.join(" ")}".`);
  const taken: Record<string, string[]> = {
    refs: [],
    log: ["ref", "number"],
    show: ["ref"],
    verify: ["ref", "allowed-signers", "namespace"],
  };
  for (const name of Object.keys(values)) {
    if (name !== "json" && !taken[command]?.includes(name)) {
      throw new UsageError(`${command} does not take --${name}.`);
    }
  }
  const count = values.number === undefined ? Infinity : Number(values.number);
  if (!(count === Infinity && values.number === undefined) && !/^\d+$/.test(values.number ?? "")) {
    throw new UsageError(`-n takes a whole number, not "${String(values.number)}".`);
  }
  const file = values["allowed-signers"];
  return {
    command,
    url,
    ref: values.ref,
    count,
    trustedSigners: file === undefined ? undefined : await readList(file),
    namespace: values.namespace,
  };
}

function understood(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ref: { type: "string" },
        number: { type: "string", short: "n" },
        "allowed-signers": { type: "string" },
        namespace: { type: "string" },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function readList(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `The list of allowed signers could not be read: ${(error as Error).message}.`,
    );
  }
}

function errorDocument(error: unknown) {
  if (error instanceof FdlError) {
    const { code, message, path } = error;
    return { error: { code, message, path } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    error: { code: error instanceof UsageError ? "usage" : "internal", message, path: null },
  };
}

async function main(args: string[]): Promise<void> {
  const asJson = args.includes("--json");
  if (args.includes("--help") || args.includes("-h")) {
    console.log(asJson ? JSON.stringify({ usage: USAGE }) : USAGE);
    return;
  }
  let command: string | undefined;
  try {
    const understoodCall = await call(args);
    ({ command } = understoodCall);
    const answer = await commands[command]?.(understoodCall);
    if (!answer) return;
    console.log(asJson ? JSON.stringify(answer.document, null, 2) : answer.text);
    process.exitCode = answer.exitCode;
  } catch (error) {
    const document = errorDocument(error);
    if (asJson) console.log(JSON.stringify(document, null, 2));
    else console.error(`fdl-reader: ${printable(document.error.message)}`);
    if (error instanceof UsageError && !asJson) console.error(`\n${USAGE}`);
    // A record that is broken is an answer to `verify`: the version is not intact.
    process.exitCode = command === "verify" && error instanceof FdlError && error.broken ? 1 : 2;
  }
}

await main(process.argv.slice(2));
