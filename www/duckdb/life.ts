/**
 * Whether an engine is still there. A worker that died says nothing, for ever, so while anything is
 * waited for it is asked, and who waits is told when it is gone.
 */
import { FdlError } from "../reader/index.js";
import { engineLost } from "./failures.js";

/** How often an engine that is waited for is asked whether it is there, in milliseconds. */
const BEAT = 1000;

/** The life of one engine. */
export class Life {
  readonly #over = new AbortController();
  #waiting = 0;
  #beats: ReturnType<typeof setInterval> | undefined;
  #asked = false;
  #unanswered = 0;

  /** `ping` is answered by an engine that is there; one that does not for `silence` milliseconds is gone. */
  constructor(
    private readonly ping: () => Promise<unknown>,
    private readonly silence: number,
  ) {}

  /** Aborted when the engine is gone, with the FdlError that says why. */
  get lost(): AbortSignal {
    return this.#over.signal;
  }

  /** The engine is gone: whoever waits for it is told why. */
  end(why: FdlError): void {
    clearInterval(this.#beats);
    this.#over.abort(why);
  }

  /** What `work` comes to, or why the engine is gone where it ends before. */
  async during<Answer>(work: Promise<Answer>): Promise<Answer> {
    if (this.#waiting++ === 0 && !this.lost.aborted) {
      this.#unanswered = 0;
      this.#beats = setInterval(() => {
        this.#beat();
      }, BEAT);
    }
    try {
      return await unlessAborted(work, this.lost);
    } finally {
      if (--this.#waiting === 0) clearInterval(this.#beats);
    }
  }

  /** Beats are counted, not time: a page that slept has missed no answer. */
  #beat(): void {
    if (!this.#asked) {
      this.#asked = true;
      const answered = () => {
        this.#asked = false;
        this.#unanswered = 0;
      };
      this.ping().then(answered, (cause: unknown) => {
        this.end(engineLost(cause));
      });
    } else if (++this.#unanswered * BEAT >= this.silence) {
      const seconds = String(Math.round(this.silence / 1000));
      this.end(engineLost(`it has not answered for ${seconds} seconds`));
    }
  }
}

/** What `work` comes to; where `signal` is aborted before, its reason at once. */
export function unlessAborted<Answer>(work: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason as Error);
    };
    const over = () => {
      signal.removeEventListener("abort", stop);
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(over);
  });
}
