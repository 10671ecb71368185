/** Why no row of a version is shown, in words. */
import { html, type TemplateResult } from "lit";
import type { CheckOutcome, Locale } from "../locales/index.js";
import type { Version } from "../reader/index.js";
import type { Check, VerdictDocument } from "../reader/types.js";
import { expiredInFull } from "./expired.js";
import { notice } from "./notice.js";
import { signatureCheck } from "../reader/signature-check.js";
import { brokenFiles, brokenFindings, uncheckedChecks } from "./answers.js";

/** What stops the hand-over whomever the page trusts: `NEVER` in src/version.rs. */
const never = ["bad_signature", "certificate_bad_authority_signature", "revoked"];

/** `null` where nothing stands against showing rows. `again` is what the visitor can try. */
export function refusal(
  version: Version,
  verdict: VerdictDocument,
  { asksForSigner, again }: { asksForSigner: boolean; again: TemplateResult },
  locale: Locale,
): TemplateResult | null {
  const { text } = locale;
  const { refusedHeadline, refusedBroken, refusedSignature } = text.verdict;
  if (version.expired) {
    const code = version.expired.reason === "withdrawn" ? "withdrawn" : "past_retention";
    return notice("doubt", text.headline(code), expiredInFull(version.expired, locale));
  }
  if (verdict.integrity === "broken") {
    const says = refusedBroken(brokenFiles(verdict, text.verdict.moreFiles));
    return notice("bad", refusedHeadline, withFindings(says, brokenFindings(verdict), text));
  }
  const code = signatureCheck(verdict)?.code ?? "";
  if (never.includes(code)) {
    const { refusedRevoked, refusedBadSignature } = text.verdict;
    const says = code === "revoked" ? refusedRevoked : refusedBadSignature;
    return notice("bad", refusedHeadline, says);
  }
  if (!asksForSigner) return null;
  if (verdict.signature !== "trusted") {
    const says = code === "listed_key" ? text.verdict.refusedListed : refusedSignature;
    return notice("doubt", refusedHeadline, says);
  }

  // The catalog's own check comes with its rows.
  const unchecked = uncheckedChecks(verdict).filter(
    (check) => check.file !== version.record.catalog.path,
  );
  if (unchecked.length === 0) return null;
  const says = text.verdict.refusedUnchecked(names(unchecked));
  return notice("unknown", refusedHeadline, withFindings(says, unchecked, text), again);
}

function names(checks: Check[]): string[] {
  return checks.map((check) => check.file);
}

function withFindings(says: string, checks: CheckOutcome[], text: Locale["text"]): TemplateResult {
  return html`<p>${says}</p>
    ${checks.map((check) => html`<p class="quiet">${text.check(check)}</p>`)}`;
}
