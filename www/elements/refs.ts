import { css, html, nothing, type TemplateResult } from "lit";
import type { Text } from "../locales/index.js";
import type { RefEntry, Refs } from "../reader/types.js";
import { FdlElement } from "./element.js";
import { look } from "./look.js";
import { isVersionId, refKind, shortId, shortRef } from "./names.js";

/** `<fdl-refs>`: chooses a branch or a tag. */
export class FdlRefs extends FdlElement {
  static override styles = [
    look,
    css`
      label {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 0.75rem;
      }
      select {
        min-width: 0;
        max-width: 100%;
        min-height: 2.25rem;
        padding-inline: 0.6rem;
        font-size: 0.9375rem;
        text-overflow: ellipsis;
      }
    `,
  ];

  static override properties = {
    refs: { attribute: false },
    shown: {},
  };

  refs: Refs | null = null;
  /** What is shown: a full ref name, or a version ID. */
  shown = "";

  protected override render(): TemplateResult | typeof nothing {
    const { refs } = this;
    if (!refs) return nothing;
    const { text } = this.locale;
    const listed = refs.refs.some((ref) => ref.name === this.shown);
    if (refs.refs.length === 0) return nothing;
    return html`<label>
      <span class="quiet">${text.refs.label}</span>
      <select
        @change=${(event: Event) => {
          this.choose(event.target as HTMLSelectElement);
        }}
      >
        ${listed ? nothing : html`<option value="" selected>${this.unlisted(text)}</option>`}
        ${this.group(text.refs.branches, "branch", refs)} ${this.group(text.refs.tags, "tag", refs)}
        ${this.group(text.refs.others, "other", refs)}
      </select>
    </label>`;
  }

  /** What is shown, where it is no ref of the list. */
  private unlisted({ refs }: Text): string {
    if (this.shown === "") return refs.choose;
    return isVersionId(this.shown) ? refs.single(shortId(this.shown)) : this.shown;
  }

  private group(
    label: string,
    kind: ReturnType<typeof refKind>,
    { refs, head }: Refs,
  ): TemplateResult | typeof nothing {
    const members = refs.filter((ref) => refKind(ref.name) === kind);
    if (members.length === 0) return nothing;
    const { text } = this.locale;
    const named = ({ name }: RefEntry) =>
      name === head ? text.refs.byDefault(shortRef(name)) : shortRef(name);
    return html`<optgroup label=${label}>
      ${members.map(
        (ref) =>
          html`<option value=${ref.name} .selected=${ref.name === this.shown}>
            ${named(ref)}
          </option>`,
      )}
    </optgroup>`;
  }

  private choose(select: HTMLSelectElement): void {
    if (select.value !== "") this.tell("fdl-choose-ref", { ref: select.value });
  }
}
