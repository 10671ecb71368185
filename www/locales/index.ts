/**
 * Every text of the pages, in English and Japanese.
 *
 * The reader words each error once, in English; other languages word the same facts by code.
 */
import { en, type Text } from "./en.js";
import { formatsFor, type Formats } from "./formats.js";
import { ja } from "./ja.js";

export type { CheckOutcome, Failure } from "./failure.js";
export type { Formats, Text };

export interface Locale extends Formats {
  text: Text;
}

const locales = new Map<string, Locale>();

/** The words for a language tag; English where the language is not one of ours. */
export function localeFor(tag: string): Locale {
  let locale = locales.get(tag);
  if (!locale) {
    const formats = formatsFor(known(tag));
    const text = formats.tag.startsWith("ja") ? ja(formats) : en(formats);
    locale = { ...formats, text };
    locales.set(tag, locale);
  }
  return locale;
}

/** `tag` where it is a tag that Intl can use and a language that we write, else `"en"`. */
function known(tag: string): string {
  try {
    const { language } = new Intl.Locale(tag);
    return language === "ja" || language === "en" ? tag : "en";
  } catch {
    return "en";
  }
}

/** The language that `element` stands in: its own, its nearest ancestor's, else the browser's. */
export function languageOf(element: Element): string {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const lang = at.getAttribute("lang");
    if (lang) return lang;
  }
  return navigator.language;
}

/** The element that `element` stands in, across the edge of a shadow tree. */
function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
