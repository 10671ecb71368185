/** What can go wrong with a preview, worded once. */
import { FdlError } from "../reader/index.js";

type Facts = Record<string, string | number>;

function failure(code: string, message: string, facts: Facts, cause?: unknown, broken = false) {
  const path = typeof facts.url === "string" ? facts.url : null;
  return new FdlError({ code, message, path, broken, facts }, { cause });
}

/** Why rows are left to the engine: it reads more than a preview can show exactly. */
export type Reason =
  /** The record names no files.json, or the one that it names cannot be read. */
  | "no_files_json"
  /** files.json does not list the table. */
  | "not_listed"
  /** files.json does not say enough of the table. */
  | "too_little_said"
  /** Rows or deletes lie in the catalog. */
  | "inlined"
  /** Reading a file takes more than matching columns by field id. */
  | "file_needs_more"
  /** A type whose text is not certain. */
  | "type"
  /** A default whose text is not certain. */
  | "default"
  /** A Parquet file has another shape than its columns call for. */
  | "shape"
  /** More would have to be read than a preview should. */
  | "too_large";

/** `detail` is what exactly, such as the type. */
export function notPreviewable(reason: Reason, detail = ""): FdlError {
  return failure(
    "not_previewable",
    `The rows are not shown without the engine (${reason}${detail === "" ? "" : `: ${detail}`}). Read them with DuckDB.`,
    { reason, detail },
  );
}

export function isNotPreviewable(thrown: unknown): boolean {
  return thrown instanceof FdlError && thrown.code === "not_previewable";
}

export function malformedParquet(url: string, cause?: unknown): FdlError {
  return failure(
    "malformed_parquet",
    `${url} does not hold what a Parquet file of this table does. It was changed, or not copied whole.`,
    { url },
    cause,
    true,
  );
}

export function rowCountMismatch(url: string, expected: number, found: number): FdlError {
  return failure(
    "row_count_mismatch",
    `${url} holds ${String(found)} rows, but ${String(expected)} are recorded for it. It was changed, or is another file.`,
    { url, expected, found },
    undefined,
    true,
  );
}

export function sizeMismatch(url: string, expected: number, found: number): FdlError {
  return failure(
    "size_mismatch",
    `${url} is ${String(found)} bytes long, but ${String(expected)} bytes are recorded for it. It was changed, or not copied whole.`,
    { url, expected, found },
    undefined,
    true,
  );
}

export function htmlInstead(url: string): FdlError {
  return failure(
    "html_instead",
    `${url} is a web page where a file of the repository is due. Some hosts answer every missing file with their start page; check the address.`,
    { url },
  );
}

export function missingFile(url: string): FdlError {
  return failure(
    "missing_file",
    `${url} is missing. The copy of the repository is not complete: try another mirror, or tell the publisher.`,
    { url },
  );
}

export function httpStatus(url: string, status: number): FdlError {
  return failure(
    "http_status",
    `The host answered ${url} with status ${String(status)}. Ask whoever runs the host, or try again later.`,
    { url, status },
  );
}

export function couldNotFetch(url: string, cause: unknown): FdlError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return failure(
    "could_not_fetch",
    `Could not fetch ${url}: ${reason}. The network or the host may be down. To a web page, the host may also forbid to read it: it must send the header Access-Control-Allow-Origin.`,
    { url, reason },
    cause,
  );
}

export function aborted(): FdlError {
  return failure("aborted", "Reading was cancelled.", {});
}
