/** `fdl-reader` in Node: the same, with the wasm read from disk, and folders beside addresses. */
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { useWasm } from "./loader.js";
import { openRepository as open, type Repository, type RepositoryOptions } from "./repository.js";

export * from "./index.js";

useWasm((file) => readFile(new URL(`../wasm/${file}`, import.meta.url)));

/** Opens the repository at an address or in a folder. Its mirrors may be either, too. */
export async function openRepository(
  urlOrFolder: string | URL,
  options: RepositoryOptions = {},
): Promise<Repository> {
  const { mirrors = [], fetch = fetchEither } = options;
  return await open(address(urlOrFolder), { ...options, mirrors: mirrors.map(address), fetch });
}

function address(urlOrFolder: string | URL): string | URL {
  const isAddress = urlOrFolder instanceof URL || /^[a-z][a-z0-9+.-]*:\/\//i.test(urlOrFolder);
  return isAddress ? urlOrFolder : pathToFileURL(resolve(urlOrFolder));
}

async function fetchEither(request: Request): Promise<Response> {
  return await (request.url.startsWith("file:") ? fetchFile(request) : fetch(request));
}

/** `fetch` for `file:` URLs, which Node's own does not read. */
async function fetchFile(request: Request): Promise<Response> {
  const path = new URL(request.url);
  let length: number;
  try {
    const found = await stat(path);
    if (!found.isFile()) return new Response(null, { status: 404 });
    length = found.size;
  } catch (error) {
    if (isMissing(error as NodeJS.ErrnoException)) return new Response(null, { status: 404 });
    throw error;
  }
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "") ?? [];
  const start = Number(from ?? 0);
  if (from !== undefined && start >= length) return new Response(null, { status: 416 });
  const { signal } = request;
  const stream = Readable.toWeb(createReadStream(path, { start, signal, highWaterMark }));
  return new Response(stream as ReadableStream<Uint8Array>, {
    status: from === undefined ? 200 : 206,
  });
}

/** Bytes that are read at once: a quarter of the crossings into the wasm that Node's 64 KiB take. */
const highWaterMark = 256 << 10;

/** A name that is too long for the disk names nothing, as it does on a host. */
function isMissing({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
