/**
 * The first rows of a table of ten million, for a visitor who has never been here: by the reader, without
 * an engine and with one, beside what it is built on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rounds, startHost } from "../tests/hosts/server.mjs";
import { median, medians, table } from "./measure.mjs";

const line = { delay: 50, bandwidth: 20e6 };
const visitsMeasured = 5;

const engineWays = ["by Parquet", "plain read_parquet"];
/** hyparquet alone asks for the file's length, and for more of its end than is the footer. */
const ways = ["preview", "hyparquet alone", "hyparquet, told the lengths", ...engineWays];
const pairs = [
  ["preview", "hyparquet alone"],
  ["preview", "hyparquet, told the lengths"],
  ["by Parquet", "plain read_parquet"],
];

/** `pages` is the address of page.html. The repository in `folder` gets a host of its own. */
export async function firstRows(browser, pages, folder) {
  const host = await startHost({ root: folder, cors: true, ...line });
  const path = (end) => readdirSync(folder, { recursive: true }).find((path) => path.endsWith(end));
  const [{ files }] = JSON.parse(readFileSync(join(folder, path("files.json")))).tables;
  const given = {
    root: host.url,
    file: host.url + files[0].path,
    lengths: { file: files[0].bytes, footer: files[0].footer_size + 8 },
    trustedSigners: readFileSync(join(folder, "trusted-signers.txt"), "utf8"),
  };
  try {
    return await compared((way) => visit(browser, pages, host, given, way));
  } finally {
    await host.close();
  }
}

async function compared(visit) {
  const visits = Object.fromEntries(ways.map((way) => [way, []]));
  let expected;
  const run = async (way) => {
    const seen = await visit(way);
    expected ??= seen.rows;
    if (seen.rows !== expected) throw new Error(`${way} gives other rows: ${seen.rows}`);
    visits[way].push(seen);
    return seen.first.took;
  };
  const took = await medians(
    Object.fromEntries(ways.map((way) => [way, () => run(way)])),
    visitsMeasured,
  );
  const columns = ["requests", "rounds", "kB"];
  const rows = [["", "open, ms", ...columns, "first rows, ms", ...columns]];
  for (const way of ways) {
    const { open, first } = visits[way].at(-1);
    const opening = median(visits[way].slice(1).map(({ open }) => open.took));
    rows.push([way, ...cells(opening, open), ...cells(took[way], first)]);
  }
  const ratios = pairs.map(([own, other]) => [
    `${own} / ${other}`,
    (took[own] / took[other]).toFixed(2),
  ]);
  return `The host answers after ${line.delay} ms, all its answers together with ${line.bandwidth / 1e6} Mbit/s: it slows
itself down, since the browser's own emulation does not reach workers. Each visit has a new profile,
an engine that runs, and nothing of the repository. "open" is everything up to files.json, by Parquet
with the catalog.

${table(rows)}

${table([["first rows", "ratio"], ...ratios])}`;
}

function cells(milliseconds, { requests, rounds, bytes }) {
  if (requests === 0) return ["", "", "", ""];
  return [milliseconds, requests, rounds, bytes / 1000].map((number) => number.toFixed(0));
}

/** What one visit took, and the rows that it saw, as text. */
async function visit(browser, pages, host, given, way) {
  const { page, close } = await browser.newPage({ hosts: [pages, host.url] });
  const timed = async (part) => {
    const from = host.log.length;
    const [took, rows] = await page.evaluate(
      async ([part, way, given]) => {
        const start = performance.now();
        const rows = await window[part][way]?.(given);
        return [performance.now() - start, rows];
      },
      [part, way, given],
    );
    const log = host.log.slice(from);
    const bytes = log.reduce((sum, entry) => sum + entry.bytes, 0);
    return { took, requests: log.length, rounds: rounds(log), bytes, rows };
  };
  try {
    await page.goto(`${pages}page.html`);
    await page.evaluate(prepare, engineWays.includes(way));
    const open = await timed("open");
    const { rows, ...first } = await timed("first");
    return { open, first, rows: JSON.stringify(rows) };
  } finally {
    await close();
  }
}

/** Runs in the page. What is compared of the rows is what all ways give as the same text. */
async function prepare(withEngine) {
  const [{ openRepository }, { preview }, hyparquet, duckdb] = await Promise.all([
    import("fdl-reader"),
    import("fdl-reader/preview"),
    import("hyparquet"),
    withEngine && import("fdl-reader/duckdb"),
  ]);
  const engine =
    withEngine &&
    (await duckdb.startEngine({
      engine: {
        wasm: "/node_modules/@duckdb/duckdb-wasm/dist/duckdb-eh.wasm",
        worker: "/node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js",
      },
      extensionRepository: "/duckdb-ext",
    }));
  const limit = 20;
  const of = { schema: "main", name: "payments" };
  let version;

  const kept = new Map();
  /** The catalog is fetched when the version is opened, and not once more. */
  const keeping = async (request, init) => {
    const url = request.url ?? String(request);
    if (!url.endsWith(".duckdb")) return await fetch(request, init);
    if (!kept.has(url)) kept.set(url, await (await fetch(request, init)).blob());
    return new window.Response(kept.get(url));
  };
  const open = async ({ root, trustedSigners }) => {
    version = await (await openRepository(root, { trustedSigners, fetch: keeping })).version();
  };
  window.open = {
    preview: open,
    "by Parquet": async (given) => {
      await open(given);
      await version.catalog();
    },
  };

  const idNameNote = (rows) => rows.map(({ id, name, note }) => [String(id), name, note ?? null]);
  const placed = ({ rows }) => rows.map(([id, name, , , note]) => [id, name, note]);
  window.first = {
    preview: async () => placed(await preview(version, of).rows({ limit })),
    "hyparquet alone": async ({ file: url }) => {
      const file = await hyparquet.asyncBufferFromUrl({ url });
      return idNameNote(await hyparquet.parquetReadObjects({ file, rowEnd: limit }));
    },
    "hyparquet, told the lengths": async ({ file: url, lengths }) => {
      const file = await hyparquet.asyncBufferFromUrl({ url, byteLength: lengths.file });
      const footer = { initialFetchSize: lengths.footer };
      const metadata = await hyparquet.parquetMetadataAsync(file, footer);
      return idNameNote(await hyparquet.parquetReadObjects({ file, metadata, rowEnd: limit }));
    },
    "by Parquet": async () => {
      const lake = await duckdb.attach(engine, version);
      return placed(await lake.rows(of, { limit }));
    },
    "plain read_parquet": async ({ file }) => {
      const connection = await engine.db.connect();
      const answer = await connection.query(`SELECT * FROM read_parquet('${file}') LIMIT ${limit}`);
      return idNameNote(answer.toArray());
    },
  };
}
