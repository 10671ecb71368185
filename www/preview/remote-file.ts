/** A file on a host, read in parts. */
import { FdlError } from "../reader/index.js";
import {
  aborted,
  couldNotFetch,
  htmlInstead,
  httpStatus,
  missingFile,
  notPreviewable,
  sizeMismatch,
} from "./failures.js";
import { limits } from "./limits.js";

/** Used in place of the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A file whose length is known: nobody has to be asked for it, and no range has to count from the end. */
export class RemoteFile {
  /** The whole file, where the host gives no part of it. */
  #whole: Uint8Array<ArrayBuffer> | undefined;

  constructor(
    readonly url: string,
    readonly bytes: number,
    private readonly fetch: Fetch,
  ) {}

  /**
   * The bytes from `start` to before `end`.
   *
   * Requests: one, with a range of the form that needs no preflight. A host that gives no ranges sends
   * the whole file, once.
   *
   * @throws {FdlError} `missing_file`, `http_status`, `html_instead`, `size_mismatch`,
   * `could_not_fetch`, `not_previewable` where the whole is too large, `aborted`
   */
  async read(start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (signal?.aborted) throw aborted();
    if (this.#whole) return this.#whole.subarray(start, end);
    try {
      return await this.#ask(start, end, signal);
    } catch (cause) {
      if (signal?.aborted) throw aborted();
      throw cause instanceof FdlError ? cause : couldNotFetch(this.url, cause);
    }
  }

  async #ask(start: number, end: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const { url, bytes } = this;
    const headers = { range: `bytes=${String(start)}-${String(end - 1)}` };
    const response = await this.fetch(url, { headers, ...(signal ? { signal } : {}) });
    if (response.ok && isPage(response)) {
      await response.body?.cancel();
      throw htmlInstead(url);
    }
    if (response.status === 206) {
      const length = this.#lengthIn(response);
      if (length !== undefined && length !== bytes) {
        await response.body?.cancel();
        throw sizeMismatch(url, bytes, length);
      }
      const part = await upTo(response, end - start);
      if (part?.length === end - start) return part;
      throw new Error(
        `the host sent ${part ? String(part.length) : "more"} bytes, not the ${String(end - start)} that were asked for`,
      );
    }
    if (response.status === 200) {
      const allowed = Math.min(bytes, limits.whole);
      const whole = await upTo(response, allowed);
      if (whole?.[0] === "<".charCodeAt(0)) throw htmlInstead(url);
      if (!whole && bytes > allowed) throw notPreviewable("too_large", "the host gives no ranges");
      if (whole?.length !== bytes) throw sizeMismatch(url, bytes, whole?.length ?? bytes + 1);
      this.#whole = whole;
      return whole.subarray(start, end);
    }
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) throw missingFile(url);
    const length = this.#lengthIn(response);
    if (response.status === 416 && length !== undefined) throw sizeMismatch(url, bytes, length);
    throw httpStatus(url, response.status);
  }

  /** The file's length by the answer; to another origin's page a host need not show it. */
  #lengthIn({ headers }: Response): number | undefined {
    const [, length] = /\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    return length === undefined ? undefined : Number(length);
  }
}

function isPage({ headers }: Response): boolean {
  return /^text\/html\b/i.test(headers.get("content-type") ?? "");
}

/** The body; `undefined` where it is longer than `limit`, of which no more is read. */
async function upTo(
  response: Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new Uint8Array(limit);
  const reader = response.body?.getReader();
  let at = 0;
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    if (at + next.value.length > limit) {
      await reader?.cancel();
      return undefined;
    }
    bytes.set(next.value, at);
    at += next.value.length;
  }
  return bytes.subarray(0, at);
}
