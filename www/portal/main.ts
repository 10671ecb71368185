/** The portal: one repository on one page. What is shown is what the address says. */
import { html, nothing, render, type TemplateResult } from "lit";
import { configureEngine } from "../elements/index.js";
import { languageOf, localeFor } from "../locales/index.js";
import trustedSigners from "./trusted-signers.txt?raw";

const here = (path: string): string => new URL(path, document.baseURI).href;
const demo = here("demo/");

configureEngine({
  engine: {
    wasm: here("duckdb/duckdb-eh.wasm"),
    worker: here("duckdb/duckdb-browser-eh.worker.js"),
  },
  extensionRepository: here("duckdb-ext"),
});

/** What the page's address asks for. */
interface Asked {
  /** `null`: the demo. */
  src: string | null;
  ref: string | null;
  table: string | null;
  /** `null`: the browser's. */
  lang: string | null;
}

const members = ["src", "ref", "table", "lang"] as const;

function asked(): Asked {
  const { searchParams } = new URL(location.href);
  const given = (name: string) => searchParams.get(name) ?? "";
  const [src, ref, table, lang] = members.map((name) => given(name).trim() || null);
  return {
    src: src === undefined || src === null || sameFolder(src, demo) ? null : src,
    ref: ref ?? null,
    table: table ?? null,
    lang: lang ?? null,
  };
}

function sameFolder(src: string, folder: string): boolean {
  if (!URL.canParse(src, document.baseURI)) return false;
  return new URL(src, document.baseURI).href.replace(/\/*$/, "/") === folder;
}

/** The page's address for what is asked. */
function addressOf(wanted: Asked): string {
  const address = new URL(location.pathname, location.href);
  for (const name of members) {
    const value = wanted[name];
    if (value !== null) address.searchParams.set(name, value);
  }
  return address.href;
}

function go(change: Partial<Asked>): void {
  history.pushState(null, "", addressOf({ ...asked(), ...change }));
  show();
}

function show(): void {
  const wanted = asked();
  const { lang } = wanted;
  document.documentElement.lang = localeFor(lang ?? navigator.language).tag;
  const holder = document.querySelector<HTMLElement>("#portal");
  if (holder) render(page(wanted), holder);
}

function page(wanted: Asked): TemplateResult {
  const { text, tag } = localeFor(languageOf(document.documentElement));
  const { portal } = text;
  const other = wanted.src !== null;
  const address = wanted.src ?? demo;
  return html`
    <header class="site">
      <h1>
        <a class="name" href=${addressOf({ src: null, ref: null, table: null, lang: wanted.lang })}>
          ${portal.title}
        </a>
      </h1>
      <p class="tagline">${portal.tagline}</p>
      <nav aria-label=${portal.language}>
        ${(["en", "ja"] as const).map(
          (language) =>
            html`<button
              lang=${language}
              aria-pressed=${tag.startsWith(language)}
              @click=${() => {
                go({ lang: language });
              }}
            >
              ${language === "en" ? "English" : "日本語"}
            </button>`,
        )}
      </nav>
    </header>
    <main>
      <div class="source">
        <p class="what">
          <span class="term">${portal.repository}</span>
          <code>${address}</code>
          ${other ? nothing : html`<span class="aside">${portal.demo}</span>`}
        </p>
        <p class="aside">${other ? portal.trustsNobody : portal.trusts}</p>
        <details>
          <summary>${portal.open}</summary>
          <form @submit=${openOther}>
            <label for="src">${portal.address}</label>
            <div>
              <input
                id="src"
                name="src"
                type="url"
                required
                spellcheck="false"
                autocomplete="url"
                aria-describedby="src-hint"
                .value=${wanted.src ?? ""}
              />
              <button>${portal.openButton}</button>
            </div>
            <p class="aside" id="src-hint">${portal.addressHint}</p>
            ${
              other
                ? html`<p>
                    <button
                      type="button"
                      class="plain"
                      @click=${() => {
                        go({ src: null, ref: null, table: null });
                      }}
                    >
                      ${portal.backToDemo}
                    </button>
                  </p>`
                : nothing
            }
          </form>
        </details>
      </div>
      <fdl-viewer
        lang=${tag}
        .src=${address}
        .ref=${wanted.ref}
        .table=${wanted.table}
        .trustedSigners=${other ? null : trustedSigners}
        remember
        @fdl-navigate=${({ target, detail }: HTMLElementEventMap["fdl-navigate"]) => {
          if (target instanceof HTMLElement) go({ ref: detail.ref, table: detail.table });
        }}
        @fdl-show=${({ detail }: HTMLElementEventMap["fdl-show"]) => {
          document.title = `${detail.title} — ${portal.title}`;
        }}
      ></fdl-viewer>
    </main>
    <footer class="site"><p>${portal.private}</p></footer>
  `;
}

function openOther(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const given = new FormData(form).get("src");
  const src = typeof given === "string" ? given.trim() : "";
  if (src !== "") go({ src: sameFolder(src, demo) ? null : src, ref: null, table: null });
}

addEventListener("popstate", show);
show();
