/** Files that were changed at random, or made to exhaust a page, give rows or a typed error, and soon. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { openRepository } from "../../dist/reader/node.js";
import { preview } from "../../dist/preview/index.js";
import { checkRuns } from "../../dist/preview/runs.js";
import { inRoot } from "../browser/api.mjs";
import { startHost } from "../hosts/server.mjs";

/** Each is read after this many changes of its data file; the seed is in the name of the test. */
const changes = 60;
/** More than any takes on a machine that is busy, and less than a visitor calls a page that hangs. */
const soon = 10_000;

const codes = [...["malformed_parquet", "row_count_mismatch", "size_mismatch", "not_previewable"]];

let host, version, body;
before(async () => {
  host = await startHost({
    root: inRoot("build/repositories"),
    faults: (path) => (body && path.endsWith(".parquet") ? { body } : undefined),
  });
});
after(() => host?.close());

for (const [scenario, table] of [
  ["types", "everything"],
  ["nested-values", "nested"],
  ["row-groups-and-codecs", "uncompressed"],
  ["row-groups-and-codecs", "zstd"],
  ["row-groups-and-codecs", "gzip"],
  ["row-groups-and-codecs", "brotli"],
  ["row-groups-and-codecs", "lz4_raw"],
]) {
  describe(`${scenario}, ${table}`, () => {
    let file, columns;
    before(async () => {
      body = undefined;
      const root = `${host.url}${scenario}/`;
      version = await (await openRepository(root)).version();
      const listed = version.files.tables.find(({ name }) => name === table);
      columns = listed.columns.length;
      listed.files.splice(1);
      listed.files[0].delete_file = null;
      file = readFileSync(inRoot(`build/repositories/${scenario}/${listed.files[0].path}`));
    });

    for (const where of ["anywhere", "in the footer", "in the pages"]) {
      test(`changed ${where}`, { timeout: changes * soon }, async () => {
        const random = seeded(`${scenario} ${table} ${where}`);
        const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
        const [from, to] = { anywhere: [0, file.length], "in the footer": [footer, file.length] }[
          where
        ] ?? [4, Math.min(footer, 60_000)];
        const seen = { shown: 0 };
        for (let change = 0; change < changes; change++) {
          body = Buffer.from(file);
          for (let times = 1 + random(3); times > 0; times--) {
            body[from + random(to - from)] = [random(256), 0, 255, 127][random(4)];
          }
          const start = performance.now();
          const what = await firstRows(table, columns);
          seen[what] = (seen[what] ?? 0) + 1;
          const took = performance.now() - start;
          assert.ok(took < soon, `change ${change} took ${took} ms`);
        }
        assert.ok(Object.keys(seen).length > 1, `some are told: ${JSON.stringify(seen)}`);
      });
    }

    test("cut anywhere, with a footer that fits", async () => {
      const random = seeded(`${scenario} ${table} cut`);
      for (let change = 0; change < 10; change++) {
        body = file.subarray(0, random(file.length));
        assert.notEqual(await firstRows(table, columns), "shown");
      }
    });
  });
}

/** `shown` where rows came that have the table's columns; else the code of the error. */
async function firstRows(table, columns) {
  try {
    const { rows } = await preview(version, { schema: "main", name: table }).rows({ limit: 50 });
    assert.ok(rows.every((row) => row.length === columns));
    assert.ok(rows.flat().every((value) => value === null || typeof value === "string"));
    return "shown";
  } catch (error) {
    assert.equal(error.name, "FdlError", error.stack);
    assert.ok(codes.includes(error.code), `${error.code}: ${error.stack}`);
    return error.code;
  }
}

test("a run that says it is longer than its page is not written out", () => {
  const million = Uint8Array.of(0xc0, 0x84, 0x7a, 1); // 500,000 times the same value
  checkRuns(million, 0, 4, 1, 1_000_000);
  assert.throws(() => checkRuns(million, 0, 4, 1, 100));
  assert.throws(() => checkRuns(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), 0, 5, 0, 1000));
  assert.throws(() => checkRuns(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 0, 6, 1, 100));
});

/** Whole numbers from 0 to before a limit, the same for the same seed. */
function seeded(seed) {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619);
  return (limit) => {
    state = Math.imul(state ^ (state >>> 15), 2246822507);
    state = Math.imul(state ^ (state >>> 13), 3266489909) + 0x9e3779b9;
    return ((state ^ (state >>> 16)) >>> 0) % limit;
  };
}
