import { css, html, nothing, type TemplateResult } from "lit";
import type { Verdict } from "../reader/index.js";
import type { ExpectedSigner } from "../reader/types.js";
import { integrity, signature, type Answer } from "./answers.js";
import { checksLook, checksTable, mirrorsOf } from "./checks.js";
import { FdlElement } from "./element.js";
import { mark } from "./icons.js";
import { look, pairs } from "./look.js";
import { signerPairs } from "./signer.js";
import { asksForSigner, trustedLook, trustedSigners, type Trust } from "./trusted-signers.js";

/** `<fdl-verdict>`: what was checked, what was not, and what it came to. */
export class FdlVerdict extends FdlElement {
  static override styles = [
    look,
    pairs,
    checksLook,
    trustedLook,
    css`
      :host {
        container-type: inline-size;
      }
      h3 {
        margin-bottom: 0.75rem;
      }
      .answers {
        display: grid;
        grid-template-columns: 1fr 1fr;
        border: 1px solid var(--line);
        background: var(--raised);
      }
      .answer {
        padding: 1rem 1.25rem 1.1rem;
        border-top: 3px solid currentColor;
        margin-top: -1px;
      }
      .answer + .answer {
        border-inline-start: 1px solid var(--line);
      }
      .answer > * {
        color: var(--ink);
      }
      .question {
        font-size: 0.8125rem;
        color: var(--muted);
      }
      .question strong {
        color: var(--ink);
        font-weight: 600;
      }
      .word {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        margin: 0.35rem 0 0.25rem;
        font-family: var(--serif);
        font-size: 1.3125rem;
        line-height: 1.3;
        color: inherit;
      }
      .says {
        font-size: 0.9375rem;
      }
      .aside {
        margin-top: 0.4rem;
        font-size: 0.875rem;
        color: var(--muted);
      }
      .mirrors {
        margin-top: 0.6rem;
        font-size: 0.875rem;
      }
      @container (width < 40rem) {
        .answers {
          grid-template-columns: 1fr;
        }
        .answer + .answer {
          border-inline-start: 0;
        }
      }
      details {
        margin-top: 0.35rem;
      }
      .parts {
        display: grid;
        gap: 1.5rem;
        padding: 1rem 0 0.5rem;
      }
      .parts > section {
        min-width: 0;
      }
      h4 {
        margin-bottom: 0.4rem;
      }
      .points {
        display: grid;
        gap: 0.3rem;
        max-width: 46rem;
        margin-top: 0.3rem;
        font-size: 0.875rem;
      }
      ul.points {
        list-style: disc;
        padding-inline-start: 1.1rem;
      }
      @container (width >= 60rem) {
        .parts {
          grid-template-columns: 1fr 1fr;
          gap: 1.75rem 3.5rem;
        }
        .parts > .all {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  static override properties = {
    verdict: { attribute: false },
    looseDescription: { type: Boolean, attribute: "loose-description" },
    trust: { attribute: false },
    expected: { attribute: false },
    verifiesData: { type: Boolean, attribute: "verifies-data" },
  };

  verdict: Verdict | null = null;
  /** What the page judges by. */
  trust: Trust = { signers: null, principal: null, revokes: false };
  /** Whether there is a description that the record does not name. */
  looseDescription = false;
  /** Keys that the repository names: shown, never believed. */
  expected: ExpectedSigner[] = [];
  /** Whether the page verifies data files before it shows rows of them. */
  verifiesData = false;

  protected override render(): TemplateResult | typeof nothing {
    const { verdict, trust } = this;
    if (!verdict) return nothing;
    const { text, tag } = this.locale;
    const mirrors = mirrorsOf(verdict);
    return html`
      <h3>${text.verdict.heading}</h3>
      <div class="answers">
        ${answered(
          text.verdict.integrity,
          text.verdict.integrityAsks,
          integrity(verdict, text),
          "integrity",
        )}
        ${answered(
          text.verdict.signature,
          text.verdict.signatureAsks,
          signature(verdict, asksForSigner(trust), text),
          "signature",
        )}
      </div>
      ${
        mirrors.length === 0
          ? nothing
          : html`<p class="mirrors">${text.verdict.servedByMirrors(mirrors)}</p>`
      }
      <details>
        <summary>${text.verdict.details}</summary>
        <div class="parts">
          <section class="all">
            <h4>${text.verdict.checks}</h4>
            ${checksTable(verdict, this.locale)}
          </section>
          ${this.reach(verdict)}
          ${
            verdict.signer
              ? html`<section>
                  <h4>${text.verdict.signer}</h4>
                  ${signerPairs(verdict.signer, verdict, this.locale)}
                </section>`
              : nothing
          }
          <section id="trusted">
            <h4>${text.trusted.heading}</h4>
            ${trustedSigners(trust, trustedLine(verdict), this.locale)}
          </section>
          ${this.expectedKeys()}
          <section class="all">
            <fdl-report lang=${tag} .report=${verdict.report()}></fdl-report>
          </section>
        </div>
      </details>
    `;
  }

  private reach({ covers, data }: Verdict): TemplateResult {
    const { verdict: text } = this.locale.text;
    return html`<section>
        <h4>${text.covered}</h4>
        ${
          covers.length === 0
            ? html`<p class="points">${text.coveredNothing}</p>`
            : html`<p class="small">${text.coveredSays}</p>
                <ul class="points">
                  ${covers.map((file) => html`<li><code>${file}</code></li>`)}
                </ul>`
        }
        ${this.verifiesData ? html`<p class="points">${text.coveredData}</p>` : nothing}
      </section>
      <section>
        <h4>${text.uncovered}</h4>
        <ul class="points">
          ${[
            ...(covers.includes("version.json") ? [] : [text.uncoveredRecord]),
            ...(this.looseDescription ? [text.uncoveredDescription] : []),
            ...(!this.verifiesData && (data === null || data.source === null)
              ? [text.uncoveredData]
              : []),
            ...(data !== null && data.compared > 0
              ? [text.uncoveredDataHashes(data.compared)]
              : []),
            text.uncoveredRefs,
            text.uncoveredParents,
            text.uncoveredRepository,
            text.uncoveredExpired,
          ].map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </section>`;
  }

  private expectedKeys(): TemplateResult | typeof nothing {
    if (this.expected.length === 0) return nothing;
    const { verdict: text } = this.locale.text;
    return html`<section>
      <h4>${text.expected}</h4>
      <p class="points">${text.expectedSays}</p>
      <ul class="points">
        ${this.expected.map(
          (key) =>
            html`<li>
              ${
                key.problem === null
                  ? html`${key.principals} <code>${key.key_type} ${key.fingerprint}</code>`
                  : html`<code>${key.text}</code> — ${text.unreadable}: ${key.problem}`
              }
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

/** The line of the page's list by which the version is trusted. */
function trustedLine({ signature, signer }: Verdict): number | null {
  return signature === "trusted" ? (signer?.line ?? null) : null;
}

function answered(
  question: string,
  asks: string,
  answer: Answer,
  name: "integrity" | "signature",
): TemplateResult {
  return html`<section class="answer ${answer.mark}" id=${name}>
    <p class="question"><strong>${question}</strong> · ${asks}</p>
    <p class="word ${answer.mark}">${mark(answer.mark)}<span>${answer.word}</span></p>
    <p class="says">${answer.says}</p>
    ${answer.aside === undefined ? nothing : html`<p class="aside">${answer.aside}</p>`}
  </section>`;
}
