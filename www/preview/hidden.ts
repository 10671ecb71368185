/** The rows of a data file that do not belong to the version: deleted ones, and those of later snapshots. */
import { malformedParquet, notPreviewable } from "./failures.js";
import { limits } from "./limits.js";
import { openParquet, type Leaf, type ListedParquet, type ParquetFile } from "./parquet-file.js";
import type { Fetch } from "./remote-file.js";
import { ChunkBytes, slices, type Run } from "./row-groups.js";

/** The field ids that DuckLake gives its own columns in Parquet files. */
const POSITION = 2147483645;
const SNAPSHOT = 2147483539;

/**
 * The positions that a delete file deletes at `snapshot`: a delete file can carry the deletes of later
 * snapshots too.
 *
 * @throws {FdlError} as `openParquet()`
 */
export async function deletedIn(
  listed: ListedParquet,
  snapshot: number,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<number[]> {
  const file = await openParquet(listed, fetch, signal);
  const [positions, snapshots] = await wholes(file, [POSITION, SNAPSHOT], signal);
  if (!positions) throw notPreviewable("shape", "a delete file without positions");
  return positions.flatMap((position, at) => {
    const deletedAt = snapshots?.[at] ?? null;
    if (position === null) throw malformedParquet(listed.url);
    return deletedAt === null || deletedAt <= snapshot ? [position] : [];
  });
}

/**
 * The positions of rows that were written after `snapshot`.
 *
 * @throws {FdlError} as `RemoteFile.read()`, `malformed_parquet`, `not_previewable`
 */
export async function laterIn(
  file: ParquetFile,
  snapshot: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const [snapshots] = await wholes(file, [SNAPSHOT], signal);
  if (!snapshots) throw notPreviewable("shape", "merged rows without their snapshots");
  return snapshots.flatMap((writtenAt, position) => {
    if (writtenAt === null) throw malformedParquet(file.remote.url);
    return writtenAt <= snapshot ? [] : [position];
  });
}

/** Columns of whole numbers by their field ids; `undefined` for one that the file does not have. */
async function wholes(
  file: ParquetFile,
  ids: number[],
  signal?: AbortSignal,
): Promise<((number | null)[] | undefined)[]> {
  const leaves = ids.map((id) => leafOf(file, id));
  const there = leaves.filter((leaf) => leaf !== undefined);
  if (there.length > 0 && file.rows > limits.hiddenRows)
    throw notPreviewable("too_large", "deletes");
  const bytes = new ChunkBytes(file);
  const found = new Map(there.map((leaf): [Leaf, (number | null)[]] => [leaf, []]));
  for (const slice of slices(file, [{ from: 0, to: file.rows }])) {
    const values = await bytes.read(there, slice, signal);
    for (const [leaf, column] of found) {
      for (const value of values.get(leaf) ?? [])
        column.push(value === null ? null : Number(value));
    }
  }
  return leaves.map((leaf) => leaf && found.get(leaf));
}

function leafOf({ leaves }: ParquetFile, id: number): Leaf | undefined {
  const leaf = leaves.find(({ element, path }) => path.length === 2 && element.field_id === id);
  if (leaf && leaf.element.type !== "INT64") {
    throw notPreviewable("shape", "a position or a snapshot");
  }
  return leaf;
}

/** Rows of a file of which some are hidden, counted as they are shown. */
export class ShownRows {
  readonly #hidden: number[];
  readonly count: number;

  /** Positions may come in any order, and more than once. */
  constructor(rows: number, hidden: number[] = []) {
    this.#hidden = [...new Set(hidden)]
      .filter((position) => position >= 0 && position < rows)
      .sort((a, b) => a - b);
    this.count = rows - this.#hidden.length;
  }

  /** Where in the file the rows from `from` to before `to` are, as runs of positions. */
  positions(from: number, to: number): Run[] {
    const runs: Run[] = [];
    let shown = 0; // rows shown before `at`
    let at = 0;
    for (const hidden of [...this.#hidden, Infinity]) {
      const length = hidden - at;
      const begin = Math.max(from - shown, 0);
      const end = Math.min(to - shown, length);
      if (begin < end) runs.push({ from: at + begin, to: at + end });
      shown += length;
      at = hidden + 1;
      if (shown >= to) break;
    }
    return runs;
  }
}
