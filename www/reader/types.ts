/**
 * The plain objects that cross from the reader to a page.
 *
 * Their member names are the specification's own (`created_at`, `data_dir`): a record reads the
 * same in the repository, in this API and in the command's JSON.
 */

import type { Verdict } from "./verdict.js";

/** fdl.json, as the page "Layout" gives it. */
export interface Settings {
  /** The version of the specification, such as `"0.1"`. */
  fdl: string;
  /** The repository's own id; `null` where the repository was started without one. */
  id: string | null;
  /** Where data files are, relative to the root, ending in `/`. */
  data_dir: string;
  /** Keys to expect. They never enter the verdict: a mirror can change fdl.json too. */
  signers: ExpectedSigner[];
  catalog_formats: CatalogFormat[];
}

/** A line of fdl.json's `signers`. */
export interface ExpectedSigner {
  /** The line as the repository has it. */
  text: string;
  /** The line's principals; `null` where the line cannot be read. */
  principals: string | null;
  /** Such as `ssh-ed25519`; `null` where the line cannot be read. */
  key_type: string | null;
  /** `SHA256:…`, as `ssh-keygen -l` prints it; `null` where the line cannot be read. */
  fingerprint: string | null;
  /** Why the line cannot be read. */
  problem: string | null;
}

/** An entry of fdl.json's `catalog_formats`. */
export interface CatalogFormat {
  ducklake: string;
  /** The last day (ISO 8601) that the format is written for new versions. */
  until: string | null;
}

/** The refs of a repository and its default ref. */
export interface Refs {
  /** The default ref's full name; `null` where the repository has no HEAD. */
  head: string | null;
  /** The root that served them: a mirror may be behind. */
  root: string;
  /** Sorted by name. */
  refs: RefEntry[];
}

/** A ref and the version that it holds. */
export interface RefEntry {
  /** The full name, such as `refs/heads/main`. */
  name: string;
  /** A version ID. */
  version: string;
}

/** A file that the record names. */
export interface NamedFile {
  /** Relative to the version's folder. */
  path: string;
  bytes: number;
  /** 64 lower-case hex digits. */
  sha256: string;
}

/** A catalog that the record names. */
export interface NamedCatalog extends NamedFile {
  /** Such as `"duckdb-v1.5.0"`. */
  storage: string | null;
}

/** version.json, as "Inside a repository" shows it. */
export interface VersionRecord {
  fdl: string;
  id: string;
  seq: number | null;
  parents: string[];
  /** RFC 3339, as the record writes it. */
  created_at: string;
  author: { name: string | null; email: string | null };
  message: string | null;
  catalog: NamedCatalog;
  /** Other DuckLake formats of the catalog, by format. */
  catalogs: Record<string, NamedCatalog>;
  dataset: NamedFile | null;
  files: NamedFile | null;
  ducklake: { format: string; snapshot_id: number; snapshots: number[] };
  /** What the version was made from. */
  inputs: { sha256: string; [member: string]: unknown }[];
}

/** dataset.json: what the version holds, described. Every text is the publisher's. */
export interface Dataset {
  title: string | null;
  description: string | null;
  keywords: string[];
  licenses: Attribution[];
  sources: Attribution[];
  contributors: Attribution[];
  tables: TableDescription[];
}

/** A licence, a source or a contributor. */
export interface Attribution {
  title: string | null;
  /** Checked to be an absolute http(s) URL; anything else is left out. */
  url: string | null;
  /** A contributor's role. */
  role: string | null;
}

/** A table, as dataset.json describes it. */
export interface TableDescription {
  schema: string;
  name: string;
  title: string | null;
  description: string | null;
  /** Its row count; `null` where it is not given. */
  rows: number | null;
  columns: ColumnDescription[];
}

/** A column, as dataset.json describes it. */
export interface ColumnDescription {
  name: string;
  /** The DuckDB type; `null` where it is not given. */
  type: string | null;
  title: string | null;
  description: string | null;
}

/** files.json: each table's data files. */
export interface Files {
  tables: TableFiles[];
}

/** A table's data files. */
export interface TableFiles {
  schema: string;
  name: string;
  /** The columns as a preview needs them; `null` where files.json does not give them. */
  columns: ColumnOfFiles[] | null;
  files: DataFile[];
  /** Whether rows or deletes lie in the catalog itself; `null` where it is not said. */
  inlined: boolean | null;
}

/** A column, with the field id that its Parquet columns carry. */
export interface ColumnOfFiles {
  name: string;
  type: string;
  field_id: number;
  initial_default: string | null;
  /** A struct's members, a list's element, a map's key and value. */
  children: ColumnOfFiles[];
}

/** A data file. */
export interface DataFile {
  /** Relative to the root. */
  path: string;
  bytes: number | null;
  /** How many rows are written in it, deleted ones included. */
  record_count: number | null;
  /** How long its Parquet footer is, in bytes. */
  footer_size: number | null;
  sha256: string | null;
  /**
   * What a reader must do beyond matching columns by field id, in words such as `name_mapping`; `null`
   * where it is not said.
   */
  needs: string[] | null;
  delete_file: DeleteFile | null;
}

/** The deleted rows of a data file. */
export interface DeleteFile {
  /** Relative to the root. */
  path: string;
  bytes: number | null;
  /** How long its Parquet footer is, in bytes. */
  footer_size: number | null;
  delete_count: number | null;
  sha256: string | null;
}

/** expired.json: the version is past retention, or withdrawn. */
export interface Expired {
  expired_at: string | null;
  /** `"retention"`, `"withdrawn"`, or the host's own word. */
  reason: string | null;
}

/** Do the bytes match what the record says? */
export type Integrity = "intact" | "broken" | "unchecked";

/** Did someone whom the page trusts sign the record? */
export type SignatureOutcome = "trusted" | "untrusted" | "unsigned" | "bad" | "unchecked";

/**
 * What verification came to, as `JSON.stringify` writes a verdict: two questions, never merged into
 * one word. Members are only ever added.
 */
export interface VerdictDocument {
  /** What kind of document this is, and its edition. */
  document: "fdl-verdict/1";
  /** Where the version was read, and the repository's own id. */
  repository: { url: string; id: string | null };
  /** The version's ID. */
  id: string;
  /** The root that served its record and the signature on it. */
  root: string;
  integrity: Integrity;
  signature: SignatureOutcome;
  /** The key that the signature names; `null` where no signature could be read. */
  signer: Signer | null;
  /** Who wrote the record, as it says itself. */
  author: RecordAuthor;
  /** Every check, in the order made. */
  checks: Check[];
  /** The files of the version's folder that the checks so far reach. */
  covers: string[];
  /** The lines of the trusted signers that cannot be read, and so do not count. */
  skipped_lines: SkippedLine[];
  /** What verifying the data files came to; `null` where that was not asked for. */
  data: DataVerdict | null;
}

/** Who wrote a record, as it says itself, beside who signed it. */
export interface RecordAuthor {
  name: string | null;
  email: string | null;
  /**
   * Whether the trusted signer goes by that name or address; `null` where there is no address to
   * compare, and the name is not the signer's. Someone may well sign what another wrote, so this decides nothing.
   */
  is_signer: boolean | null;
}

/** A list of trusted signers, taken apart for people. */
export interface TrustedSignersList {
  lines: TrustedSigner[];
  /** The lines that cannot be read, and so do not count. */
  skipped: SkippedLine[];
}

/** A line of the trusted signers. */
export interface TrustedSigner {
  /** Its number, from 1. */
  line: number;
  /** Whom the key belongs to: names and patterns, comma-separated. */
  principals: string;
  /** Whether the key signs certificates of other keys instead of versions. */
  cert_authority: boolean;
  /** For which namespaces the key counts, as patterns; `null` for all. */
  namespaces: string | null;
  /** From when on the key counts: RFC 3339. */
  valid_after: string | null;
  /** Until when the key counts: RFC 3339. */
  valid_before: string | null;
  /** Such as `ssh-ed25519`. */
  key_type: string;
  /** `SHA256:…` */
  fingerprint: string;
  /** What stands behind the key. */
  comment: string;
}

/** A line of the trusted signers that cannot be read. */
export interface SkippedLine {
  /** Its number, from 1. */
  line: number;
  /** Why, as the end of a sentence. */
  reason: string;
}

/** The key that a signature names, and the line of the trusted signers that has it. */
export interface Signer {
  /**
   * The principals of that line, or of a certificate those names that the line admits; `null` where no
   * line has the key.
   */
  principal: string | null;
  /** Such as `ssh-ed25519`. */
  key_type: string;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  fingerprint: string;
  namespace: string;
  /** The number of that line, from 1. It need not be one that counts: `checks` says. */
  line: number | null;
  /** The time at which the key must count: RFC 3339. */
  time: string;
  /** Where that time comes from: the record's `created_at`, the moment of opening, or the page. */
  time_is: "created" | "now" | "given";
  /** For whom fdl.json lists the key: a key to expect, which does not make it trusted. */
  listed_as: string | null;
  /** The certificate that the key comes in. */
  certificate: SignerCertificate | null;
}

/** What the certificate of a signer's key says. */
export interface SignerCertificate {
  /** The name that the authority gave it. */
  key_id: string;
  /** The number that the authority gave it, in decimal digits; "0" where it gives none. */
  serial: string;
  /** Whose key it is: names, not patterns. */
  principals: string[];
  /** From when on it counts (RFC 3339); `null` for always. */
  valid_after: string | null;
  /** From when on it no longer counts (RFC 3339); `null` for never. */
  valid_before: string | null;
  /** The fingerprint of the authority's key. */
  authority: string;
}

/** One check of one file. */
export interface Check {
  /** The file that was checked, such as `dataset.json`. */
  file: string;
  outcome: "passed" | "failed" | "unchecked" | "absent";
  /** The root that served it; `null` where nothing was served. */
  root: string | null;
  /** Why it did not pass, such as `hash_mismatch`, or what else is to be said of it. */
  code: string | null;
  /** The same in a sentence. */
  message: string | null;
  /** The same as facts, from which another language can word the sentence. */
  facts: Record<string, unknown> | null;
  /** The other roots that were asked, and why the file was not read from them. */
  passed_over: PassedOver[];
}

/** A root that was asked for a file, and why the file was not read from it. */
export interface PassedOver {
  root: string;
  /** Such as `hash_mismatch`, `bad_signature` or `other_repository`. */
  code: string;
  /** The same in a sentence. */
  message: string;
  /** The same as facts. */
  facts: Record<string, unknown> | null;
}

/** What verifying the data files came to. Every file counts once, under one outcome. */
export interface DataVerdict {
  /** What said which data files the version has; `null` where that could not be learned. */
  source: "files.json" | "catalog" | null;
  /** How many files were asked for: data files, delete files, source files. */
  files: number;
  /** Files whose bytes are those that a hash in the record, or in what it names, is of. */
  verified: number;
  /**
   * Files without such a hash that have the length and the rows that are recorded for them: that
   * shows truncation and mix-ups, not forgery.
   */
  compared: number;
  /** Files that are not as they must be, or are not there. */
  failed: number;
  /** Files that could not be checked. */
  unchecked: number;
  /** Source files that the host does not give: whether to give them is its own decision. */
  not_available: number;
  /** How many bytes came in. */
  bytes: number;
  /** Files that are neither verified nor compared, what failed first; no more than a thousand. */
  problems: DataProblem[];
  /** How many more there are. */
  more: number;
}

/** A file that is neither verified nor compared. */
export interface DataProblem {
  /** Relative to the root. */
  path: string;
  kind: "data" | "delete" | "source";
  outcome: "failed" | "unchecked" | "not_available";
  /** Why, such as `hash_mismatch`. */
  code: string;
  /** The same in a sentence. */
  message: string;
  /** The same as facts, from which another language can word the sentence. */
  facts: Record<string, unknown>;
}

/** A data file or delete file, with what a catalog records of it. */
export interface ListedFile {
  kind: "data" | "delete";
  /** Relative to the root. */
  path: string;
  /** Its length; `null` where it is not recorded. */
  bytes: number | null;
  /** How many rows are written in it; `null` where that is not recorded, or it is not Parquet. */
  rows: number | null;
}

/**
 * One step of the history: a version, or a parent whose record is missing. A version's `verdict` goes
 * as far as its record and the signature on that; it is `null` where verdicts were not asked for.
 */
export type HistoryEntry =
  | {
      kind: "version";
      id: string;
      refs: string[];
      record: VersionRecord;
      expired: Expired | null;
      verdict: Verdict | null;
    }
  | { kind: "missing"; id: string; refs: string[] };
