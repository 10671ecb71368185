/** Any page of rows, of any columns, is the part of the whole that it is; and what it takes to read it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { compressors } from "hyparquet-compressors";
import { openRepository } from "../../dist/reader/node.js";
import { preview } from "../../dist/preview/index.js";
import { inRoot, judged } from "../browser/api.mjs";
import { rounds, startHost } from "../hosts/server.mjs";

let host;
before(async () => {
  host = await startHost({ root: inRoot("build/repositories") });
});
after(() => host?.close());

async function open(name, options) {
  return await (await openRepository(`${host.url}${name}/`, options)).version();
}

const main = (name) => ({ schema: "main", name });

for (const [scenario, table] of [
  ["row-groups-and-codecs", "snappy"],
  ["row-groups-and-codecs", "zstd"],
  ["delete-files", "towns"],
  ["compacted", "towns"],
  ["nested-values", "nested"],
  ["earlier-snapshot-of-merged-files", "towns"],
]) {
  test(`${scenario}, ${table}: pages put together are the whole, and say whether there are more`, async () => {
    const version = await open(scenario);
    const whole = await preview(version, main(table)).rows({ limit: Infinity });
    const paged = preview(version, main(table));
    const limit = Math.ceil(whole.rows.length / 7);
    for (let offset = 0; offset < whole.rows.length + limit; offset += limit) {
      const page = await paged.rows({ offset, limit });
      assert.deepEqual(page.rows, whole.rows.slice(offset, offset + limit), `from ${offset}`);
      assert.equal(page.more, offset + limit < whole.rows.length, `from ${offset}`);
    }
  });
}

test("columns are given as they are chosen, and no others are read", async () => {
  const version = await open("row-groups-and-codecs");
  const whole = await preview(version, main("snappy")).rows({ limit: 30 });
  const from = host.log.length;
  const some = await preview(version, main("snappy")).rows({ limit: 30, columns: ["flag", "i"] });
  assert.deepEqual(
    some.columns.map(({ name }) => name),
    ["flag", "i"],
  );
  assert.deepEqual(
    some.rows,
    whole.rows.map(([i, , , , , , flag]) => [flag, i]),
  );
  const bytes = host.log.slice(from).reduce((sum, entry) => sum + entry.bytes, 0);
  assert.ok(bytes < 70_000, `${bytes} bytes`);
});

test("the first rows take two requests, one after the other, none of them HEAD or counted from the end", async () => {
  const version = await open("first-commit");
  const from = host.log.length;
  const { rows } = await preview(version, main("towns")).rows();
  assert.equal(rows.length, 20);
  const log = host.log.slice(from);
  assert.equal(log.length, 2);
  assert.equal(rounds(log), 2);
  assert.ok(log.every(({ method, status }) => method === "GET" && status === 206));
  assert.ok(log.every(({ headers }) => /^bytes=\d+-\d+$/.test(headers.range)));
});

test("the next page of the same rows takes no request", async () => {
  const towns = preview(await open("first-commit"), main("towns"));
  await towns.rows();
  const from = host.log.length;
  const { rows } = await towns.rows({ offset: 20 });
  assert.equal(rows.length, 20);
  assert.equal(host.log.length, from);
});

test("rows far down pass over files and row groups without reading them", async () => {
  const version = await open("row-groups-and-codecs");
  const towns = preview(version, main("uncompressed"));
  const from = host.log.length;
  const { rows } = await towns.rows({ offset: 6300, limit: 5 });
  assert.equal(rows.length, 5);
  const bytes = host.log.slice(from).reduce((sum, entry) => sum + entry.bytes, 0);
  const [{ files }] = version.files.tables.filter(({ name }) => name === "uncompressed");
  assert.ok(bytes < files[0].bytes / 2, `${bytes} of ${files[0].bytes} bytes`);
});

test("a page of a column is inflated once, however many rows between are deleted", async (t) => {
  const version = await open("delete-files");
  const { files } = version.files.tables.find(({ name }) => name === "towns");
  assert.ok(files.some(({ delete_file: deletes }) => deletes?.delete_count > 1));
  const inflate = t.mock.method(compressors, "SNAPPY"); // as it is, and counted
  const { rows } = await preview(version, main("towns")).rows({ limit: Infinity });
  assert.ok(rows.length > 1);
  const pages = inflate.mock.calls.map(({ arguments: [page] }) => [page.buffer, page.byteOffset]);
  assert.ok(pages.length > 0);
  const ids = new Map();
  const idOf = (buffer) => ids.get(buffer) ?? ids.set(buffer, ids.size).get(buffer);
  const seen = pages.map(([buffer, offset]) => `${idOf(buffer)}:${offset}`);
  assert.equal(new Set(seen).size, seen.length, "no page twice");
});

test("a version that no trusted signer has signed shows no rows by preview either", async () => {
  const { trusted_signers: trustedSigners } = judged["untrusted-signer"];
  for (const name of ["untrusted-signer", "unsigned"]) {
    const version = await open(name, { trustedSigners });
    const table = version.files.tables[0];
    const from = host.log.length;
    assert.throws(() => preview(version, table), { code: "untrusted_version" });
    assert.throws(() => version.dataUrl(table.files[0].path), { code: "untrusted_version" });
    await assert.rejects(version.catalog(), { code: "untrusted_version" });
    assert.equal(host.log.length, from, "nothing is asked for");
  }
});

test("a broken version shows no rows by preview, nor does a files.json that nobody names", async () => {
  const broken = await open("flipped-files");
  assert.throws(() => preview(broken, main("towns")), { code: "broken_version" });
  const notNamed = await open("files-json-not-named");
  assert.throws(() => preview(notNamed, main("towns")), {
    code: "not_previewable",
    facts: { reason: "no_files_json", detail: "" },
  });
});

test("a path that leads out of data_dir has no URL", async () => {
  const version = await open("first-commit");
  for (const path of ["fdl.json", "data/../fdl.json", "https://x.example/y", "data//x", ""]) {
    assert.throws(() => version.dataUrl(path), { code: "unsafe_path" }, path);
  }
});

test("an aborted signal ends a preview, which can be asked again", async () => {
  const towns = preview(await open("first-commit"), main("towns"));
  const controller = new AbortController();
  const reading = towns.rows({ signal: controller.signal });
  controller.abort();
  await assert.rejects(reading, { code: "aborted" });
  assert.equal((await towns.rows()).rows.length, 20);
});
