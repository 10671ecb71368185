/** Rows of a file, leaf by leaf: which bytes they take, fetched in few requests. */
import { malformedParquet, notPreviewable } from "./failures.js";
import { limits } from "./limits.js";
import { readLeaf, type Raw } from "./pages.js";
import { guarded, type Leaf, type ParquetFile, type RowGroup } from "./parquet-file.js";

/** Chunks that lie so near to one another are fetched at once, up to so many bytes. */
const gap = 8 << 10;
const run = 2 << 20;

/** Rows one after another, counted from the first of their file or row group; `to` is not part of them. */
export interface Run {
  from: number;
  to: number;
}

/**
 * Rows that are read at once from a row group. Leaves are decoded page by page from the beginning, so
 * that reading each of its `runs` by itself would decode the same pages as often.
 */
export interface Slice extends Run {
  group: RowGroup;
  /** The rows that are wanted, in order; what lies between them is passed over. */
  runs: Run[];
}

/** The slices that runs of a file's rows are in. */
export function slices({ groups }: ParquetFile, runs: Run[]): Slice[] {
  return groups.flatMap((group) => {
    const within = runs
      .map(({ from, to }) => ({
        from: Math.max(from - group.start, 0),
        to: Math.min(to - group.start, group.rows),
      }))
      .filter(({ from, to }) => from < to);
    const [first, last] = [within[0], within.at(-1)];
    return first && last ? [{ group, from: first.from, to: last.to, runs: within }] : [];
  });
}

/** The bytes of a row group's leaves, the last that were read: the next page is often in them. */
export class ChunkBytes {
  #group: RowGroup | undefined;
  readonly #held = new Map<number, Uint8Array<ArrayBuffer>>();

  constructor(private readonly file: ParquetFile) {}

  /**
   * What leaves hold in the rows of a slice.
   *
   * Requests: one for the chunks of the leaves that lie together, all at once; none for those held.
   *
   * @throws {FdlError} as `RemoteFile.read()`, `malformed_parquet`, `not_previewable`
   */
  async read(leaves: Leaf[], slice: Slice, signal?: AbortSignal): Promise<Map<Leaf, Raw[]>> {
    const { group, from, to } = slice;
    const { url } = this.file.remote;
    if (group !== this.#group) this.#held.clear();
    this.#group = group;
    const held = new Map(this.#held);
    await this.#fetch(leaves, group, held, signal);
    for (const [index, bytes] of held) if (this.#group === group) this.#held.set(index, bytes);
    return guarded(url, () => {
      const values = leaves.map((leaf): [Leaf, Raw[]] => {
        const [chunk, bytes] = [group.chunks[leaf.index], held.get(leaf.index)];
        if (!chunk || !bytes) throw malformedParquet(url);
        return [leaf, readLeaf(bytes, leaf, chunk, from, to)];
      });
      return new Map(values);
    });
  }

  async #fetch(
    leaves: Leaf[],
    group: RowGroup,
    held: Map<number, Uint8Array<ArrayBuffer>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const wanted = leaves
      .filter(({ index }) => !held.has(index))
      .flatMap(({ index }) => {
        const chunk = group.chunks[index];
        return chunk ? [{ index, ...chunk }] : [];
      })
      .sort((a, b) => a.start - b.start);
    const sum = (of: (chunk: (typeof wanted)[number]) => number) =>
      wanted.reduce((sum, chunk) => sum + of(chunk), 0);
    if (sum(({ start, end }) => end - start) > limits.read) throw notPreviewable("too_large");
    if (sum(({ inflated }) => inflated) > limits.inflated) throw notPreviewable("too_large");

    const runs: { start: number; end: number }[] = [];
    for (const { start, end } of wanted) {
      const last = runs[runs.length - 1];
      if (last && start <= last.end + gap && end - last.start <= run) {
        last.end = Math.max(last.end, end);
      } else runs.push({ start, end });
    }
    const read = ({ start, end }: (typeof runs)[number]) =>
      this.file.remote.read(start, end, signal);
    const parts = await Promise.all(runs.map(read));
    for (const { index, start, end } of wanted) {
      const place = runs.findIndex((run) => run.start <= start && end <= run.end);
      const at = start - (runs[place]?.start ?? 0);
      const bytes = parts[place]?.subarray(at, at + end - start);
      if (bytes) held.set(index, bytes);
    }
  }
}
