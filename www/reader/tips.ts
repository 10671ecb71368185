/**
 * The memory of tips: what a page saw of a repository and its refs, so that it can be warned when a
 * host shows something that does not come after it. Whether it does is decided in `src/tips.rs`.
 *
 * What is kept is one short JSON text for each repository and for each ref:
 *
 *     fdl-reader id <root>         {"document":"fdl-id/1","id":"5f0c8a52-…"}, or null where it has none
 *     fdl-reader tip <where> <ref> {"document":"fdl-tip/1","version":"019a3c4e-…"}
 *
 * `<root>` is the root without its query, which may hold a secret; `<where>` is the repository's id,
 * percent-encoded, or `<root>` where it has none. Nothing that is read from there is used otherwise
 * than by comparing it.
 */
import { FdlError } from "./errors.js";
import type { Settings } from "./types.js";

/** Where a page keeps what it saw: short texts by key. */
export interface TipStore {
  /** The text under a key; `null` where there is none. */
  read(key: string): string | null | undefined | Promise<string | null | undefined>;
  write(key: string, text: string): void | Promise<void>;
}

/** What the page is warned of. */
export class TipWarning {
  /**
   * `rolled_back`: the ref holds a version that does not come after the one seen; `moved_tag`: a tag
   * holds another version; `changed_id`: another repository is at this root; `cannot_tell`: the way
   * from the version found back to the one seen could not be followed; `store_unusable`: the store
   * could not be read or written, or held something else.
   */
  readonly code: "rolled_back" | "moved_tag" | "changed_id" | "cannot_tell" | "store_unusable";
  /** The same in a sentence. */
  readonly message: string;
  /** Both ends, `seen` and `found`, and what else the sentence is made of. */
  readonly facts: Record<string, unknown>;
  readonly #remember: () => Promise<void>;

  /** @internal */
  constructor({ code, message, facts }: Warned, remember: () => Promise<void>) {
    this.code = code;
    this.message = message;
    this.facts = facts;
    this.#remember = remember;
  }

  /**
   * Remembers what was found in place of what was seen, so that it is not warned of again. Of a store
   * that cannot be used there is nothing to accept.
   *
   * @throws {FdlError} `store_unusable`
   */
  async accept(): Promise<void> {
    await this.#remember();
  }
}

/** A warning, as the wasm gives it. */
export type Warned = Pick<TipWarning, "code" | "message" | "facts">;

/** Where a name leads, as the wasm gives it. */
export interface Followed {
  /** `null` for a version ID. */
  ref: string | null;
  version: string;
}

/** What came of holding a ref against what was seen. */
export interface Compared {
  warning: Warned | null;
  /** Whether the version found may be remembered. */
  remember: boolean;
}

/** What decides. */
interface Judge {
  compareId(seen: string | undefined): Warned | null;
  compareTip(ref: string, found: string, seen: string | undefined): Promise<Compared>;
}

/** The browser's localStorage. Some browsers refuse it, which shows as a warning. */
export const browserTips: TipStore = {
  read: (key) => localStorage.getItem(key),
  write: (key, text) => {
    localStorage.setItem(key, text);
  },
};

/** What a page remembers of one repository. */
export class Memory {
  readonly #store: TipStore;
  readonly #id: string | null;
  readonly #root: string;

  constructor(store: TipStore, { url, settings }: { url: string; settings: Settings }) {
    this.#store = store;
    this.#id = settings.id;
    this.#root = url.replace(/\?.*$/s, "");
  }

  async warnings({ ref, version }: Followed, judge: Judge): Promise<TipWarning[]> {
    const warnings = await this.#ofId(judge);
    // Refs for the host's own use come and go.
    if (ref !== null && !ref.startsWith("refs/requests/")) {
      warnings.push(...(await this.#ofTip(ref, version, judge)));
    }
    return once(warnings);
  }

  async #ofId(judge: Judge): Promise<TipWarning[]> {
    const place = new Place<{ id: string | null }>(
      this.#store,
      `fdl-reader id ${this.#root}`,
      "fdl-id/1",
      ({ id }) => typeof id === "string" || id === null,
    );
    const remember = () => place.remember({ id: this.#id });
    const { seen, warnings } = await place.recall();
    if (seen === unread) return warnings;
    const changed = seen && judge.compareId(seen.id ?? undefined);
    if (changed) return [...warnings, new TipWarning(changed, remember)];
    if (seen) return warnings;
    return [...warnings, ...(await unlessUnusable(remember))];
  }

  async #ofTip(ref: string, found: string, judge: Judge): Promise<TipWarning[]> {
    const where = this.#id === null ? this.#root : encodeURIComponent(this.#id);
    const place = new Place<{ version: string }>(
      this.#store,
      `fdl-reader tip ${where} ${ref}`,
      "fdl-tip/1",
      ({ version }) => typeof version === "string" && /^[0-9a-f-]{36}$/.test(version),
    );
    const remember = () => place.remember({ version: found });
    const { seen, warnings } = await place.recall();
    if (seen === unread) return warnings;
    const compared = await judge.compareTip(ref, found, seen?.version);
    if (compared.warning) return [...warnings, new TipWarning(compared.warning, remember)];
    if (!compared.remember || seen?.version === found) return warnings;
    return [...warnings, ...(await unlessUnusable(remember))];
  }
}

/** The store could not be read: what it holds must not be written over. */
const unread = Symbol("unread");

/** One text of the store. */
class Place<Seen extends object> {
  readonly #store: TipStore;
  readonly #key: string;
  readonly #document: string;
  readonly #isSound: (text: Record<string, unknown>) => boolean;

  constructor(
    store: TipStore,
    key: string,
    document: string,
    isSound: (text: Record<string, unknown>) => boolean,
  ) {
    this.#store = store;
    this.#key = key;
    this.#document = document;
    this.#isSound = isSound;
  }

  /** What is remembered. What is damaged is begun anew, and said. */
  async recall(): Promise<{ seen: Seen | undefined | typeof unread; warnings: TipWarning[] }> {
    let text: string | null | undefined;
    try {
      text = await this.#store.read(this.#key);
    } catch (cause) {
      return { seen: unread, warnings: [unusable(reasonOf(cause))] };
    }
    if (text === null || text === undefined) return { seen: undefined, warnings: [] };
    const seen = this.#read(text);
    const damaged = `what it holds under "${this.#key}" is damaged, and is begun anew`;
    return { seen, warnings: seen ? [] : [unusable(damaged)] };
  }

  #read(text: unknown): Seen | undefined {
    try {
      const read = JSON.parse(String(text)) as Record<string, unknown> | null;
      if (read?.["document"] === this.#document && this.#isSound(read)) return read as Seen;
    } catch {
      // It is not JSON.
    }
    return undefined;
  }

  async remember(seen: Seen): Promise<void> {
    try {
      await this.#store.write(this.#key, JSON.stringify({ document: this.#document, ...seen }));
    } catch (cause) {
      throw new FdlError(unusableWarned(reasonOf(cause)), { cause });
    }
  }
}

/** A store that cannot be written, such as one that is full, must not keep a page from reading. */
async function unlessUnusable(remember: () => Promise<void>): Promise<TipWarning[]> {
  try {
    await remember();
    return [];
  } catch (error) {
    return [unusable(String((error as FdlError).facts["reason"]))];
  }
}

function unusable(reason: string): TipWarning {
  return new TipWarning(unusableWarned(reason), () => Promise.resolve());
}

function unusableWarned(reason: string): Warned {
  const message = `The memory of what was seen before cannot be used: ${reason}. That the host shows an older state may go unnoticed.`;
  return { code: "store_unusable", message, facts: { reason } };
}

function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.+$/, "");
}

/** The same said once. */
function once(warnings: TipWarning[]): TipWarning[] {
  const isFirst = ({ message }: TipWarning, index: number) =>
    warnings.findIndex((warning) => warning.message === message) === index;
  return warnings.filter(isFirst);
}
