/** Reading in rounds, with the freshness of the design, and bad input by its code: in Chromium. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rounds } from "../hosts/server.mjs";
import { judged, openApi, rootOf } from "./api.mjs";

/** Runs in the page: reads the default ref as far as it goes, and says where it stops. */
async function stops({ root, trustedSigners }) {
  let at = "open";
  try {
    const repository = await window.fdl.openRepository(root, { trustedSigners });
    at = "version";
    const version = await repository.version();
    at = "catalog";
    await version.catalog();
    at = "rows";
    window.engine ??= await window.startEngine();
    const lake = await window.duckdb.attach(window.engine, version);
    try {
      await lake.rows(lake.tables[0], { limit: 1000 });
    } finally {
      await lake.detach();
    }
    return null;
  } catch (error) {
    return { stop: `${at}: ${error.code}`, isFdlError: error instanceof window.fdl.FdlError };
  }
}

describe("bad input stops the reader with its own code", () => {
  let api;
  before(async () => (api = await openApi()));
  after(() => api?.close());

  const failing = Object.values(judged).filter(({ fails }) => fails);
  test("there is bad input to read", () => assert.ok(failing.length > 0));

  for (const { name, rule, fails, versions, trusted_signers } of failing) {
    test(`${name}: ${rule}`, async () => {
      const signed = versions.some(({ signer }) => signer !== null);
      const trustedSigners = signed ? trusted_signers : undefined;
      const found = await api.run(stops, { root: rootOf(name), trustedSigners });
      assert.deepEqual(found, { stop: fails, isFdlError: true });
    });
  }

  test("a repository that is not there, one without a version, and a ref that is not there", async () => {
    assert.equal((await api.run(stops, { root: "nowhere/" })).stop, "open: not_a_repository");
    assert.equal(
      (await api.run(stops, { root: rootOf("after-init") })).stop,
      "version: no_version",
    );
    const code = await api.run(async (root) => {
      const repository = await window.fdl.openRepository(root);
      return await repository.version("mian").catch((error) => error.code);
    }, rootOf("tagged"));
    assert.equal(code, "unknown_ref");
  });
});

describe("rounds", () => {
  let api;
  // Slower than anything that happens between two requests of one round.
  before(async () => (api = await openApi({ delay: 60 })));
  after(() => api?.close());

  const reads = async (given) => {
    const from = api.host.log.length;
    const signature = await api.run(async ({ root, trustedSigners, ref }) => {
      const repository = await window.fdl.openRepository(root, { trustedSigners, ref });
      return (await repository.version(ref)).verdict.signature;
    }, given);
    const log = api.host.log.slice(from).filter(({ path }) => !path.startsWith("/dist/"));
    return { signature, log, files: log.map(({ path }) => path.split("/").at(-1)).sort() };
  };
  const ofVersion = [
    "dataset.json",
    "expired.json",
    "files.json",
    "version.json",
    "version.json.sig",
  ];

  before(async () => {
    // The wasm itself is not part of it.
    await api.run((root) => window.fdl.openRepository(root), rootOf("tagged"));
  });

  test("the verdict takes two round trips", async () => {
    const { trusted_signers: trustedSigners } = judged.demo;
    const { signature, log, files } = await reads({ root: "demo/", trustedSigners });
    assert.equal(signature, "trusted");
    assert.equal(rounds(log), 2);
    assert.deepEqual(files, ["HEAD", "fdl.json", "refs.json", ...ofVersion].sort());
  });

  test("where a version ID is given, HEAD and refs.json are not read", async () => {
    const { versions, trusted_signers: trustedSigners } = judged["tagged"];
    const root = rootOf("tagged");
    const { log, files } = await reads({ root, trustedSigners, ref: versions[0].id });
    assert.equal(rounds(log), 2);
    assert.deepEqual(files, ["fdl.json", ...ofVersion].sort());
  });

  test("without refs.json the ref's own file costs one more round", async () => {
    const { trusted_signers: trustedSigners } = judged["no-refs-json"];
    const { signature, log } = await reads({ root: rootOf("no-refs-json"), trustedSigners });
    assert.equal(signature, "trusted");
    assert.equal(rounds(log), 3);
  });

  test("only GET is used, and nothing that needs a preflight", async () => {
    assert.deepEqual([...new Set(api.host.log.map(({ method }) => method))], ["GET"]);
  });
});

describe("freshness", () => {
  let api;
  // A host that lets everything be kept for a day.
  before(async () => (api = await openApi({ headers: { "cache-control": "max-age=86400" } })));
  after(() => api?.close());

  test("what may change is asked for again, what never changes is not", async () => {
    const read = async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      await version.catalog();
    };
    await api.run(read, rootOf("tagged"));
    const from = api.host.log.length;
    await api.run(read, rootOf("tagged"));
    const again = api.host.log.slice(from).map(({ path }) => path.split("/").at(-1));
    assert.deepEqual(again.sort(), ["HEAD", "expired.json", "fdl.json", "refs.json"]);
  });
});

describe("a signal", () => {
  let api;
  before(async () => (api = await openApi({ delay: 200 })));
  after(() => api?.close());

  test("ends the reading and its requests", async () => {
    const code = await api.run(async (root) => {
      await window.fdl.openRepository(root); // the wasm is there
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      const { signal } = controller;
      return await window.fdl.openRepository(root, { signal }).catch((error) => error.code);
    }, rootOf("tagged"));
    assert.equal(code, "aborted");
    assert.deepEqual(api.errors, []);
  });
});
