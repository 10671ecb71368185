import { css, html, nothing, type TemplateResult } from "lit";
import type { QueryResult } from "../duckdb/index.js";
import type { Failure } from "../locales/index.js";
import { columnChoice, columnChoiceLook } from "./column-choice.js";
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

/** Where every table begins. */
const asStored: RowsPage = { offset: 0, limit, columns: null, order: null };

/**
 * `<fdl-rows>`: the rows of a table, page by page, the first loaded when they come into view; sorted, and
 * of the columns that the visitor chooses.
 */
export class FdlRows extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    progressLook,
    columnChoiceLook,
    css`
      .count,
      .progress {
        margin-bottom: 0.5rem;
      }
      .pages {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin-top: 0.6rem;
      }
      .hint {
        margin-top: 0.6rem;
      }
    `,
  ];

  static override properties = {
    load: { attribute: false },
    step: { attribute: false },
    total: { attribute: false },
    label: {},
    verified: { type: Boolean },
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
  /** Whether the data files are verified before a row of them is shown. */
  verified = false;
  private state: State = { at: "waiting" };
  /** The rows that came last, and which they are: they stay until others are there. */
  private page: { which: RowsPage; result: QueryResult } | null = null;
  /** The rows that were asked for last. */
  #wanted = asStored;
  /** The table's columns, once all of them were shown. */
  #columns: string[] = [];
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
    this.#wanted = asStored;
    this.#columns = [];
    if (this.#visible.seen) void this.start();
  }

  /** Loads the rows that were asked for last, but for `change`. */
  private async start(change: Partial<RowsPage> = {}): Promise<void> {
    const { load } = this;
    if (!load) return;
    const which = (this.#wanted = { ...this.#wanted, ...change });
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    this.state = { at: "loading" };
    let state: State;
    try {
      const result = await load(which, running.signal);
      state = { at: "shown" };
      // A newer choice has taken over: what came late is not shown.
      if (!running.signal.aborted) {
        if (which.columns === null) this.#columns = result.columns.map(({ name }) => name);
        this.page = { which, result };
      }
    } catch (thrown) {
      state = isAbort(thrown) ? { at: "waiting" } : { at: "failed", error: failureOf(thrown) };
    }
    if (!running.signal.aborted) this.state = state;
  }

  /** By a column ascending, then descending, then as the rows are stored. */
  private sort(column: string): void {
    const { order } = this.#wanted;
    const again = order?.column === column;
    const next = again && order.descending ? null : { column, descending: again };
    void this.start({ order: next, offset: 0 });
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
                .order=${this.page.which.order}
                .sort=${(column: string) => {
                  this.sort(column);
                }}
              ></fdl-grid>
              ${this.pages(this.page)}
              ${columnChoice(
                this.#columns,
                this.#wanted.columns,
                (columns) => void this.start({ columns }),
                this.locale,
              )}
              <p class="quiet hint">${text.rows.sortHint}</p>`
          : nothing
      }
    `;
  }

  /** The ways to the rows before and after these, where there are any. */
  private pages({ which, result }: { which: RowsPage; result: QueryResult }): TemplateResult {
    const { text } = this.locale;
    const { offset } = which;
    if (offset === 0 && !result.more) return html``;
    // A button that has the focus keeps it at the ends, too.
    const button = (says: string, to: number, there: boolean) =>
      html`<button
        class="button"
        aria-disabled=${!there || this.state.at === "loading"}
        @click=${() => {
          if (there && this.state.at !== "loading") void this.start({ offset: to });
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
        return progress(
          this.step ?? { at: "reading" },
          this.#wanted.order ? text.rows.sorting : text.rows.reading,
          this.locale,
        );
      case "shown":
        return html`<p class="quiet count">${this.says().join(" ")}</p>`;
      case "failed":
        return this.failed(this.state.error);
    }
  }

  private failed(error: Failure): TemplateResult {
    const { text } = this.locale;
    const again = html`<button class="button" @click=${() => void this.start()}>
        ${text.viewer.tryAgain}
      </button>
      ${
        this.#wanted.order
          ? html`<button class="button" @click=${() => void this.start({ order: null, offset: 0 })}>
              ${text.rows.asStored}
            </button>`
          : nothing
      }`;
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
    const { which, result } = this.page ?? {};
    const { offset } = which ?? asStored;
    const shown = result?.rows.length ?? 0;
    if (offset > 0) return rows.range(offset + 1, offset + shown, this.total);
    if (shown === 0) return rows.empty;
    if (this.total === null) return rows.first(shown);
    return shown < this.total ? rows.some(shown, this.total) : rows.all(shown);
  }

  /** How many rows these are, and what else is to be said of them. */
  private says(): string[] {
    const { rows } = this.locale.text;
    const { which, result } = this.page ?? {};
    const says = [this.counted()];
    if (!which || result?.rows.length === 0) return says;
    if (which.order) says.push(rows.sorted(which.order.column, which.order.descending));
    if (this.verified) says.push(rows.verified);
    return says;
  }
}
