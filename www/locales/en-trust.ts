import type { Formats } from "./formats.js";

/** What is said of trust, in English. */
export const trust = (format: Formats) => {
  const counted = (files: number) => `${format.number(files)} ${files === 1 ? "file" : "files"}`;

  return {
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
      /** The same by the code of the signature's check, where there is more to say. */
      untrustedBecause: {
        listed_key: "Listed by the repository, not trusted",
        revoked: "Signed, but the key was revoked",
        principal_not_allowed: "Signed, but by someone else",
        not_yet_valid: "Signed, but the key did not count yet",
        expired_key: "Signed, but the key no longer counted",
        certificate_not_yet_valid: "Signed, but the key did not count yet",
        certificate_expired: "Signed, but the key no longer counted",
        wrong_namespace: "Signed, but for something else",
        namespace_not_allowed: "Signed, but for something else",
      } as Record<string, string>,
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
      authorDiffers: (author: string, principal: string) =>
        `The record names ${author} as its author, and ${principal} signed it. That may well be meant: people sign what others wrote.`,

      /** Why rows are kept back, by the question that stopped them. */
      refusedHeadline: "No rows are shown",
      refusedBroken: (files: string[]) =>
        `${format.list(files)} ${files.length === 1 ? "is" : "are"} broken, so nothing in the tables can be relied on. Try again later or from another mirror, and tell the publisher. What was found:`,
      refusedBadSignature:
        "The record and its signature do not belong together. One of the two was changed, so nothing that follows from this record can be relied on. Try another mirror, and tell the publisher.",
      refusedRevoked:
        "The key that signed this version was revoked: whoever has it may not be whom it was given to. Choose another version, or ask the publisher for one that is signed anew.",
      refusedListed:
        "This page shows rows only of versions that someone it trusts has signed. The repository itself lists the key that signed this one, but whoever serves a repository can write that list. The record and its description stand here for what they are: unconfirmed. If the publisher gives the same key elsewhere, ask whoever runs this page to trust it.",
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
      readFrom: "Read from",
      passedOver: (root: string, sentence: string) => `Not read from ${root}: ${sentence}`,
      servedByMirrors: (roots: string[]) =>
        `Some files were read from ${format.list(roots)}, since they could not be had, or were broken, at the repository’s own address. A mirror needs no trust: what it serves is held against the record all the same.`,
      copyReport: "Copy the report",
      copied: "The report is in the clipboard.",
      notCopied: "This browser does not let the page copy. Select the report here and copy it:",
      report: "Report",
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
        "The data files (Parquet) have not been compared with anything. Whoever serves them could change a value in them.",
      coveredData:
        "Before a row is shown, every data file is downloaded whole and held against its recorded SHA-256. A table with a file that is another, or has none recorded, is not shown.",
      uncoveredDataHashes: (files: number) =>
        `No SHA-256 is recorded for ${counted(files)} of data. Whoever serves them could change a value in them.`,
      moreFiles: (files: number) => `${counted(files)} more`,
      uncoveredExpired:
        "expired.json is not signed. A host can mark a version as past retention, or take the mark away.",
      signer: "Who signed",
      principal: "Principal",
      noPrincipal: "None in the page’s list",
      noList: "Not known: the page has no list",
      notLookedUp: "Not looked up, since the signature does not count",
      keyType: "Key type",
      fingerprint: "Fingerprint",
      namespace: "Namespace",
      time: "Time used",
      timeSays: {
        created: (moment: string) => `${moment}, the time that the record gives`,
        now: (moment: string) => `${moment}, when this page opened the repository`,
        given: (moment: string) => `${moment}, the time that this page sets`,
      },
      line: "Line with the key",
      lineSays: (line: number) => `line ${format.number(line)} of the trusted signers`,
      author: "Author",
      noAuthor: "None given",
      authorSays: (author: string) => `${author}, as the record says itself`,
      listedAs: "In fdl.json",
      listedAsSays: (principals: string) => `listed for ${principals}, which proves nothing`,
      certificate: "Certificate",
      certificateSays: (id: string, serial: string | null) =>
        serial === null ? `“${id}”` : `“${id}”, number ${serial}`,
      certifiedFor: "Issued for",
      certifiedForNobody: "Nobody",
      certified: "It counts",
      authority: "Issued by",
      expected: "Keys to expect",
      expectedSays:
        "The repository names these keys in fdl.json. A mirror can change that file too, so they say which keys to look for and never whom to trust.",
      unreadable: "This line cannot be read",
    },

    trusted: {
      heading: "Whom this page trusts",
      nobody: "This page was given no trusted signers.",
      none: "This page’s list of trusted signers has no line that counts, so nobody is trusted.",
      who: "Who",
      key: "Key",
      what: "For",
      when: "When",
      authority:
        "Certificate authority: every key that it certifies counts, for the names in the certificate",
      signedThis: "signed this version",
      anything: "anything",
      validity: (from: string | null, until: string | null) => {
        if (from === null) return until === null ? "always" : `until ${until}`;
        return until === null ? `from ${from} on` : `from ${from} until ${until}`;
      },
      line: (line: number) => `Line ${format.number(line)}`,
      skipped: "Lines that cannot be read, and so do not count",
      skippedSays: (line: number, reason: string) => `Line ${format.number(line)}: ${reason}.`,
      asks: (principal: string) => `The page asks for a signature by ${principal}.`,
      revokes: "The page also has a list of revoked keys, which count for nobody.",
    },

    data: {
      heading: "Data files",
      about:
        "Rows lie in data files (Parquet), which are held against what is recorded for them only when you ask. All of them are downloaded for it.",
      aboutBeforeRows:
        "Rows lie in data files (Parquet). This page downloads all of them whole, and shows no row of one that is not the file that is recorded. Here you can see what becomes of each.",
      verify: "Verify the data files",
      again: "Verify them again",
      cancel: "Cancel",
      cancelled: "Cancelled: nothing is said of the data files.",
      listing: "Finding out which data files there are…",
      progress: (files: number, filesTotal: number, received: string, total: string) =>
        `${format.number(files)} of ${format.number(filesTotal)} files, ${received} of ${total} read.`,
      isVerified: "Every data file is the one that is recorded",
      isCompared: "No data file differs, but not every one is hashed",
      isUnchecked: "Not every data file could be checked",
      isNotListed: "Which data files there are is not known",
      isBroken: "Data files are not as recorded",
      isNothing: "There is no data file to verify",
      verified: (files: number) =>
        `${counted(files)} verified: the SHA-256 is the one that is recorded.`,
      compared: (files: number) =>
        `${counted(files)} compared: no SHA-256 is recorded, but length and number of rows are as recorded. That shows truncation and mix-ups, not forgery.`,
      failed: (files: number) =>
        `${counted(files)} failed: not what is recorded, or not there. Do not rely on this copy; tell the publisher.`,
      unchecked: (files: number) => `${counted(files)} could not be checked. Try again later.`,
      not_available: (files: number) =>
        `${counted(files)} not published: files that the version was made from, which the host keeps to itself. That is no fault.`,
      listedBy: {
        "files.json": (bytes: string) =>
          `files.json, which the record names, says which files there are. ${bytes} were read.`,
        catalog: (bytes: string) => `The catalog says which files there are. ${bytes} were read.`,
      },
      problems: "Files of which there is something to say",
      kinds: { data: "data file", delete: "delete file", source: "source file" },
      outcomes: { failed: "Failed", unchecked: "Not checked", not_available: "Not published" },
      more: (files: number) => `And ${counted(files)} more.`,
    },

    warnings: {
      showSeen: "Show the version seen before",
      accept: "Accept what is here now",
      accepted: "Accepted: from now on, this page compares with what is here now.",
    },
  };
};
