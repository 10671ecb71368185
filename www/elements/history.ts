import { css, html, nothing, type TemplateResult } from "lit";
import type { HistoryEntry } from "../reader/types.js";
import type { Failure } from "../locales/index.js";
import { FdlElement } from "./element.js";
import { expiredInShort } from "./expired.js";
import { badge, badgeLook } from "./badge.js";
import { look } from "./look.js";
import { refKind, shortId, shortRef } from "./names.js";
import { failureNotice, failureOf, isAbort, noticeLook } from "./notice.js";
import { WhenVisible } from "./visible.js";

/** Begins to walk a history, newest first. */
export type WalkHistory = (signal: AbortSignal) => AsyncGenerator<HistoryEntry, void, void>;

/** As many entries as are read at a time. */
const page = 20;

/** `<fdl-history>`: the versions behind the one shown. */
export class FdlHistory extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    badgeLook,
    css`
      h3 {
        margin-bottom: 0.75rem;
      }
      ol {
        margin-inline-start: 0.4rem;
        border-inline-start: 1px solid var(--line);
      }
      li {
        position: relative;
        padding: 0 0 1rem 1.1rem;
      }
      li::before {
        content: "";
        position: absolute;
        inset-block-start: 0.5rem;
        inset-inline-start: calc(-0.28rem - 0.5px);
        width: 0.56rem;
        height: 0.56rem;
        border: 1.5px solid var(--strong-line);
        border-radius: 50%;
        background: var(--paper);
      }
      li.shown::before {
        border-color: var(--accent);
        background: var(--accent);
        box-shadow: 0 0 0 3px var(--paper);
      }
      li.gone::before {
        border-style: dashed;
      }
      button.entry {
        display: block;
        width: 100%;
        padding: 0;
        border: 0;
        background: none;
        text-align: start;
        cursor: pointer;
      }
      button.entry:hover .message {
        color: var(--accent);
        text-decoration: underline;
        text-underline-offset: 0.2em;
        text-decoration-thickness: 1px;
      }
      .message {
        display: block;
        line-height: 1.45;
      }
      .meta code {
        white-space: nowrap;
      }
      .shown .message {
        font-weight: 600;
      }
      .meta,
      .state {
        display: block;
        font-size: 0.8125rem;
        color: var(--muted);
      }
      .meta {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.75rem;
      }
      .state {
        margin-top: 0.15rem;
        color: var(--doubt);
      }
      .labels {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem;
        margin-top: 0.3rem;
      }
      .label {
        max-width: 100%;
        padding: 0 0.45rem;
        border: 1px solid var(--strong-line);
        border-radius: 2px;
        font-size: 0.75rem;
        line-height: 1.5;
      }
      .label.tag {
        border-style: dashed;
      }
      .label.here {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--paper);
        font-weight: 600;
      }
    `,
  ];

  static override properties = {
    walk: { attribute: false },
    shown: {},
    entries: { state: true },
    state: { state: true },
  };

  /** Another function stands for another history: it is read anew. */
  walk: WalkHistory | null = null;
  /** The ID of the version shown. */
  shown = "";
  private entries: HistoryEntry[] = [];
  private state: "reading" | "more" | "whole" | Failure = "reading";
  #walking: { steps: AsyncGenerator<HistoryEntry, void, void>; stop: AbortController } | undefined;
  readonly #visible = new WhenVisible(this, () => void this.begin());

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#visible.seen) void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("walk") && this.#visible.seen) void this.begin();
  }

  private async begin(): Promise<void> {
    const { walk } = this;
    this.stop();
    this.entries = [];
    if (!walk) return;
    const stop = new AbortController();
    this.#walking = { steps: walk(stop.signal), stop };
    await this.readOn();
  }

  private stop(): void {
    this.#walking?.stop.abort();
    void this.#walking?.steps.return().catch(() => undefined);
    this.#walking = undefined;
  }

  private async readOn(): Promise<void> {
    const walking = this.#walking;
    if (!walking) return;
    const { steps, stop } = walking;
    this.state = "reading";
    const enough = this.entries.length + page;
    try {
      while (this.entries.length < enough) {
        const step = await steps.next();
        if (stop.signal.aborted) return;
        if (step.done) {
          this.state = "whole";
          return;
        }
        this.entries = [...this.entries, step.value];
      }
      this.state = "more";
    } catch (thrown) {
      if (!stop.signal.aborted && !isAbort(thrown)) this.state = failureOf(thrown);
    }
  }

  /** The button goes while more is read: who used it goes on at the first entry that came. */
  private async showOlder(): Promise<void> {
    const { length } = this.entries;
    await this.readOn();
    await this.updateComplete;
    const [next] = [...this.renderRoot.querySelectorAll("li")].slice(length);
    next?.querySelector("button")?.focus();
  }

  protected override render(): TemplateResult {
    const { text } = this.locale;
    return html`
      <h3>${text.history.heading}</h3>
      <ol>
        ${this.entries.map((entry) => this.entry(entry))}
      </ol>
      <div aria-live="polite" aria-busy=${this.state === "reading"}>${this.status()}</div>
    `;
  }

  private status(): TemplateResult | typeof nothing {
    const { text } = this.locale;
    switch (this.state) {
      case "reading":
        return html`<p class="quiet">${text.history.loading}</p>`;
      case "more":
        return html`<button class="button" @click=${() => void this.showOlder()}>
          ${text.history.older}
        </button>`;
      case "whole":
        return html`<p class="quiet">${text.history.oldest}</p>`;
      default:
        return failureNotice(
          this.state,
          this.locale,
          html`<button class="button" @click=${() => void this.begin()}>
            ${text.viewer.tryAgain}
          </button>`,
        );
    }
  }

  private entry(entry: HistoryEntry): TemplateResult {
    const { text } = this.locale;
    const here = entry.id === this.shown;
    if (entry.kind === "missing") {
      return html`<li class="gone">
        <span class="message"><code>${shortId(entry.id)}</code></span>
        <span class="state">${text.history.missing}</span>
        ${this.labels(entry.refs, false)}
      </li>`;
    }
    const { record, expired, verdict } = entry;
    const { author, created_at, parents } = record;
    return html`<li class="${here ? "shown" : ""} ${expired ? "gone" : ""}">
      <button
        class="entry"
        aria-current=${here ? "true" : nothing}
        @click=${() => {
          this.tell("fdl-choose-ref", { ref: entry.id });
        }}
      >
        <span class="message">${record.message ?? text.history.noMessage}</span>
        <span class="meta">
          <time datetime=${created_at} title=${this.locale.moment(created_at)}>
            ${this.locale.day(created_at)}
          </time>
          ${author.name === null ? nothing : html`<span>${author.name}</span>`}
          <code>${shortId(entry.id)}</code>
        </span>
        ${verdict ? html`<span class="meta">${badge(verdict, this.locale)}</span>` : nothing}
        ${
          parents.length > 1
            ? html`<span class="meta">${text.history.merge(parents.length)}</span>`
            : nothing
        }
        ${
          expired
            ? html`<span class="state">${expiredInShort(expired, this.locale)}</span>`
            : nothing
        }
        ${this.labels(entry.refs, here)}
      </button>
    </li>`;
  }

  private labels(refs: string[], here: boolean): TemplateResult | typeof nothing {
    if (refs.length === 0 && !here) return nothing;
    const { text } = this.locale;
    return html`<span class="labels">
      ${here ? html`<span class="label here">${text.history.shown}</span>` : nothing}
      ${refs.map(
        (ref) => html`<span class="label ${refKind(ref)}" title=${ref}>${shortRef(ref)}</span>`,
      )}
    </span>`;
  }
}
