/** Data files verified in Chromium: progress, cancelling, other origins, and the catalog's own list. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startHost } from "../hosts/server.mjs";
import { inRoot, openApi, rootOf } from "./api.mjs";

/** Runs in the page: verifies the data files of the default ref. */
async function verifyData({ root, options = {} }) {
  const version = await (await window.fdl.openRepository(root)).version();
  const told = [];
  const { data, integrity, covers } = await version.verifyData({
    ...options,
    onProgress: (progress) => told.push(progress),
  });
  return { data, integrity, covers, told };
}

describe("data files", () => {
  let api;
  before(async () => (api = await openApi()));
  after(() => api?.close());

  test("every one is hashed, and progress goes to its end", async () => {
    const { data, integrity, covers, told } = await api.run(verifyData, { root: "demo/" });
    const { verified, not_available, bytes, problems } = data;
    assert.deepEqual([verified, not_available, integrity], [35, 3, "intact"]);
    assert.ok(problems.every(({ code }) => code === "not_available"));
    assert.ok(covers.includes("data files (35)"));
    const last = told.at(-1);
    assert.deepEqual(last, { received: bytes, total: bytes, files: 38, filesTotal: 38 });
    assert.ok(told.length > 38, "not only once a file");
    for (const [at, { received, files }] of told.slice(1).entries()) {
      assert.ok(received >= told[at].received && files >= told[at].files);
    }
    assert.deepEqual(api.errors, []);
  });

  test("cancelling ends the requests, and leaves the verdict as it was", async () => {
    const from = api.host.log.length;
    const found = await api.run(async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      const controller = new AbortController();
      const { signal } = controller;
      const onProgress = ({ files }) => files === 2 && controller.abort();
      const code = await version
        .verifyData({ signal, onProgress })
        .then(() => null)
        .catch((error) => error.code);
      return { code, data: version.verdict.data };
    }, "demo/");
    assert.deepEqual(found, { code: "aborted", data: null });
    const asked = () =>
      api.host.log.slice(from).filter(({ path }) => path.endsWith(".parquet")).length;
    const then = asked();
    assert.ok(then <= 8, `${then} requests`);
    await api.page.waitForTimeout(200);
    assert.equal(asked(), then, "none is made after that");
  });

  test("a page that was not loaded securely hashes without the browser's help", async () => {
    const found = await api.run(async () => {
      Object.defineProperty(window.crypto, "subtle", { value: undefined, configurable: true });
      try {
        const version = await (await window.fdl.openRepository("demo/")).version();
        return (await version.verifyData({ sources: false })).data.verified;
      } finally {
        delete window.crypto.subtle;
      }
    });
    assert.equal(found, 35);
    assert.ok(await api.run(() => window.crypto.subtle instanceof window.SubtleCrypto));
  });

  test("the catalog's list serves where the record names no files.json", async () => {
    const data = await api.run(async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      const files = await window.duckdb.dataFilesOf(window.startEngine(), version);
      return (await version.verifyData({ files })).data;
    }, rootOf("files-json-not-named"));
    assert.deepEqual([data.source, data.compared, data.files], ["catalog", 4, 4]);
  });

  test("a list that leads out of the repository is refused", async () => {
    const code = await api.run(async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      const files = [{ kind: "data", path: "data/../../x", bytes: 1, rows: 1 }];
      return await version.verifyData({ files }).catch((error) => error.code);
    }, rootOf("tagged"));
    assert.equal(code, "unsafe_path");
  });
});

for (const ranges of [true, false]) {
  test(`another origin needs no preflight and shows no header, ${ranges ? "with" : "without"} ranges`, async () => {
    const host = await startHost({
      root: inRoot("build/repositories/files-without-hashes"),
      ...{ cors: true, ranges },
      headers: { "access-control-expose-headers": "x-nothing" },
    });
    const api = await openApi();
    try {
      const { data } = await api.run(verifyData, { root: host.url });
      assert.deepEqual([data.compared, data.files], [4, 4]);
      assert.ok(host.log.every(({ method }) => method === "GET"));
      assert.ok(host.log.some(({ headers }) => /^bytes=\d+-$/.test(headers.range)));
      assert.deepEqual(api.errors, []);
    } finally {
      await api.close();
      await host.close();
    }
  });
}
