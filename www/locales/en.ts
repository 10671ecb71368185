import { trust } from "./en-trust.js";
import type { CheckOutcome, Failure } from "./failure.js";
import type { Formats } from "./formats.js";

/** Every text in English. Its shape is what every language has to fill. */
export const en = (format: Formats) => {
  const count = (value: number, one: string, many: string) =>
    `${format.number(value)} ${value === 1 ? one : many}`;

  return {
    /** The sentence for an error: the reader's own. */
    error: (error: Failure): string => error.message,

    /** The sentence for a check that did not pass: the reader's own. */
    check: (check: CheckOutcome): string => check.message ?? "",

    /** A few words over an error's sentence. */
    headline: (code: string): string => headlines[code] ?? "This could not be shown",

    viewer: {
      opening: "Opening the repository…",
      reading: "Reading the version…",
      shown: (title: string, ref: string) => `${title}, ${ref}, is shown.`,
      tryAgain: "Try again",
      showDefault: "Show the default version",
      noSource: "No repository is named. Give its address in the attribute “src”.",
      noVersionHeadline: "No version yet",
      noVersion: (reference: string) =>
        `The repository has been started, but ${reference} does not exist yet: nothing has been published there. Come back once a first version is out, or choose another ref if there is one.`,
      unnamed: "Untitled dataset",
      earlier: (ref: string) => `This is not the version that ${ref} holds now.`,
      showTip: (ref: string) => `Show ${ref}`,
    },

    refs: {
      label: "Branch or tag",
      choose: "Choose one",
      branches: "Branches",
      tags: "Tags",
      others: "Other refs",
      byDefault: (ref: string) => `${ref} (default)`,
      single: (id: string) => `Version ${id}`,
      branch: (name: string) => `branch ${name}`,
      tag: (name: string) => `tag ${name}`,
      version: (id: string) => `version ${id}`,
      servedBy: (root: string) =>
        `Branches and tags were read from a mirror, ${root}, which may be behind.`,
    },

    dataset: {
      licenses: "Licence",
      sources: "Sources",
      contributors: "Contributors",
      keywords: "Keywords",
      withRole: (name: string, role: string) => `${name} (${role})`,
    },

    version: {
      heading: "Version",
      number: (seq: number) => `Version ${format.number(seq)}`,
      by: (author: string) => `by ${author}`,
      details: "The whole record",
      id: "Version ID",
      created: "Made",
      author: "Author",
      message: "Message",
      parents: "Parents",
      noParents: "None: this is a first version",
      ducklake: "DuckLake",
      snapshot: (format_: string, snapshot: number) =>
        `format ${format_}, snapshot ${format.number(snapshot)}`,
      catalog: "Catalog",
      catalogSize: (path: string, bytes: number, storage: string | null) =>
        `${path}, ${format.bytes(bytes)}${storage === null ? "" : `, ${storage}`}`,
      inputs: "Made from",
      specification: "Specification",
      repository: "Repository",
      repositoryId: "Repository ID",
      noId: "None given",
    },

    ...trust(format),

    tables: {
      heading: "Tables",
      none: "This version holds no tables.",
      unknown: "The tables are listed once the catalog has been read.",
      rows: (rows: number) => count(rows, "row", "rows"),
      columns: (columns: number) => count(columns, "column", "columns"),
      columnsHeading: "Columns",
      name: "Name",
      type: "Type",
      description: "Description",
      refusedHeadline: "This table cannot be read here",
      refused: (reason: string) =>
        `It ${reason}. A row that might be wrong is not shown. Choose another table, or read it with DuckDB and its DuckLake extension.`,
      missing: (name: string) =>
        `There is no table “${name}” in this version. Choose one from the list.`,
    },

    rows: {
      heading: "First rows",
      waiting: "The first rows are loaded when they come into view.",
      engine: "Loading the query engine, DuckDB-Wasm. It is several megabytes, and needed once.",
      catalog: (received: string, total: string) =>
        `Reading and checking the catalog: ${received} of ${total}.`,
      data: (files: number, filesTotal: number, received: string, total: string) =>
        `Downloading and verifying every data file before a row is shown: ${format.number(files)} of ${format.number(filesTotal)} files, ${received} of ${total}.`,
      verified:
        "Every data file that they come from was verified first: its SHA-256 is the one that is recorded.",
      reading: "Reading the rows.",
      sorting: "Sorting the rows.",
      sorted: (column: string, descending: boolean) =>
        `Sorted by ${column}, ${descending ? "descending" : "ascending"}.`,
      sortHint:
        "Choose the name of a column to sort by it. DuckDB-Wasm, several megabytes, is loaded for that if it is not there yet.",
      asStored: "Show the rows as they are stored",
      columns: "Choose columns",
      some: (shown: number, all: number) =>
        `The first ${format.number(shown)} of ${count(all, "row", "rows")}.`,
      all: (rows: number) => (rows === 1 ? "The only row." : `All ${format.number(rows)} rows.`),
      first: (shown: number) => `The first ${count(shown, "row", "rows")}.`,
      range: (first: number, last: number, all: number | null) =>
        `Rows ${format.number(first)} to ${format.number(last)}${all === null ? "" : ` of ${format.number(all)}`}.`,
      previous: "Previous rows",
      next: "Next rows",
      empty: "This table has no rows.",
      failed: "The rows could not be read",
      failedSays:
        "The data files could not be read. The copy may not be complete, or the host may not let this page read it. Try again later, or tell the publisher. In the engine’s words:",
    },

    grid: {
      null: "NULL",
      isNull: "no value",
      showMore: "Show more rows",
      showing: (shown: number, all: number) =>
        `${format.number(shown)} of ${count(all, "row", "rows")} shown.`,
      scroll: "Rows; scrolls sideways",
      sortBy: (column: string) => `Sort by ${column}`,
    },

    query: {
      heading: "Ask by SQL",
      label: "SQL",
      hint: "The SQL runs in your browser, in DuckDB-Wasm. Nothing you write leaves this page. The tables are called:",
      insert: (name: string) => `Write ${name} into the SQL`,
      loadsEngine:
        "DuckDB-Wasm, several megabytes, is loaded on the first run if it is not there yet.",
      run: "Run",
      cancel: "Cancel",
      keys: "Ctrl + Enter runs it",
      running: "Running…",
      cancelled: "Cancelled.",
      nothing: "Write a query first.",
      more: (rows: number) =>
        `These are the first ${count(rows, "row", "rows")}; there are more. Ask for fewer, or for a sum of them.`,
      done: (rows: number, seconds: number) =>
        `${count(rows, "row", "rows")} in ${format.number(Number(seconds.toFixed(2)))} s.`,
      ran: (seconds: number) =>
        `Done in ${format.number(Number(seconds.toFixed(2)))} s. It gives no rows.`,
      failed: "The query failed",
    },

    history: {
      heading: "History",
      loading: "Reading the history…",
      older: "Show older",
      oldest: "That is the whole history.",
      shown: "shown",
      noMessage: "No message",
      pastRetention: (day: string | null) =>
        `Past retention${day === null ? "" : ` since ${day}`}: its tables can no longer be read.`,
      withdrawn: (day: string | null) =>
        `Withdrawn${day === null ? "" : ` on ${day}`}: its data is not to be published.`,
      expiredOtherwise: (reason: string, day: string | null) =>
        `Past retention${day === null ? "" : ` since ${day}`} (${reason}): its tables can no longer be read.`,
      missing: "A parent whose record is missing. It was withdrawn, or not copied to this mirror.",
      merge: (parents: number) => `Merges ${format.number(parents)} versions.`,
      trusted: "Signed, and trusted",
      trustedBy: (principal: string) => `Signed by ${principal}, trusted`,
      untrusted: "Signed, not trusted",
      listed: "Signed, listed by the repository alone",
      revoked: "Signed with a revoked key",
      unsigned: "Not signed",
      bad: "Bad signature",
      broken: "Broken",
      unchecked: "Signature could not be checked",
    },

    expired: {
      pastRetention: (day: string | null) =>
        `This version has been past retention${day === null ? "" : ` since ${day}`}. Its record still stands, but its tables can no longer be read. Choose another version from the history, or a branch or a tag.`,
      otherwise: (reason: string, day: string | null) =>
        `This version has been past retention${day === null ? "" : ` since ${day}`}; the host gives the reason “${reason}”. Its record still stands, but its tables can no longer be read. Choose another version from the history, or a branch or a tag.`,
      withdrawn: (day: string | null) =>
        `This version was withdrawn${day === null ? "" : ` on ${day}`}: its data must not be published any more. Use a newer version, and delete copies that you may have made of this one.`,
    },

    portal: {
      title: "FDL reader",
      tagline: "Versioned datasets, read and verified in your browser",
      language: "Language",
      repository: "Repository",
      demo: "the demo of this site",
      trusts: "This page trusts the signers that its site names.",
      trustsNobody:
        "You chose this repository yourself, so this page trusts no signer for it: it checks integrity, and nobody vouches.",
      open: "Open another repository",
      address: "Address of the repository",
      addressHint: "The folder that holds fdl.json, such as https://example.org/lake/",
      openButton: "Open",
      backToDemo: "Back to the demo",
      private:
        "Everything on this page is read and checked in your browser. Nothing is sent anywhere but requests for files to the repository’s host. Which versions you saw is kept in this browser, to warn you when an older one comes in their place.",
    },
  };
};

export type Text = ReturnType<typeof en>;

const headlines: Record<string, string> = {
  not_a_repository: "There is no repository here",
  no_version: "No version yet",
  no_head: "The repository has no default ref",
  unknown_ref: "There is no such ref",
  ambiguous_ref: "That name means two refs",
  invalid_ref_name: "That is not the name of a ref",
  malformed_ref: "The ref cannot be read",
  unknown_major_version: "A newer reader is needed",
  missing_version: "The version is not there",
  missing_file: "A file is missing",
  past_retention: "Past retention",
  withdrawn: "Withdrawn",
  html_instead: "A web page came instead of the file",
  invalid_utf8: "A file is broken",
  truncated_json: "A file is broken",
  malformed_json: "A file is broken",
  invalid_record: "A file is broken",
  id_mismatch: "The record belongs to another version",
  unsafe_path: "A path was refused",
  could_not_fetch: "The host could not be reached",
  http_status: "The host refused",
  too_large: "A file is too large",
  size_mismatch: "Broken",
  hash_mismatch: "Broken",
  other_repository: "A mirror is of another repository",
  row_count_mismatch: "Broken",
  malformed_parquet: "Broken",
  encrypted_parquet: "A file is encrypted",
  nothing_recorded: "There is nothing to hold a file against",
  not_available: "Not published",
  data_files_not_listed: "Which data files there are is not known",
  invalid_revoked_keys: "The list of revoked keys cannot be read",
  invalid_time: "That is not a time",
  rolled_back: "This may be older than what you saw before",
  moved_tag: "The tag has moved",
  changed_id: "Another repository is here now",
  cannot_tell: "This may not come after what you saw before",
  store_unusable: "What you saw cannot be remembered",
  name_taken: "That name is taken",
  untrusted_version: "Not trusted",
  broken_version: "Broken",
  aborted: "Cancelled",
  invalid_url: "That is not an address",
  unsupported_format: "A newer reader is needed",
  malformed_catalog: "The catalog cannot be read",
  unsupported_table: "This table cannot be read here",
  not_previewable: "The query engine is needed",
  unsupported_storage: "A newer engine is needed",
  engine_not_loaded: "The query engine could not be loaded",
  engine_lost: "The query engine stopped",
  out_of_memory: "The memory did not suffice",
  parts_not_served: "The host does not serve parts of files",
  data_too_large: "The data is too much to verify at once",
  not_verifiable_by_ducklake: "The data cannot be verified in this way",
  unsupported_engine: "A newer engine is needed",
  extension_missing: "A part of the query engine is missing",
  extension_mismatch: "A part of the query engine does not fit",
  query_failed: "The query failed",
  values_not_exact: "These values cannot be shown exactly",
  wasm_not_loaded: "The reader could not be loaded",
};
