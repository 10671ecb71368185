/** Data files over HTTP, read by the real engine from hosts of every kind: rows, or what is wrong with the host. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startHost } from "../hosts/server.mjs";
import { inRoot, judged, openApi, rootOf } from "./api.mjs";

const name = "deletes-both";
const expected = judged[name].versions.at(-1).tables.map(({ rows }) => rows);

let api;
before(async () => {
  api = await openApi();
  await startEngine();
});
after(() => api?.close());

const startEngine = () =>
  api.run(async () => {
    await window.engine?.close();
    window.engine = await window.startEngine();
  });

/** Runs in the page: the number of rows of each table, counted in its files, or what is said instead. */
async function readAll({ root, options }) {
  try {
    const version = await (await window.fdl.openRepository(root)).version();
    const lake = await window.duckdb.attach(window.engine, version, options);
    try {
      const rows = [];
      for (const { schema, name } of lake.tables) {
        // Not the count alone, which the footers give.
        const all = `SELECT count(*) FROM (SELECT DISTINCT * FROM lake."${schema}"."${name}")`;
        rows.push(Number((await window.engine.query(all)).rows[0][0]));
      }
      return { rows };
    } finally {
      await lake.detach();
    }
  } catch ({ code, message, facts }) {
    return { code, message, facts };
  }
}

/** A repository on a host of its own: what is read, and what was asked of it for data files. */
async function on(settings, { query = "", slash = "/", options } = {}) {
  const host = await startHost({
    mounts: {
      "/": inRoot(`build/repositories/${name}`),
      "/below/a/path/": inRoot(`build/repositories/${name}`),
    },
    cors: true,
    ...settings,
  });
  try {
    const at = (path) => host.url + path + query;
    const found = await api.run(readAll, { root: at(slash), options });
    return { found, asked: host.log.filter(({ path }) => path.includes(".parquet")) };
  } finally {
    await host.close();
  }
}

describe("a host", () => {
  test("that serves parts of files is asked for parts, and never twice for a name", async () => {
    const { found, asked } = await on({});
    assert.deepEqual(found.rows, expected);
    assert.ok(asked.some(({ status, method }) => method === "GET" && status === 206));
    const whole = asked.filter(({ method, headers }) => method === "GET" && !headers.range);
    assert.deepEqual(whole, []);
  });

  for (const [what, settings] of Object.entries({
    "that serves no parts": { ranges: false },
    "that refuses HEAD with 403": { head: 403 },
    "that refuses HEAD with 405": { head: 405 },
    "that refuses HEAD and serves no parts": { head: 403, ranges: false },
    "that compresses for who accepts it": { gzip: true },
    "that compresses and serves no parts": { gzip: true, ranges: false },
  })) {
    test(`${what} is read all the same`, async () => {
      assert.deepEqual((await on(settings)).found, { rows: expected });
    });
  }

  test("that compresses parts of files is named, and read whole where the data is verified", async () => {
    const { found } = await on({ gzip: "always" });
    assert.equal(found.code, "parts_not_served", found.message);
    assert.match(String(found.facts.url), /\.parquet$/);
    const { found: verified } = await on({ gzip: "always" }, { options: { verifyData: true } });
    assert.deepEqual(verified, { rows: expected });
  });

  for (const [code, fault] of Object.entries({
    missing_file: { status: 404 },
    http_status: { status: 500 },
    html_instead: { body: "<!doctype html><title>A site</title>" },
    malformed_parquet: { body: "no Parquet at all, whatever its name says of it" },
  })) {
    test(`that answers for data files with ${JSON.stringify(fault)} is told of as ${code}`, async () => {
      const faults = (path) => (path.includes(".parquet") ? fault : undefined);
      const { found } = await on({ faults });
      assert.equal(found.code, code, found.message);
      assert.match(String(found.facts.url), /\.parquet$/);
    });
  }

  test("that lets this page read all but its data files is told of as such", async () => {
    const hidden = { headers: { "access-control-allow-origin": "https://elsewhere.example" } };
    const { found } = await on({
      faults: (path) => (path.includes(".parquet") ? hidden : undefined),
    });
    assert.equal(found.code, "could_not_fetch", found.message);
    assert.match(found.message, /Access-Control-Allow-Origin/);
    api.errors.splice(0); // the browser writes of it too
  });
});

describe("a root", () => {
  before(startEngine); // the one before has met many broken hosts
  const token = "token=a%2Fb&x=1*";
  for (const [what, settings, place] of [
    ["with a token", { token }, { query: `?${token}` }],
    [
      "with a token and without the final slash",
      { token },
      { query: `?${token}`, slash: "below/a/path" },
    ],
    ["with a token, of a host that knows GET alone", { token, head: 403 }, { query: `?${token}` }],
    [
      "with a token, of a host that serves no parts",
      { token, ranges: false },
      { query: `?${token}` },
    ],
    ["in a folder", {}, { slash: "below/a/path/" }],
    ["in a folder, without the final slash", {}, { slash: "below/a/path" }],
    ["that is the host itself, without the final slash", {}, { slash: "" }],
  ]) {
    test(`${what}: every request keeps it`, async () => {
      const { found, asked } = await on(settings, place);
      assert.deepEqual(found, { rows: expected });
      const query = place.query ?? "";
      assert.ok(asked.length > 0);
      for (const { path } of asked) assert.ok(path.endsWith(`.parquet${query}`), path);
    });
  }
});

test("what was read is asked for again only as far as the engine does not have it", async () => {
  const from = api.host.log.length;
  await api.run(async (root) => {
    const version = await (await window.fdl.openRepository(root)).version();
    const lake = await window.duckdb.attach(window.engine, version);
    for (let time = 0; time < 3; time++)
      await window.engine.query("SELECT sum(id) FROM lake.main.towns");
    await lake.detach();
  }, rootOf("first-commit"));
  const heads = api.host.log.slice(from).filter(({ method }) => method === "HEAD");
  assert.ok(heads.length <= 1, "one file, and no HEAD for each query");
});
