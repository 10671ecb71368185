import { css, html, nothing, type TemplateResult } from "lit";
import type { RepositoryOptions, Verdict, Version } from "../reader/index.js";
import type { VerifyData } from "./data.js";
import { FdlElement } from "./element.js";
import type { WalkHistory } from "./history.js";
import { look } from "./look.js";
import { briefRef, folderName, fullRef, isVersionId, refInWords, sqlName } from "./names.js";
import { failureNotice, notice, noticeLook } from "./notice.js";
import type { RunQuery } from "./query.js";
import { refusal } from "./refusal.js";
import type { LoadRows } from "./rows.js";
import { Shown } from "./shown.js";
import { chosenTable, tablesOf } from "./table-shown.js";
import { asksForSigner } from "./trusted-signers.js";

/** What a repository is opened by: another value opens it anew. */
const opensAnew = [
  ...["src", "trustedSigners", "revokedKeys", "namespace", "principal", "time"],
  ...["mirrors", "remember", "verifyData"],
];

/** A page that is given more rows than this would only get slow. */
const rowLimit = 10_000;

/** `<fdl-viewer>`: a repository's version, its verdict, its tables and its history. */
export class FdlViewer extends FdlElement {
  static override styles = [
    look,
    noticeLook,
    css`
      :host {
        container-type: inline-size;
      }
      article,
      .main {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 2rem;
      }
      .heading {
        display: grid;
        gap: 1.25rem;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        align-items: start;
        gap: 0.75rem 2rem;
        padding-top: 1rem;
        border-top: 1px solid var(--line);
      }
      .bar fdl-version {
        flex: 1 1 22rem;
      }
      .trust {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.75rem;
      }
      .bar .refs {
        max-width: 26rem;
      }
      .body {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 2.5rem;
      }
      .main {
        gap: 2.5rem;
        align-content: start;
      }
      @container (width >= 60rem) {
        .body {
          grid-template-columns: minmax(0, 1fr) 18rem;
          gap: 3.5rem;
        }
      }
    `,
  ];

  static override properties = {
    src: {},
    ref: {},
    table: {},
    trustedSigners: { attribute: "trusted-signers" },
    revokedKeys: { attribute: "revoked-keys" },
    namespace: {},
    principal: {},
    time: {},
    mirrors: {},
    remember: { type: Boolean },
    verifyData: { type: Boolean, attribute: "verify-data" },
  };

  /** The repository's address; a relative one is taken from the page's. */
  src: string | null = null;
  /** A branch, a tag, a full ref name or a version ID; none: the repository's default. */
  ref: string | null = null;
  /** `schema.name` or `name`; none: the first table. */
  table: string | null = null;
  /** Whom the page trusts, in allowed_signers form; none: nobody, and "nobody vouches". */
  trustedSigners: string | null = null;
  /** The keys that no longer count: public keys, one per line, or the bytes of an OpenSSH KRL; none: no key. */
  revokedKeys: string | Uint8Array | null = null;
  /** The namespace that signatures must have; none: `fdl`. */
  namespace: string | null = null;
  /** By whom signatures must be, a name or patterns; none: any trusted signer. */
  principal: string | null = null;
  /** When a signer's key must count: `created`, `now` or RFC 3339; none: `created`. */
  time: string | null = null;
  /** Other roots of the same repository, separated by spaces, read where `src` fails or is broken. */
  mirrors: string | null = null;
  /**
   * Whether the page remembers in its localStorage which version each ref held, and warns when what
   * comes later does not follow from it.
   */
  remember = false;
  /**
   * Whether each data file is downloaded whole and verified before a row of it is shown: for the first
   * rows DuckDB and all data files are loaded then.
   */
  verifyData = false;

  readonly #shown = new Shown(this);
  // The functions handed on are kept while they mean the same: another one means "load anew".
  #load: { version: Version; table: string | null; load: LoadRows } | null = null;
  #run: { version: Version; run: RunQuery } | null = null;
  #verify: { version: Version; verify: VerifyData } | null = null;
  #told: Version | null = null;
  readonly #language = new MutationObserver(() => {
    this.requestUpdate();
  });

  constructor() {
    super();
    this.addEventListener("fdl-choose-ref", ({ detail }) => {
      this.ref = briefRef(this.#shown.named(detail.ref), this.#shown.refs);
      // What was chosen begins at the top; the history may be far below it.
      if (this.getBoundingClientRect().top < 0) this.scrollIntoView();
      this.tell("fdl-navigate", { ref: this.ref, table: this.table });
    });
    this.addEventListener("fdl-choose-table", ({ detail }) => {
      this.table = `${detail.schema}.${detail.name}`;
      this.tell("fdl-navigate", { ref: this.ref, table: this.table });
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#language.observe(document.documentElement, { attributeFilter: ["lang"] });
    if (this.hasUpdated) this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#language.disconnect();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (opensAnew.some((name) => changed.has(name))) this.open();
    else if (changed.has("ref")) this.read();
    const { version } = this.#shown;
    if (version && version !== this.#told) {
      this.tell("fdl-show", { title: this.datasetTitle(version), version: version.id });
    }
    this.#told = version;
  }

  private open(): void {
    const { src, ref, verifyData } = this;
    if (src === null) this.#shown.close();
    else void this.#shown.open({ src: absolute(src), ref, options: this.options(), verifyData });
  }

  private options(): RepositoryOptions {
    return {
      trustedSigners: this.trustedSigners ?? undefined,
      revokedKeys: this.revokedKeys ?? undefined,
      namespace: this.namespace ?? undefined,
      principal: this.principal ?? undefined,
      time: this.time ?? undefined,
      mirrors: this.mirrors?.split(/\s+/).filter((root) => root !== ""),
      tips: this.remember ? "localStorage" : undefined,
    };
  }

  private read(): void {
    if (this.#shown.repository) void this.#shown.read(this.ref);
    else this.open();
  }

  protected override render(): TemplateResult {
    const { version, verdict } = this.#shown;
    const seen = version && verdict;
    // One element throughout: a change within it is announced, a new one would not be.
    return html`<p class=${seen ? "unseen" : "quiet"} role="status">${this.status()}</p>
      ${seen ? this.article(version, verdict) : this.standIn()}`;
  }

  /** What goes on, for everyone while there is nothing else to see, and for who cannot see. */
  private status(): string {
    const { text } = this.locale;
    const { phase, version } = this.#shown;
    switch (phase) {
      case "nothing":
        return this.src === null ? text.viewer.noSource : "";
      case "opening":
        return text.viewer.opening;
      case "reading":
        return text.viewer.reading;
      case "shown":
        return version
          ? text.viewer.shown(this.datasetTitle(version), refInWords(this.shownRef(version), text))
          : "";
      case "failed":
        return "";
    }
  }

  /** What stands where there is no version to show: why, and ways on. */
  private standIn(): TemplateResult | typeof nothing {
    const { failure, refs, walk, phase } = this.#shown;
    if (phase !== "failed" || !failure) return nothing;
    const { text } = this.locale;
    const again = this.again();
    const toDefault = html`<button
      class="button"
      @click=${() => {
        this.choose(null);
      }}
    >
      ${text.viewer.showDefault}
    </button>`;
    return html`<div class="main">
      <div role="alert">
        ${
          failure.code === "no_version"
            ? notice(
                "note",
                text.viewer.noVersionHeadline,
                text.viewer.noVersion(String(failure.facts.reference)),
                again,
              )
            : failureNotice(
                failure,
                this.locale,
                html`${again} ${refs?.head && this.ref !== null ? toDefault : nothing}`,
              )
        }
      </div>
      ${this.picker(fullRef(this.ref, refs) ?? "")} ${walk ? this.history(walk, "") : nothing}
    </div>`;
  }

  private again(): TemplateResult {
    return html`<button
      class="button"
      @click=${() => {
        this.read();
      }}
    >
      ${this.locale.text.viewer.tryAgain}
    </button>`;
  }

  private article(version: Version, verdict: Verdict): TemplateResult {
    const { repository, walk, phase, trust, warnings } = this.#shown;
    const { tag } = this.locale;
    return html`<article aria-busy=${phase === "reading"}>
      <header class="heading">
        <fdl-dataset
          lang=${tag}
          .described=${version.dataset}
          .fallback=${this.datasetTitle(version)}
        ></fdl-dataset>
        <div class="bar">
          <fdl-version
            lang=${tag}
            .record=${version.record}
            .settings=${repository?.settings ?? null}
            .url=${repository?.url ?? ""}
          ></fdl-version>
          ${this.picker(this.shownRef(version))}
        </div>
        ${this.earlier(version)}
        ${
          warnings.length === 0
            ? nothing
            : html`<fdl-warnings lang=${tag} .warnings=${warnings}></fdl-warnings>`
        }
      </header>
      <div class="trust">
        <fdl-verdict
          lang=${tag}
          .verdict=${verdict}
          ?loose-description=${version.dataset !== null && version.record.dataset === null}
          .trust=${trust}
          .expected=${repository?.settings.signers ?? []}
          ?verifies-data=${this.verifyData}
        ></fdl-verdict>
        ${
          version.expired
            ? nothing
            : html`<fdl-data
                lang=${tag}
                .verify=${this.verifyFiles(version)}
                .result=${verdict.data}
                ?before-rows=${this.verifyData}
              ></fdl-data>`
        }
      </div>
      <div class="body">
        <div class="main">${this.content(version, verdict)}</div>
        ${walk ? this.history(walk, version.id) : nothing}
      </div>
    </article>`;
  }

  /** The tables with their rows, or why there are none. */
  private content(version: Version, verdict: Verdict): TemplateResult {
    const shown = this.#shown;
    const { tag } = this.locale;
    const refused = refusal(
      version,
      verdict,
      { asksForSigner: asksForSigner(shown.trust), again: this.again() },
      this.locale,
    );
    const tables = tablesOf(version.dataset, refused ? null : shown.lakeTables);
    const chosen = chosenTable(tables, this.table);
    // The description may leave tables out: only the catalog knows that there is none.
    const isMissing = chosen === null && (refused !== null || shown.lakeTables !== null);
    const list = html`<fdl-tables
      lang=${tag}
      .tables=${tables}
      .chosen=${chosen}
      .missing=${isMissing ? (this.table ?? "") : ""}
    ></fdl-tables>`;
    if (refused) {
      return html`${refused}
      ${
        tables
          ? html`${list}
            ${
              chosen
                ? html`<fdl-table lang=${tag} .table=${chosen} columns-open></fdl-table>`
                : nothing
            }`
          : nothing
      }`;
    }

    const unreadable = chosen !== null && chosen.refused !== null;
    return html`
      ${list}
      ${
        isMissing
          ? nothing
          : html`<fdl-table lang=${tag} .table=${chosen} ?columns-open=${unreadable}>
              ${
                unreadable
                  ? nothing
                  : html`<fdl-rows
                      lang=${tag}
                      .load=${this.loadRows(version)}
                      .step=${shown.step}
                      .total=${chosen?.rows ?? null}
                      .label=${chosen?.name ?? ""}
                      ?verified=${this.verifyData}
                    ></fdl-rows>`
              }
            </fdl-table>`
      }
      <fdl-query
        lang=${tag}
        .run=${this.runQuery(version)}
        .step=${shown.step}
        .names=${(tables ?? [])
          .filter((table) => table.refused === null)
          .map(({ schema, name }) => sqlName(shown.alias, schema, name))}
      ></fdl-query>
    `;
  }

  private picker(shown: string): TemplateResult {
    const { refs, refsFailure, repository } = this.#shown;
    const { tag, text } = this.locale;
    if (refsFailure) return html`<p class="quiet">${text.error(refsFailure)}</p>`;
    const fromMirror = refs !== null && refs.root !== repository?.url;
    return html`<div class="refs">
      <fdl-refs lang=${tag} .refs=${refs} .shown=${shown}></fdl-refs>
      ${fromMirror ? html`<p class="quiet">${text.refs.servedBy(refs.root)}</p>` : nothing}
    </div>`;
  }

  /** Says that the version shown is not the one that the ref holds. */
  private earlier(version: Version): TemplateResult | typeof nothing {
    const { tip, refs } = this.#shown;
    // A version that the visitor came to by its ID is seen from the default ref.
    const from = tip !== null && isVersionId(tip) ? refs?.head : tip;
    const held = refs?.refs.find((ref) => ref.name === from);
    if (!held || held.version === version.id || !isVersionId(this.ref ?? "")) return nothing;
    const { text } = this.locale;
    const name = refInWords(held.name, text);
    return notice(
      "note",
      text.viewer.earlier(name),
      nothing,
      html`<button
        class="button"
        @click=${() => {
          this.choose(held.name);
        }}
      >
        ${text.viewer.showTip(name)}
      </button>`,
    );
  }

  private history(walk: WalkHistory, shown: string): TemplateResult {
    return html`<fdl-history lang=${this.locale.tag} .walk=${walk} .shown=${shown}></fdl-history>`;
  }

  private choose(ref: string | null): void {
    const { refs } = this.#shown;
    const chosen = ref ?? refs?.head;
    if (chosen) this.tell("fdl-choose-ref", { ref: chosen });
  }

  /** The full name of the ref shown, or the version's ID. */
  private shownRef(version: Version): string {
    return fullRef(this.ref, this.#shown.refs) ?? version.id;
  }

  private datasetTitle(version: Version): string {
    const { repository } = this.#shown;
    return version.dataset?.title ?? (repository ? folderName(repository.url) : "");
  }

  private loadRows(version: Version): LoadRows {
    const { table } = this;
    if (this.#load?.version !== version || this.#load.table !== table) {
      const load: LoadRows = async (page, signal) => {
        const described = chosenTable(tablesOf(version.dataset, null), table);
        const previewed = described && (await this.#shown.preview(described, page, signal));
        if (previewed) return previewed;
        const lake = await this.#shown.tables();
        signal.throwIfAborted();
        const chosen = chosenTable(tablesOf(version.dataset, lake.tables), table);
        if (!chosen || chosen.refused !== null) return { columns: [], rows: [], more: false };
        const { offset, limit } = page;
        const columns = page.columns ?? chosen.columns.map(({ name }) => name);
        const order = page.order ? [page.order] : [];
        // One more tells whether there are more.
        const request = { columns, order, offset, limit: limit + 1, signal };
        const result = await lake.rows(chosen, request);
        const more = result.rows.length > limit;
        return { ...result, rows: result.rows.slice(0, limit), more };
      };
      this.#load = { version, table, load };
    }
    return this.#load.load;
  }

  private verifyFiles(version: Version): VerifyData {
    if (this.#verify?.version !== version) {
      const verify: VerifyData = (signal, onProgress) => this.#shown.verifyData(signal, onProgress);
      this.#verify = { version, verify };
    }
    return this.#verify.verify;
  }

  private runQuery(version: Version): RunQuery {
    if (this.#run?.version !== version) {
      const run: RunQuery = async (sql, signal) => {
        const lake = await this.#shown.tables();
        signal.throwIfAborted();
        return lake.engine.query(sql, { limit: rowLimit, signal });
      };
      this.#run = { version, run };
    }
    return this.#run.run;
  }
}

/** The address seen from the page; what is no address at all is left for the reader to refuse. */
function absolute(src: string): string {
  return URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI).href : src;
}
