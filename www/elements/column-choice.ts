/** Which columns of a table are shown: a box for each. */
import { css, html, type TemplateResult } from "lit";
import type { Locale } from "../locales/index.js";

/** `choose` gets the columns that are to be shown; `null` stands for all, of which one at least stays. */
export function columnChoice(
  all: string[],
  chosen: string[] | null,
  choose: (columns: string[] | null) => void,
  { text }: Locale,
): TemplateResult {
  const shown = new Set(chosen ?? all);
  const change = (column: string, box: HTMLInputElement) => {
    if (box.checked) shown.add(column);
    else if (shown.size > 1) shown.delete(column);
    else box.checked = true;
    const columns = all.filter((one) => shown.has(one));
    choose(columns.length < all.length ? columns : null);
  };
  return html`<details class="choice">
    <summary>${text.rows.columns}</summary>
    <ul>
      ${all.map(
        (column) =>
          html`<li>
            <label>
              <input
                type="checkbox"
                .checked=${shown.has(column)}
                @change=${(event: Event) => {
                  change(column, event.target as HTMLInputElement);
                }}
              />
              ${column}
            </label>
          </li>`,
      )}
    </ul>
  </details>`;
}

export const columnChoiceLook = css`
  .choice {
    margin-top: 0.6rem;
    font-size: 0.875rem;
  }
  .choice ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    max-height: 14rem;
    overflow: auto;
    padding: 0.25rem;
  }
  .choice label {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-height: 1.75rem;
    cursor: pointer;
  }
  .choice input {
    margin: 0;
    accent-color: var(--accent);
  }
`;
