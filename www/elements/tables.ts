import { css, html, nothing, type TemplateResult } from "lit";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import type { TableShown } from "./table-shown.js";

/** `<fdl-tables>`: the tables of a version, one of them chosen. */
export class FdlTables extends FdlElement {
  static override styles = [
    look,
    css`
      :host {
        container-type: inline-size;
      }
      h3 {
        margin-bottom: 0.6rem;
      }
      .list {
        max-height: 22rem;
        border-width: 1px 0;
        background: none;
      }
      li + li {
        border-top: 1px solid var(--line);
      }
      button {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: baseline;
        gap: 0 1rem;
        width: 100%;
        padding: 0.55rem 0.75rem;
        border: 0;
        border-inline-start: 3px solid transparent;
        border-radius: 0;
        background: none;
        text-align: start;
        cursor: pointer;
      }
      button:focus-visible {
        outline-offset: -2px;
      }
      button:hover {
        background: var(--sunken);
      }
      button[aria-current="true"] {
        border-inline-start-color: var(--accent);
        background: var(--raised);
      }
      button[aria-current="true"] .name {
        font-weight: 600;
      }
      .rows,
      .title {
        font-size: 0.875rem;
        color: var(--muted);
      }
      .rows {
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .title {
        grid-row: 2;
      }
      @container (width >= 36rem) {
        button {
          grid-template-columns: minmax(0, 14rem) minmax(0, 1fr) auto;
        }
        .title {
          grid-row: 1;
          grid-column: 2;
        }
        .rows {
          grid-column: 3;
        }
      }
      .missing {
        margin-top: 0.75rem;
      }
    `,
  ];

  static override properties = {
    tables: { attribute: false },
    chosen: { attribute: false },
    missing: {},
  };

  /** `null` while it is not known which there are. */
  tables: TableShown[] | null = null;
  chosen: TableShown | null = null;
  /** A table that was asked for and is not there. */
  missing = "";

  protected override render(): TemplateResult {
    const { text } = this.locale;
    return html`<section>
      <h3>${text.tables.heading}</h3>
      ${this.list()}
      ${
        this.missing === ""
          ? nothing
          : html`<p class="missing" role="alert">${text.tables.missing(this.missing)}</p>`
      }
    </section>`;
  }

  private list(): TemplateResult {
    const { text } = this.locale;
    if (!this.tables) return html`<p class="quiet">${text.tables.unknown}</p>`;
    if (this.tables.length === 0) return html`<p class="quiet">${text.tables.none}</p>`;
    return html`<ul class="list scroll">
      ${this.tables.map(
        (table) =>
          html`<li>
            <button
              aria-current=${table === this.chosen ? "true" : nothing}
              @click=${() => {
                this.tell("fdl-choose-table", {
                  schema: table.schema,
                  name: table.name,
                });
              }}
            >
              <code class="name">${table.schema}.${table.name}</code>
              <span class="rows"
                >${table.rows === null ? nothing : text.tables.rows(table.rows)}</span
              >
              ${table.title === null ? nothing : html`<span class="title">${table.title}</span>`}
            </button>
          </li>`,
      )}
    </ul>`;
  }
}
