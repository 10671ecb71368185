/** Data files that the engine gets as bytes, each verified before: nothing unverified reaches it. */
import { FdlError, type DataProgress, type Version } from "../reader/index.js";
import type { Engine } from "./engine.js";
import { dataTooLarge } from "./failures.js";
import type { NamedFile, WithheldFile } from "./plan.js";

/** How data files are verified. */
export interface VerifyOptions {
  /** The most that is held, in bytes: all of it lies in the engine's memory. Default: 512 MiB. */
  limit?: number | undefined;
  onProgress?: ((progress: DataProgress) => void) | undefined;
}

/** How many files are fetched at once. */
const AT_ONCE = 4;

/**
 * Fetches the files whole and gives the engine those that are what was signed. The others are
 * answered, with the reason why they are not read.
 *
 * Requests: one for each file.
 *
 * @throws {FdlError} `data_too_large` before anything is fetched, and where a file could not be had why
 */
export async function addVerified(
  engine: Engine,
  version: Version,
  files: NamedFile[],
  {
    limit = 512 * 2 ** 20,
    onProgress,
    signal,
  }: VerifyOptions & { signal?: AbortSignal | undefined },
): Promise<WithheldFile[]> {
  const total = files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  if (total > limit) throw dataTooLarge(total, limit);
  const withheld: WithheldFile[] = [];
  const left = [...files];
  let [received, done] = [0, 0];
  const tell = () => onProgress?.({ received, total, files: done, filesTotal: files.length });
  const others = new AbortController();
  const ended = AbortSignal.any(signal ? [signal, others.signal] : [others.signal]);

  const read = async ({ name, path }: NamedFile) => {
    let before = 0;
    const onReceived = (now: number) => {
      received += now - before;
      before = now;
      tell();
    };
    try {
      const bytes = await version.dataFile(path, { onReceived, signal: ended });
      await engine.addFile(name, bytes);
    } catch (cause) {
      if (!(cause instanceof FdlError)) throw cause;
      if (cause.code === "nothing_recorded") {
        withheld.push({ path, reason: `needs ${path}, for which no signed sha256 is recorded` });
      } else if (cause.code === "missing_file") {
        withheld.push({ path, reason: `needs ${path}, which is not there (missing_file)` });
      } else if (cause.broken) {
        withheld.push({
          path,
          reason: `needs ${path}, which is not the file that was signed (${cause.code})`,
        });
      } else throw cause; // it may be had the next time
    }
    done += 1;
    tell();
  };
  const worker = async () => {
    for (let file = left.shift(); file; file = left.shift()) await read(file);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } catch (cause) {
    others.abort();
    throw cause;
  }
  return withheld;
}
