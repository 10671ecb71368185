/**
 * Runs of equal values, as Parquet writes levels and places in a dictionary. Decoding writes each run
 * out, however long it says that it is, so that what it says is held against what is due before.
 */

/** Bit-packed runs are filled up to eight values; writers may fill up further. */
const padding = 512;

/**
 * Throws where the runs between `start` and `end` come to more values than `count`. Those that come to
 * less run into the end of the bytes when they are decoded.
 */
export function checkRuns(
  bytes: Uint8Array,
  start: number,
  end: number,
  width: number,
  count: number,
): void {
  let at = start;
  let seen = 0;
  while (seen < count && at < end) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new Error("a run has no end");
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    if (header >= 2 ** 31) throw new Error("a run is too long");
    const packed = header % 2 === 1;
    const length = Math.floor(header / 2) * (packed ? 8 : 1);
    if (length > count - seen + (packed ? padding : 0)) throw new Error("a run is too long");
    seen += length;
    at += packed ? (length / 8) * width : Math.ceil(width / 8);
  }
}
