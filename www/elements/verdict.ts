import { css, html, nothing, type TemplateResult } from "lit";
import type {
  Check,
  ExpectedSigner,
  Signer,
  SkippedLine,
  VerdictDocument,
} from "../reader/types.js";
import type { Text } from "../locales/index.js";
import { FdlElement } from "./element.js";
import { mark, type Mark } from "./icons.js";
import { look, pairs } from "./look.js";

/** An answer to one of the two questions. */
interface Answer {
  mark: Mark;
  word: string;
  says: string;
}

/** `<fdl-verdict>`: what was checked, what was not, and what it came to. */
export class FdlVerdict extends FdlElement {
  static override styles = [
    look,
    pairs,
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
      .outcome {
        display: flex;
        gap: 0.4rem;
        align-items: start;
        white-space: nowrap;
      }
      .outcome .mark {
        margin-top: 0.1em;
      }
      .outcome.absent .mark,
      .outcome.unchecked .mark {
        color: var(--muted);
      }
      td:first-child {
        white-space: nowrap;
      }
      td:last-child {
        width: 100%;
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
    signersGiven: { type: Boolean, attribute: "signers-given" },
    expected: { attribute: false },
  };

  verdict: VerdictDocument | null = null;
  /** Whether the page names trusted signers at all. */
  signersGiven = false;
  /** Whether there is a description that the record does not name. */
  looseDescription = false;
  /** Keys that the repository names: shown, never believed. */
  expected: ExpectedSigner[] = [];

  protected override render(): TemplateResult | typeof nothing {
    const { verdict } = this;
    if (!verdict) return nothing;
    const { text } = this.locale;
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
          signature(verdict, this.signersGiven, text),
          "signature",
        )}
      </div>
      <details>
        <summary>${text.verdict.details}</summary>
        <div class="parts">
          ${this.checks(verdict.checks)} ${this.reach(verdict)}
          ${verdict.signer ? this.signer(verdict.signer) : nothing}
          ${this.skippedLines(verdict.skipped_lines)} ${this.expectedKeys()}
        </div>
      </details>
    `;
  }

  private checks(checks: Check[]): TemplateResult {
    const { verdict: text, ...rest } = this.locale.text;
    return html`<section class="all">
      <h4>${text.checks}</h4>
      <div class="scroll" role="region" tabindex="0" aria-label=${text.checks}>
        <table>
          <thead>
            <tr>
              <th scope="col">${text.file}</th>
              <th scope="col">${text.outcome}</th>
            </tr>
          </thead>
          <tbody>
            ${checks.map(
              (check) =>
                html`<tr>
                  <td><code>${check.file}</code></td>
                  <td>
                    <p class="outcome ${check.outcome}">
                      ${mark(marks[check.outcome])} ${text[check.outcome]}
                    </p>
                    ${
                      check.code === null
                        ? nothing
                        : html`<p><code>${check.code}</code></p>
                            <p>${rest.check(check)}</p>`
                    }
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  private reach({ covers }: VerdictDocument): TemplateResult {
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
      </section>
      <section>
        <h4>${text.uncovered}</h4>
        <ul class="points">
          ${[
            ...(covers.includes("version.json") ? [] : [text.uncoveredRecord]),
            ...(this.looseDescription ? [text.uncoveredDescription] : []),
            text.uncoveredData,
            text.uncoveredRefs,
            text.uncoveredParents,
            text.uncoveredRepository,
            text.uncoveredExpired,
          ].map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </section>`;
  }

  private signer(signer: Signer): TemplateResult {
    const { verdict: text } = this.locale.text;
    return html`<section>
      <h4>${text.signer}</h4>
      <dl class="pairs">
        <dt>${text.principal}</dt>
        <dd>${signer.principal ?? text.noPrincipal}</dd>
        <dt>${text.keyType}</dt>
        <dd><code>${signer.key_type}</code></dd>
        <dt>${text.fingerprint}</dt>
        <dd><code>${signer.fingerprint}</code></dd>
        <dt>${text.namespace}</dt>
        <dd><code>${signer.namespace}</code></dd>
        <dt>${text.time}</dt>
        <dd>${text.timeSays(this.locale.moment(signer.time))}</dd>
        <dt>${text.line}</dt>
        <dd>${signer.line === null ? text.noLine : text.lineSays(signer.line)}</dd>
      </dl>
    </section>`;
  }

  private skippedLines(lines: SkippedLine[]): TemplateResult | typeof nothing {
    if (lines.length === 0) return nothing;
    const { verdict: text } = this.locale.text;
    return html`<section>
      <h4>${text.skipped}</h4>
      <ul class="points">
        ${lines.map(({ line, reason }) => html`<li>${text.skippedSays(line, reason)}</li>`)}
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

const marks: Record<Check["outcome"], Mark> = {
  passed: "good",
  failed: "bad",
  unchecked: "unknown",
  absent: "unknown",
};

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
  </section>`;
}

/** The checks of files that are not what the record says. A bad signature is the other question's. */
export function brokenChecks({ checks }: VerdictDocument): Check[] {
  return checks.filter(({ outcome, file }) => outcome === "failed" && file !== "version.json.sig");
}

/** The checks of files that could not be held against the record, those that come later aside. */
export function uncheckedChecks({ checks }: VerdictDocument): Check[] {
  return checks.filter(
    ({ outcome, code, file }) =>
      outcome === "unchecked" &&
      code !== "not_read_yet" &&
      code !== "not_in_record" &&
      file !== "version.json.sig",
  );
}

function integrity(verdict: VerdictDocument, { verdict: text }: Text): Answer {
  switch (verdict.integrity) {
    case "broken":
      return {
        mark: "bad",
        word: text.broken,
        says: text.brokenSays(brokenChecks(verdict).map((check) => check.file)),
      };
    case "unchecked": {
      const files = uncheckedChecks(verdict).map((check) => check.file);
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

function signature(verdict: VerdictDocument, signersGiven: boolean, all: Text): Answer {
  const { verdict: text } = all;
  switch (verdict.signature) {
    case "trusted":
      return {
        mark: "good",
        word: text.trusted,
        says: text.trustedSays(verdict.signer?.principal ?? ""),
      };
    case "untrusted":
      return signersGiven
        ? { mark: "doubt", word: text.untrusted, says: whyUntrusted(verdict, all) }
        : {
            mark: "unknown",
            word: text.nobody,
            says: verdict.signer ? text.nobodySigned(verdict.signer.fingerprint) : text.nobodySays,
          };
    case "unsigned":
      return signersGiven
        ? { mark: "doubt", word: text.unsigned, says: text.unsignedSays }
        : { mark: "unknown", word: text.nobody, says: text.nobodyUnsigned };
    case "bad":
      return { mark: "bad", word: text.bad, says: badSays(verdict, all) };
    case "unchecked":
      return {
        mark: "unknown",
        word: text.uncheckedSignature,
        says: text.uncheckedSignatureSays,
      };
  }
}

function signatureCheck({ checks }: VerdictDocument): Check | undefined {
  return checks.find(({ file }) => file === "version.json.sig");
}

/** A key that the page does not know is the usual reason; any other is told as it was found. */
function whyUntrusted(verdict: VerdictDocument, { verdict: text, check: says }: Text): string {
  const check = signatureCheck(verdict);
  return !check || check.code === "unknown_key" ? text.untrustedKeySays : says(check);
}

function badSays(verdict: VerdictDocument, { verdict: text, check: says }: Text): string {
  const check = signatureCheck(verdict);
  return !check || check.code === "bad_signature" ? text.badSays : says(check);
}
