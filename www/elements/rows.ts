import { css, html, nothing, type TemplateResult } from "lit";
import type { QueryResult } from "../duckdb/index.js";
import type { Failure } from "../locales/index.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { failureNotice, failureOf, isAbort, notice, noticeLook } from "./notice.js";
import { progress, progressLook } from "./progress.js";
import type { RowsPage, Step } from "./version-tables.js";
import { WhenVisible } from "./visible.js";

/** Fetches rows of one table. */
export type LoadRows = (page: RowsPage, signal: AbortSignal) => Promise<QueryResult>;

type State =
  { at: "waiting" } | { at: "loading" } | { at: "shown" } | { at: "failed"; error: Failure };

/** So many rows are shown at a time. */
const limit = 20;

/** `<fdl-rows>`: the rows of a table, page by page, the first loaded when they come into view. */
export class FdlRows extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    progressLook,
    css`
      .count {
        margin-bottom: 0.5rem;
      }
      .pages {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin-top: 0.6rem;
      }
    `,
  ];

  static override properties = {
    load: { attribute: false },
    step: { attribute: false },
    total: { attribute: false },
    label: {},
    state: { state: true },
    page: { state: true },
  };

  /** Another function stands for other rows: they are loaded anew. */
  load: LoadRows | null = null;
  /** What is being loaded, as the viewer tells it. */
  step: Step | null = null;
  /** The table's row count, where it is known. */
  total: number | null = null;
  /** The table's name. */
  label = "";
  private state: State = { at: "waiting" };
  /** The rows that came last, and how many stand before them: they stay until others are there. */
  private page: { offset: number; result: QueryResult } | null = null;
  #running: AbortController | undefined;
  readonly #visible = new WhenVisible(this, () => void this.start());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("load")) return;
    this.#running?.abort();
    this.state = { at: "waiting" };
    this.page = null;
    if (this.#visible.seen) void this.start();
  }

  private async start(offset = this.page?.offset ?? 0): Promise<void> {
    const { load } = this;
    if (!load) return;
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    this.state = { at: "loading" };
    let state: State;
    try {
      const result = await load({ offset, limit }, running.signal);
      state = { at: "shown" };
      // A newer choice has taken over: what came late is not shown.
      if (!running.signal.aborted) this.page = { offset, result };
    } catch (thrown) {
      state = isAbort(thrown) ? { at: "waiting" } : { at: "failed", error: failureOf(thrown) };
    }
    if (!running.signal.aborted) this.state = state;
  }

  protected override render(): TemplateResult {
    const { text } = this.locale;
    return html`
      <div aria-live="polite" aria-busy=${this.state.at === "loading"}>${this.status()}</div>
      ${
        this.page && this.page.result.columns.length > 0 && this.state.at !== "failed"
          ? html`<fdl-grid
                lang=${this.locale.tag}
                label="${text.rows.heading}: ${this.label}"
                .result=${this.page.result}
              ></fdl-grid>
              ${this.pages(this.page)}`
          : nothing
      }
    `;
  }

  /** The ways to the rows before and after these, where there are any. */
  private pages({ offset, result }: { offset: number; result: QueryResult }): TemplateResult {
    const { text } = this.locale;
    if (offset === 0 && !result.more) return html``;
    // A button that has the focus keeps it at the ends, too.
    const button = (says: string, to: number, there: boolean) =>
      html`<button
        class="button"
        aria-disabled=${!there || this.state.at === "loading"}
        @click=${() => {
          if (there && this.state.at !== "loading") void this.start(to);
        }}
      >
        ${says}
      </button>`;
    return html`<div class="pages">
      ${button(text.rows.previous, Math.max(offset - limit, 0), offset > 0)}
      ${button(text.rows.next, offset + limit, result.more)}
    </div>`;
  }

  private status(): TemplateResult {
    const { text } = this.locale;
    switch (this.state.at) {
      case "waiting":
        return html`<p class="quiet">${text.rows.waiting}</p>`;
      case "loading":
        return progress(this.step ?? { at: "reading" }, text.rows.reading, this.locale);
      case "shown":
        return html`<p class="quiet count">${this.counted()}</p>`;
      case "failed":
        return this.failed(this.state.error);
    }
  }

  private failed(error: Failure): TemplateResult {
    const { text } = this.locale;
    const again = html`<button class="button" @click=${() => void this.start()}>
      ${text.viewer.tryAgain}
    </button>`;
    const { reason } = error.facts;
    if (error.code !== "query_failed" || typeof reason !== "string") {
      return failureNotice(error, this.locale, again);
    }
    // Below its first lines the engine quotes the SQL, which the visitor did not write.
    const words = reason.split(/\s*LINE \d+:/)[0];
    const says = html`<p>${text.rows.failedSays}</p>
      <pre>${words}</pre>`;
    return notice("unknown", text.rows.failed, says, again);
  }

  private counted(): string {
    const { rows } = this.locale.text;
    const { offset = 0, result } = this.page ?? {};
    const shown = result?.rows.length ?? 0;
    if (offset > 0) return rows.range(offset + 1, offset + shown, this.total);
    if (shown === 0) return rows.empty;
    if (this.total === null) return rows.first(shown);
    return shown < this.total ? rows.some(shown, this.total) : rows.all(shown);
  }
}
