import { css, html, nothing, type TemplateResult } from "lit";
import type { Failure, Text } from "../locales/index.js";
import type { DataProgress } from "../reader/index.js";
import type { DataVerdict } from "../reader/types.js";
import { FdlElement } from "./element.js";
import { mark, type Mark } from "./icons.js";
import { look, pairs } from "./look.js";
import { failureNotice, failureOf, isAbort, noticeLook } from "./notice.js";
import { progressLook } from "./progress.js";

/** Verifies the data files of the version shown. What came of them is in its verdict. */
export type VerifyData = (
  signal: AbortSignal,
  onProgress: (progress: DataProgress) => void,
) => Promise<void>;

type State =
  | { at: "waiting" }
  | { at: "listing" }
  | { at: "reading"; progress: DataProgress }
  | { at: "cancelled" }
  | { at: "failed"; error: Failure };

/** `<fdl-data>`: holds every data file of a version against what is recorded, when asked to. */
export class FdlData extends FdlElement {
  static override styles = [
    look,
    pairs,
    noticeLook,
    progressLook,
    css`
      :host {
        container-type: inline-size;
      }
      .start {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1rem;
      }
      .about {
        flex: 1 1 20rem;
        max-width: 46rem;
        font-size: 0.875rem;
        color: var(--muted);
      }
      [aria-live] > * {
        margin-bottom: 0.75rem;
      }
      .word {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        font-family: var(--serif);
        font-size: 1.125rem;
        line-height: 1.3;
      }
      .counts {
        margin: 0.5rem 0 0.75rem;
        font-size: 0.875rem;
      }
      .counts li {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.5rem;
        padding: 0.1rem 0;
      }
      .counts .mark {
        margin-top: 0.1rem;
      }
      .scroll {
        max-height: 20rem;
        margin-bottom: 0.75rem;
      }
      .problems {
        font-size: 0.875rem;
      }
      .problems li {
        padding: 0.5rem 0.75rem;
      }
      .problems li + li {
        border-top: 1px solid var(--line);
      }
      .problems .path {
        display: flex;
        gap: 0.4rem;
      }
      .problems .path span {
        min-width: 0;
      }
    `,
  ];

  static override properties = {
    verify: { attribute: false },
    result: { attribute: false },
    beforeRows: { type: Boolean, attribute: "before-rows" },
    state: { state: true },
  };

  /** Another function stands for another version. */
  verify: VerifyData | null = null;
  /** What verifying came to; `null` while that was not asked for. */
  result: DataVerdict | null = null;
  /** Whether the page verifies data files before it shows rows of them. */
  beforeRows = false;
  private state: State = { at: "waiting" };
  #running: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("verify")) return;
    this.#running?.abort();
    this.state = { at: "waiting" };
  }

  private async start(): Promise<void> {
    const { verify } = this;
    if (!verify) return;
    const running = (this.#running = new AbortController());
    this.state = { at: "listing" };
    let state: State = { at: "waiting" };
    try {
      await verify(running.signal, (progress) => {
        if (this.#running === running) this.state = { at: "reading", progress };
      });
    } catch (thrown) {
      state = isAbort(thrown) ? { at: "cancelled" } : { at: "failed", error: failureOf(thrown) };
    }
    if (this.#running === running) this.state = state;
  }

  protected override render(): TemplateResult {
    const { data: text } = this.locale.text;
    const { state, result } = this;
    const runs = state.at === "listing" || state.at === "reading";
    return html`<section aria-label=${text.heading}>
      <div aria-live="polite" aria-busy=${runs}>${this.status()}</div>
      ${result !== null && state.at === "waiting" ? this.problems(result) : nothing}
      <div class="start">
        <button
          class="button"
          @click=${() => {
            if (runs) this.#running?.abort();
            else void this.start();
          }}
        >
          ${runs ? text.cancel : result === null && state.at === "waiting" ? text.verify : text.again}
        </button>
        ${
          result === null || runs
            ? html`<p class="about">${this.beforeRows ? text.aboutBeforeRows : text.about}</p>`
            : nothing
        }
      </div>
    </section>`;
  }

  private status(): TemplateResult | typeof nothing {
    const { state, result } = this;
    const { text, bytes } = this.locale;
    switch (state.at) {
      case "listing":
        return html`<p class="progress">${text.data.listing}<progress></progress></p>`;
      case "reading": {
        const { files, filesTotal, received, total } = state.progress;
        return html`<p class="progress">
          ${text.data.progress(files, filesTotal, bytes(received), bytes(total))}
          <progress
            max=${Math.max(total, 1)}
            value=${Math.min(received, total)}
            aria-label=${text.data.heading}
          ></progress>
        </p>`;
      }
      case "cancelled":
        return html`<p class="about">${text.data.cancelled}</p>`;
      case "failed":
        return failureNotice(state.error, this.locale);
      case "waiting":
        return result === null ? nothing : this.counted(result);
    }
  }

  private counted(result: DataVerdict): TemplateResult {
    const { text, bytes } = this.locale;
    const [kind, word] = inShort(result, text);
    const counts = (
      ["verified", "compared", "failed", "unchecked", "not_available"] as const
    ).filter((outcome) => result[outcome] > 0);
    return html`<p class="word ${kind}">${mark(kind)}<span>${word}</span></p>
      <ul class="counts">
        ${counts.map(
          (outcome) =>
            html`<li>
              ${mark(marks[outcome])}<span>${text.data[outcome](result[outcome])}</span>
            </li>`,
        )}
        ${
          result.source === null
            ? nothing
            : html`<li>
                ${mark("note")}<span
                  >${text.data.listedBy[result.source](bytes(result.bytes))}</span
                >
              </li>`
        }
      </ul>`;
  }

  private problems({ problems, more }: DataVerdict): TemplateResult | typeof nothing {
    if (problems.length === 0) return nothing;
    const { data: words, ...text } = this.locale.text;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.problems}>
        <ul class="problems">
          ${problems.map(
            (problem) =>
              html`<li>
                <p class="path">
                  ${mark(marks[problem.outcome])}<span>
                    <code>${problem.path}</code>
                    <span class="muted">
                      ${words.kinds[problem.kind]} · ${words.outcomes[problem.outcome]}
                    </span>
                    <code class="muted">${problem.code}</code>
                  </span>
                </p>
                <p>${text.check({ ...problem, file: problem.path })}</p>
              </li>`,
          )}
        </ul>
      </div>
      ${more === 0 ? nothing : html`<p class="about">${words.more(more)}</p>`}`;
  }
}

const marks = {
  verified: "good",
  compared: "note",
  failed: "bad",
  unchecked: "unknown",
  not_available: "note",
} as const;

/** What it came to as a whole: the worst first. */
function inShort(result: DataVerdict, { data: text }: Text): [Mark, string] {
  if (result.failed > 0) return ["bad", text.isBroken];
  if (result.source === null) return ["unknown", text.isNotListed];
  if (result.unchecked > 0) return ["unknown", text.isUnchecked];
  if (result.compared > 0) return ["note", text.isCompared];
  return result.verified > 0 ? ["good", text.isVerified] : ["note", text.isNothing];
}
