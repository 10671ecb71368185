/** What can go wrong between the page and DuckDB-Wasm, worded once. */
import { FdlError } from "../reader/index.js";

function failure(code: string, message: string, facts: Record<string, string>, cause?: unknown) {
  return new FdlError({ code, message, path: facts.url ?? null, facts }, { cause });
}

/** What a cause says of itself. */
export function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  // What cannot be parsed DuckDB-Wasm tells of as JSON.
  const said = message.startsWith('{"exception_type":') ? parsed(message) : undefined;
  if (said) return `${said.exception_type} Error: ${said.exception_message}`;
  // Elsewhere it shows the place twice.
  return message.replace(/(\n\nLINE \d+: [^]*)\1$/, "$1");
}

function parsed(message: string) {
  try {
    return JSON.parse(message) as { exception_type: string; exception_message: string };
  } catch {
    return undefined;
  }
}

export function engineNotLoaded(cause: unknown): FdlError {
  const reason = reasonOf(cause);
  return failure(
    "engine_not_loaded",
    `DuckDB could not be started: ${reason}. It needs its two files, a worker, and a content security policy that allows 'wasm-unsafe-eval'.`,
    { reason },
    cause,
  );
}

export function engineLost(cause: unknown): FdlError {
  const reason = reasonOf(cause);
  return failure(
    "engine_lost",
    `DuckDB stopped: ${reason}. What was running is lost. Run it again: that starts a new engine.`,
    { reason },
    cause,
  );
}

export function outOfMemory(cause: unknown): FdlError {
  const reason = reasonOf(cause);
  return failure(
    "out_of_memory",
    `The query needed more memory than the browser gives: ${reason}. Ask for fewer rows or columns, or for a sum of them.`,
    { reason },
    cause,
  );
}

export function unsupportedEngine(found: string, platform: string, needed: string): FdlError {
  return failure(
    "unsupported_engine",
    `The engine is DuckDB ${found} (${platform}). DuckDB ${needed} or newer is needed, in its build wasm_eh.`,
    { found, platform, needed },
  );
}

export function extensionMissing(url: string, cause?: unknown): FdlError {
  return failure(
    "extension_missing",
    `DuckDB's extension could not be fetched from ${url}. Set extensionRepository to a place that has it and allows this page to read it.`,
    { url },
    cause,
  );
}

export function extensionMismatch(url: string, expected: string, found: string): FdlError {
  return failure(
    "extension_mismatch",
    `${url} is an extension for DuckDB ${found}, but the engine is ${expected}. It was not loaded; serve the one for ${expected}.`,
    { url, expected, found },
  );
}

export function unsupportedStorage(found: string, engine: string): FdlError {
  return failure(
    "unsupported_storage",
    `The catalog is stored in the form of ${found}, which DuckDB ${engine} cannot read. A newer engine is needed.`,
    { found, engine },
  );
}

export function malformedCatalog(reason: string): FdlError {
  return failure("malformed_catalog", `The catalog could not be read: ${reason}.`, { reason });
}

export function unsupportedTable(schema: string, table: string, reason: string): FdlError {
  return failure(
    "unsupported_table",
    `The table ${schema}.${table} is not shown, because it ${reason}. A wrong row would be worse than none.`,
    { schema, table, reason },
  );
}

export function nameTaken(name: string): FdlError {
  return failure(
    "name_taken",
    `The engine already has a database named "${name}". Attach the version under another name.`,
    { name },
  );
}

export function queryFailed(cause: unknown): FdlError {
  const reason = reasonOf(cause);
  return failure("query_failed", reason, { reason }, cause);
}

/** The statement ran: only what it gave cannot be told. */
export function valuesNotExact(column: string, type: string, undone: boolean): FdlError {
  const then = undone
    ? "What it changed was undone. Write CAST(… AS VARCHAR) around them in it, and run it again."
    : "It ran all the same. Write CAST(… AS VARCHAR) around them where they are to be seen.";
  return failure(
    "values_not_exact",
    `The values of "${column}" that the statement gives cannot be shown exactly. ${then}`,
    { column, type, undone: String(undone) },
  );
}

export function aborted(): FdlError {
  return failure("aborted", "Reading was cancelled.", {});
}

export function couldNotFetch(url: string, reason: string): FdlError {
  return failure(
    "could_not_fetch",
    `${url} could not be fetched: ${reason}. The connection is down, or the host does not allow this page to read it: it has to send the header Access-Control-Allow-Origin.`,
    { url, reason },
  );
}

export function httpStatus(url: string, status: number): FdlError {
  return failure(
    "http_status",
    `The host answered HTTP ${String(status)} for ${url}. Try again later, or ask the host.`,
    { url, status: String(status) },
  );
}

export function missingFile(url: string): FdlError {
  return failure(
    "missing_file",
    `${url} is not there. The copy may not be complete; try again later, or look at the origin.`,
    { url },
  );
}

export function htmlInstead(url: string): FdlError {
  return failure(
    "html_instead",
    `${url} gave a web page instead of the file. The host has to answer 404 for files that it does not have.`,
    { url },
  );
}

export function malformedParquet(url: string): FdlError {
  return failure(
    "malformed_parquet",
    `${url} is no Parquet file. It was changed, or not copied whole; tell the publisher.`,
    { url },
  );
}

export function partsNotServed(url: string): FdlError {
  return failure(
    "parts_not_served",
    `The host does not answer a request for a part of ${url} in a way that can be read. It must not compress parts of Parquet files: tell whoever runs the host.`,
    { url },
  );
}

export function dataTooLarge(bytes: number, limit: number): FdlError {
  return failure(
    "data_too_large",
    `The data files come to ${String(bytes)} bytes, and no more than ${String(limit)} are held to verify them. Raise the limit, or read without verifying the data.`,
    { bytes: String(bytes), limit: String(limit) },
  );
}

export function notVerifiableByDuckLake(): FdlError {
  return failure(
    "not_verifiable_by_ducklake",
    "By DuckLake the engine fetches data files itself, so they cannot be verified before. Hand the version over by Parquet to verify its data.",
    {},
  );
}
