/** What stands in place of content: what happened, and what to do. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Failure, Locale } from "../locales/index.js";
import { FdlError } from "../reader/index.js";
import { mark, type Mark } from "./icons.js";

/** A headline, a sentence, and what the visitor can do. */
export function notice(
  kind: Mark,
  headline: string,
  sentence: string | TemplateResult | typeof nothing,
  actions: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<div class="notice ${kind}">
    ${mark(kind)}
    <div>
      <p class="headline">${headline}</p>
      ${sentence === nothing ? nothing : html`<div class="sentence">${sentence}</div>`}
      ${actions === nothing ? nothing : html`<p class="actions">${actions}</p>`}
    </div>
  </div>`;
}

/** The notice of a failure. */
export function failureNotice(
  error: Failure,
  { text }: Locale,
  actions: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return notice(markOf(error), text.headline(error.code), text.error(error), actions);
}

/** An error as words need it, whatever was thrown. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof FdlError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: "unexpected", message, facts: {} };
}

export function isAbort(thrown: unknown): boolean {
  return (
    (thrown instanceof FdlError && thrown.code === "aborted") ||
    (thrown instanceof DOMException && thrown.name === "AbortError")
  );
}

/** Failures that say "could not ask": no verdict on the repository. */
const unreached = new Set([
  "could_not_fetch",
  "http_status",
  "engine_not_loaded",
  "engine_lost",
  "out_of_memory",
  "extension_missing",
  "wasm_not_loaded",
]);

function markOf({ code, broken }: Failure): Mark {
  if (unreached.has(code)) return "unknown";
  return broken ? "bad" : "doubt";
}

export const noticeLook = css`
  .notice {
    display: flex;
    gap: 0.75rem;
    padding: 0.9rem 1.1rem;
    border: 1px solid var(--line);
    border-inline-start: 3px solid currentColor;
    background: var(--raised);
  }
  .notice > div {
    min-width: 0;
    color: var(--ink);
  }
  .notice .headline {
    font-weight: 600;
  }
  .notice .sentence {
    max-width: 46rem;
  }
  .notice .sentence > * + * {
    margin-top: 0.5rem;
  }
  .notice pre {
    margin: 0.25rem 0 0;
    white-space: pre-wrap;
  }
  .notice .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-top: 0.75rem;
  }
`;
