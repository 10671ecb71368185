/**
 * What a preview reads at most. A file that is larger, or says that it is, is left to the engine: it
 * may be sound, but a page must not stand still over it.
 */
const MIB = 1 << 20;

export const limits = {
  /** Bytes of a Parquet footer. */
  footer: 16 * MIB,
  /** Columns of a file, nested ones counted, and how deep they are nested. */
  schema: 10_000,
  depth: 32,
  /** Compressed bytes that one page of rows takes from a row group. */
  read: 64 * MIB,
  /** The bytes that these say they come to. */
  inflated: 256 * MIB,
  /** Bytes of one page of a column, inflated. */
  page: 64 * MIB,
  /** Compressed bytes of one page whose codec can inflate a thousandfold before its length is known. */
  unboundedPage: 4 * MIB,
  /** Values of one page of a column; nested ones counted. */
  values: 8_000_000,
  /** Rows of a file of which some do not count: which ones is held in memory. */
  hiddenRows: 5_000_000,
  /** Bytes of a file on a host that gives no part of it. */
  whole: 64 * MIB,
};

/** How many files are read at once. */
export const atOnce = 6;
