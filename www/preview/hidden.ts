/** The rows of a data file that do not belong to the version: deleted ones, and those of later snapshots. */
import { malformedParquet, notPreviewable } from "./failures.js";
import { limits } from "./limits.js";
import type { Raw } from "./pages.js";
import { openParquet, type ListedParquet, type ParquetFile } from "./parquet-file.js";
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
  const [positions, snapshots] = await Promise.all([
    wholes(file, POSITION, signal),
    wholes(file, SNAPSHOT, signal),
  ]);
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
  const snapshots = await wholes(file, SNAPSHOT, signal);
  if (!snapshots) throw notPreviewable("shape", "merged rows without their snapshots");
  return snapshots.flatMap((writtenAt, position) => {
    if (writtenAt === null) throw malformedParquet(file.remote.url);
    return writtenAt <= snapshot ? [] : [position];
  });
}

/** A column of whole numbers; `undefined` where the file has none of this field id. */
async function wholes(
  file: ParquetFile,
  id: number,
  signal?: AbortSignal,
): Promise<(number | null)[] | undefined> {
  const leaf = file.leaves.find(
    ({ element, path }) => path.length === 2 && element.field_id === id,
  );
  if (!leaf) return undefined;
  if (file.rows > limits.hiddenRows) throw notPreviewable("too_large", "deletes");
  if (leaf.element.type !== "INT64") throw notPreviewable("shape", "a position or a snapshot");
  const bytes = new ChunkBytes(file);
  const found: Raw[] = [];
  for (const slice of slices(file, [{ from: 0, to: file.rows }])) {
    const values = await bytes.read([leaf], slice, signal);
    for (const value of values.get(leaf) ?? []) found.push(value);
  }
  return found.map((value) => (value === null ? null : Number(value)));
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
