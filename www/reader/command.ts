#!/usr/bin/env node
/** The command `fdl-reader`: refs, log, show and verify, for people and, with --json, for programs. */
import { readFile } from "node:fs/promises";
import { understand, usage, UsageError, type Call, type CommandName } from "./call.js";
import { FdlError, openRepository } from "./node.js";
import { entryText, notices, refsText, showText } from "./report.js";
import { signatureCheck } from "./signature-check.js";
import { tablesOf } from "./tables.js";
import { json, printable, Unwritten, writeLine } from "./terminal.js";
import type { HistoryEntry, ListedFile, VerdictDocument } from "./types.js";
import type { Version } from "./version.js";

/** Prints for people, nothing with --json; `false` once nobody reads any more. */
type Print = (text: string) => Promise<boolean>;

/** What a command came to. */
interface Answer {
  /** What --json prints. */
  document: object;
  /** Default: 0. */
  exitCode?: number;
}

const commands: Record<CommandName, (call: Call, print: Print) => Promise<Answer>> = {
  refs,
  log,
  show,
  verify,
};

async function refs({ url, mirrors }: Call, print: Print): Promise<Answer> {
  const repository = await openRepository(url, { mirrors });
  const document = await repository.refs();
  await print(refsText(document));
  return { document };
}

async function log(call: Call, print: Print): Promise<Answer> {
  const { url, mirrors, ref, count } = call;
  const policy = await readPolicy(call);
  const verdicts = policy.trustedSigners !== undefined;
  const repository = await openRepository(url, { mirrors, ref, ...policy });
  const versions: object[] = [];
  if (count === 0) return { document: { versions } };
  try {
    for await (const entry of repository.history(ref, { verdicts })) {
      const separator = versions.length > 0 ? "\n" : "";
      const isRead = await print(separator + entryText(entry));
      if (versions.push(logEntry(entry)) >= count || !isRead) break;
    }
  } catch (error) {
    // A repository without a version has a history without entries.
    if (!(error instanceof FdlError && error.code === "no_version")) throw error;
    await print(error.message);
  }
  return { document: { versions } };
}

function logEntry(entry: HistoryEntry): object {
  const { id, refs } = entry;
  if (entry.kind === "missing") {
    const unknown = { seq: null, parents: [], created_at: null, author: null, message: null };
    return { id, ...unknown, refs, expired: null, missing: true, signature: null };
  }
  const { expired, record, verdict } = entry;
  const { seq, parents, created_at, author, message } = record;
  const signature = verdict && signatureOf(verdict);
  const said = { id, seq, parents, created_at, author, message };
  return { ...said, refs, expired, missing: false, signature };
}

/** Who signed a version, as far as that counts. */
function signatureOf(verdict: VerdictDocument): object {
  const { signature, signer } = verdict;
  const code = signatureCheck(verdict)?.code ?? null;
  const { principal = null, fingerprint = null } = signer ?? {};
  return { outcome: signature, code, principal, fingerprint };
}

async function show({ url, mirrors, ref }: Call, print: Print): Promise<Answer> {
  const repository = await openRepository(url, { mirrors, ref });
  const version = await repository.version(ref);
  const { id, record, dataset, expired } = version;
  const document = { id, record, dataset, expired, tables: tablesOf(version) };
  await print(showText(document));
  for (const notice of notices(version)) await complain(notice);
  return { document };
}

async function verify(call: Call, print: Print): Promise<Answer> {
  const { url, mirrors, ref } = call;
  const policy = await readPolicy(call);
  // Nothing is opened but, with --data, the catalog, whose list of files must be had whoever signed it.
  const onUntrusted = call.data ? "hand-over" : "refuse";
  const repository = await openRepository(url, { mirrors, ref, onUntrusted, ...policy });
  const version = await repository.version(ref);
  let verdict = await version.verify();
  if (call.data) verdict = await version.verifyData({ files: await listedByCatalog(version) });
  await print(verdict.report());
  return { document: verdict, exitCode: exitCodeOf(verdict, call) };
}

async function readPolicy(call: Call) {
  const { namespace, principal, time } = call;
  const list = await readList("allowed signers", call.allowedSigners);
  const trustedSigners = list?.toString("utf8");
  const revokedKeys = await readList("revoked keys", call.revoked);
  return { trustedSigners, revokedKeys, namespace, principal, time };
}

/**
 * The data files by the catalog, where no files.json says which there are. DuckDB is loaded only then:
 * it takes seconds. What stands in the way is said, and the verdict then tells that they are not known.
 */
async function listedByCatalog(version: Version): Promise<ListedFile[] | undefined> {
  const isListed = version.record.files !== null && version.files !== null;
  if (isListed || version.expired) return undefined;
  try {
    const { dataFilesOf } = await import("../duckdb/data-files.js");
    const { startNodeEngine } = await import("../duckdb/engine-node.js");
    return await dataFilesOf(startNodeEngine(), version);
  } catch (error) {
    if (!(error instanceof FdlError)) throw error;
    await complain(
      `Which data files there are could not be read from the catalog. ${error.message}`,
    );
    return undefined;
  }
}

async function readList(of: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(`The list of ${of} could not be read: ${reason}.`, file);
  }
}

/** 1 outweighs 2: what is known to be wrong is not merely unchecked. */
function exitCodeOf({ integrity, signature, checks }: VerdictDocument, call: Call): number {
  const mustBeTrusted = call.allowedSigners !== undefined || call.principal !== undefined;
  const isRevoked = checks.some(({ code }) => code === "revoked");
  if (integrity === "broken" || signature === "bad" || isRevoked) return 1;
  if (mustBeTrusted && (signature === "untrusted" || signature === "unsigned")) return 1;
  if (integrity === "unchecked") return 2;
  return mustBeTrusted && signature === "unchecked" ? 2 : 0;
}

/** What a call comes to, whatever happens. */
async function answer(args: string[], print: Print): Promise<Answer> {
  if (args.includes("--help") || args.includes("-h")) {
    await print(usage);
    return { document: { usage } };
  }
  let call: Call | undefined;
  try {
    call = understand(args);
    return await Promise.race([commands[call.command](call, print), thrownElsewhere]);
  } catch (error) {
    if (error instanceof Unwritten) throw error;
    const document = errorDocument(error);
    await complain(`${document.error.message}${call ? "" : " See fdl-reader --help."}`);
    // A record that is broken is an answer to `verify`: the version is not intact.
    const isAnswer = call?.command === "verify" && error instanceof FdlError && error.broken;
    return { document, exitCode: isAnswer ? 1 : 2 };
  }
}

/** Rejects with what is thrown where nobody waits for it. */
const thrownElsewhere = new Promise<never>((_, reject) => {
  process.on("uncaughtException", reject);
});

function errorDocument(error: unknown) {
  const { code, message, path } = describe(error);
  return { error: { code, message, path } };
}

function describe(error: unknown) {
  if (error instanceof FdlError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { code: "usage", message, path: error.path };
  return {
    code: "internal",
    message: `The command itself failed: ${message}. Please report this, with the call that led to it.`,
    path: null,
  };
}

async function complain(sentence: string): Promise<void> {
  await writeLine(process.stderr, `fdl-reader: ${printable(sentence)}`);
}

async function main(args: string[]): Promise<void> {
  const asJson = args.includes("--json");
  const print: Print = async (text) => asJson || writeLine(process.stdout, printable(text));
  const { document, exitCode = 0 } = await answer(args, print);
  if (asJson) await writeLine(process.stdout, json(document));
  process.exitCode = exitCode;
  // DuckDB, where it was loaded, sets one of its own after that.
  process.once("exit", () => (process.exitCode = exitCode));
}

process.exitCode = 2; // until the end has been reached
try {
  await main(process.argv.slice(2));
} catch (error) {
  await complain((error as Error).message);
}
