/** Marks that differ in shape, so that colour is never the only sign. Words always stand beside. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

export type Mark = "good" | "bad" | "doubt" | "unknown" | "note";

/** A mark of 20 by 20. */
export function mark(kind: Mark): TemplateResult {
  return html`<svg class="mark ${kind}" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    ${shapes[kind]}
  </svg>`;
}

const shapes: Record<Mark, SVGTemplateResult> = {
  good: svg`<circle cx="10" cy="10" r="8.5"/><path d="M6 10.4l2.8 2.8L14.2 7.4"/>`,
  bad: svg`<path d="M6.5 1.5h7l5 5v7l-5 5h-7l-5-5v-7z"/><path d="M7 7l6 6M13 7l-6 6"/>`,
  doubt: svg`<path d="M10 2.2l8.4 15.3H1.6z"/><path d="M10 7.8v4.4M10 14.7v.1"/>`,
  note: svg`<circle cx="10" cy="10" r="8.5"/><path d="M10 9.2v5M10 6v.1"/>`,
  unknown: svg`<circle cx="10" cy="10" r="8.5" stroke-dasharray="2.6 2.1"/><path d="M7.7 7.9a2.4 2.4 0 1 1 3.3 2.3c-.7.3-1 .8-1 1.6M10 14.3v.1"/>`,
};
