/** What the command prints for people. Text from a repository never reaches the terminal as control. */
import type {
  Dataset,
  Expired,
  HistoryEntry,
  Refs,
  TableDescription,
  Verdict,
  VersionRecord,
} from "./types.js";

/** Text with every control character made visible, so that it cannot move the cursor or recolour. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  const control =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return text.replace(control, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
}

/** On one line. */
function inLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

export function refsText({ head, refs }: Refs): string {
  const lines = refs.map(
    ({ name, version }) => `${version}  ${name}${name === head ? "  (HEAD)" : ""}`,
  );
  if (lines.length > 0) return lines.join("\n");
  return head === null ? "The repository has no ref." : `No version yet: ${head} does not exist.`;
}

export function logText(entries: HistoryEntry[]): string {
  if (entries.length === 0) return "No version yet.";
  return entries.map(entryText).join("\n\n");
}

function entryText(entry: HistoryEntry): string {
  const title = `version ${entry.id}${entry.refs.length > 0 ? `  (${entry.refs.join(", ")})` : ""}`;
  if (entry.kind === "missing") return `${title}\nIts record is missing.`;
  return [title, ...recordLines(entry.record, entry.expired)].join("\n");
}

function recordLines(record: VersionRecord, expired: Expired | null): string[] {
  const { name, email } = record.author;
  const author = inLine([name, email && `<${email}>`].filter(Boolean).join(" ") || "not given");
  const lines = [`Author:  ${author}`, `Date:    ${record.created_at}`];
  if (record.parents.length > 1) lines.push(`Merge:   ${record.parents.join(" ")}`);
  if (expired) {
    const since = expired.expired_at ? ` since ${inLine(expired.expired_at)}` : "";
    const state = expired.reason === "withdrawn" ? "withdrawn" : "past retention";
    const reason = expired.reason ? ` (${inLine(expired.reason)})` : "";
    lines.push(`Kept:    no, ${state}${since}${reason}`);
  }
  const message = record.message?.trimEnd();
  if (message)
    lines.push(
      "",
      ...printable(message)
        .split("\n")
        .map((line) => `    ${line}`),
    );
  return lines;
}

export function showText(shown: {
  id: string;
  record: VersionRecord;
  dataset: Dataset | null;
  expired: Expired | null;
  tables: Pick<TableDescription, "schema" | "name" | "rows" | "title">[];
}): string {
  const { id, record, dataset, expired, tables } = shown;
  const lines = [`version ${id}`, ...recordLines(record, expired)];
  if (dataset?.title) lines.push("", inLine(dataset.title));
  if (dataset?.description) lines.push("", printable(dataset.description.trim()));
  if (tables.length > 0) lines.push("");
  for (const { schema, name, rows, title } of tables) {
    const count = rows === null ? "" : `  ${String(rows)} rows`;
    lines.push(
      `table ${inLine(schema)}.${inLine(name)}${count}${title ? `  ${inLine(title)}` : ""}`,
    );
  }
  return lines.join("\n");
}

export function verdictText({ id, integrity, signature, signer, checks, covers }: Verdict): string {
  const lines = [`version    ${id}`, `integrity  ${integrity}`, `signature  ${signature}`];
  if (signer) {
    const { principal, key_type, fingerprint, namespace, line, time } = signer;
    lines.push(
      `signer     ${principal === null ? "not among the trusted signers" : inLine(principal)}`,
    );
    lines.push(`key        ${inLine(key_type)} ${fingerprint}`);
    lines.push(`namespace  ${inLine(namespace)}`);
    lines.push(`time used  ${time}${line === null ? "" : ` (line ${String(line)} of the list)`}`);
  }
  lines.push("");
  for (const { file, outcome, code, message } of checks) {
    lines.push(
      `${outcome.padEnd(9)}  ${inLine(file)}${code ? `  ${code}: ${inLine(message ?? "")}` : ""}`,
    );
  }
  const covered = covers.length > 0 ? covers.map(inLine).join(", ") : "nothing";
  lines.push("", `covered    ${covered}`);
  lines.push(
    "not covered: refs, parents (each needs its own verdict), data files without a signed hash",
  );
  return lines.join("\n");
}
