/** What a call of the command asks for. */
import { parseArgs } from "node:util";

export const usage = `fdl-reader reads an FDL repository: its refs, its history, what a version holds, and whether to
believe it.

  fdl-reader refs URL                    every branch and tag, and the version that it holds
  fdl-reader log URL [--ref REF] [-n N]  the history, newest first; with -n only the newest N
  fdl-reader show URL [--ref REF]        a version: who made it, why, and the tables that it holds
  fdl-reader verify URL [--ref REF] [--allowed-signers FILE] [--revoked FILE] [--namespace NAME]
                        [--principal NAME] [--time TIME] [--data]
                                         whether its files are those that were recorded, and
                                         whether someone in FILE signed the record

URL is the root of a repository, which holds fdl.json: an http(s) address, or a folder on disk.
REF is a branch, a tag, a full name such as refs/heads/main, or a version ID. Default: HEAD.
FILE is a list of whom you trust, as ssh-keygen(1) describes it under ALLOWED SIGNERS: a line is
"alice@example.org ssh-ed25519 AAAA…". Without it nobody vouches.

  --revoked FILE    keys that no longer count: public keys, one per line, or a KRL (ssh-keygen -k)
  --namespace NAME  the namespace that signatures must have. Default: fdl
  --principal NAME  by whom the signature must be: a name of the list, or a pattern such as *@a.org
  --time TIME       when the key must count: created (when the record was made, the default), now,
                    or a time such as 2026-10-15T09:00:00Z

  --data            read the data files, delete files and source files too: those whose sha256 is
                    recorded whole, of others the end, for their length and their rows
  --mirror URL      another root of the same repository, read where a file cannot be had, or is
                    broken, at URL; may be given more than once
  --json            print exactly one JSON document, whatever happens
  -h, --help        print this

verify exits with 0 when the version is intact and, with --allowed-signers or --principal, trusted,
and by no revoked key; with 1 when it is not; with 2 when it could not be checked or the call was
wrong. The others exit with 0, or with 2 on an error.`;

/** Whom one trusts, and for what. */
const policy = ["allowed-signers", "revoked", "namespace", "principal", "time"] as const;

/** The options of each command, beside --mirror, --json and --help. */
const options = {
  refs: [],
  log: ["ref", "n", ...policy],
  show: ["ref"],
  verify: ["ref", ...policy, "data"],
} as const;

export type CommandName = keyof typeof options;
type OptionName = (typeof options)[CommandName][number];

export interface Call {
  command: CommandName;
  /** An address or a folder. */
  url: string;
  /** Other roots of the same repository: addresses or folders. */
  mirrors: string[];
  ref: string | undefined;
  /** How many versions `log` gives at most. */
  count: number;
  /** The file that lists the allowed signers. */
  allowedSigners: string | undefined;
  /** The file that lists the revoked keys. */
  revoked: string | undefined;
  namespace: string | undefined;
  principal: string | undefined;
  time: string | undefined;
  /** Whether `verify` reads the data files too. */
  data: boolean;
}

/** A call that cannot be understood, or names a list that cannot be read. */
export class UsageError extends Error {
  /** The file concerned. */
  readonly path: string | null;

  constructor(message: string, path: string | null = null) {
    super(message);
    this.path = path;
  }
}

/**
 * Reads the arguments of a call.
 *
 * @throws {UsageError}
 */
export function understand(args: string[]): Call {
  const { words, mirrors, given } = takeApart(args);
  const [command, url, ...more] = words;
  if (command === undefined) throw new UsageError(`Name a command: ${commandList}.`);
  if (!isCommand(command)) {
    throw new UsageError(`There is no command "${command}": choose ${commandList}.`);
  }
  if (!url) throw new UsageError(`${command} needs the address or the folder of a repository.`);
  if (more.length > 0) {
    throw new UsageError(`${command} reads one repository, not also "${more.join(" ")}".`);
  }
  for (const [name, { written }] of given) {
    const taken: readonly OptionName[] = options[command];
    if (!taken.includes(name)) throw new UsageError(`${command} does not take ${written}.`);
  }
  const value = (name: OptionName) => given.get(name)?.value;
  return {
    command,
    url,
    mirrors,
    ref: value("ref"),
    count: countOf(value("n")),
    allowedSigners: value("allowed-signers"),
    revoked: value("revoked"),
    namespace: value("namespace"),
    principal: value("principal"),
    time: value("time"),
    data: given.has("data"),
  };
}

const commandList = new Intl.ListFormat("en", { type: "disjunction" }).format(Object.keys(options));

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(options, word);
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^\d+$/.test(text)) throw new UsageError(`-n takes a whole number, not "${text}".`);
  return Number(text);
}

/** The words of a call, its mirrors, and its other options with their values and as they were written. */
function takeApart(args: string[]) {
  const { tokens } = parseArgs({
    args,
    strict: false, // so that what is wrong is said in our words
    tokens: true,
    options: {
      ref: { type: "string" },
      n: { type: "string", short: "n" },
      "allowed-signers": { type: "string" },
      revoked: { type: "string" },
      namespace: { type: "string" },
      principal: { type: "string" },
      time: { type: "string" },
      mirror: { type: "string" },
      data: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const words: string[] = [];
  const mirrors: string[] = [];
  const given = new Map<OptionName, { value: string; written: string }>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName: written, value, inlineValue } = token;
    if (name === "json" || name === "data") {
      if (value !== undefined) throw new UsageError(`${written} takes no value.`);
      if (name === "data") given.set(name, { value: "", written });
      continue;
    }
    if (name !== "mirror" && !isOption(name))
      throw new UsageError(`There is no option ${written}.`);
    // What looks like an option is one: the value was forgotten.
    if (value === undefined || (!inlineValue && value.startsWith("-"))) {
      throw new UsageError(`${written} needs a value.`);
    }
    if (name === "mirror") {
      mirrors.push(value);
      continue;
    }
    if (given.has(name)) throw new UsageError(`${written} is given twice.`);
    given.set(name, { value, written });
  }
  return { words, mirrors, given };
}

function isOption(name: string): name is OptionName {
  return Object.values<readonly string[]>(options).some((taken) => taken.includes(name));
}
