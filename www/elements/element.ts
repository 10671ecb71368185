import { LitElement } from "lit";
import { languageOf, localeFor, type Locale } from "../locales/index.js";
import type { Told } from "./events.js";

/** What every element here has: words in the language of the place where it stands. */
export class FdlElement extends LitElement {
  // `lang` keeps its own accessor, as in every HTML element; it only has to be watched.
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, "lang"];
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null) {
    super.attributeChangedCallback(name, old, value);
    if (name === "lang") this.requestUpdate();
  }

  /** The words; valid while the element is in a document. */
  protected get locale(): Locale {
    return localeFor(languageOf(this));
  }

  /** Tells who listens, in this shadow tree and outside it. */
  protected tell<Name extends keyof Told>(name: Name, detail: Told[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** Registers an element once: two bundles on a page must not throw at each other. */
export function register(name: string, element: typeof FdlElement): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
