/** What is wrong with the host of a data file: the engine says no more than that it could not read. */
import type { FdlError } from "../reader/index.js";
import {
  couldNotFetch,
  htmlInstead,
  httpStatus,
  malformedParquet,
  missingFile,
  partsNotServed,
  reasonOf,
} from "./failures.js";

/**
 * Asks for a file as the engine does, and says what is wrong; `undefined` where nothing is found.
 *
 * Requests: one, or two where the first is not answered; of the file its first bytes are read.
 */
export async function wrongAt(url: string): Promise<FdlError | undefined> {
  try {
    return await look(url, { headers: { range: "bytes=0-63" } });
  } catch (cause) {
    try {
      // A host that compresses parts of files answers the whole alone in a way that can be read.
      return (await look(url, {})) ?? partsNotServed(url);
    } catch {
      return couldNotFetch(url, reasonOf(cause));
    }
  }
}

async function look(url: string, init: RequestInit): Promise<FdlError | undefined> {
  const response = await fetch(url, init);
  const { status } = response;
  if (!response.ok) {
    await response.body?.cancel();
    return status === 404 || status === 410 ? missingFile(url) : httpStatus(url, status);
  }
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  const start = new TextDecoder("latin1").decode(value?.subarray(0, 64));
  if (start.startsWith("PAR1")) return undefined;
  return /^\s*</.test(start) ? htmlInstead(url) : malformedParquet(url);
}
