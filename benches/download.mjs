/** Downloading and verifying, beside downloading alone. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { medians, table } from "./measure.mjs";

const MIB = 1 << 20;
const ID = "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa";

/** Data files by their number and size. */
const repositories = [
  { name: "64-files-of-1-mib", files: 64, bytes: MIB },
  { name: "2-files-of-64-mib", files: 2, bytes: 64 * MIB },
];

/** In bits per second; 0 is as fast as this machine goes. */
const lines = [
  { name: "100 Mbit/s", bits: 100e6, rounds: 2 },
  { name: "1 Gbit/s", bits: 1e9, rounds: 5 },
  { name: "no network (loopback)", bits: 0, rounds: 5 },
];

/** Writes repositories with nothing in them but what verifying data files reads. */
export function makeRepositories(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const { name, files, bytes } of repositories) {
    const write = (path, content) => {
      const file = join(folder, name, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, content);
      return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
    };
    const listed = Array.from({ length: files }, (_, number) => {
      const path = `data/main/t/${number}.parquet`;
      return { path, ...write(path, randomBytes(bytes)) };
    });
    const index = { tables: [{ schema: "main", name: "t", files: listed }] };
    const named = write(`versions/${ID}/files.json`, Buffer.from(JSON.stringify(index)));
    const record = {
      ...{ fdl: "0.1", id: ID, created_at: "2026-01-01T00:00:00Z" },
      catalog: { path: "ducklake.duckdb", bytes: 1, sha256: "0".repeat(64) },
      files: { path: "files.json", ...named },
      ducklake: { format: "1.0", snapshot_id: 1 },
    };
    write(`versions/${ID}/version.json`, Buffer.from(JSON.stringify(record)));
    write("fdl.json", Buffer.from('{"fdl": "0.1"}'));
  }
}

export async function downloading(page) {
  await page.evaluate(prepare);
  const rows = [["milliseconds", "download", "and verify", "ratio"]];
  const network = await page.context().newCDPSession(page);
  for (const { name: line, bits, rounds } of lines) {
    await network.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 0, uploadThroughput: -1 },
      downloadThroughput: bits > 0 ? bits / 8 : -1,
    });
    for (const { name } of repositories) {
      await page.evaluate(([name, id]) => window.open(name, id), [name, ID]);
      const run = (way) => () => page.evaluate((way) => window.run(way), way);
      const took = await medians({ download: run("download"), verify: run("verify") }, rounds);
      rows.push([
        `${name.replaceAll("-", " ").replace("mib", "MiB")}, ${line}`,
        ...[took.download, took.verify].map((time) => time.toFixed(0)),
        (took.verify / took.download).toFixed(2),
      ]);
    }
  }
  return table(rows);
}

/** Runs in the page. Both ways have four files under way at once, and keep none. */
async function prepare() {
  const { openRepository } = await import("fdl-reader");
  let version, urls;
  window.open = async (name, id) => {
    const root = new URL(`/repositories/${name}/`, location.href).href;
    version = await (await openRepository(root, { ref: id })).version(id);
    urls = version.files.tables[0].files.map(({ path }) => new URL(path, root).href);
  };
  const download = async (queue) => {
    for (let url = queue.pop(); url; url = queue.pop()) {
      const reader = (await fetch(url)).body.getReader();
      while (!(await reader.read()).done);
    }
  };
  const ways = {
    download: async () => {
      const queue = [...urls];
      await Promise.all(Array.from({ length: 4 }, () => download(queue)));
    },
    verify: async () => {
      const { data } = await version.verifyData();
      if (data.verified !== urls.length) throw new Error(JSON.stringify(data));
    },
  };
  window.run = async (way) => {
    const start = performance.now();
    await ways[way]();
    return performance.now() - start;
  };
}
