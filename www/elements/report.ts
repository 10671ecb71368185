import { css, html, nothing, type TemplateResult } from "lit";
import { FdlElement } from "./element.js";
import { look } from "./look.js";

/** A button that copies a text, and the text itself where the browser does not let it. */
export class FdlReport extends FdlElement {
  static override styles = [
    look,
    css`
      p {
        margin-top: 0.5rem;
      }
      textarea {
        display: block;
        width: 100%;
        height: 16rem;
        margin-top: 0.5rem;
        padding: 0.6rem 0.75rem;
        border: 1px solid var(--strong-line);
        background: var(--raised);
        white-space: pre;
        resize: vertical;
      }
    `,
  ];

  static override properties = {
    report: { attribute: false },
    state: { state: true },
  };

  report = "";
  private state: "waiting" | "copied" | "refused" = "waiting";

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // What was said of another report is not true of this one.
    if (changed.has("report")) this.state = "waiting";
  }

  protected override render(): TemplateResult {
    const { verdict: text } = this.locale.text;
    return html`<button class="button" @click=${() => void this.copy()}>${text.copyReport}</button>
      <div aria-live="polite">
        ${this.state === "copied" ? html`<p class="quiet">${text.copied}</p>` : nothing}
        ${this.state === "refused" ? html`<p class="quiet">${text.notCopied}</p>` : nothing}
      </div>
      ${
        this.state === "refused"
          ? html`<textarea
              readonly
              aria-label=${text.report}
              spellcheck="false"
              .value=${this.report}
            ></textarea>`
          : nothing
      }`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.report); // missing without a secure context
      this.state = "copied";
    } catch {
      this.state = "refused";
      await this.updateComplete;
      this.renderRoot.querySelector("textarea")?.select();
    }
  }
}
