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

    verdict: {
      heading: "Can this version be believed?",
      integrity: "Integrity",
      integrityAsks: "Do the bytes match what the record says?",
      signature: "Signature",
      signatureAsks: "Did someone whom this page trusts sign the record?",

      intact: "Intact",
      intactSays:
        "Every file that the record names and that is read here has exactly the size and the SHA-256 that the record gives.",
      intactSoFar: "Intact so far",
      intactSoFarSays: (files: string[]) =>
        `What has been read matches the record. ${format.list(files)} has not been read yet; it is checked before a row is shown.`,
      broken: "Broken",
      brokenSays: (files: string[]) =>
        `${format.list(files)} ${files.length === 1 ? "is" : "are"} not as the record says. No row of this version is shown.`,
      uncheckedIntegrity: "Not checked",
      uncheckedIntegritySays: (files: string[]) =>
        `${format.list(files)} could not be compared with the record.`,
      nothingRead: "Nothing read yet",
      nothingReadSays:
        "The record names nothing that was read so far. The catalog is checked before a row is shown.",

      trusted: "Signed, and trusted",
      trustedSays: (principal: string) =>
        `The record is signed with a key that this page trusts and knows as ${principal}.`,
      untrusted: "Signed, but not trusted",
      untrustedKeySays:
        "The signature is good, but its key is not one that this page trusts. Anyone can make such a signature.",
      unsigned: "Not signed",
      unsignedSays: "The version carries no signature, so nobody answers for it.",
      bad: "Bad signature",
      badSays:
        "The signature is not one over this record. The record was changed after it was signed, or the signature belongs to another.",
      uncheckedSignature: "Could not be checked",
      uncheckedSignatureSays:
        "There may be a signature, but it could not be checked. That is neither good nor bad news.",
      nobody: "Nobody vouches",
      nobodySays:
        "This page was given no trusted signers, so it cannot tell who made this version.",
      nobodySigned: (fingerprint: string) =>
        `The record carries a good signature by the key ${fingerprint}, but this page was given no trusted signers, so it cannot tell whose key that is.`,
      nobodyUnsigned:
        "The version carries no signature, and this page was given no trusted signers.",

      /** Why rows are kept back, by the question that stopped them. */
      refusedHeadline: "No rows are shown",
      refusedBroken: (files: string[]) =>
        `${format.list(files)} ${files.length === 1 ? "is" : "are"} broken, so nothing in the tables can be relied on. Try again later or from another mirror, and tell the publisher. What was found:`,
      refusedBadSignature:
        "The record and its signature do not belong together. One of the two was changed, so nothing that follows from this record can be relied on. Try another mirror, and tell the publisher.",
      refusedSignature:
        "This page shows rows only of versions that someone it trusts has signed, and this one is not. Its record and its description stand here for what they are: unconfirmed. Choose another version, or ask the publisher for a signed one.",
      refusedUnchecked: (files: string[]) =>
        `This page shows rows only of versions whose files could all be checked, and ${format.list(files)} could not. Try again later, or from another mirror. What was found:`,

      details: "What was checked, and what was not",
      checks: "Checks",
      file: "File",
      outcome: "Outcome",
      passed: "Passed",
      failed: "Failed",
      unchecked: "Not checked",
      absent: "Not there",
      covered: "Covered",
      coveredSays: "These files are reached by the checks so far:",
      coveredNothing: "No file is reached by the checks so far.",
      uncovered: "Not covered",
      uncoveredRecord:
        "The record (version.json) carries no good signature. Other files match it, but anyone could have written it.",
      uncoveredDescription:
        "The record does not name dataset.json. The title, the description and the words on tables and columns are the host’s to change.",
      uncoveredRefs:
        "HEAD, refs.json and the refs are not signed. A host can show an older version that was once signed, or hide a newer one.",
      uncoveredRepository:
        "The record does not name its repository. A signed version can be shown under another address.",
      uncoveredParents:
        "Parents are IDs, not hashes. Each earlier version needs a verdict of its own.",
      uncoveredData:
        "The data files (Parquet) are not compared with a hash. Whoever serves them could change a value in them.",
      uncoveredExpired:
        "expired.json is not signed. A host can mark a version as past retention, or take the mark away.",
      signer: "Signature",
      principal: "Principal",
      noPrincipal: "None in the page’s list",
      keyType: "Key type",
      fingerprint: "Fingerprint",
      namespace: "Namespace",
      time: "Time used",
      timeSays: (moment: string) => `${moment}, the time that the record gives`,
      line: "Line with the key",
      lineSays: (line: number) => `line ${format.number(line)} of the trusted signers`,
      noLine: "None",
      skipped: "Lines of the page’s list that do not count",
      skippedSays: (line: number, reason: string) => `Line ${format.number(line)}: ${reason}.`,
      expected: "Keys to expect",
      expectedSays:
        "The repository names these keys in fdl.json. A mirror can change that file too, so they say which keys to look for and never whom to trust.",
      unreadable: "This line cannot be read",
    },

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
      reading: "Reading the first rows.",
      some: (shown: number, all: number) =>
        `The first ${format.number(shown)} of ${count(all, "row", "rows")}.`,
      all: (rows: number) => (rows === 1 ? "The only row." : `All ${format.number(rows)} rows.`),
      first: (shown: number) => `The first ${count(shown, "row", "rows")}.`,
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
        "Everything on this page is read and checked in your browser. Nothing is sent anywhere but requests for files to the repository’s host.",
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
  untrusted_version: "Not trusted",
  broken_version: "Broken",
  aborted: "Cancelled",
  invalid_url: "That is not an address",
  unsupported_format: "A newer reader is needed",
  malformed_catalog: "The catalog cannot be read",
  unsupported_table: "This table cannot be read here",
  unsupported_storage: "A newer engine is needed",
  engine_not_loaded: "The query engine could not be loaded",
  extension_missing: "A part of the query engine is missing",
  extension_mismatch: "A part of the query engine does not fit",
  query_failed: "The query failed",
  wasm_not_loaded: "The reader could not be loaded",
};
