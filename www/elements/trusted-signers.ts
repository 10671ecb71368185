/** Whom a page trusts, from when until when, and for what. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../locales/index.js";
import type { TrustedSigner, TrustedSignersList } from "../reader/types.js";
import { validityInWords } from "./signer.js";

/** What a page gives to judge by, as far as people are shown it. */
export interface Trust {
  /** `null` where the page gives none. */
  signers: TrustedSignersList | null;
  /** By whom signatures must be; `null` for any trusted signer. */
  principal: string | null;
  /** Whether there are keys that no longer count. */
  revokes: boolean;
}

/** Whether anything but a version signed by someone in particular is refused. */
export function asksForSigner({ signers, principal }: Trust): boolean {
  return signers !== null || principal !== null;
}

export const trustedLook = css`
  .trusted li {
    padding: 0.6rem 0;
    border-top: 1px solid var(--line);
  }
  .trusted li:first-child {
    border-top: 0;
  }
  .trusted .who {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.15rem 0.6rem;
    font-weight: 600;
    font-size: 0.9375rem;
  }
  .trusted .who .signed {
    padding: 0 0.45rem;
    border: 1px solid currentColor;
    border-radius: 2px;
    font-size: 0.75rem;
    line-height: 1.5;
    color: var(--good);
  }
  .trusted .pairs {
    margin-top: 0.2rem;
    gap: 0.1rem 1.25rem;
  }
`;

/** `line`: the number of the line that made the version trusted. */
export function trustedSigners(
  { signers, principal, revokes }: Trust,
  line: number | null,
  locale: Locale,
): TemplateResult {
  const { trusted: text } = locale.text;
  return html`
    ${
      signers === null
        ? html`<p class="points">${text.nobody}</p>`
        : signers.lines.length === 0
          ? html`<p class="points">${text.none}</p>`
          : html`<ul class="trusted">
              ${signers.lines.map((signer) => one(signer, signer.line === line, locale))}
            </ul>`
    }
    ${principal === null ? nothing : html`<p class="points">${text.asks(principal)}</p>`}
    ${revokes ? html`<p class="points">${text.revokes}</p>` : nothing}
    ${
      signers === null || signers.skipped.length === 0
        ? nothing
        : html`<p class="points skipped">${text.skipped}</p>
            <ul class="points">
              ${signers.skipped.map(
                ({ line, reason }) => html`<li>${text.skippedSays(line, reason)}</li>`,
              )}
            </ul>`
    }
  `;
}

function one(signer: TrustedSigner, signed: boolean, locale: Locale): TemplateResult {
  const { trusted: text } = locale.text;
  return html`<li>
    <p class="who">
      <span>${signer.principals}</span>
      ${signed ? html`<span class="signed">${text.signedThis}</span>` : nothing}
    </p>
    <dl class="pairs">
      <dt>${text.key}</dt>
      <dd>
        <code>${signer.key_type} ${signer.fingerprint}</code>
        ${signer.comment === "" ? nothing : html`(${signer.comment})`}
        ${signer.cert_authority ? html`<br />${text.authority}` : nothing}
      </dd>
      <dt>${text.what}</dt>
      <dd>
        ${signer.namespaces === null ? text.anything : html`<code>${signer.namespaces}</code>`}
      </dd>
      <dt>${text.when}</dt>
      <dd>${validityInWords(signer, locale)} · ${text.line(signer.line)}</dd>
    </dl>
  </li>`;
}
