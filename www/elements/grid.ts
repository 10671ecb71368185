import { css, html, nothing, type TemplateResult } from "lit";
import type { QueryResult } from "../duckdb/index.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import type { RowsOrder } from "./version-tables.js";

/** As many rows as are put in the page at a time. */
const step = 200;
/** So many rows stand in the page as they are; more scroll in a box of their own. */
const short = 24;
/** A longer text is clipped until the visitor opens it. */
const clippedFrom = 48;
const titleLimit = 2000;

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/;

/** `<fdl-grid>`: rows as a table. */
export class FdlGrid extends FdlElement {
  static override styles = [
    look,
    css`
      .scroll.long {
        max-height: 36rem;
      }
      table {
        width: auto;
        min-width: 100%;
      }
      thead th {
        position: sticky;
        top: 0;
        z-index: 1;
        background: var(--sunken);
        box-shadow: inset 0 -1px var(--strong-line);
        white-space: nowrap;
      }
      thead .type {
        display: block;
        font-family: var(--mono);
        font-size: 0.75rem;
        font-weight: 400;
        color: var(--muted);
        max-width: 16rem;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      td {
        max-width: 24rem;
        white-space: nowrap;
        overflow-wrap: normal;
      }
      button.sort {
        padding: 0;
        border: 0;
        background: none;
        font-weight: inherit;
        text-align: inherit;
        cursor: pointer;
      }
      button.sort:hover .name {
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.2em;
      }
      .arrow {
        padding-inline-start: 0.35rem;
        color: var(--muted);
      }
      [aria-sort] .arrow {
        color: var(--accent);
      }
      tbody tr:hover {
        background: var(--sunken);
      }
      .number {
        width: 0; /* as narrow as its numbers */
      }
      .number .type {
        margin-inline-start: auto;
      }
      .null {
        color: var(--muted);
        font-family: var(--mono);
        font-size: 0.75rem;
        font-style: italic;
        letter-spacing: 0.04em;
      }
      button.cell {
        display: block;
        width: 100%;
        max-width: 22rem;
        padding: 0;
        border: 0;
        background: none;
        text-align: start;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        cursor: zoom-in;
      }
      button.cell[aria-expanded="true"] {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        min-width: 16rem;
        cursor: zoom-out;
      }
      .more {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1rem;
        margin-top: 0.6rem;
      }
    `,
  ];

  static override properties = {
    result: { attribute: false },
    label: {},
    order: { attribute: false },
    sort: { attribute: false },
    opened: { state: true },
    limit: { state: true },
  };

  result: QueryResult | null = null;
  /** What the rows are, for who cannot see where they stand. */
  label = "";
  /** What the rows are sorted by. */
  order: RowsOrder | null = null;
  /** Sorts them by a column; without it they are not to be sorted. */
  sort: ((column: string) => void) | null = null;
  /** The opened cells, as `row:column`. */
  private opened = new Set<string>();
  private limit = step;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("result")) return;
    this.opened = new Set();
    this.limit = step;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.result) return nothing;
    const { columns, rows } = this.result;
    const right = columns.map((column) => numeric.test(column.type));
    const { text } = this.locale;
    return html`
      <div
        class="scroll ${rows.length > short ? "long" : ""}"
        role="region"
        tabindex="0"
        aria-label=${this.label === "" ? text.grid.scroll : this.label}
      >
        <table>
          <thead>
            <tr>
              ${columns.map(
                ({ name, type }, c) =>
                  html`<th
                    scope="col"
                    class=${right[c] ? "number" : ""}
                    aria-sort=${this.sorted(name) ?? nothing}
                  >
                    ${this.head(name)}<span class="type" title=${type}>${type}</span>
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.slice(0, this.limit).map(
              (row, r) =>
                html`<tr>
                  ${row.map(
                    (value, c) =>
                      html`<td class=${right[c] ? "number" : ""}>${this.cell(value, r, c)}</td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        rows.length > this.limit
          ? html`<div class="more">
              <button class="button" @click=${() => (this.limit += step)}>
                ${text.grid.showMore}
              </button>
              <span class="quiet">${text.grid.showing(this.limit, rows.length)}</span>
            </div>`
          : nothing
      }
    `;
  }

  /** A column's name; where the rows can be sorted by it, a button that does. */
  private head(name: string): TemplateResult {
    const { sort } = this;
    const named = html`<span class="name">${name}</span>`;
    if (!sort) return named;
    const arrows = { ascending: "↑", descending: "↓" };
    const sorted = this.sorted(name);
    return html`<button
      class="sort"
      title=${this.locale.text.grid.sortBy(name)}
      @click=${() => {
        sort(name);
      }}
    >
      ${named}<span class="arrow" aria-hidden="true">${sorted ? arrows[sorted] : "↕"}</span>
    </button>`;
  }

  private sorted(column: string): "ascending" | "descending" | undefined {
    if (this.order?.column !== column) return undefined;
    return this.order.descending ? "descending" : "ascending";
  }

  private cell(value: string | null, row: number, column: number): TemplateResult | string {
    const { grid } = this.locale.text;
    if (value === null) return html`<span class="null" title=${grid.isNull}>${grid.null}</span>`;
    if (value.length < clippedFrom && !value.includes("\n")) return value;
    const key = `${row}:${column}`;
    const open = this.opened.has(key);
    return html`<button
      class="cell"
      aria-expanded=${open}
      title=${open ? nothing : value.slice(0, titleLimit)}
      @click=${() => {
        this.toggle(key);
      }}
      .textContent=${open ? value : value.slice(0, titleLimit)}
    ></button>`;
  }

  private toggle(key: string): void {
    const opened = new Set(this.opened);
    if (!opened.delete(key)) opened.add(key);
    this.opened = opened;
  }
}
