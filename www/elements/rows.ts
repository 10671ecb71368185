import { css, html, nothing, type TemplateResult } from "lit";
import type { QueryResult } from "../duckdb/index.js";
import type { Failure } from "../locales/index.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { failureNotice, failureOf, isAbort, notice, noticeLook } from "./notice.js";
import { progress, progressLook } from "./progress.js";
import type { Step } from "./version-tables.js";
import { WhenVisible } from "./visible.js";

/** Fetches the first rows of one table. */
export type LoadRows = (signal: AbortSignal) => Promise<QueryResult>;

type State =
  | { at: "waiting" }
  | { at: "loading" }
  | { at: "shown"; result: QueryResult }
  | { at: "failed"; error: Failure };

/** `<fdl-rows>`: the first rows of a table, loaded when they come into view. */
export class FdlRows extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    progressLook,
    css`
      .count {
        margin-bottom: 0.5rem;
      }
    `,
  ];

  static override properties = {
    load: { attribute: false },
    step: { attribute: false },
    total: { attribute: false },
    label: {},
    state: { state: true },
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
    if (this.#visible.seen) void this.start();
  }

  private async start(): Promise<void> {
    const { load } = this;
    if (!load) return;
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    this.state = { at: "loading" };
    let state: State;
    try {
      state = { at: "shown", result: await load(running.signal) };
    } catch (thrown) {
      state = isAbort(thrown) ? { at: "waiting" } : { at: "failed", error: failureOf(thrown) };
    }
    // A newer choice has taken over: what came late is not shown.
    if (!running.signal.aborted) this.state = state;
  }

  protected override render(): TemplateResult {
    const { text } = this.locale;
    return html`
      <div aria-live="polite" aria-busy=${this.state.at === "loading"}>${this.status()}</div>
      ${
        this.state.at === "shown" && this.state.result.columns.length > 0
          ? html`<fdl-grid
              lang=${this.locale.tag}
              label="${text.rows.heading}: ${this.label}"
              .result=${this.state.result}
            ></fdl-grid>`
          : nothing
      }
    `;
  }

  private status(): TemplateResult {
    const { text } = this.locale;
    switch (this.state.at) {
      case "waiting":
        return html`<p class="quiet">${text.rows.waiting}</p>`;
      case "loading":
        return progress(this.step ?? { at: "reading" }, text.rows.reading, this.locale);
      case "shown":
        return html`<p class="quiet count">${this.counted(this.state.result.rows.length)}</p>`;
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

  private counted(shown: number): string {
    const { rows } = this.locale.text;
    if (shown === 0) return rows.empty;
    if (this.total === null) return rows.first(shown);
    return shown < this.total ? rows.some(shown, this.total) : rows.all(shown);
  }
}
