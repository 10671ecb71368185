/** What is being loaded, in words and, where the size is known, as a bar. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../locales/index.js";
import type { Step } from "./version-tables.js";

export function progress(step: Step | null, reading: string, locale: Locale): TemplateResult {
  const { rows } = locale.text;
  switch (step?.at) {
    case "engine":
      return html`<p class="progress">${rows.engine}<progress></progress></p>`;
    case "catalog":
      return html`<p class="progress">
        ${rows.catalog(locale.bytes(step.received), locale.bytes(step.total))}
        <progress max=${Math.max(step.total, 1)} value=${step.received}></progress>
      </p>`;
    case "data": {
      const { files, filesTotal, received, total } = step.progress;
      return html`<p class="progress">
        ${rows.data(files, filesTotal, locale.bytes(received), locale.bytes(total))}
        <progress max=${Math.max(total, 1)} value=${Math.min(received, total)}></progress>
      </p>`;
    }
    default:
      return html`<p class="progress">
        ${reading}${step === null ? nothing : html`<progress></progress>`}
      </p>`;
  }
}

export const progressLook = css`
  .progress {
    display: flex;
    flex-direction: column;
    gap: 0.4rem;
    font-size: 0.875rem;
    color: var(--muted);
  }
`;
