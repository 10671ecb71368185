/**
 * The look that all elements share.
 *
 * A site sets any `--fdl-…` property on the element or above it; light or dark follows the
 * `color-scheme` of the place where the element stands.
 */
import { css } from "lit";

export const look = css`
  :host {
    --paper: var(--fdl-paper, light-dark(#fcfbf8, #161618));
    --raised: var(--fdl-raised, light-dark(#ffffff, #1e1e21));
    --sunken: var(--fdl-sunken, light-dark(#f3f1eb, #111113));
    --ink: var(--fdl-ink, light-dark(#1d1c1a, #e9e7e2));
    --muted: var(--fdl-muted, light-dark(#5f5b53, #a7a39a));
    --line: var(--fdl-line, light-dark(#ddd9d0, #35353a));
    --strong-line: var(--fdl-strong-line, light-dark(#8d887d, #77747c));
    --accent: var(--fdl-accent, light-dark(#1f4b73, #9cc3e6));
    --good: var(--fdl-good, light-dark(#1c6040, #7fcaa2));
    --doubt: var(--fdl-doubt, light-dark(#7d5200, #e0b567));
    --bad: var(--fdl-bad, light-dark(#9c2118, #f0958b));
    --sans: var(
      --fdl-font,
      system-ui,
      -apple-system,
      "Segoe UI",
      "Hiragino Sans",
      "Yu Gothic UI",
      "Noto Sans",
      "Noto Sans JP",
      "Noto Sans CJK JP",
      sans-serif
    );
    --serif: var(
      --fdl-font-title,
      "Iowan Old Style",
      "Palatino Linotype",
      Palatino,
      "Noto Serif",
      "Hiragino Mincho ProN",
      "Yu Mincho",
      "Noto Serif JP",
      "Noto Serif CJK JP",
      serif
    );
    --mono: var(
      --fdl-font-mono,
      ui-monospace,
      "SF Mono",
      "Cascadia Mono",
      Menlo,
      Consolas,
      "Noto Sans Mono",
      monospace
    );
    display: block;
    box-sizing: border-box;
    min-width: 0;
    color: var(--ink);
    font-family: var(--sans);
    line-height: 1.6;
    line-break: strict;
    overflow-wrap: anywhere;
  }
  :host(:lang(ja)) {
    word-break: auto-phrase;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h2,
  h3,
  h4 {
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  h3 {
    font-family: var(--serif);
    font-size: 1.25rem;
    font-weight: 500;
  }
  h4 {
    font-size: 0.9375rem;
  }
  p {
    text-wrap: pretty;
  }
  ul,
  ol {
    list-style: none;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.2em;
    text-decoration-thickness: 1px;
  }
  a:hover {
    text-decoration-thickness: 2px;
  }
  code,
  pre,
  textarea,
  .code {
    font-family: var(--mono);
    font-size: 0.875em;
  }
  .small {
    font-size: 0.875rem;
  }
  .muted {
    color: var(--muted);
  }
  .number {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  .quiet {
    font-size: 0.875rem;
    color: var(--muted);
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  select,
  textarea {
    font: inherit;
    color: inherit;
    border-radius: 3px;
  }
  .button,
  select {
    min-height: 2.5rem;
    padding: 0.3rem 0.9rem;
    border: 1px solid var(--strong-line);
    background: var(--raised);
    cursor: pointer;
  }
  .button:hover,
  select:hover {
    border-color: var(--accent);
  }
  .button.first {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--paper);
    font-weight: 600;
  }
  .button.first:not([aria-disabled="true"]):hover {
    background: color-mix(in oklab, var(--accent), var(--ink) 25%);
  }
  .button[aria-disabled="true"] {
    border-color: var(--line);
    background: var(--sunken);
    color: var(--muted);
    cursor: default;
  }
  summary {
    padding: 0.35rem 0;
    cursor: pointer;
    color: var(--accent);
  }
  .mark {
    width: 1.25em;
    height: 1.25em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .good {
    color: var(--good);
  }
  .doubt,
  .unknown {
    color: var(--doubt);
  }
  .note {
    color: var(--accent);
  }
  .bad {
    color: var(--bad);
  }
  progress {
    width: 100%;
    max-width: 20rem;
    height: 0.4rem;
    accent-color: var(--accent);
  }
  .scroll {
    overflow: auto;
    overscroll-behavior-x: contain;
    border: 1px solid var(--line);
    background: var(--raised);
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.35rem 0.75rem;
    text-align: start;
    vertical-align: top;
  }
  th {
    font-weight: 600;
  }
  tbody tr {
    border-top: 1px solid var(--line);
  }
  @media (prefers-reduced-motion: no-preference) {
    .button,
    select,
    a {
      transition:
        border-color 0.12s,
        background-color 0.12s;
    }
  }
`;

/** Pairs of a term and what it is, in two columns where there is room. */
export const pairs = css`
  dl.pairs {
    display: grid;
    grid-template-columns: minmax(7rem, max-content) 1fr;
    gap: 0.35rem 1.25rem;
    font-size: 0.875rem;
  }
  dl.pairs dt {
    grid-column: 1;
    color: var(--muted);
  }
  dl.pairs dd {
    grid-column: 2;
    min-width: 0;
  }
  @container (width < 26rem) {
    dl.pairs {
      grid-template-columns: 1fr;
      gap: 0;
    }
    dl.pairs dd {
      grid-column: 1;
    }
    dl.pairs dt:not(:first-child) {
      margin-top: 0.6rem;
    }
  }
`;
