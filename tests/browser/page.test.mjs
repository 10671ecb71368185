/** The portal on the demo repository: what it shows is what the judge says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { rounds } from "../hosts/server.mjs";
import { inRoot, judged } from "./api.mjs";
import {
  ask,
  columns,
  firstRows,
  history,
  listed,
  lookAt,
  low,
  openSite,
  shown,
  srcOf,
  verdict,
} from "./page.mjs";

const versions = judged.demo.versions.toReversed(); // newest first
const holding = (ref) => versions.find(({ refs }) => refs.includes(ref));
const main = holding("refs/heads/main");
const pastRetention = versions.find(({ expired }) => expired);
const read = (id, file) =>
  JSON.parse(readFileSync(inRoot(`www/demo/versions/${id}/${file}`), "utf8"));
const record = (id) => read(id, "version.json");

/** The tables of a version as the page lists them. */
const inWords = ({ tables }) =>
  tables.map(({ schema, name, rows }) => ({
    name: `${schema}.${name}`,
    rows: `${rows.toLocaleString("en")} rows`,
  }));
const isOfDuckdb = (url) => /duckdb|fdl_catalog/.test(url);
const plain = (columns) => columns.map(({ name, type }) => ({ name, type }));

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

describe("the default version", () => {
  test("is shown with its description, its verdict and its tables", async () => {
    const page = await site.portal();
    await shown(page);
    const { title, description } = read(main.id, "dataset.json");
    assert.equal(await page.locator("fdl-dataset h2").innerText(), title);
    assert.equal(await page.locator("fdl-dataset .description").innerText(), description);
    assert.equal(await page.title(), `${title} — FDL reader`);
    assert.deepEqual(await verdict(page), {
      integrity: "Intact so far",
      signature: "Signed, and trusted",
    });
    const says = await page.locator("fdl-verdict #signature").innerText();
    assert.match(says, new RegExp(`knows as ${main.signer}@example\\.org`));
    assert.deepEqual(await listed(page), inWords(main));
  });

  test("gives each table's columns and first rows, for which its catalog is not read", async () => {
    const page = await site.portal();
    await shown(page);
    for (const table of main.tables) {
      await page.locator("fdl-tables button", { hasText: table.name }).click();
      assert.equal(new URL(page.url()).searchParams.get("table"), `main.${table.name}`);
      await page
        .locator("fdl-table", { hasText: `of ${table.rows.toLocaleString("en")}` })
        .waitFor();
      const found = await firstRows(page);
      assert.deepEqual(found.columns, plain(table.columns));
      assert.deepEqual(await columns(page), plain(table.columns));
      assert.equal(found.rows.length, 20);
      for (const row of found.rows) assert.ok(row.every((cell) => cell === null || cell !== ""));
    }
    assert.equal((await verdict(page)).integrity, "Intact so far");
  });

  test("answers SQL, for which the catalog is intact; what DuckDB has against a query is shown as its own words", async () => {
    const page = await site.portal({}, low);
    await shown(page);
    for (const { name, rows } of main.tables) {
      const answer = await ask(page, `SELECT count(*) AS n FROM lake.main.${name}`);
      assert.deepEqual(answer, { columns: [{ name: "n", type: "BIGINT" }], rows: [[`${rows}`]] });
    }
    assert.equal((await verdict(page)).integrity, "Intact");
    const { says } = await ask(page, "SELECT nobody FROM lake.main.cities");
    assert.match(says, /^The query failed\n/);
    assert.match(says, /Referenced column "nobody" not found/);
    assert.equal(await page.locator("fdl-query fdl-grid").count(), 0);
  });

  test("shows its first rows without DuckDB, and asks for no more than parts of their files", async () => {
    const page = await site.portal({}, low);
    await shown(page);
    await page.waitForLoadState("networkidle");
    const before = site.host.log.length;
    await firstRows(page);
    await page.waitForLoadState("networkidle");
    const log = site.host.log.slice(before).filter(({ path }) => path.startsWith("/demo/"));
    const files = new Set(log.map(({ path }) => path));
    // The first data file and the rows deleted from it: of each its footer, then what lies together.
    assert.deepEqual([files.size, log.length], [2, 4]);
    for (const path of files) assert.match(path, /^\/demo\/data\/main\/\w+\/[^/]+\.parquet$/);
    assert.ok(log.every(({ status }) => status === 206));
    assert.deepEqual(page.seen.requests.filter(isOfDuckdb), []);
  });

  test("loads DuckDB and the catalog when SQL is run", async () => {
    const page = await site.portal({}, low);
    await shown(page);
    await ask(page, "SELECT 1");
    for (const kind of [
      ...[/duckdb-eh\.wasm$/, /worker\.js$/, /extension\.wasm$/, /ducklake\.duckdb$/],
      /fdl_catalog.*\.wasm$/,
    ])
      assert.ok(
        page.seen.requests.some((url) => kind.test(url)),
        kind,
      );
  });

  test("is judged after two round trips", async () => {
    // Slower than anything that happens between two requests of one round.
    const slow = await site.on({ delay: 60 });
    const { trusted_signers: trusted } = judged.demo;
    const page = await slow.embed([{ src: "/demo/", "trusted-signers": trusted }], low);
    await shown(page);
    const log = slow.host.log.filter(({ path }) => path.startsWith("/demo/"));
    assert.equal(rounds(log), 2);
    const ofVersion = ["dataset.json", "expired.json", "files.json", "version.json"];
    assert.deepEqual(
      log.map(({ path }) => path.split("/").at(-1)).sort(),
      ["HEAD", "fdl.json", "refs.json", "version.json.sig", ...ofVersion].sort(),
    );
  });
});

describe("a table that the description leaves out", () => {
  const src = srcOf("views-and-comments");

  test("is not said to be missing before the catalog is read, which knows it", async () => {
    const page = await site.portal({ src, table: "late_towns" }, low);
    await shown(page);
    assert.equal(await page.locator("fdl-tables [role=alert]").count(), 0);
    assert.equal((await firstRows(page)).rows.length, 10, "it is a view, whose rows are shown");
  });

  test("is said to be missing where the catalog does not know it either", async () => {
    const page = await site.portal({ src, table: "rivers" });
    await shown(page);
    await lookAt(page.locator("fdl-rows"));
    const alert = page.locator("fdl-tables [role=alert]");
    await alert.waitFor();
    assert.equal(
      await alert.innerText(),
      "There is no table “rivers” in this version. Choose one from the list.",
    );
  });
});

describe("the history", () => {
  test("lists every version, newest first, and marks the one shown", async () => {
    const page = await site.portal();
    await shown(page);
    const expected = versions.map(({ id }) => ({ message: record(id).message, shown: false }));
    expected[0].shown = true;
    assert.deepEqual(await history(page), expected);
  });

  test("leads to an older version and its address, and the back button leads back", async () => {
    const page = await site.portal();
    await shown(page);
    const older = versions.find(({ refs, tables }) => refs.length === 0 && tables.length > 1);
    await history(page);
    await page.locator("fdl-history button", { hasText: record(older.id).message }).click();
    await page.locator("fdl-version", { hasText: record(older.id).message }).waitFor();
    await shown(page);
    assert.equal(new URL(page.url()).searchParams.get("ref"), older.id);
    assert.deepEqual(await listed(page), inWords(older));
    const marked = (await history(page)).filter(({ shown }) => shown);
    assert.deepEqual(marked, [{ message: record(older.id).message, shown: true }]);
    assert.equal((await history(page)).length, versions.length);
    const [{ rows }] = older.tables;
    await page.locator("fdl-table", { hasText: `of ${rows.toLocaleString("en")}` }).waitFor();

    await page.goBack();
    await page.locator("fdl-version", { hasText: record(main.id).message }).waitFor();
    await shown(page);
    assert.equal(new URL(page.url()).search, "");
    assert.deepEqual(await listed(page), inWords(main));
  });

  test("longer than a page goes on when it is asked to", async () => {
    const page = await site.portal({ src: srcOf("long-history") });
    await shown(page);
    assert.equal((await history(page)).length, 20);
    await page.locator("fdl-history .button").click();
    await page.locator("fdl-history", { hasText: "That is the whole history." }).waitFor();
    const all = await history(page);
    assert.equal(all.length, judged["long-history"].versions.length);
    assert.equal(all.at(-1).message, "First towns");
  });
});

describe("a ref", () => {
  for (const [kind, name] of [
    ["tag", "refs/tags/2023-12"],
    ["branch", "refs/heads/first-rows"],
  ]) {
    test(`that is a ${kind} is chosen from the list, and the address names it`, async () => {
      const { id } = holding(name);
      const page = await site.portal();
      await shown(page);
      await page.locator("fdl-refs select").selectOption(name);
      await page.locator("fdl-version", { hasText: record(id).message }).waitFor();
      await shown(page);
      assert.equal(new URL(page.url()).searchParams.get("ref"), name.split("/").at(-1));
      const [first] = await history(page);
      assert.deepEqual(first, { message: record(id).message, shown: true });
    });
  }

  test("in the address is shown at once, with its own tables", async () => {
    const page = await site.portal({ ref: "2023-12", table: "cities" });
    await shown(page);
    const { tables } = holding("refs/tags/2023-12");
    assert.deepEqual(await listed(page), inWords({ tables }));
    const current = page.locator("fdl-tables [aria-current=true] .name");
    assert.equal(await current.innerText(), "main.cities");
  });
});

describe("a version past retention", () => {
  test("stands in the history, says that its tables are gone, and shows no row", async () => {
    const page = await site.portal();
    await shown(page);
    const { message } = record(pastRetention.id);
    await history(page);
    const entry = page.locator("fdl-history li", { hasText: message });
    assert.match(await entry.innerText(), /Past retention since Jul 1, 2026/);
    await entry.locator("button").click();
    const notice = page.locator("fdl-viewer .main > .notice");
    await notice.waitFor();
    assert.match(await notice.innerText(), /^Past retention\n.*can no longer be read/s);
    assert.equal(await page.locator("fdl-rows, fdl-grid, fdl-query").count(), 0);
    const paths = page.seen.requests.map((url) => new URL(url).pathname);
    assert.ok(!paths.includes(`/demo/versions/${pastRetention.id}/ducklake.duckdb`));
  });
});
