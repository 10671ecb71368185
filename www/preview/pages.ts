/** The values of a leaf column in a row group, from the bytes of its chunk, page by page. */
import type { Compressors, DecodedArray, PageHeader } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import {
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  isFlatColumn,
} from "hyparquet/src/schema.js";
import { notPreviewable } from "./failures.js";
import { limits } from "./limits.js";
import type { Chunk, Leaf } from "./parquet-file.js";
import { checkRuns } from "./runs.js";

/**
 * A value as Parquet stores it; a leaf below groups that are optional or repeated is wrapped in a list
 * for each of them.
 */
export type Raw = number | bigint | boolean | Uint8Array | null | undefined | readonly Raw[];

/** Decoding others can take more memory than their bytes let expect. */
const encodings = new Set([
  ...["PLAIN", "PLAIN_DICTIONARY", "RLE_DICTIONARY", "RLE"],
  ...["DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "BYTE_STREAM_SPLIT"],
]);

/** Codecs whose bytes can come to a thousand times as many, whatever the page's header says. */
const unbounded = new Set(["GZIP", "BROTLI", "ZSTD"]);

/**
 * The values of the rows from `from` to before `to`, counted from the row group's first.
 *
 * @throws {FdlError} `not_previewable`; what is not as Parquet has it throws whatever it throws
 */
export function readLeaf(
  bytes: Uint8Array,
  leaf: Leaf,
  { about }: Chunk,
  from: number,
  to: number,
): Raw[] {
  const isFlat = isFlatColumn(leaf.path);
  const reader = { view: viewOf(bytes), offset: 0 };
  let header: PageHeader | undefined;
  const checked: Compressors = {
    [about.codec]: (input: Uint8Array, length: number) => {
      const page = inflate(about.codec, input, length);
      if (header) checkPage(page, header, leaf);
      return page;
    },
  };
  const decoder = {
    pathInSchema: about.path_in_schema,
    type: about.type,
    // What a value stands for is for us to say: the library's own dates and decimals lose digits.
    element: unannotated(leaf.element),
    schemaPath: leaf.path,
    codec: about.codec,
    compressors: checked,
    parsers: DEFAULT_PARSERS,
    utf8: false,
  };
  let dictionary: DecodedArray | undefined;
  const found: Raw[] = [];
  let pages: DecodedArray = [];
  let rows = 0; // before the page
  while (rows < to && reader.offset < bytes.length) {
    header = parquetHeader(reader);
    const { compressed_page_size: size, type } = header;
    checkHeader(header, bytes.length - reader.offset);
    const next = reader.offset + size;
    if (type === "DICTIONARY_PAGE") {
      dictionary = readPage(reader, header, decoder, undefined, undefined, 0).data;
    } else if (type === "INDEX_PAGE") {
      // holds no values
    } else if (isFlat) {
      const count = valuesIn(header);
      if (rows + count > from) {
        if (about.codec === "UNCOMPRESSED") {
          checkPage(bytes.subarray(reader.offset, next), header, leaf);
        }
        const { data } = readPage(reader, header, decoder, dictionary, undefined, 0);
        if (data?.length !== count) throw new Error("a page has another number of values");
        const page = data as ArrayLike<Raw>;
        for (let at = Math.max(from - rows, 0); at < Math.min(count, to - rows); at++) {
          found.push(page[at]);
        }
      }
      rows += count;
    } else {
      if (about.codec === "UNCOMPRESSED") {
        checkPage(bytes.subarray(reader.offset, next), header, leaf);
      }
      pages = readPage(reader, header, decoder, dictionary, pages, 0).data ?? pages;
      // The last row may go on in the next page.
      rows = pages.length - 1;
      if (next >= bytes.length) rows = pages.length;
    }
    reader.offset = next;
  }
  if (!isFlat) for (let at = from; at < to; at++) found.push((pages as ArrayLike<Raw>)[at]);
  if (rows < to || found.includes(undefined)) throw new Error("a column ends too early");
  return found;
}

function unannotated(element: Leaf["element"]): Leaf["element"] {
  const physical = { ...element };
  delete physical.converted_type;
  delete physical.logical_type;
  return physical;
}

function inflate(codec: string, input: Uint8Array, length: number): Uint8Array {
  if (length > limits.page) throw notPreviewable("too_large", "a page");
  if (unbounded.has(codec) && input.length > limits.unboundedPage) {
    throw notPreviewable("too_large", "a page");
  }
  const decompress = compressors[codec as keyof Compressors];
  if (!decompress) throw notPreviewable("shape", codec);
  return decompress(input, length);
}

function checkHeader(header: PageHeader, left: number): void {
  const { compressed_page_size: size, uncompressed_page_size: inflated } = header;
  if (!(size >= 0 && size <= left)) throw new Error("a page is longer than its chunk");
  if (!(inflated >= 0)) throw new Error("a page has no length");
  if (inflated > limits.page) throw notPreviewable("too_large", "a page");
  const values = valuesIn(header);
  if (!(values >= 0)) throw new Error("a page has no number of values");
  if (values > limits.values) throw notPreviewable("too_large", "a page");
  if (header.type === "DATA_PAGE_V2") throw notPreviewable("shape", "DATA_PAGE_V2");
  const encoding = header.data_page_header?.encoding;
  if (encoding !== undefined && !encodings.has(encoding)) throw notPreviewable("shape", encoding);
}

function valuesIn(header: PageHeader): number {
  return (header.data_page_header ?? header.dictionary_page_header)?.num_values ?? 0;
}

/** Holds the runs of a page against the values that its header says it has. */
function checkPage(page: Uint8Array, header: PageHeader, { element, path }: Leaf): void {
  const count = valuesIn(header);
  const levels = [getMaxRepetitionLevel(path), getMaxDefinitionLevel(path)];
  const view = viewOf(page);
  const isBoolean = element.type === "BOOLEAN";
  const prefixed = (at: number, width: number) => {
    const end = at + 4 + view.getUint32(at, true);
    checkRuns(page, at + 4, end, width, count);
    return end;
  };
  const checkValues = (at: number, encoding: string) => {
    if (encoding === "RLE" && isBoolean) prefixed(at, 1);
    else if (encoding.endsWith("_DICTIONARY") || encoding === "RLE") {
      const width = count > 0 && at < page.length ? view.getUint8(at) : 0;
      if (width > 32) throw new Error("a place in a dictionary is too wide");
      if (width > 0) checkRuns(page, at + 1, page.length, width, count);
    }
  };
  if (header.type === "DATA_PAGE" && header.data_page_header) {
    let at = 0;
    for (const level of levels) if (level > 0) at = prefixed(at, widthOf(level));
    checkValues(at, header.data_page_header.encoding);
  }
}

function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}

function viewOf(bytes: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
