/** What a host or its files can do wrong gives rows that are right, or an error that says what is wrong. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openRepository } from "../../dist/reader/node.js";
import { preview } from "../../dist/preview/index.js";
import { inRoot } from "../browser/api.mjs";
import { startHost } from "../hosts/server.mjs";

/** Reads the first rows of a table on a host that has these settings. */
async function read(settings, scenario = "first-commit", table = "towns") {
  const host = await startHost({ root: inRoot(`build/repositories/${scenario}`), ...settings });
  try {
    const version = await (await openRepository(host.url)).version();
    return await preview(version, { schema: "main", name: table }).rows({ limit: Infinity });
  } finally {
    await host.close();
  }
}

const onParquet = (fault, settings = {}) => ({
  faults: (path) => (path.endsWith(".parquet") ? fault : undefined),
  ...settings,
});

const page = "<!doctype html><title>A single-page site</title>";

test("a host without ranges sends the whole file, once", async () => {
  const host = await startHost({
    root: inRoot("build/repositories/first-commit"),
    ranges: false,
  });
  const version = await (await openRepository(host.url)).version();
  const { rows } = await preview(version, { schema: "main", name: "towns" }).rows();
  assert.equal(rows.length, 20);
  assert.equal(host.log.filter(({ path }) => path.endsWith(".parquet")).length, 1);
  await host.close();
});

test("a host that compresses whole files is read all the same", async () => {
  assert.equal((await read({ ranges: false, gzip: true })).rows.length, 100);
});

for (const [what, fault, code] of [
  ["a missing file", { status: 404 }, "missing_file"],
  ["a refusal", { status: 403 }, "http_status"],
  ["a failing host", { status: 500 }, "http_status"],
  ["a shorter web page, of which no such range is to be had", { body: page }, "size_mismatch"],
  ["a connection that is cut", { truncate: 10 }, "could_not_fetch"],
  ["a shorter file", { body: new Uint8Array(100) }, "size_mismatch"],
  ["bytes of the same length that are no Parquet", null, "malformed_parquet"],
]) {
  test(`${what}: ${code}`, async () => {
    const path = parquetOf("first-commit");
    const body = new Uint8Array(readFileSync(path).length);
    await assert.rejects(read(onParquet(fault ?? { body })), (error) => {
      assert.equal(error.code, code, error.stack);
      assert.equal(error.name, "FdlError");
      assert.ok(error.path.endsWith(".parquet"));
      return true;
    });
  });
}

test("a web page in place of a file: html_instead", async () => {
  const long = { body: page.padEnd(100_000) };
  const headers = { "content-type": "text/html; charset=utf-8" };
  for (const settings of [
    onParquet({ body: page }, { ranges: false }),
    onParquet({ body: page, headers }, { ranges: false }),
    onParquet({ ...long, headers }),
  ]) {
    await assert.rejects(read(settings), { code: "html_instead" });
  }
});

test("a file of another number of rows is not shown", async () => {
  const other = await startHost({ root: inRoot("build/repositories/first-commit") });
  const version = await (await openRepository(other.url)).version();
  version.files.tables[0].files[0].record_count = 7;
  await assert.rejects(preview(version, { schema: "main", name: "towns" }).rows(), {
    code: "row_count_mismatch",
  });
  await other.close();
});

/** The one data file of a scenario. */
function parquetOf(scenario) {
  const versions = inRoot(`build/repositories/${scenario}/`);
  const id = readFileSync(`${versions}refs/heads/main`, "utf8").trim();
  const index = JSON.parse(readFileSync(`${versions}versions/${id}/files.json`, "utf8"));
  return `${versions}${index.tables[0].files[0].path}`;
}
