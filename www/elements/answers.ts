/** The two questions that a verdict answers, in words. */
import type { CheckOutcome, Text } from "../locales/index.js";
import type { Check, RecordAuthor, VerdictDocument } from "../reader/types.js";
import type { Mark } from "./icons.js";
import { isOfSignature, signatureCheck } from "../reader/signature-check.js";

/** An answer to one of the two questions. */
export interface Answer {
  mark: Mark;
  word: string;
  says: string;
  /** What stands beside it and decides nothing. */
  aside?: string;
}

/** The checks of files that are not what the record says. A bad signature is the other question's. */
function brokenChecks({ checks }: VerdictDocument): Check[] {
  return checks.filter((check) => check.outcome === "failed" && !isOfSignature(check));
}

/** The checks of files that could not be held against the record, those that come later aside. */
export function uncheckedChecks({ checks }: VerdictDocument): Check[] {
  return checks.filter(
    (check) =>
      check.outcome === "unchecked" &&
      check.code !== "not_read_yet" &&
      check.code !== "not_in_record" &&
      !isOfSignature(check),
  );
}

/** As many data files are named in a sentence; how many more there are is said. */
const named = 3;

/** The files that are not what is recorded, data files among them. */
export function brokenFiles(verdict: VerdictDocument, more: (files: number) => string): string[] {
  return [...brokenChecks(verdict).map(({ file }) => file), ...dataFiles(verdict, "failed", more)];
}

/** What was found in them, of data files in as many as are named. */
export function brokenFindings(verdict: VerdictDocument): CheckOutcome[] {
  const failed = verdict.data?.problems.filter(({ outcome }) => outcome === "failed") ?? [];
  const ofData = failed.slice(0, named).map((problem) => ({ ...problem, file: problem.path }));
  return [...brokenChecks(verdict), ...ofData];
}

function uncheckedFiles(verdict: VerdictDocument, more: (files: number) => string): string[] {
  const checks = uncheckedChecks(verdict).map(({ file }) => file);
  return [...checks, ...dataFiles(verdict, "unchecked", more)];
}

function dataFiles(
  { data }: VerdictDocument,
  outcome: "failed" | "unchecked",
  more: (files: number) => string,
): string[] {
  const problems = data?.problems.filter((problem) => problem.outcome === outcome) ?? [];
  const files = problems.slice(0, named).map(({ path }) => path);
  const left = (data?.[outcome] ?? 0) - files.length;
  return left > 0 ? [...files, more(left)] : files;
}

/** Do the bytes match what the record says? */
export function integrity(verdict: VerdictDocument, { verdict: text }: Text): Answer {
  switch (verdict.integrity) {
    case "broken":
      return {
        mark: "bad",
        word: text.broken,
        says: text.brokenSays(brokenFiles(verdict, text.moreFiles)),
      };
    case "unchecked": {
      const files = uncheckedFiles(verdict, text.moreFiles);
      return files.length === 0
        ? { mark: "unknown", word: text.nothingRead, says: text.nothingReadSays }
        : {
            mark: "unknown",
            word: text.uncheckedIntegrity,
            says: text.uncheckedIntegritySays(files),
          };
    }
    case "intact": {
      const unread = verdict.checks.filter((check) => check.code === "not_read_yet");
      return unread.length === 0
        ? { mark: "good", word: text.intact, says: text.intactSays }
        : {
            mark: "good",
            word: text.intactSoFar,
            says: text.intactSoFarSays(unread.map((check) => check.file)),
          };
    }
  }
}

/** Did someone whom this page trusts sign the record? `asksForSigner`: whether it names anyone. */
export function signature(verdict: VerdictDocument, asksForSigner: boolean, all: Text): Answer {
  const { verdict: text } = all;
  const { signer, author } = verdict;
  switch (verdict.signature) {
    case "trusted":
      return {
        mark: "good",
        word: text.trusted,
        says: text.trustedSays(signer?.principal ?? ""),
        ...(author.is_signer === false
          ? { aside: text.authorDiffers(authorName(author), signer?.principal ?? "") }
          : {}),
      };
    case "untrusted": {
      const check = signatureCheck(verdict);
      if (!asksForSigner && check?.code === "no_trusted_signers") {
        return {
          mark: "unknown",
          word: text.nobody,
          says: signer ? text.nobodySigned(signer.fingerprint) : text.nobodySays,
        };
      }
      return {
        mark: check?.code === "revoked" ? "bad" : "doubt",
        word: text.untrustedBecause[check?.code ?? ""] ?? text.untrusted,
        says: !check || check.code === "unknown_key" ? text.untrustedKeySays : all.check(check),
      };
    }
    case "unsigned":
      return asksForSigner
        ? { mark: "doubt", word: text.unsigned, says: text.unsignedSays }
        : { mark: "unknown", word: text.nobody, says: text.nobodyUnsigned };
    case "bad": {
      const check = signatureCheck(verdict);
      const says = !check || check.code === "bad_signature" ? text.badSays : all.check(check);
      return { mark: "bad", word: text.bad, says };
    }
    case "unchecked":
      return {
        mark: "unknown",
        word: text.uncheckedSignature,
        says: text.uncheckedSignatureSays,
      };
  }
}

/** The author as the record names them; empty where it names nobody. */
export function authorName({ name, email }: RecordAuthor): string {
  if (name === null || email === null) return name ?? email ?? "";
  return `${name} <${email}>`;
}
