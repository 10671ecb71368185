import { css, html, nothing, type TemplateResult } from "lit";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { notice, noticeLook } from "./notice.js";
import type { ColumnShown, TableShown } from "./table-shown.js";

/** `<fdl-table>`: what one table is. Its rows are given as content; the columns come below them. */
export class FdlTable extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    css`
      h3 {
        margin-bottom: 0.5rem;
      }
      .about {
        max-width: 44rem;
        margin-bottom: 0.75rem;
        white-space: pre-line;
      }
      details {
        margin-top: 0.5rem;
        font-size: 0.875rem;
      }
      .scroll {
        max-height: 24rem;
      }
      table {
        table-layout: fixed;
      }
      thead th {
        position: sticky;
        top: 0;
        background: var(--sunken);
        box-shadow: inset 0 -1px var(--strong-line);
      }
      thead th:first-child {
        width: min(18rem, 42%);
      }
      tbody th {
        font-weight: 400;
      }
      .further {
        display: block;
        color: var(--muted);
      }
    `,
  ];

  static override properties = {
    table: { attribute: false },
    columnsOpen: { type: Boolean, attribute: "columns-open" },
  };

  /** `null` while it is not known which tables there are. */
  table: TableShown | null = null;
  /** Whether the columns are unfolded at first, as where there is nothing else to see. */
  columnsOpen = false;

  protected override render(): TemplateResult {
    const { table } = this;
    const { text } = this.locale;
    return html`<section>
      <h3>${table ? (table.title ?? table.name) : text.rows.heading}</h3>
      ${table?.description ? html`<p class="about">${table.description}</p>` : nothing}
      ${
        table && table.refused !== null
          ? notice("doubt", text.tables.refusedHeadline, text.tables.refused(table.refused))
          : nothing
      }
      <slot></slot>
      ${table && table.columns.length > 0 ? this.columns(table) : nothing}
    </section>`;
  }

  private columns({ name, columns }: TableShown): TemplateResult {
    const { text } = this.locale;
    const described = columns.some((column) => column.title ?? column.description);
    return html`<details ?open=${this.columnsOpen}>
      <summary>${text.tables.columns(columns.length)}</summary>
      <div
        class="scroll"
        role="region"
        tabindex="0"
        aria-label="${text.tables.columnsHeading}: ${name}"
      >
        <table>
          <thead>
            <tr>
              <th scope="col">${text.tables.name}</th>
              <th scope="col">${described ? text.tables.description : text.tables.type}</th>
            </tr>
          </thead>
          <tbody>
            ${columns.map((column) => {
              const type = html`<code class="type muted">${column.type ?? ""}</code>`;
              return html`<tr>
                <th scope="row">
                  <code class="name">${column.name}</code>
                  ${described ? html`<span class="further">${type}</span>` : nothing}
                </th>
                <td>${described ? inWords(column) : type}</td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}

function inWords({ title, description }: ColumnShown): TemplateResult {
  return html`${title}${
    description === null
      ? nothing
      : html`<span class=${title === null ? nothing : "further"}>${description}</span>`
  }`;
}
