import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { about, atTip, change, copyOf, names, root, tipOf } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const members = ["id", "record", "dataset", "expired", "tables"];

/** Each table in what the judge can tell of it too. */
const outline = (tables) =>
  tables
    .map(({ schema, name, rows, columns }) => {
      return { schema, name, rows, columns: columns.map(({ name, type }) => ({ name, type })) };
    })
    .sort((a, b) => (`${a.schema}.${a.name}` < `${b.schema}.${b.name}` ? -1 : 1));

const whole = names.filter((name) => !about(name).fails && name !== "after-init");

for (const name of whole) {
  test(`show tells the tables that native DuckLake finds: ${name}`, async () => {
    const { document, exitCode, stderr } = await runJson(["show", root(name)]);
    assert.deepEqual(Object.keys(document), members);
    const judged = about(name).versions.find(({ id }) => id === tipOf(root(name)));
    assert.equal(document.id, judged.id);
    assert.deepEqual(outline(document.tables), outline(judged.tables));
    for (const table of document.tables) {
      assert.deepEqual(Object.keys(table).sort(), [
        ...["columns", "description", "name", "rows", "schema", "title"],
      ]);
    }
    assert.deepEqual([exitCode, stderr], [0, ""]);
  });
}

test("the record and the dataset are those of the files", async () => {
  const { document } = await runJson(["show", root("inputs")]);
  const read = (file) => JSON.parse(readFileSync(atTip(root("inputs"), file), "utf8"));
  const record = read("version.json");
  for (const member of ["fdl", "id", "seq", "parents", "created_at", "message", "ducklake"]) {
    assert.deepEqual(document.record[member], record[member], member);
  }
  assert.deepEqual(document.record.catalog, record.catalog);
  assert.deepEqual(document.record.dataset, record.dataset);
  assert.deepEqual(document.record.inputs, record.inputs);
  assert.equal(document.dataset.title, read("dataset.json").title);
  assert.deepEqual(document.tables, document.dataset.tables);
});

test("--ref is a branch, a tag, a full name or a version ID", async () => {
  const [first, draft] = about("branches").versions;
  for (const [ref, { id }] of [
    ["draft", draft],
    ["refs/heads/draft", draft],
    ["v1", first],
    ["refs/tags/v1", first],
    [first.id, first],
  ]) {
    const { document, exitCode } = await runJson(["show", root("branches"), "--ref", ref]);
    assert.equal(document.id, id, ref);
    assert.equal(exitCode, 0);
  }
});

test("a name that is a branch and a tag is not guessed, and the full names tell which", async () => {
  const name = "ambiguous-ref-name";
  const answer = await runJson(["show", root(name), "--ref", "spring"]);
  const { code, message, path } = errorOf(answer);
  assert.deepEqual([code, path, answer.exitCode], ["ambiguous_ref", "spring", 2]);
  assert.match(message, /refs\/heads\/spring or refs\/tags\/spring/);
  const [tagged, branched] = about(name).versions;
  for (const [ref, { id }] of [
    ["refs/tags/spring", tagged],
    ["refs/heads/spring", branched],
  ]) {
    assert.equal((await runJson(["show", root(name), "--ref", ref])).document.id, id);
  }
});

test("after init there is no version to show", async () => {
  const answer = await runJson(["show", root("after-init")]);
  const { code, path } = errorOf(answer);
  assert.deepEqual([code, path, answer.exitCode], ["no_version", "refs/heads/main", 2]);
});

test("past retention or withdrawn the record stands, with the mark and what is described", async () => {
  for (const [name, reason] of [
    ["retention", "retention"],
    ["withdrawal", "withdrawn"],
  ]) {
    for (const { id, expired } of about(name).versions.filter(({ expired }) => expired)) {
      const { document, exitCode, stderr } = await runJson(["show", root(name), "--ref", id]);
      assert.deepEqual(Object.keys(document), members);
      assert.deepEqual([document.id, document.record.id], [id, id]);
      assert.deepEqual(document.expired, expired);
      assert.equal(document.expired.reason, reason);
      assert.equal(document.tables.length, 1);
      assert.deepEqual([exitCode, stderr], [0, ""]);
      const text = await run(["show", root(name), "--ref", id]);
      assert.match(text.stdout, /^Status: {2}(past retention since|withdrawn on) 2026-/m);
    }
  }
});

test("a withdrawn version whose record was deleted too is withdrawn as long as the mark says so", async (t) => {
  const repository = copyOf(t, "withdrawal");
  const [id] = about("withdrawal").facts.withdrawn;
  rmSync(join(repository, "versions", id, "version.json"));
  const marked = await runJson(["show", repository, "--ref", id]);
  assert.deepEqual([errorOf(marked).code, marked.exitCode], ["withdrawn", 2]);

  rmSync(join(repository, "versions", id), { recursive: true });
  const gone = await runJson(["show", repository, "--ref", id]);
  assert.deepEqual([errorOf(gone).code, gone.exitCode], ["missing_version", 2]);
});

test("without dataset.json the tables are those of files.json, counted as far as it goes", async (t) => {
  for (const name of ["second-commit", "delete-files", "several-schemas"]) {
    const repository = copyOf(t, name);
    change(atTip(repository, "version.json"), () => ({ dataset: undefined }));
    rmSync(atTip(repository, "dataset.json"));
    const { document } = await runJson(["show", repository]);
    const judged = about(name).versions.at(-1);
    assert.equal(document.dataset, null);
    assert.deepEqual(outline(document.tables), outline(judged.tables), name);
  }
});

test("rows that lie in the catalog are not counted without it", async (t) => {
  for (const name of ["inlined-rows", "inlined-deletes"]) {
    const repository = copyOf(t, name);
    change(atTip(repository, "version.json"), () => ({ dataset: undefined }));
    rmSync(atTip(repository, "dataset.json"));
    const { document } = await runJson(["show", repository]);
    assert.ok(document.tables.length > 0);
    assert.ok(document.tables.some(({ rows }) => rows === null));
    const judged = about(name).versions.at(-1).tables;
    for (const { name, rows } of document.tables.filter(({ rows }) => rows !== null)) {
      assert.equal(rows, judged.find((table) => table.name === name).rows);
    }
  }
});

test("tables that nothing tells of are null, which is not none", async (t) => {
  const repository = copyOf(t, "second-commit");
  change(atTip(repository, "version.json"), () => ({ dataset: undefined, files: undefined }));
  for (const file of ["dataset.json", "files.json"]) rmSync(atTip(repository, file));
  const { document, exitCode } = await runJson(["show", repository]);
  assert.deepEqual([document.dataset, document.tables, exitCode], [null, null, 0]);
  const { stdout } = await run(["show", repository]);
  assert.match(stdout, /said neither by dataset\.json nor by files\.json/);
});

test("what is broken is not shown, and standard error says so", async () => {
  for (const [name, sentence] of [
    ["flipped-dataset", /dataset\.json is not the file that was recorded/],
    ["missing-dataset", /dataset\.json is missing/],
    ["flipped-files", /files\.json is not the file that was recorded/],
    ["flipped-record", /signature does not fit version\.json/],
  ]) {
    const json = await runJson(["show", root(name)]);
    assert.match(json.stderr, sentence);
    assert.equal(json.document.dataset === null, name.endsWith("dataset"), name);
    const text = await run(["show", root(name)]);
    assert.match(text.stderr, sentence);
    assert.doesNotMatch(text.stdout, /Flipped dataset|Missing dataset/);
  }
});

test("for people: who, when, why, what it is, under which licence, and its tables", async () => {
  const demo = join(root("."), "..", "..", "www", "demo");
  const { stdout, stderr, exitCode } = await run(["show", demo]);
  assert.match(stdout, /^version [0-9a-f-]{36}\nAuthor: {2}\S.*\nDate: {4}20/);
  assert.match(stdout, /^Cities of the world\n {4}The cities of the GeoNames gazetteer/m);
  assert.match(stdout, /^Licence: .*<https:\/\/creativecommons\.org\/licenses\/by\/4\.0\/>$/m);
  assert.match(stdout, /^Source: {2}GeoNames <https/m);
  assert.match(stdout, /^table main\.cities {2}\d+ rows {2}Cities\n {4}country {2}VARCHAR\n/m);
  assert.deepEqual([stderr, exitCode], ["", 0]);
});
