/** A Parquet file on a host: its footer, read and held to limits before anything is made of it. */
import { parquetMetadata, parquetSchema } from "hyparquet";
import type { ColumnMetaData, FileMetaData, SchemaElement, SchemaTree } from "hyparquet";
import { FdlError } from "../reader/index.js";
import { malformedParquet, notPreviewable, rowCountMismatch, sizeMismatch } from "./failures.js";
import { limits } from "./limits.js";
import { RemoteFile, type Fetch } from "./remote-file.js";

/** What files.json says of a file. */
export interface ListedParquet {
  url: string;
  bytes: number;
  rows: number;
  footer: number | null;
}

/** A column of a file that holds values. */
export interface Leaf {
  /** Its place among the columns of every row group. */
  index: number;
  element: SchemaElement;
  /** From the root to the leaf. */
  path: SchemaTree[];
}

/** A part of a file's rows. */
export interface RowGroup {
  /** The position in the file of its first row. */
  start: number;
  rows: number;
  /** By the place of the leaf. */
  chunks: Chunk[];
}

/** The values of a leaf in a row group: where they lie in the file, and how they are written. */
export interface Chunk {
  start: number;
  end: number;
  inflated: number;
  about: ColumnMetaData;
}

/** A Parquet file whose footer was read. */
export interface ParquetFile {
  remote: RemoteFile;
  rows: number;
  root: SchemaTree;
  leaves: Leaf[];
  groups: RowGroup[];
}

/** As much is asked for where the footer's length is not known: most footers are shorter. */
const tail = 64 << 10;

/**
 * Reads the footer of a file.
 *
 * Requests: one; two where the footer is longer than what files.json says, or than 64 KiB.
 *
 * @throws {FdlError} as `RemoteFile.read()`, and `malformed_parquet`, `row_count_mismatch`,
 * `not_previewable`
 */
export async function openParquet(
  { url, bytes, rows, footer }: ListedParquet,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<ParquetFile> {
  if (bytes < 12) throw sizeMismatch(url, 12, bytes);
  const remote = new RemoteFile(url, bytes, fetch);
  const wanted = Math.min(footer === null ? tail : footer + 8, bytes, limits.footer);
  let end = await remote.read(bytes - wanted, bytes, signal);
  const length = lengthOf(end) + 8;
  if (!(length <= bytes)) throw malformedParquet(url);
  if (length > limits.footer) throw notPreviewable("too_large", "the footer");
  if (length > end.length) end = await remote.read(bytes - length, bytes, signal);
  return guarded(url, () => taken(remote, rows, parquetMetadata(end, { geoparquet: false })));
}

/** The footer's length, which stands before the last four bytes; NaN where these are not Parquet's. */
function lengthOf(end: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(end.buffer, end.byteOffset + end.length - 8);
  return view.getUint32(4) === 0x50415231 ? view.getUint32(0, true) : NaN;
}

/** Whatever goes wrong in making sense of a file's bytes is the file's fault. */
export function guarded<T>(url: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof FdlError ? cause : malformedParquet(url, cause);
  }
}

function taken(remote: RemoteFile, rows: number, metadata: FileMetaData): ParquetFile {
  const { url } = remote;
  if (metadata.schema.length > limits.schema) throw notPreviewable("too_large", "the columns");
  if (Number(metadata.num_rows) !== rows) {
    throw rowCountMismatch(url, rows, Number(metadata.num_rows));
  }
  const root = parquetSchema(metadata);
  const leaves: Leaf[] = [];
  const walk = (path: SchemaTree[]) => {
    const node = path[path.length - 1];
    if (!node) return;
    if (path.length > limits.depth) throw notPreviewable("too_large", "the nesting");
    if (node.element.type !== undefined) {
      leaves.push({ index: leaves.length, element: node.element, path });
    }
    for (const child of node.children) walk([...path, child]);
  };
  walk([root]);
  if (root.count !== metadata.schema.length) throw malformedParquet(url);

  let start = 0;
  const groups = metadata.row_groups.map((group) => {
    const rows = whole(group.num_rows);
    if (group.columns.length !== leaves.length) throw malformedParquet(url);
    const chunks = group.columns.map(({ meta_data, file_path }, index) => {
      const leaf = leaves[index];
      const named = leaf?.path.slice(1).map(({ element }) => element.name);
      if (!meta_data || file_path !== undefined || meta_data.type !== leaf?.element.type) {
        throw malformedParquet(url);
      }
      if (meta_data.path_in_schema.join("\0") !== named?.join("\0")) throw malformedParquet(url);
      return chunkOf(meta_data, remote);
    });
    const taken = { start, rows, chunks };
    start += rows;
    return taken;
  });
  if (start !== rows) throw rowCountMismatch(url, rows, start);
  return { remote, rows, root, leaves, groups };
}

function chunkOf(about: ColumnMetaData, { url, bytes }: RemoteFile): Chunk {
  const dictionary = about.dictionary_page_offset ? whole(about.dictionary_page_offset) : 0;
  const start = dictionary > 0 ? dictionary : whole(about.data_page_offset);
  const end = start + whole(about.total_compressed_size);
  if (start < 4 || end > bytes) throw malformedParquet(url);
  return { start, end, inflated: whole(about.total_uncompressed_size), about };
}

/** A whole number from 0 on that a double holds exactly. */
function whole(number: bigint): number {
  const found = Number(number);
  if (!Number.isSafeInteger(found) || found < 0) throw new Error(`${String(number)} is no size`);
  return found;
}
