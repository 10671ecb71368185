/** Hashing in a page: the reader's own way beside the ways that it could have taken. */
import { medians, table } from "./measure.mjs";

const MB = 1_000_000;
const sizes = [
  { name: "4 KiB", bytes: 4 << 10, times: 200, rounds: 15 },
  { name: "64 KiB", bytes: 64 << 10, times: 100, rounds: 15 },
  { name: "4 MiB", bytes: 4 << 20, times: 4, rounds: 15 },
  { name: "64 MiB", bytes: 64 << 20, times: 1, rounds: 9 },
  { name: "256 MiB", bytes: 256 << 20, times: 1, rounds: 5 },
];

/** What each way is called, and what it is. */
const ways = {
  "the reader, a file": "a file whose length is known, as data files are",
  "the reader, held": "bytes that are wanted anyway, as a catalog's",
  "sha2, streamed": "Rust, piece by piece",
  WebCrypto: "crypto.subtle, the whole at once",
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
  const held = speeds["the reader, held"].map((speed, size) => speed / speeds["WebCrypto"][size]);
  ratios.push(["the reader, held, against WebCrypto", ...held.map((ratio) => ratio.toFixed(2))]);
  return `${table(rows)}\n\n${table(ratios)}`;
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
    WebCrypto: () => crypto.subtle.digest("SHA-256", bytes),
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
    for (let time = 0; time < times; time++) await hash[name]();
    return performance.now() - start;
  };
}
