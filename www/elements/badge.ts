/** A verdict in a few words, for a list of versions. */
import { css, html, type TemplateResult } from "lit";
import type { Locale, Text } from "../locales/index.js";
import type { VerdictDocument } from "../reader/types.js";
import { signatureCheck } from "../reader/signature-check.js";
import { mark, type Mark } from "./icons.js";

export const badgeLook = css`
  .badge {
    display: inline-flex;
    gap: 0.3rem;
    align-items: start;
    color: var(--muted);
  }
  .badge .mark {
    width: 1rem;
    height: 1rem;
    margin-top: 0.15rem;
  }
`;

/** What a verdict on a record comes to: its signature, and whether a file is known to be broken. */
export function badge(verdict: VerdictDocument, { text }: Locale): TemplateResult {
  const [kind, words] = inShort(verdict, text);
  return html`<span class="badge">${mark(kind)}<span>${words}</span></span>`;
}

function inShort(verdict: VerdictDocument, { history }: Text): [Mark, string] {
  if (verdict.integrity === "broken") return ["bad", history.broken];
  const signer = verdict.signer?.principal ?? null;
  switch (verdict.signature) {
    case "trusted":
      return ["good", signer === null ? history.trusted : history.trustedBy(signer)];
    case "untrusted": {
      const code = signatureCheck(verdict)?.code;
      if (code === "revoked") return ["bad", history.revoked];
      return ["doubt", code === "listed_key" ? history.listed : history.untrusted];
    }
    case "unsigned":
      return ["doubt", history.unsigned];
    case "bad":
      return ["bad", history.bad];
    case "unchecked":
      return ["unknown", history.unchecked];
  }
}
