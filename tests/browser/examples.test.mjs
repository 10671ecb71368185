/** The examples of README.md and docs/hand-over.md run as they stand there, in Chromium. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inRoot, judged, openApi, rootOf } from "./api.mjs";
import { firstRows, openSite, shown, srcOf, verdict } from "./page.mjs";

const name = "second-commit";
const { trusted_signers: trustedSigners } = judged[name];
const address = "https://host.example/lake/";

/** The code blocks of a page in one language. */
function examples(page, language) {
  const text = readFileSync(inRoot(page), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, code]) =>
    found === language ? [code] : [],
  );
}

let api;
before(async () => (api = await openApi()));
after(async () => {
  await api?.close();
  assert.deepEqual(api?.offOrigin, [], "nothing else was asked for");
});

/** Runs code as a module of the page, after `prelude`; gives what `results` are at its end. */
async function runs(code, { prelude, results }) {
  const module = [
    ...[...code.matchAll(/^import .*$/gm)].map(([line]) => line),
    "try {",
    prelude,
    code.replace(/^import .*$/gm, "").replaceAll(address, rootOf(name)),
    `window.ended({ results: ${results} });`,
    "} catch (error) { window.ended({ error: String(error?.stack ?? error) }); }",
  ].join("\n");
  return await api.run((module) => {
    const ended = new Promise((resolve) => (window.ended = resolve));
    window.addEventListener("error", ({ message }) => window.ended({ error: message }));
    const script = document.createElement("script");
    Object.assign(script, { type: "module", textContent: module });
    document.body.append(script);
    return ended;
  }, module);
}

const prelude = `
  const trustedSigners = ${JSON.stringify(trustedSigners)};
  const { signal } = new AbortController();
  const told = [];
  const onProgress = (progress) => void told.push(progress);
  const dist = "/node_modules/@duckdb/duckdb-wasm/dist";
  const wasm = dist + "/duckdb-eh.wasm";
  const worker = dist + "/duckdb-browser-eh.worker.js";
`;

test("README.md: the package and its hand-over", async () => {
  const code = examples("README.md", "ts");
  assert.equal(code.length, 2);
  const found = await runs(code.join("\n"), {
    prelude,
    results:
      "[verdict.signature, withData.data.failed, rows, columns.length, page.rows.length, told.length > 0, engine.lost.aborted]",
  });
  assert.deepEqual(found, {
    results: ["trusted", 0, [["120"]], 1, 19, true, true],
  });
});

test("docs/hand-over.md: verified data, by DuckLake, and an engine of the page's own", async () => {
  const code = examples("docs/hand-over.md", "ts");
  assert.equal(code.length, 3);
  const [verified, byDuckLake, own] = code;
  const around = `
    ${prelude}
    const { openRepository } = await import("fdl-reader");
    const { attach, startEngine } = await import("fdl-reader/duckdb");
    const { AsyncDuckDB, VoidLogger } = await import("@duckdb/duckdb-wasm");
    const version = await (await openRepository("${address}")).version();
    const db = new AsyncDuckDB(new VoidLogger(), new Worker(worker));
    await db.instantiate(new URL(wasm, location.href).href);
    await db.open({});
    const started = startEngine;
    const atHome = (options) => started({ extensionRepository: "/duckdb-ext", ...options });
    const found = [];`.replaceAll(address, rootOf(name));
  const found = await runs(
    `{ const engine = await atHome({ engine: { wasm, worker } });
       ${verified} found.push(lake.tables.length);
       ${byDuckLake} found.push(failed);
       await engine.close(); }
     { const startEngine = atHome; ${own} found.push(engine.lost.reason.code);
       const connection = await db.connect();
       found.push((await connection.query("SELECT 42")).numRows);
       await db.terminate(); }`,
    { prelude: around, results: "found" },
  );
  assert.deepEqual(found, { results: [1, "extension_missing", "engine_lost", 1] });
});

test("README.md: a dataset in a page", async () => {
  const [page] = examples("README.md", "html");
  const body = page
    .replace(address, srcOf(name))
    .replace(/trusted-signers="[^"]*"/, `trusted-signers="${trustedSigners.trim()}"`);
  assert.notEqual(body, page);
  const site = await openSite();
  try {
    const own = await site.on({
      mounts: { "/fdl/": inRoot("dist/site") },
      faults: (path) =>
        path === "/page.html" ? { headers: { "content-type": "text/html" }, body } : undefined,
    });
    const shows = await own.visit("page.html");
    await shown(shows);
    assert.equal((await verdict(shows)).signature, "Signed, and trusted");
    assert.equal((await firstRows(shows)).rows.length, 20);
    await site.leave();
  } finally {
    await site.close();
  }
});
