import { css, html, nothing, type TemplateResult } from "lit";
import type { Failure } from "../locales/index.js";
import type { TipWarning } from "../reader/index.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { failureOf, notice, noticeLook } from "./notice.js";

/** `<fdl-warnings>`: what differs from what was seen here before, and a way to accept it. */
export class FdlWarnings extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    css`
      .all {
        display: grid;
        gap: 0.75rem;
      }
    `,
  ];

  static override properties = {
    warnings: { attribute: false },
    accepted: { state: true },
    failure: { state: true },
  };

  warnings: TipWarning[] = [];
  private accepted: TipWarning[] = [];
  private failure: Failure | null = null;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("warnings")) return;
    this.accepted = [];
    this.failure = null;
  }

  protected override render(): TemplateResult {
    const { text } = this.locale;
    const left = this.warnings.filter((warning) => !this.accepted.includes(warning));
    return html`<div class="all" role="alert">
        ${left.map((warning) => this.warning(warning))}
        ${
          this.failure === null
            ? nothing
            : notice("unknown", text.headline(this.failure.code), text.error(this.failure))
        }
      </div>
      <p class="quiet" role="status" tabindex="-1">
        ${this.accepted.length === 0 ? nothing : text.warnings.accepted}
      </p>`;
  }

  private warning(warning: TipWarning): TemplateResult {
    const { text } = this.locale;
    const { code, facts } = warning;
    const isCertain = code !== "cannot_tell" && code !== "store_unusable";
    const seen = code === "changed_id" ? undefined : facts["seen"];
    return notice(
      isCertain ? "doubt" : "unknown",
      text.headline(code),
      text.error(warning),
      code === "store_unusable"
        ? nothing
        : html`${
              typeof seen === "string"
                ? html`<button
                    class="button"
                    @click=${() => {
                      this.tell("fdl-choose-ref", { ref: seen });
                    }}
                  >
                    ${text.warnings.showSeen}
                  </button>`
                : nothing
            }
            <button class="button" @click=${() => void this.accept(warning)}>
              ${text.warnings.accept}
            </button>`,
    );
  }

  /** The button goes with its warning: who used it goes on at what is said in its place. */
  private async accept(warning: TipWarning): Promise<void> {
    try {
      await warning.accept();
    } catch (thrown) {
      this.failure = failureOf(thrown);
      return;
    }
    this.failure = null;
    this.accepted = [...this.accepted, warning];
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("[role=status]")?.focus();
  }
}
