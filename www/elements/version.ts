import { css, html, nothing, type TemplateResult } from "lit";
import type { Settings, VersionRecord } from "../reader/types.js";
import { FdlElement } from "./element.js";
import { look, pairs } from "./look.js";

/** `<fdl-version>`: the record of the version shown. */
export class FdlVersion extends FdlElement {
  static override styles = [
    look,
    pairs,
    css`
      :host {
        container-type: inline-size;
        font-size: 0.9375rem;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.75rem;
      }
      .message {
        margin-top: 0.15rem;
        max-width: 46rem;
        font-family: var(--serif);
        font-size: 1.0625rem;
        white-space: pre-line;
      }
      details {
        margin-top: 0.25rem;
        font-size: 0.875rem;
      }
      dl {
        padding: 0.5rem 0;
      }
      button.id {
        padding: 0;
        border: 0;
        background: none;
        color: var(--accent);
        font-family: var(--mono);
        font-size: 0.875em;
        text-align: start;
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.2em;
        cursor: pointer;
      }
    `,
  ];

  static override properties = {
    record: { attribute: false },
    settings: { attribute: false },
    url: {},
  };

  record: VersionRecord | null = null;
  settings: Settings | null = null;
  /** The repository's address. */
  url = "";

  protected override render(): TemplateResult | typeof nothing {
    const { record, settings } = this;
    if (!record) return nothing;
    const { text, day, moment } = this.locale;
    const { author } = record;
    return html`
      <p class="line">
        <strong>
          ${record.seq === null ? text.version.heading : text.version.number(record.seq)}
        </strong>
        <time datetime=${record.created_at} title=${moment(record.created_at)}>
          ${day(record.created_at)}
        </time>
        ${author.name === null ? nothing : html`<span>${text.version.by(author.name)}</span>`}
      </p>
      ${record.message === null ? nothing : html`<p class="message">${record.message}</p>`}
      <details>
        <summary>${text.version.details}</summary>
        <dl class="pairs">
          <dt>${text.version.id}</dt>
          <dd><code>${record.id}</code></dd>
          <dt>${text.version.created}</dt>
          <dd>${moment(record.created_at)}</dd>
          ${
            author.name === null && author.email === null
              ? nothing
              : html`<dt>${text.version.author}</dt>
                  <dd>
                    ${[author.name, author.email].filter((part) => part !== null).join(", ")}
                  </dd>`
          }
          <dt>${text.version.parents}</dt>
          ${this.parents(record)}
          <dt>${text.version.ducklake}</dt>
          <dd>${text.version.snapshot(record.ducklake.format, record.ducklake.snapshot_id)}</dd>
          <dt>${text.version.catalog}</dt>
          <dd>
            ${text.version.catalogSize(
              record.catalog.path,
              record.catalog.bytes,
              record.catalog.storage,
            )}
          </dd>
          ${
            record.inputs.length === 0
              ? nothing
              : html`<dt>${text.version.inputs}</dt>
                  ${record.inputs.map((input) => html`<dd><code>${input.sha256}</code></dd>`)}`
          }
          <dt>${text.version.repository}</dt>
          <dd><code>${this.url}</code></dd>
          ${
            settings
              ? html`<dt>${text.version.repositoryId}</dt>
                  <dd>
                    ${settings.id === null ? text.version.noId : html`<code>${settings.id}</code>`}
                  </dd>`
              : nothing
          }
          <dt>${text.version.specification}</dt>
          <dd>FDL ${record.fdl}</dd>
        </dl>
      </details>
    `;
  }

  private parents({ parents }: VersionRecord): TemplateResult | TemplateResult[] {
    if (parents.length === 0) return html`<dd>${this.locale.text.version.noParents}</dd>`;
    return parents.map(
      (parent) =>
        html`<dd>
          <button
            class="id"
            @click=${() => {
              this.tell("fdl-choose-ref", { ref: parent });
            }}
          >
            ${parent}
          </button>
        </dd>`,
    );
  }
}
