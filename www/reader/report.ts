/** What the command prints for people. Text from a repository stays in its place: see `inLine`. */
import type {
  Attribution,
  Check,
  Dataset,
  Expired,
  HistoryEntry,
  Integrity,
  Refs,
  SignatureOutcome,
  TableDescription,
  Verdict,
  VersionRecord,
} from "./types.js";
import type { Version } from "./version.js";

/** On one line, so that a title cannot look like lines of ours. */
function inLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** On lines of their own, set in. */
function setIn(text: string): string[] {
  const lines = text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) => `    ${line}`.trimEnd());
}

export function refsText({ head, refs }: Refs): string {
  const lines = refs.map(({ name, version }) => {
    return `${version}  ${name}${name === head ? "  (HEAD)" : ""}`;
  });
  if (head === null) {
    lines.push(
      refs.length > 0
        ? "There is no HEAD: name a ref, or a version, with --ref."
        : "The repository names no refs: it has no HEAD, and refs.json is missing or empty.",
    );
  } else if (!refs.some(({ name }) => name === head)) {
    lines.push(`HEAD is ${head}, which does not exist yet: its first version will make it.`);
  }
  return lines.join("\n");
}

export function entryText(entry: HistoryEntry): string {
  const refs = entry.refs.length > 0 ? `  (${entry.refs.join(", ")})` : "";
  const title = `version ${entry.id}${refs}`;
  if (entry.kind === "version") {
    return [title, ...recordLines(entry.record, entry.expired)].join("\n");
  }
  return `${title}\nIts record is missing: it was withdrawn too, or was not copied to this mirror.`;
}

function recordLines(record: VersionRecord, expired: Expired | null): string[] {
  const { name, email } = record.author;
  const author = inLine([name, email && `<${email}>`].filter(Boolean).join(" "));
  const lines = [`Author:  ${author || "not given"}`, `Date:    ${record.created_at}`];
  if (record.parents.length > 1) lines.push(`Merge:   ${record.parents.join(" ")}`);
  if (expired) lines.push(`Status:  ${expiredText(expired)}`);
  if (record.message?.trim()) lines.push("", ...setIn(record.message));
  return lines;
}

function expiredText({ expired_at, reason }: Expired): string {
  const at = (word: string) => (expired_at ? ` ${word} ${inLine(expired_at)}` : "");
  if (reason === "withdrawn") return `withdrawn${at("on")}: its tables are no longer published`;
  const why = reason && reason !== "retention" ? `, for the reason "${inLine(reason)}"` : "";
  return `past retention${at("since")}${why}: its tables are no longer kept`;
}

export function showText(shown: {
  id: string;
  record: VersionRecord;
  dataset: Dataset | null;
  expired: Expired | null;
  tables: TableDescription[] | null;
}): string {
  const { id, record, dataset, expired, tables } = shown;
  const lines = [`version ${id}`, ...recordLines(record, expired)];
  if (dataset) lines.push(...datasetLines(dataset));
  if (tables === null) {
    lines.push("", "What tables it holds is said neither by dataset.json nor by files.json.");
  } else if (tables.length === 0) {
    lines.push("", "It holds no tables.");
  } else {
    for (const table of tables) lines.push("", ...tableLines(table));
  }
  return lines.join("\n");
}

function datasetLines({ title, description, licenses, sources }: Dataset): string[] {
  const lines: string[] = [];
  if (title) lines.push(inLine(title));
  if (description?.trim()) lines.push(...setIn(description));
  if (licenses.length > 0) lines.push(`Licence: ${licenses.map(attributionText).join(", ")}`);
  if (sources.length > 0) lines.push(`Source:  ${sources.map(attributionText).join(", ")}`);
  return lines.length > 0 ? ["", ...lines] : [];
}

function attributionText({ title, url }: Attribution): string {
  return inLine([title, url && (title ? `<${url}>` : url)].filter(Boolean).join(" "));
}

function tableLines({ schema, name, title, rows, columns }: TableDescription): string[] {
  const counted = rows === null ? "" : `  ${rows} ${rows === 1 ? "row" : "rows"}`;
  const titled = title && title !== name ? `  ${inLine(title)}` : "";
  const width = Math.max(0, ...columns.map((column) => inLine(column.name).length));
  return [
    `table ${inLine(schema)}.${inLine(name)}${counted}${titled}`,
    ...columns.map((column) => {
      return `    ${inLine(column.name).padEnd(width)}  ${inLine(column.type ?? "")}`.trimEnd();
    }),
  ];
}

/** What `show` must not pass over in silence. */
export function notices({ record, verdict }: Version): string[] {
  const described = [record.dataset?.path, record.files?.path];
  const said = verdict.checks.filter(({ file, outcome }) => {
    return outcome === "failed" || (outcome === "unchecked" && described.includes(file));
  });
  return said.map(({ file, message }) => message ?? `${file} could not be read.`);
}

const integritySays: Record<Integrity, string> = {
  intact: "every file that was read is the one that the record names",
  broken: "not every file is the one that the record names",
  unchecked: "not every file could be held against the record",
};

/** By the code of the signature's check, and where it has none of its own by the outcome. */
const signatureSays: Record<SignatureOutcome, string> & Record<string, string> = {
  trusted: "it is good, and by someone on the list of allowed signers",
  untrusted: "it is good, but does not count (the reason stands below)",
  unknown_key: "it is good, but not by someone on the list of allowed signers",
  no_trusted_signers: "it is good, but without --allowed-signers nobody vouches for its key",
  unsigned: "there is none, so anyone may have written the record",
  bad: "it cannot be read (the reason stands below)",
  bad_signature: "it does not belong to this record",
  unchecked: "it could not be checked",
};

export function verdictText(verdict: Verdict): string {
  const { id, integrity, signature, signer, checks, covers, skipped_lines } = verdict;
  const code = checks.find(({ file }) => file === "version.json.sig")?.code ?? signature;
  const lines = [
    `version    ${id}`,
    `integrity  ${integrity}: ${integritySays[integrity]}`,
    `signature  ${signature}: ${signatureSays[code] ?? signatureSays[signature]}`,
  ];
  if (signer) {
    const { principal, key_type, fingerprint, namespace, line, time } = signer;
    if (principal !== null) {
      lines.push(`listed as  ${inLine(principal)} (line ${line ?? "?"} of the list)`);
    }
    lines.push(
      `key        ${inLine(key_type)} ${fingerprint}`,
      `namespace  ${inLine(namespace)}`,
      `time used  ${time}, which the record gives`,
    );
  }
  lines.push("", ...checks.flatMap(checkLines), "");
  for (const { line, reason } of skipped_lines) {
    lines.push(`Line ${line} of the list does not count: ${reason}.`);
  }
  if (skipped_lines.length > 0) lines.push("");
  const uncovered = [
    ...(covers.includes("version.json") ? [] : ["the record itself (version.json)"]),
    ...checks
      .filter(({ code }) => code === "not_in_record")
      .map(({ file }) => `${file}, which the record does not name`),
    "which version a ref holds",
    "the versions before this one: each needs a verdict of its own",
    "the data files (Parquet), which verify does not read",
  ];
  lines.push(`covered    ${covers.map(inLine).join(", ") || "nothing"}`);
  lines.push(`uncovered  ${uncovered.join("\n           ")}`);
  return lines.join("\n");
}

function checkLines({ file, outcome, code, message }: Check): string[] {
  const line = `${outcome.padEnd(9)}  ${inLine(file)}`;
  return code === null ? [line] : [`${line}  (${code})`, ...setIn(message ?? "")];
}
