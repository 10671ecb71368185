/** A verdict in plain text. Text from a repository stays in its place: see `inLine`. */
import { signatureCheck } from "./signature-check.js";
import type {
  Check,
  DataVerdict,
  Integrity,
  RecordAuthor,
  Signer,
  SignerCertificate,
  SignatureOutcome,
  VerdictDocument,
  VersionRecord,
} from "./types.js";

/** On one line, so that a title cannot look like lines of ours. */
export function inLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Who wrote a record, as it says itself; empty where it does not. */
export function authorText({ name, email }: VersionRecord["author"]): string {
  return inLine([name, email && `<${email}>`].filter(Boolean).join(" "));
}

/** On lines of their own, set in. */
export function setIn(text: string): string[] {
  const lines = text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) => `    ${line}`.trimEnd());
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
  listed_key: "it is good, by a key that the repository lists and your list does not have",
  revoked: "it is good, but its key was revoked",
  no_trusted_signers: "it is good, but without --allowed-signers nobody vouches for its key",
  unsigned: "there is none, so anyone may have written the record",
  bad: "it cannot be read (the reason stands below)",
  bad_signature: "it does not belong to this record",
  unchecked: "it could not be checked",
};

/** The whole of a verdict in plain text. */
export function verdictReport(verdict: VerdictDocument): string {
  const { id, root, integrity, signature, signer, checks, covers, skipped_lines, data } = verdict;
  const code = signatureCheck(verdict)?.code ?? signature;
  const lines = [
    `version    ${id}`,
    `integrity  ${integrity}: ${integritySays[integrity]}`,
    `signature  ${signature}: ${signatureSays[code] ?? signatureSays[signature]}`,
  ];
  if (root !== verdict.repository.url) lines.splice(1, 0, `read from  ${inLine(root)}, a mirror`);
  if (signer) lines.push(...signerLines(signer));
  lines.push(...authorLines(verdict.author));
  lines.push("", ...checks.flatMap(checkLines), "");
  if (data) lines.push(...dataLines(data), "");
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
    ...(data ? uncoveredData(data) : ["the data files (Parquet), which were not read"]),
  ];
  lines.push(`covered    ${covers.map(inLine).join(", ") || "nothing"}`);
  lines.push(`uncovered  ${uncovered.join("\n           ")}`);
  return lines.join("\n");
}

function signerLines(signer: Signer): string[] {
  const { principal, key_type, fingerprint, namespace, line, time, time_is } = signer;
  const lines =
    principal === null ? [] : [`listed as  ${inLine(principal)} (line ${line ?? "?"} of the list)`];
  lines.push(`key        ${inLine(key_type)} ${fingerprint}`);
  if (signer.certificate) lines.push(...certificateLines(signer.certificate));
  lines.push(`namespace  ${inLine(namespace)}`, `time used  ${time}, ${timeIs[time_is]}`);
  if (signer.listed_as !== null) {
    lines.push(
      `expected   fdl.json lists the key as ${inLine(signer.listed_as)}, which proves nothing`,
    );
  }
  return lines;
}

const timeIs: Record<Signer["time_is"], string> = {
  created: "which the record gives",
  now: "the present",
  given: "which was asked for",
};

function certificateLines(certificate: SignerCertificate): string[] {
  const { key_id, serial, principals, valid_after, valid_before, authority } = certificate;
  const numbered = serial === "0" ? "" : `, number ${serial}`;
  return [
    `           in the certificate "${inLine(key_id)}"${numbered}, by the authority ${authority},`,
    `           for ${principals.map(inLine).join(", ") || "nobody"}, from ${valid_after ?? "always"} until ${valid_before ?? "for ever"}`,
  ];
}

/** The author is what the record says; the signer is who vouches for it. */
function authorLines(writer: RecordAuthor): string[] {
  const author = authorText(writer);
  if (!author) return [];
  const differs = writer.is_signer === false ? " (not the one who signed)" : "";
  return [`author     ${author}${differs}`];
}

function checkLines({ file, outcome, root, code, message, passed_over }: Check): string[] {
  const lines = [`${outcome.padEnd(9)}  ${inLine(file)}${code === null ? "" : `  (${code})`}`];
  if (code !== null) lines.push(...setIn(message ?? ""));
  if (passed_over.length > 0 && root !== null) lines.push(`    It was read from ${inLine(root)}.`);
  for (const other of passed_over) {
    lines.push(
      ...setIn(`Not from ${inLine(other.root)} (${other.code}): ${inLine(other.message)}`),
    );
  }
  return lines;
}

/** What came of the data files: how many of each, and what is to be said of single ones. */
function dataLines(data: DataVerdict): string[] {
  const { source, files, bytes, problems, more } = data;
  const listed = source === null ? "not listed" : `listed by ${source}`;
  const lines = [`data       ${listed}: ${counted(files, "file")} asked for, ${bytes} bytes read`];
  for (const [outcome, says] of Object.entries(dataSays)) {
    const count = data[outcome as keyof typeof dataSays];
    if (count > 0) lines.push(`           ${count} ${says}`);
  }
  for (const { outcome, kind, path, code, message } of problems) {
    const word = outcome === "not_available" ? "withheld" : outcome;
    lines.push(`${word.padEnd(9)}  ${inLine(path)}  (${kind} file: ${code})`, ...setIn(message));
  }
  if (more > 0) lines.push(`           and ${more} more`);
  return lines;
}

const dataSays = {
  verified: "verified: the sha256 is the one that is recorded",
  compared:
    "compared: length and rows are as recorded, which shows truncation and mix-ups, not forgery",
  failed: "failed: not the file that is recorded, or not there",
  unchecked: "unchecked: could not be held against what is recorded",
  not_available: "not available: source files that the host keeps to itself",
};

function uncoveredData({ source, compared }: DataVerdict): string[] {
  if (source === null) return ["the data files (Parquet): which there are was not learned"];
  return compared > 0 ? [`${counted(compared, "data file")}, whose sha256 is not recorded`] : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
