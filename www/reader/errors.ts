/** What the wasm rejects with: see `src/wasm/failure.rs`. */
export interface Failure {
  code: string;
  message: string;
  path?: string | null;
  broken?: boolean;
  facts?: Record<string, unknown>;
}

/**
 * A failure that can reach a person: a stable `code`, a sentence that says what happened and what
 * to do, and the facts from which another language can word the same.
 */
export class FdlError extends Error {
  override readonly name = "FdlError";
  /** Such as `unknown_ref`. */
  readonly code: string;
  /** The URL or path concerned; `null` where there is none. */
  readonly path: string | null;
  /** Whether the repository's files themselves are broken, rather than not to be had. */
  readonly broken: boolean;
  /** What the sentence is made of. */
  readonly facts: Record<string, unknown>;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.code = failure.code;
    this.path = failure.path ?? null;
    this.broken = failure.broken ?? false;
    this.facts = failure.facts ?? {};
  }
}

function isFailure(cause: unknown): cause is Failure {
  return typeof cause === "object" && cause !== null && "code" in cause && "facts" in cause;
}

/** Waits for the wasm; what it rejects with becomes an `FdlError`. */
export async function crossing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw isFailure(cause) ? new FdlError(cause) : cause;
  }
}

/** The same for what the wasm answers at once. */
export function crossed<T>(answer: () => T): T {
  try {
    return answer();
  } catch (cause) {
    throw isFailure(cause) ? new FdlError(cause) : cause;
  }
}
