/** Whose key signed a version, what is known of it, and what it was held against. */
import { html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../locales/index.js";
import type { Signer, SignerCertificate, VerdictDocument } from "../reader/types.js";
import { signatureCheck } from "../reader/signature-check.js";
import { authorName } from "./answers.js";

export function signerPairs(
  signer: Signer,
  verdict: VerdictDocument,
  locale: Locale,
): TemplateResult {
  const { verdict: text } = locale.text;
  const { certificate } = signer;
  const written = authorName(verdict.author);
  return html`<dl class="pairs">
    <dt>${text.principal}</dt>
    <dd>${signer.principal ?? noPrincipal(verdict, locale)}</dd>
    <dt>${text.author}</dt>
    <dd>${written === "" ? text.noAuthor : text.authorSays(written)}</dd>
    <dt>${text.keyType}</dt>
    <dd><code>${signer.key_type}</code></dd>
    <dt>${text.fingerprint}</dt>
    <dd><code>${signer.fingerprint}</code></dd>
    ${certificate ? certificatePairs(certificate, locale) : nothing}
    <dt>${text.namespace}</dt>
    <dd><code>${signer.namespace}</code></dd>
    <dt>${text.time}</dt>
    <dd>${text.timeSays[signer.time_is](locale.moment(signer.time))}</dd>
    ${
      signer.line === null
        ? nothing
        : html`<dt>${text.line}</dt>
            <dd>${text.lineSays(signer.line)}</dd>`
    }
    ${
      signer.listed_as === null
        ? nothing
        : html`<dt>${text.listedAs}</dt>
            <dd>${text.listedAsSays(signer.listed_as)}</dd>`
    }
  </dl>`;
}

/** Why no principal is known: the list was looked at only where the signature itself is good. */
function noPrincipal(verdict: VerdictDocument, { text }: Locale): string {
  switch (signatureCheck(verdict)?.code) {
    case "unknown_key":
    case "listed_key":
      return text.verdict.noPrincipal;
    case "no_trusted_signers":
      return text.verdict.noList;
    default:
      return text.verdict.notLookedUp;
  }
}

function certificatePairs(certificate: SignerCertificate, locale: Locale): TemplateResult {
  const { text, list } = locale;
  const { key_id, serial, principals, authority } = certificate;
  return html`<dt>${text.verdict.certificate}</dt>
    <dd>${text.verdict.certificateSays(key_id, serial === "0" ? null : serial)}</dd>
    <dt>${text.verdict.certifiedFor}</dt>
    <dd>${principals.length === 0 ? text.verdict.certifiedForNobody : list(principals)}</dd>
    <dt>${text.verdict.certified}</dt>
    <dd>${validityInWords(certificate, locale)}</dd>
    <dt>${text.verdict.authority}</dt>
    <dd><code>${authority}</code></dd>`;
}

/** From when until when a key or a certificate counts. */
export function validityInWords(
  { valid_after, valid_before }: { valid_after: string | null; valid_before: string | null },
  { text, moment }: Locale,
): string {
  const written = (time: string | null) => (time === null ? null : moment(time));
  return text.trusted.validity(written(valid_after), written(valid_before));
}
