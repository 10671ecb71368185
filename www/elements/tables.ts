import { css, html, nothing, type TemplateResult } from "lit";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { notice, noticeLook } from "./notice.js";
import type { ColumnShown, TableShown } from "./table-shown.js";

/** `<fdl-tables>`: the tables of a version, and the columns of the one chosen. */
export class FdlTables extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: 1.25rem;
      }
      h3 {
        margin-bottom: 0.6rem;
      }
      .list {
        max-height: 22rem;
        border-top: 1px solid var(--line);
      }
      .scroll.list {
        border-width: 1px 0;
        background: none;
      }
      .list li + li {
        border-top: 1px solid var(--line);
      }
      .list button {
        display: grid;
        grid-template-columns: 1fr auto;
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
      .list button:focus-visible {
        outline-offset: -2px;
      }
      .list button:hover {
        background: var(--sunken);
      }
      .list button[aria-current="true"] {
        border-inline-start-color: var(--accent);
        background: var(--raised);
      }
      .list button[aria-current="true"] .name {
        font-weight: 600;
      }
      .rows {
        font-size: 0.875rem;
        font-variant-numeric: tabular-nums;
        color: var(--muted);
        white-space: nowrap;
      }
      .title {
        grid-column: 1 / -1;
        font-size: 0.875rem;
        color: var(--muted);
      }
      .columns {
        max-height: 20rem;
      }
      .columns thead th {
        position: sticky;
        top: 0;
        background: var(--sunken);
        box-shadow: inset 0 -1px var(--strong-line);
      }
      .columns th,
      .columns td:nth-child(2) {
        white-space: nowrap;
      }
      .columns tbody th {
        font-weight: 400;
      }
      .columns td:nth-child(3) {
        min-width: 14rem;
      }
      .columns .title {
        display: block;
      }
      .about {
        max-width: 44rem;
        white-space: pre-line;
      }
      .about + .scroll,
      .notice + .scroll {
        margin-top: 0.75rem;
      }
      h4 {
        margin-bottom: 0.5rem;
        font-size: 1.0625rem;
      }
    `,
  ];

  static override properties = {
    tables: { attribute: false },
    chosen: { attribute: false },
    wanted: {},
  };

  /** `null` while it is not known which there are. */
  tables: TableShown[] | null = null;
  chosen: TableShown | null = null;
  /** A table that was asked for; said so where it is not among the tables. */
  wanted = "";

  protected override render(): TemplateResult {
    const { text } = this.locale;
    return html`
      <section>
        <h3>${text.tables.heading}</h3>
        ${this.list()}
      </section>
      ${
        this.tables && !this.chosen && this.wanted !== ""
          ? html`<p role="alert">${text.tables.missing(this.wanted)}</p>`
          : nothing
      }
      ${this.chosen ? this.table(this.chosen) : nothing}
    `;
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

  private table(table: TableShown): TemplateResult {
    const { text } = this.locale;
    return html`<section>
      <h4>${table.title ?? table.name}</h4>
      ${table.description === null ? nothing : html`<p class="about">${table.description}</p>`}
      ${
        table.refused === null
          ? nothing
          : notice("doubt", text.tables.refusedHeadline, text.tables.refused(table.refused))
      }
      ${table.columns.length > 0 ? this.columns(table) : nothing}
    </section>`;
  }

  private columns({ name, columns }: TableShown): TemplateResult {
    const { text } = this.locale;
    const described = columns.some((column) => column.title ?? column.description);
    return html`<div
      class="scroll columns"
      role="region"
      tabindex="0"
      aria-label="${text.tables.columnsHeading}: ${name}"
    >
      <table>
        <thead>
          <tr>
            <th scope="col">${text.tables.columns(columns.length)}</th>
            <th scope="col">${text.tables.type}</th>
            ${described ? html`<th scope="col">${text.tables.description}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${columns.map(
            (column) =>
              html`<tr>
                <th scope="row"><code>${column.name}</code></th>
                <td><code class="muted">${column.type ?? ""}</code></td>
                ${described ? html`<td>${inWords(column)}</td>` : nothing}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

function inWords({ title, description }: ColumnShown): TemplateResult {
  return html`${title}${
    description === null
      ? nothing
      : html`<span class=${title === null ? nothing : "title"}>${description}</span>`
  }`;
}
