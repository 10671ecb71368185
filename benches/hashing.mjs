/**
 * Hashing in a page: the reader's own way beside the ways that it could have taken. Each is given what a
 * host gives, pieces, of up to four files at a time as data files are read.
 */
import { medians, table } from "./measure.mjs";

const MB = 1_000_000;
const sizes = [
  { name: "4 KiB", bytes: 4 << 10, times: 200, rounds: 15 },
  { name: "64 KiB", bytes: 64 << 10, times: 100, rounds: 15 },
  { name: "4 MiB", bytes: 4 << 20, times: 4, rounds: 15 },
  { name: "64 MiB", bytes: 64 << 20, times: 1, rounds: 9 },
  { name: "256 MiB", bytes: 256 << 20, times: 1, rounds: 5 },
];

/** The longest file that is held to be hashed as a whole (`HELD` of src/trust/digest.rs). */
const HELD = 8 << 20;

/** What each way is called, and what it is. */
const ways = {
  "the reader, a file": "a file whose length is known, as data files are",
  "the reader, held": "bytes that are wanted anyway, as a catalog's",
  "sha2, streamed": "Rust, piece by piece",
  WebCrypto: "crypto.subtle, the pieces joined to a whole",
  "hash-wasm": "piece by piece",
  "@noble/hashes": "piece by piece",
};

export async function hashing(page) {
  await page.evaluate(prepare);
  const rows = [["MB/s", ...sizes.map(({ name }) => name)]];
  const speeds = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (const { bytes, times, rounds } of sizes) {
    await page.evaluate((bytes) => window.fill(bytes), bytes);
    const run = (name) => () =>
      page.evaluate(([name, times]) => window.hash(name, times), [name, times]);
    const took = await medians(
      Object.fromEntries(Object.keys(ways).map((name) => [name, run(name)])),
      rounds,
    );
    for (const [name, milliseconds] of Object.entries(took)) {
      speeds[name].push((bytes * times) / MB / (milliseconds / 1000));
    }
  }
  for (const [name, speed] of Object.entries(speeds)) {
    rows.push([name, ...speed.map((speed) => speed.toFixed(0))]);
  }
  const own = speeds["the reader, a file"];
  const ratios = [["the reader, a file, against", ...sizes.map(({ name }) => name)]];
  for (const name of Object.keys(ways).slice(2)) {
    ratios.push([name, ...own.map((speed, size) => (speed / speeds[name][size]).toFixed(2))]);
  }
  /** Against the better of the two ways that the reader has, where both may be taken. */
  const againstBest = (name, mayHold) =>
    speeds[name].map((speed, size) => {
      const whole = mayHold(sizes[size].bytes) ? speeds["WebCrypto"][size] : 0;
      return (speed / Math.max(whole, speeds["sha2, streamed"][size])).toFixed(2);
    });
  ratios.push(
    ["the better of sha2 and WebCrypto*", ...againstBest("the reader, a file", (it) => it <= HELD)],
    ["the same for what is held", ...againstBest("the reader, held", () => true)],
  );
  const note =
    "* WebCrypto takes wholes, so for files up to 8 MiB: memory does not grow with a file.";
  return `${table(rows)}\n\n${table(ratios)}\n${note}`;
}

/** Runs in the page. */
async function prepare() {
  const [bench, { createSHA256 }, { sha256 }] = await Promise.all([
    import("/wasm/fdl_bench.js"),
    import("hash-wasm"),
    import("@noble/hashes/sha2.js"),
  ]);
  await bench.default();
  let bytes, pieces;
  /** As pieces come from a host. */
  const PIECE = 64 << 10;
  window.fill = async (length) => {
    bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 65536) {
      crypto.getRandomValues(bytes.subarray(at, Math.min(length, at + 65536)));
    }
    pieces = [];
    for (let at = 0; at < length; at += PIECE) pieces.push(bytes.subarray(at, at + PIECE));
  };
  const streamed = await createSHA256();
  const hash = {
    "the reader, a file": () => bench.hash(pieces, "file"),
    "the reader, held": () => bench.hash(pieces, "held"),
    "sha2, streamed": () => bench.hash(pieces, "streamed"),
    WebCrypto: () => {
      const whole = new Uint8Array(bytes.length);
      pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0);
      return crypto.subtle.digest("SHA-256", whole);
    },
    "hash-wasm": () => {
      streamed.init();
      for (const piece of pieces) streamed.update(piece);
      return streamed.digest();
    },
    "@noble/hashes": () => {
      const hash = sha256.create();
      for (const piece of pieces) hash.update(piece);
      return hash.digest();
    },
  };
  window.hash = async (name, times) => {
    const start = performance.now();
    for (let time = 0; time < times; time += 4) {
      await Promise.all(Array.from({ length: Math.min(4, times) }, () => hash[name]()));
    }
    return performance.now() - start;
  };
}
