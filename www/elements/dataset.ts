import { css, html, nothing, type TemplateResult } from "lit";
import type { Attribution, Dataset } from "../reader/types.js";
import { FdlElement } from "./element.js";
import { look, pairs } from "./look.js";

/** `<fdl-dataset>`: what the version holds, as its publisher describes it. */
export class FdlDataset extends FdlElement {
  static override styles = [
    look,
    pairs,
    css`
      :host {
        container-type: inline-size;
      }
      h2 {
        font-family: var(--serif);
        font-size: clamp(1.625rem, 1.2rem + 2.2cqi, 2.5rem);
        font-weight: 500;
        line-height: 1.18;
        letter-spacing: -0.01em;
      }
      :host(:lang(ja)) h2 {
        letter-spacing: 0;
        line-height: 1.3;
      }
      .description {
        max-width: 44rem;
        margin-top: 0.75rem;
        font-size: 1.0625rem;
        white-space: pre-line;
      }
      dl {
        margin-top: 1rem;
      }
      @container (width < 26rem) {
        dl.pairs {
          grid-template-columns: 6rem minmax(0, 1fr);
          gap: 0.35rem 0.75rem;
        }
        dl.pairs dd {
          grid-column: 2;
        }
        dl.pairs dt:not(:first-child) {
          margin-top: 0;
        }
      }
      @container (width >= 60rem) {
        .columns {
          display: grid;
          grid-template-columns: minmax(0, 1fr) 18rem;
          gap: 3.5rem;
        }
        dl.pairs {
          align-content: start;
          grid-template-columns: 5.5rem minmax(0, 1fr);
          margin-top: 0.5rem;
        }
      }
    `,
  ];

  static override properties = {
    described: { attribute: false },
    fallback: {},
  };

  /** `null` where the publisher gives no description. */
  described: Dataset | null = null;
  /** The title where the publisher gives none. */
  fallback = "";

  protected override render(): TemplateResult {
    const dataset = this.described;
    const { text, list } = this.locale;
    return html`<div class="columns">
      <div>
        <h2>${dataset?.title ?? this.fallback}</h2>
        ${dataset?.description ? html`<p class="description">${dataset.description}</p>` : nothing}
      </div>
      ${
        dataset
          ? html`<dl class="pairs">
              ${this.attributions(text.dataset.licenses, dataset.licenses)}
              ${this.attributions(text.dataset.sources, dataset.sources)}
              ${this.attributions(text.dataset.contributors, dataset.contributors)}
              ${
                dataset.keywords.length > 0
                  ? html`<dt>${text.dataset.keywords}</dt>
                      <dd>${list(dataset.keywords)}</dd>`
                  : nothing
              }
            </dl>`
          : nothing
      }
    </div>`;
  }

  private attributions(term: string, given: Attribution[]): TemplateResult | typeof nothing {
    if (given.length === 0) return nothing;
    return html`<dt>${term}</dt>
      ${given.map((one) => html`<dd>${this.attribution(one)}</dd>`)}`;
  }

  private attribution({ title, url, role }: Attribution): TemplateResult | string {
    const name = title ?? url ?? "";
    const words = role === null ? name : this.locale.text.dataset.withRole(name, role);
    return url !== null && isWebAddress(url)
      ? html`<a href=${url} rel="noopener noreferrer">${words}</a>`
      : words;
  }
}

/** The reader has checked it; a link is checked again where it is made. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
