/** Every check of a verdict in a table, with the root that served each file where a mirror did. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../locales/index.js";
import type { Check, PassedOver, VerdictDocument } from "../reader/types.js";
import { mark, type Mark } from "./icons.js";

export const checksLook = css`
  .checks td:first-child {
    white-space: nowrap;
  }
  .checks td.outcomes {
    width: 100%;
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
  .checks .over {
    color: var(--muted);
  }
`;

const marks: Record<Check["outcome"], Mark> = {
  passed: "good",
  failed: "bad",
  unchecked: "unknown",
  absent: "unknown",
};

/** The roots beside the repository's own that served a file. */
export function mirrorsOf({ checks, repository }: VerdictDocument): string[] {
  const roots = checks.flatMap(({ root }) =>
    root === null || root === repository.url ? [] : [root],
  );
  return [...new Set(roots)];
}

export function checksTable(verdict: VerdictDocument, { text }: Locale): TemplateResult {
  const { verdict: words } = text;
  const { checks } = verdict;
  const manyRoots =
    mirrorsOf(verdict).length > 0 || checks.some(({ passed_over }) => passed_over.length > 0);
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.checks}>
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">${words.file}</th>
          <th scope="col">${words.outcome}</th>
        </tr>
      </thead>
      <tbody>
        ${checks.map(
          (check) =>
            html`<tr>
              <td><code>${check.file}</code></td>
              <td class="outcomes">
                <p class="outcome ${check.outcome}">
                  ${mark(marks[check.outcome])} ${words[check.outcome]}
                </p>
                ${
                  check.code === null
                    ? nothing
                    : html`<p><code>${check.code}</code></p>
                        <p>${text.check(check)}</p>`
                }
                ${
                  manyRoots && check.root !== null
                    ? html`<p>${words.readFrom} <code class="root">${check.root}</code></p>`
                    : nothing
                }
                ${check.passed_over.map(
                  (over) =>
                    html`<p class="over">
                      ${words.passedOver(over.root, text.check(asCheck(check, over)))}
                    </p>`,
                )}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function asCheck({ file }: Check, { code, message, facts }: PassedOver) {
  return { file, code, message, facts };
}
