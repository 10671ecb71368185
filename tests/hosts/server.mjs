/**
 * A static HTTP server: as plain as a real host, as slow or as broken as a test wants it.
 *
 * It keeps a log of what was asked for and when, so that round trips can be counted.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createGzip } from "node:zlib";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * @typedef {object} LogEntry  One request, in the order of arrival.
 * @property {string} method
 * @property {string} path      as it was asked for: still encoded, with its query
 * @property {number} status    0 while nothing was answered
 * @property {number} startedAt milliseconds, as performance.now()
 * @property {number} endedAt   likewise; Infinity while the answer is under way
 * @property {number} bytes     of the body that was sent, as it went over the wire
 * @property {object} headers   of the request
 *
 * @typedef {object} Fault  What is answered instead of, or on top of, the file.
 * @property {number} [status]
 * @property {string | Uint8Array} [body]   instead of the file's bytes
 * @property {object} [headers]             on top of the usual ones
 * @property {number} [truncate]            the connection is cut after so many bytes
 * @property {number} [delay]               milliseconds before the answer, on top of the host's
 *
 * @typedef {object} Settings
 * @property {string} [root]    the folder that is served at /
 * @property {Record<string, string>} [mounts]  folders by the path that they are served at, ending in /
 * @property {number} [port]    of 127.0.0.1 (default: a free one)
 * @property {object} [headers] on every answer, such as cache-control
 * @property {boolean} [cors]   other origins may read (default: no)
 * @property {number} [delay]   milliseconds before every answer (default 0)
 * @property {number} [bandwidth]  bits per second, of all answers together (default: as fast as it goes)
 * @property {(path: string, request: import("node:http").IncomingMessage) => Fault | undefined} [faults]
 *                              asked for every request, with its encoded path
 * @property {boolean} [ranges] Range is honoured (default: yes)
 * @property {boolean | "always"} [gzip]  bodies are compressed for who accepts it, or for everyone and parts of files too (default: no)
 * @property {number} [head]    the status that HEAD is refused with (default: it is not)
 * @property {string} [token]   what each request's query must be, or it is refused with 403
 * @property {boolean} [spa]    a missing file is answered 200 with index.html (default: no)
 */

/**
 * Serves folders to this machine.
 *
 * @param {Settings} settings
 * @returns {Promise<{ url: string, log: LogEntry[], close(): Promise<void> }>} `url` ends in /
 */
export async function startHost(settings) {
  const log = [];
  const line = settings.bandwidth && new Line(settings.bandwidth);
  const server = createServer((request, response) => {
    const entry = noted(request, response);
    log.push(entry);
    answer(settings, line, request, response).catch((error) => {
      // A visitor that went away, or a connection cut on purpose.
      response.destroy();
      if (!["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"].includes(error.code)) throw error;
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The longest chain of requests in which each started after the one before had ended: the number of
 * round trips that a visitor waits for.
 *
 * @param {LogEntry[]} log
 */
export function rounds(log) {
  const chains = []; // for each entry, the longest chain that ends in it
  const byStart = [...log].sort((a, b) => a.startedAt - b.startedAt);
  for (const entry of byStart) {
    const before = chains.filter(({ endedAt }) => endedAt <= entry.startedAt);
    const length = 1 + Math.max(0, ...before.map(({ length }) => length));
    chains.push({ endedAt: entry.endedAt, length });
  }
  return Math.max(0, ...chains.map(({ length }) => length));
}

/** A line to the visitor, which all answers share: together they come no faster than it carries. */
class Line {
  /** When all that was sent so far has gone over it, as performance.now(). */
  #free = 0;
  #answers = 0;

  constructor(bandwidth) {
    this.milliseconds = (bytes) => (bytes * 8000) / bandwidth;
  }

  async *paced(body) {
    const piece = 8 << 10; // small, so that answers take turns
    const late = 20; // as timers are: what comes too late may be followed the sooner
    if (this.#answers++ === 0) this.#free = Math.max(this.#free, performance.now());
    try {
      for await (const chunk of body) {
        for (let at = 0; at < chunk.length; at += piece) {
          const part = chunk.subarray(at, at + piece);
          const now = performance.now();
          this.#free = Math.max(this.#free, now - late) + this.milliseconds(part.length);
          if (this.#free > now) await wait(this.#free - now);
          yield part;
        }
      }
    } finally {
      this.#answers--;
    }
  }
}

/** The log's entry for a request, filled in as the answer goes out. */
function noted(request, response) {
  const entry = {
    method: request.method,
    path: request.url,
    status: 0,
    startedAt: performance.now(),
    endedAt: Infinity,
    bytes: 0,
    headers: request.headers,
  };
  const { write, end } = response;
  const counting =
    (send) =>
    (chunk, ...rest) => {
      if (chunk && typeof chunk !== "function") entry.bytes += Buffer.byteLength(chunk);
      return send.call(response, chunk, ...rest);
    };
  response.write = counting(write);
  response.end = counting(end);
  const ended = () => {
    if (response.headersSent) entry.status = response.statusCode;
    entry.endedAt = Math.min(entry.endedAt, performance.now());
  };
  response.once("finish", ended);
  response.once("close", ended);
  return entry;
}

async function answer(settings, line, request, response) {
  const fault = settings.faults?.(request.url, request) ?? {};
  const delay = (settings.delay ?? 0) + (fault.delay ?? 0);
  if (delay > 0) await wait(delay);

  if (settings.cors) {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "content-length, content-range, etag");
  }
  if (request.method === "OPTIONS") {
    response.setHeader("access-control-allow-methods", "GET, HEAD");
    response.setHeader("access-control-allow-headers", "range");
    return send(response, { status: settings.cors ? 204 : 405 });
  }
  if (request.method !== "GET" && request.method !== "HEAD") return send(response, { status: 405 });

  if (request.method === "HEAD" && settings.head) return send(response, { status: settings.head });
  const query = request.url.split("?")[1];
  if (settings.token !== undefined && query !== settings.token) {
    return send(response, { status: 403 });
  }

  const file = await answered(fault, settings, request.url);
  const reply = await describe(settings, request, file);
  Object.assign(reply.headers, settings.headers, fault.headers);
  reply.status = fault.status ?? reply.status;
  reply.truncate = fault.truncate;
  if (request.method === "HEAD") reply.body = undefined;
  if (line && reply.body) reply.body = reply.body.compose((body) => line.paced(body));
  await send(response, reply);
}

function answered(fault, settings, url) {
  if (fault.body !== undefined) return inMemory(fault.body);
  if (fault.status >= 400) return failure(fault.status);
  return find(settings, url);
}

/** The file that a path names, or the failure to find it. */
async function find(settings, url) {
  const path = decoded(url);
  if (path === null) return failure(400);
  const mounts = settings.mounts ?? { "/": settings.root };
  const mount = Object.keys(mounts)
    .filter((mount) => path.startsWith(mount))
    .sort((a, b) => b.length - a.length)[0];
  const found = mount && (await onDisk(join(mounts[mount], path.slice(mount.length))));
  if (found) return found;
  if (!settings.spa) return failure(404);
  const page = mounts["/"] && (await onDisk(mounts["/"]));
  return page || inMemory("<!doctype html><title>A single-page site</title>", types[".html"]);
}

/** A request's path, percent-decoded once; `null` where it is malformed or leads out of the root. */
function decoded(url) {
  try {
    const segments = url.split(/[?#]/, 1)[0].split("/").map(decodeURIComponent);
    return segments.some((segment) => segment === ".." || /[/\\\0]/.test(segment))
      ? null
      : segments.join("/");
  } catch {
    return null;
  }
}

async function onDisk(path) {
  const about = await stat(path).catch(() => null);
  if (about?.isDirectory()) return onDisk(join(path, "index.html"));
  if (!about) return null;
  return {
    status: 200,
    size: about.size,
    type: types[extname(path)] ?? "application/octet-stream",
    etag: `"${about.size.toString(16)}-${Math.round(about.mtimeMs).toString(16)}"`,
    modified: about.mtime,
    read: (range) => createReadStream(path, range),
  };
}

function inMemory(body, type = "application/octet-stream") {
  const bytes = Buffer.from(body);
  return {
    status: 200,
    size: bytes.length,
    type,
    etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`,
    read: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
  };
}

function failure(status) {
  return { ...inMemory(`${status}\n`, "text/plain"), status };
}

/** What is answered for a file: status, headers and a stream of the body. */
async function describe(settings, request, file) {
  const headers = { "content-type": file.type };
  const whole = () => (file.size > 0 ? file.read({ start: 0, end: file.size - 1 }) : undefined);
  if (file.status !== 200) return { status: file.status, headers, body: whole() };

  headers.etag = file.etag;
  if (file.modified) headers["last-modified"] = file.modified.toUTCString();
  if (request.headers["if-none-match"] === file.etag) return { status: 304, headers };

  const ranged = settings.ranges !== false;
  if (ranged) headers["accept-ranges"] = "bytes";
  const range = ranged && asked(request.headers.range, file.size);
  if (range === "unsatisfiable") {
    headers["content-range"] = `bytes */${file.size}`;
    return { status: 416, headers };
  }
  if (range) {
    headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
    if (settings.gzip === "always") {
      headers["content-encoding"] = "gzip";
      return { status: 206, headers, body: file.read(range).compose(createGzip()) };
    }
    headers["content-length"] = range.end - range.start + 1;
    return { status: 206, headers, body: file.read(range) };
  }

  const accepts = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  if (settings.gzip === "always" || (settings.gzip && accepts)) {
    headers["content-encoding"] = "gzip";
    headers.vary = "accept-encoding";
    return { status: 200, headers, body: whole()?.compose(createGzip()) };
  }
  headers["content-length"] = file.size;
  return { status: 200, headers, body: whole() };
}

/** One range, as HTTP has it; `undefined` where none that counts was asked for. */
function asked(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (!first && !last) return undefined;
  const start = first ? Number(first) : Math.max(0, size - Number(last));
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1;
  return start > end ? "unsatisfiable" : { start, end };
}

async function send(response, { status, headers = {}, body, truncate }) {
  response.writeHead(status, headers);
  if (!body) return response.end();
  if (truncate === undefined) return pipeline(body, response);
  response.flushHeaders();
  let left = truncate;
  for await (const chunk of body) {
    const part = chunk.subarray(0, left);
    await new Promise((resolve) => response.write(part, resolve));
    left -= part.length;
    if (left === 0) break;
  }
  response.destroy();
}
