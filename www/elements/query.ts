import { css, html, nothing, type TemplateResult } from "lit";
import type { QueryResult } from "../duckdb/index.js";
import type { Failure } from "../locales/index.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { failureNotice, failureOf, notice, noticeLook } from "./notice.js";
import { progress, progressLook } from "./progress.js";
import type { Step } from "./version-tables.js";

/** Runs the visitor's SQL. */
export type RunQuery = (sql: string, signal: AbortSignal) => Promise<QueryResult>;

type State =
  | { at: "idle" }
  | { at: "empty" }
  | { at: "running" }
  | { at: "cancelled" }
  | { at: "done"; result: QueryResult; seconds: number }
  | { at: "failed"; error: Failure };

/** `<fdl-query>`: a box for SQL, and the rows that it gives. */
export class FdlQuery extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    progressLook,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: 0.75rem;
      }
      .names {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
      }
      .names button {
        min-height: 1.9rem;
        padding: 0.1rem 0.6rem;
        border: 1px solid var(--line);
        background: var(--sunken);
        font-family: var(--mono);
        font-size: 0.8125rem;
        text-align: start;
        cursor: copy;
      }
      .names button:hover {
        border-color: var(--accent);
      }
      label {
        display: block;
        font-size: 0.875rem;
        font-weight: 600;
        margin-bottom: 0.25rem;
      }
      textarea {
        display: block;
        width: 100%;
        min-height: 7rem;
        padding: 0.7rem 0.85rem;
        border: 1px solid var(--strong-line);
        background: var(--raised);
        font-family: var(--mono);
        font-size: 0.875rem;
        line-height: 1.6;
        tab-size: 2;
        resize: vertical;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 0.75rem;
      }
    `,
  ];

  static override properties = {
    run: { attribute: false },
    step: { attribute: false },
    names: { attribute: false },
    sql: {},
    state: { state: true },
  };

  /** Another function stands for another version: its predecessor's rows are taken away. */
  run: RunQuery | null = null;
  /** What is being loaded, as the viewer tells it. */
  step: Step | null = null;
  /** The names of the tables, as SQL writes them. */
  names: string[] = [];
  /** What the visitor wrote. */
  sql = "";
  private state: State = { at: "idle" };
  #running: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.cancel();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("run")) return;
    this.#running?.abort();
    this.state = { at: "idle" };
  }

  private async start(): Promise<void> {
    const { run } = this;
    if (!run || this.state.at === "running") return;
    if (this.sql.trim() === "") {
      this.state = { at: "empty" };
      return;
    }
    const running = (this.#running = new AbortController());
    this.state = { at: "running" };
    const started = performance.now();
    let state: State;
    try {
      const result = await run(this.sql, running.signal);
      state = { at: "done", result, seconds: (performance.now() - started) / 1000 };
    } catch (thrown) {
      state = { at: "failed", error: failureOf(thrown) };
    }
    if (!running.signal.aborted) this.state = state;
  }

  private cancel(): void {
    if (this.state.at !== "running") return;
    this.#running?.abort();
    this.state = { at: "cancelled" };
  }

  protected override render(): TemplateResult {
    const { text, tag } = this.locale;
    const running = this.state.at === "running";
    return html`
      <h3>${text.query.heading}</h3>
      <p class="small">${text.query.hint}</p>
      <p class="names">
        ${this.names.map(
          (name) =>
            html`<button
              title=${text.query.insert(name)}
              @click=${() => {
                this.insert(name);
              }}
            >
              ${name}
            </button>`,
        )}
      </p>
      <div>
        <label for="sql">${text.query.label}</label>
        <textarea
          id="sql"
          spellcheck="false"
          autocapitalize="off"
          autocomplete="off"
          aria-describedby="keys"
          .value=${this.sql}
          @input=${(event: InputEvent) => {
            this.sql = (event.target as HTMLTextAreaElement).value;
          }}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void this.start();
          }}
        ></textarea>
      </div>
      <div class="bar">
        <button class="button first" aria-disabled=${running} @click=${() => void this.start()}>
          ${text.query.run}
        </button>
        ${
          running
            ? html`<button
                class="button"
                @click=${() => {
                  this.cancel();
                  this.renderRoot.querySelector<HTMLElement>(".first")?.focus();
                }}
              >
                ${text.query.cancel}
              </button>`
            : nothing
        }
        <span class="quiet" id="keys">${text.query.keys}</span>
      </div>
      <div aria-live="polite" aria-busy=${running}>${this.status()}</div>
      ${
        this.state.at === "done" && this.state.result.columns.length > 0
          ? html`<fdl-grid
              lang=${tag}
              label=${text.query.heading}
              .result=${this.state.result}
            ></fdl-grid>`
          : nothing
      }
    `;
  }

  private status(): TemplateResult {
    const { text } = this.locale;
    switch (this.state.at) {
      case "idle":
        return html`<p class="quiet">${text.query.loadsEngine}</p>`;
      case "empty":
        return html`<p class="quiet">${text.query.nothing}</p>`;
      case "running":
        return progress(this.step ?? { at: "reading" }, text.query.running, this.locale);
      case "cancelled":
        return html`<p class="quiet">${text.query.cancelled}</p>`;
      case "done":
        return html`<p class="quiet">${this.done(this.state.result, this.state.seconds)}</p>`;
      case "failed":
        return this.failed(this.state.error);
    }
  }

  private done({ columns, rows, more }: QueryResult, seconds: number): string {
    const { query } = this.locale.text;
    if (columns.length === 0) return query.ran(seconds);
    const done = query.done(rows.length, seconds);
    return more ? `${done} ${query.more(rows.length)}` : done;
  }

  /** The engine's own words keep their lines: a caret points at the place in the SQL. */
  private failed(error: Failure): TemplateResult {
    const { reason } = error.facts;
    if (error.code !== "query_failed" || typeof reason !== "string") {
      return failureNotice(error, this.locale);
    }
    return notice("doubt", this.locale.text.query.failed, html`<pre>${reason}</pre>`);
  }

  private insert(name: string): void {
    const box = this.renderRoot.querySelector("textarea");
    if (!box) return;
    box.setRangeText(name, box.selectionStart, box.selectionEnd, "end");
    this.sql = box.value;
    box.focus();
  }
}
