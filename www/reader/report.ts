/** What the command prints for people. Text from a repository stays in its place: see `inLine`. */
import type {
  Attribution,
  Dataset,
  Expired,
  HistoryEntry,
  Refs,
  TableDescription,
  VerdictDocument,
  VersionRecord,
} from "./types.js";
import type { Version } from "./version.js";
import { signatureCheck } from "./signature-check.js";
import { authorText, inLine, setIn } from "./verdict-report.js";

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
    const { record, expired, verdict } = entry;
    return [title, ...signatureLines(verdict), ...recordLines(record, expired)].join("\n");
  }
  return `${title}\nIts record is missing: it was withdrawn too, or was not copied to this mirror.`;
}

function signatureLines(verdict: VerdictDocument | null): string[] {
  if (!verdict) return [];
  const { signature, signer } = verdict;
  const code = signatureCheck(verdict)?.code;
  const why = code && code !== signature ? ` (${code})` : "";
  return [`Signed:  ${signature}${why}${signer?.principal ? `, ${inLine(signer.principal)}` : ""}`];
}

function recordLines(record: VersionRecord, expired: Expired | null): string[] {
  const lines = [
    `Author:  ${authorText(record.author) || "not given"}`,
    `Date:    ${record.created_at}`,
  ];
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
