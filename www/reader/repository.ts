import type * as wasm from "../wasm/fdl_reader.js";
import { crossing } from "./errors.js";
import { reader } from "./loader.js";
import {
  browserTips,
  Memory,
  type Compared,
  type Followed,
  type TipStore,
  type TipWarning,
  type Warned,
} from "./tips.js";
import type { HistoryEntry, Refs, Settings, TrustedSignersList, VerdictDocument } from "./types.js";
import { Verdict } from "./verdict.js";
import { Version } from "./version.js";

/** How a repository is read. */
export interface RepositoryOptions {
  /**
   * The keys that the page trusts, in the form of an allowed_signers file (ssh-keygen(1)). Without
   * it nobody vouches, and versions are checked for integrity alone.
   */
  trustedSigners?: string | undefined;
  /**
   * The keys that no longer count, whatever the time: public keys, one per line, or the bytes of a key
   * revocation list as `ssh-keygen -k` makes it. Certificates of a revoked key, and those that it
   * signed, do not count either.
   */
  revokedKeys?: string | Uint8Array | undefined;
  /** The namespace that signatures must have. Default: `fdl`. */
  namespace?: string | undefined;
  /**
   * By whom signatures must be: a name such as `alice@example.org`, or patterns such as `*@example.org`.
   * Default: any trusted signer.
   */
  principal?: string | undefined;
  /**
   * When the signer's key must count: when the record says that it was made, now (the moment of
   * opening), or at a given time (a Date, or RFC 3339). Default: `created`.
   */
  time?: "created" | "now" | Date | (string & {}) | undefined;
  /**
   * What happens to a version that no trusted signer has signed although `trustedSigners` is given.
   * Default: `refuse`, its catalog is not handed over.
   */
  onUntrusted?: "refuse" | "hand-over" | undefined;
  /**
   * Other roots of the same repository, in the order in which they are tried where a file cannot be
   * had, or is broken, at the root that is opened. Until then nothing is asked of them. One whose
   * fdl.json has another `id` is never read. A root that neither answers nor fails is waited for.
   */
  mirrors?: readonly (string | URL)[] | undefined;
  /**
   * Where the tips of refs are remembered, for `warnings()`: in the browser's localStorage, or in a
   * store of the page's own. Default: nowhere.
   */
  tips?: "localStorage" | TipStore | undefined;
  /**
   * The ref or version that will be read first. Where it is a version ID, HEAD and refs.json are
   * not read until something asks for them.
   */
  ref?: string | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  signal?: AbortSignal | undefined;
}

/** What can be said with any call that waits. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Opens the repository at `url`, with or without the final slash; in a page the address may be
 * relative to it.
 *
 * Requests, all at once: fdl.json, HEAD, refs.json.
 *
 * @throws {FdlError} `not_a_repository`, `unknown_major_version`, `could_not_fetch`,
 * `invalid_revoked_keys`, `invalid_time`, …
 */
export async function openRepository(
  url: string | URL,
  options: RepositoryOptions = {},
): Promise<Repository> {
  const { Repository: opened } = await reader.load();
  return new Repository(
    await crossing(
      opened.open(
        absolute(url),
        options.trustedSigners,
        bytesOf(options.revokedKeys),
        options.namespace,
        options.principal,
        options.time instanceof Date ? timestamp(options.time) : options.time,
        options.onUntrusted === "hand-over",
        (options.mirrors ?? []).map(absolute),
        options.ref,
        options.fetch,
        options.signal,
      ),
    ),
    options.tips === "localStorage" ? browserTips : options.tips,
  );
}

/** Relative to the page, where there is one. What is no URL at all is for the reader to refuse. */
function absolute(url: string | URL): string {
  const base = (globalThis as { document?: Document }).document?.baseURI;
  return URL.canParse(url, base) ? new URL(url, base).href : String(url);
}

function bytesOf(revokedKeys: string | Uint8Array | undefined): Uint8Array | undefined {
  return typeof revokedKeys === "string" ? new TextEncoder().encode(revokedKeys) : revokedKeys;
}

/** What is no time at all is for the reader to refuse. */
function timestamp(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}

/**
 * Takes a list of trusted signers apart, to show whom it trusts, from when until when, and for what.
 *
 * @throws {FdlError} `wasm_not_loaded`
 */
export async function readTrustedSigners(text: string): Promise<TrustedSignersList> {
  const { readTrustedSigners: read } = await reader.load();
  return (await read(text)) as TrustedSignersList;
}

/** A step of the history, as the wasm gives it. */
type Walked =
  | Extract<HistoryEntry, { kind: "missing" }>
  | (Omit<Extract<HistoryEntry, { kind: "version" }>, "verdict"> & {
      verdict: VerdictDocument | null;
    });

/** A repository, opened: its refs are those of that moment. */
export class Repository {
  readonly #wasm: wasm.Repository;
  /** The root that was opened, with the final slash. */
  readonly url: string;
  /** The root that served fdl.json: a mirror, where the one that was opened could not. */
  readonly servedBy: string;
  /** fdl.json. */
  readonly settings: Settings;

  readonly #tips: TipStore | undefined;

  /** @internal */
  constructor(opened: wasm.Repository, tips?: TipStore) {
    this.#wasm = opened;
    this.#tips = tips;
    this.url = opened.url;
    this.servedBy = opened.servedBy;
    this.settings = opened.settings as Settings;
  }

  /**
   * The default ref, and every branch and tag with the version that it holds. Refs for the host's
   * own use (`refs/requests/…`) are given only with `requests`.
   */
  async refs(options: CallOptions & { requests?: boolean } = {}): Promise<Refs> {
    return (await crossing(this.#wasm.refs(options.requests ?? false, options.signal))) as Refs;
  }

  /**
   * The version that `ref` points at: a full ref name, a branch's or tag's short name, or a version
   * ID; none is HEAD.
   *
   * Requests, all at once: version.json, version.json.sig, expired.json, dataset.json, files.json.
   *
   * @throws {FdlError} `no_version` where the default ref does not exist yet, `unknown_ref`,
   * `ambiguous_ref`, `missing_version`, `id_mismatch`, …
   */
  async version(ref?: string, options: CallOptions = {}): Promise<Version> {
    const read = await crossing(this.#wasm.version(ref, options.signal));
    return new Version(read, this);
  }

  /**
   * The history behind `ref`, newest first, read as far as it is asked for. Leaving the loop ends it.
   * With `verdicts` each version carries a verdict of its own on its record and the signature on that.
   *
   * Requests of a step: version.json and expired.json of the parents of the entry before; with
   * `verdicts` version.json.sig too.
   */
  async *history(
    ref?: string,
    options: CallOptions & { verdicts?: boolean } = {},
  ): AsyncGenerator<HistoryEntry, void, void> {
    const walk = await crossing(this.#wasm.history(ref, options.verdicts ?? false, options.signal));
    try {
      for (;;) {
        const entry = (await crossing(walk.next(options.signal))) as Walked | undefined;
        if (!entry) return;
        yield this.#entry(entry);
      }
    } finally {
      walk.free();
    }
  }

  #entry(entry: Walked): HistoryEntry {
    if (entry.kind === "missing") return entry;
    const { verdict } = entry;
    const repository = { url: this.url, id: this.settings.id };
    return { ...entry, verdict: verdict && new Verdict(verdict, repository) };
  }

  /**
   * What is to be said when the repository, and the version that `ref` holds, are held against what
   * was remembered in `tips`: nothing where the version is the one that was seen or comes after it,
   * which is then remembered at once. What a warning is of stays as it was remembered until the page
   * accepts it. Without `tips`, and for a version ID, there are none.
   *
   * Requests: none where nothing has changed; else version.json, version.json.sig and expired.json
   * of the versions between, up to 256 of them.
   *
   * @throws {FdlError} as `version()` does for a name; never because of the store.
   */
  async warnings(ref?: string, options: CallOptions = {}): Promise<TipWarning[]> {
    if (!this.#tips) return [];
    const { signal } = options;
    const memory = new Memory(this.#tips, this);
    const followed = (await crossing(this.#wasm.follow(ref, signal))) as Followed;
    return await memory.warnings(followed, {
      compareId: (seen) => this.#wasm.compareId(seen) as Warned | null,
      compareTip: async (name, found, seen) =>
        (await crossing(this.#wasm.compareTip(name, found, seen, signal))) as Compared,
    });
  }

  /** Gives its memory back. Versions that came from it stay usable. */
  free(): void {
    this.#wasm.free();
  }
}
