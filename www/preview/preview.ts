/** A table's rows without an engine: its data files are read in parts, as files.json lists them. */
import type { ColumnOfFiles, DataFile, TableFiles, Version } from "../reader/index.js";
import { checkColumn, readingOf } from "./columns.js";
import { notPreviewable } from "./failures.js";
import { deletedIn, laterIn, ShownRows } from "./hidden.js";
import { atOnce } from "./limits.js";
import type { Raw } from "./pages.js";
import {
  guarded,
  openParquet,
  type Leaf,
  type ListedParquet,
  type ParquetFile,
} from "./parquet-file.js";
import type { Fetch } from "./remote-file.js";
import { ChunkBytes, slices } from "./row-groups.js";

/** Rows, every value as DuckDB writes it, NULL as `null`: as a query of the engine gives them. */
export interface PreviewResult {
  columns: { name: string; type: string }[];
  rows: (string | null)[][];
  /** Whether there are rows after these. */
  more: boolean;
}

/** Which rows are wanted. */
export interface PageOptions {
  /** So many rows are passed over. Default: none. */
  offset?: number | undefined;
  /** Give no more rows than this. Default: 20. */
  limit?: number | undefined;
  /** The columns wanted, by name, in this order. Default: all, in the table's order. */
  columns?: string[] | undefined;
  signal?: AbortSignal | undefined;
}

/** A data file that can be read, as far as files.json says. */
interface Part {
  data: ListedParquet;
  deletes: ListedParquet | null;
  /** Whether rows of later snapshots were merged into it. */
  merged: boolean;
}

/** A data file as it is being read: what was learned of it is kept for the next page. */
interface OpenPart {
  file: Promise<ParquetFile> | undefined;
  chunks: Promise<ChunkBytes> | undefined;
  shown: Promise<ShownRows> | undefined;
}

/**
 * The rows of a table of a version, where they can be shown exactly without an engine: the same rows,
 * in the order in which they are stored, with the same text for every value.
 *
 * Requests: none.
 *
 * @throws {FdlError} `not_previewable` where they cannot: then DuckDB can read them; as
 * `version.mayBeOpened()` where nobody may
 */
export function preview(
  version: Version,
  { schema, name }: { schema: string; name: string },
  { fetch = (url, init) => globalThis.fetch(url, init) }: { fetch?: Fetch } = {},
): Preview {
  version.mayBeOpened();
  // What the record does not name, nobody vouches for.
  if (!version.files || !version.record.files) throw notPreviewable("no_files_json");
  const table = version.files.tables.find(
    (table) => table.schema === schema && table.name === name,
  );
  if (!table) throw notPreviewable("not_listed");
  const parts = partsOf(table, version);
  return new Preview(columnsOf(table), parts, version.record.ducklake.snapshot_id, fetch);
}

function columnsOf({ columns }: TableFiles): ColumnOfFiles[] {
  if (!columns || columns.length === 0) throw notPreviewable("too_little_said", "columns");
  for (const column of columns) checkColumn(column);
  return columns;
}

function partsOf({ inlined, files }: TableFiles, version: Version): Part[] {
  if (inlined === null) throw notPreviewable("too_little_said", "inlined");
  if (inlined) throw notPreviewable("inlined");
  // A file with two delete files, say: not one of them alone tells its rows.
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw notPreviewable("file_needs_more", "a data file is listed twice");
  }
  return files.map((file) => {
    if (file.needs === null) throw notPreviewable("too_little_said", "needs");
    const others = file.needs.filter((need) => need !== "snapshot_filter");
    if (others.length > 0) throw notPreviewable("file_needs_more", others.join(", "));
    return {
      data: listed(file, file.record_count, version),
      deletes: file.delete_file && listed(file.delete_file, file.delete_file.delete_count, version),
      merged: file.needs.length > 0,
    };
  });
}

function listed(
  { path, bytes, footer_size }: Pick<DataFile, "path" | "bytes" | "footer_size">,
  rows: number | null,
  version: Version,
): ListedParquet {
  if (bytes === null || rows === null) throw notPreviewable("too_little_said", "lengths");
  return { url: version.dataUrl(path), bytes, rows, footer: footer_size };
}

/** The rows of a table, read as they are asked for. */
export class Preview {
  readonly #open: OpenPart[];

  /** @internal */
  constructor(
    private readonly all: ColumnOfFiles[],
    private readonly parts: Part[],
    private readonly snapshot: number,
    private readonly fetch: Fetch,
  ) {
    this.#open = parts.map(() => ({ file: undefined, chunks: undefined, shown: undefined }));
  }

  /** The table's columns. */
  get columns(): { name: string; type: string }[] {
    return this.all.map(({ name, type }) => ({ name, type }));
  }

  /**
   * A page of rows, in the order in which they are stored.
   *
   * Requests: for each data file that the rows are in, one for its footer and one for the columns of a
   * row group that lie together; for a delete file likewise. What was learned is kept for the next page.
   *
   * @throws {FdlError} `not_previewable` where a file shows only now that it cannot be read exactly;
   * `missing_file`, `http_status`, `html_instead`, `could_not_fetch`, `size_mismatch`,
   * `row_count_mismatch`, `malformed_parquet`, `aborted`
   */
  async rows(options: PageOptions = {}): Promise<PreviewResult> {
    const { offset = 0, limit = 20, columns = this.all.map(({ name }) => name), signal } = options;
    const wanted = columns.map((name) => {
      const found = this.all.find((column) => column.name === name);
      if (!found) throw notPreviewable("not_listed", name);
      return found;
    });
    const { places, more } = await this.#places(offset, offset + limit, signal);
    const rows: (string | null)[][][] = [];
    for (let at = 0; at < places.length; at += atOnce) {
      const some = places.slice(at, at + atOnce);
      rows.push(...(await Promise.all(some.map((place) => this.#read(wanted, place, signal)))));
    }
    return { columns: wanted.map(({ name, type }) => ({ name, type })), rows: rows.flat(), more };
  }

  /** Which rows of which files they are, and whether there are rows after them. */
  async #places(from: number, to: number, signal?: AbortSignal) {
    const places: { part: number; from: number; to: number }[] = [];
    let before = 0;
    for (const part of this.parts.keys()) {
      if (before > to) break;
      const { count } = await this.#shown(part, signal);
      const [begin, end] = [Math.max(from - before, 0), Math.min(to - before, count)];
      if (begin < end) places.push({ part, from: begin, to: end });
      before += count;
    }
    return { places, more: before > to };
  }

  async #read(
    columns: ColumnOfFiles[],
    place: { part: number; from: number; to: number },
    signal?: AbortSignal,
  ): Promise<(string | null)[][]> {
    const shown = await this.#shown(place.part, signal);
    const file = await this.#file(place.part, signal);
    const chunks = await this.#chunks(place.part, signal);
    const readings = columns.map((column) => readingOf(column, file));
    const leaves = [...new Set(readings.flatMap(({ leaves }) => leaves))];
    const rows: (string | null)[][] = [];
    for (const slice of slices(file, shown.positions(place.from, place.to))) {
      const values = await chunks.read(leaves, slice, signal);
      for (const run of slice.runs) {
        for (let row = run.from; row < run.to; row++) {
          const of = (leaf: Leaf): Raw => values.get(leaf)?.[row - slice.from];
          rows.push(guarded(file.remote.url, () => readings.map((reading) => reading.text(of))));
        }
      }
    }
    return rows;
  }

  #file(part: number, signal?: AbortSignal): Promise<ParquetFile> {
    return this.#kept(part, "file", ({ data }) => openParquet(data, this.fetch, signal));
  }

  #chunks(part: number, signal?: AbortSignal): Promise<ChunkBytes> {
    return this.#kept(part, "chunks", async () => new ChunkBytes(await this.#file(part, signal)));
  }

  #shown(part: number, signal?: AbortSignal): Promise<ShownRows> {
    return this.#kept(part, "shown", async ({ data, deletes, merged }) => {
      const hidden = await Promise.all([
        deletes ? deletedIn(deletes, this.snapshot, this.fetch, signal) : [],
        merged ? laterIn(await this.#file(part, signal), this.snapshot, signal) : [],
      ]);
      return new ShownRows(data.rows, hidden.flat());
    });
  }

  /** A failure is not kept: a network that was down may be up, and what was cancelled be wanted again. */
  #kept<What extends keyof OpenPart>(
    part: number,
    what: What,
    read: (part: Part) => NonNullable<OpenPart[What]>,
  ): NonNullable<OpenPart[What]> {
    const [known, open] = [this.parts[part], this.#open[part]];
    if (!known || !open) throw new RangeError("There is no such file.");
    const kept = open[what];
    if (kept) return kept;
    const reading = read(known);
    open[what] = reading;
    reading.catch(() => {
      if (open[what] === reading) open[what] = undefined;
    });
    return reading;
  }
}
