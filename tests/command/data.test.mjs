/** `verify --data`: data files, delete files and source files, and the exit code that follows. */
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startHost } from "../hosts/server.mjs";
import { about, atTip, copyOf, names, root, signersFile } from "./cast.mjs";
import { run, runJson } from "./fdl-reader.mjs";

const members = [
  ...["source", "files", "verified", "compared", "failed", "unchecked", "not_available", "bytes"],
  ...["problems", "more"],
];
const problemMembers = ["path", "kind", "outcome", "code", "message", "facts"];

/** Runs `verify --data --json`; what it says must be of the documented shape. */
async function verified(url, ...options) {
  const { document, exitCode, stderr } = await runJson(["verify", url, "--data", ...options]);
  const { data } = document;
  assert.deepEqual(Object.keys(data), members);
  for (const problem of data.problems) {
    assert.deepEqual(Object.keys(problem), problemMembers);
    assert.match(problem.message, /^\S.*\.$/s);
    assert.equal(problem.facts.code ?? problem.code, problem.code);
  }
  const { files, verified, compared, failed, unchecked, not_available } = data;
  assert.equal(files, verified + compared + failed + unchecked + not_available);
  return { ...document, exitCode, stderr, counts: counted(data) };
}

/** Only what there is: `{ verified: 3 }`. */
function counted(data) {
  const outcomes = ["verified", "compared", "failed", "unchecked", "not_available"];
  return Object.fromEntries(
    outcomes.filter((outcome) => data[outcome] > 0).map((outcome) => [outcome, data[outcome]]),
  );
}

/** The files of one kind at the tip, as files.json lists them. */
function filesOf(repository, kind = "data") {
  const { tables } = JSON.parse(readFileSync(atTip(repository, "files.json"), "utf8"));
  const files = tables.flatMap(({ files }) => files);
  return kind === "data" ? files : files.flatMap(({ delete_file }) => delete_file ?? []);
}

function flip(path) {
  const bytes = readFileSync(path);
  bytes[Math.floor(bytes.length / 3)] ^= 1;
  writeFileSync(path, bytes);
}

const hashed = names.filter(
  (name) =>
    !about(name).fails &&
    !/^(added-files-outside|after-init|files-json-not-named|files-without-hashes|no-files-json|private-sources)$/.test(
      name,
    ),
);

for (const name of hashed) {
  test(`every file is hashed where a named files.json gives its sha256: ${name}`, async () => {
    const { data, counts, covers, integrity, exitCode } = await verified(root(name));
    const listed = filesOf(root(name)).length + filesOf(root(name), "delete").length;
    assert.equal(data.source, "files.json");
    const sources = name === "inputs" ? 1 : 0;
    assert.deepEqual(counts, listed + sources > 0 ? { verified: listed + sources } : {});
    assert.equal(covers.includes(`data files (${listed})`), listed > 0);
    assert.deepEqual([integrity, exitCode], ["intact", 0]);
  });
}

test("where no sha256 is given, length and rows are compared, and nothing more is claimed", async (t) => {
  const repository = copyOf(t, "files-without-hashes");
  const sound = await verified(
    repository,
    "--allowed-signers",
    signersFile(t, "files-without-hashes"),
  );
  assert.equal(sound.data.source, "files.json");
  assert.deepEqual([sound.counts, sound.exitCode], [{ compared: 4 }, 0]);
  assert.ok(!sound.covers.some((covered) => covered.startsWith("data files")));

  // A change that keeps both is not seen: that is what the words say.
  const [{ path, bytes }] = filesOf(repository);
  flip(join(repository, path));
  assert.deepEqual((await verified(repository)).counts, { compared: 4 });
  truncateSync(join(repository, path), bytes - 1);
  const truncated = await verified(repository);
  assert.deepEqual([truncated.counts, truncated.exitCode], [{ compared: 3, failed: 1 }, 1]);
  assert.equal(truncated.data.problems[0].code, "size_mismatch");
});

test("without a files.json that the record names, the catalog lists the data files", async () => {
  for (const name of ["no-files-json", "files-json-not-named"]) {
    const { data, counts, integrity, exitCode, stderr } = await verified(root(name));
    assert.equal(data.source, "catalog");
    assert.deepEqual(counts, { compared: name === "no-files-json" ? 2 : 4 });
    assert.deepEqual([integrity, exitCode, stderr], ["intact", 0, ""]);
  }
});

test("a files.json that the record does not name is believed in nothing", async (t) => {
  const repository = copyOf(t, "files-json-not-named");
  const index = atTip(repository, "files.json");
  const text = readFileSync(index, "utf8");
  writeFileSync(index, text.replaceAll("data/main/", "data/other/"));
  const { data, counts, exitCode } = await verified(repository);
  assert.deepEqual([data.source, counts, exitCode], ["catalog", { compared: 4 }, 0]);
});

test("whoever signed the version, or nobody, its files are held against its record", async (t) => {
  const { counts, exitCode } = await verified(
    ...[
      root("files-json-not-named"),
      "--allowed-signers",
      signersFile(t, "tagged"),
      "--namespace",
      "x",
    ],
  );
  assert.deepEqual([counts, exitCode], [{ compared: 4 }, 1]);
});

test("where the catalog is broken, which data files there are is not known", async (t) => {
  const repository = copyOf(t, "no-files-json");
  flip(atTip(repository, "ducklake.duckdb"));
  const { data, integrity, exitCode, stderr } = await verified(repository);
  assert.deepEqual([data.source, data.files, integrity, exitCode], [null, 0, "broken", 1]);
  assert.equal(data.problems[0].code, "data_files_not_listed");
  assert.match(
    stderr,
    /^fdl-reader: Which data files there are could not be read from the catalog\. /,
  );
});

test("past retention there are no data files to ask for", async () => {
  const { data, exitCode } = await verified(root("expired-with-catalog"));
  assert.deepEqual([data.source, data.problems[0].code, exitCode], [null, "past_retention", 2]);
});

for (const kind of ["data", "delete"]) {
  test(`a ${kind} file that is not as recorded makes verify exit with 1, and only with --data`, async (t) => {
    const repository = copyOf(t, "delete-files");
    const [{ path }] = filesOf(repository, kind);
    const file = join(repository, path);
    const content = readFileSync(file);
    for (const [code, damage] of [
      ["hash_mismatch", () => flip(file)],
      ["size_mismatch", () => truncateSync(file, content.length >> 1)],
      ["size_mismatch", () => appendFileSync(file, "x")],
      ["html_instead", () => writeFileSync(file, "<!doctype html>")],
      ["missing_file", () => rmSync(file)],
    ]) {
      damage();
      const { data, counts, integrity, exitCode } = await verified(repository);
      assert.deepEqual([counts, integrity, exitCode], [{ verified: 3, failed: 1 }, "broken", 1]);
      const [problem] = data.problems;
      assert.deepEqual([problem.path, problem.kind, problem.code], [path, kind, code]);
      writeFileSync(file, content);
    }
    rmSync(file);
    assert.equal((await run(["verify", repository])).exitCode, 0);
  });
}

test("two data files that were swapped are seen", async (t) => {
  const repository = copyOf(t, "second-commit");
  const [a, b] = filesOf(repository).map(({ path }) => join(repository, path));
  const [inA, inB] = [a, b].map((path) => readFileSync(path));
  writeFileSync(a, inB);
  writeFileSync(b, inA);
  const { counts, exitCode } = await verified(repository);
  assert.deepEqual([counts, exitCode], [{ failed: 2 }, 1]);
});

test("a source file that the host keeps to itself is not available, which is no failure", async (t) => {
  const { data, counts, covers, exitCode } = await verified(root("private-sources"));
  assert.deepEqual([counts, exitCode], [{ verified: 2, not_available: 1 }, 0]);
  assert.deepEqual([data.problems[0].kind, data.problems[0].code], ["source", "not_available"]);
  assert.ok(covers.includes("source files (1)"));

  const repository = copyOf(t, "inputs");
  const { inputs } = JSON.parse(readFileSync(atTip(repository, "version.json"), "utf8"));
  writeFileSync(join(repository, "sources", inputs[0].sha256), "something else");
  const changed = await verified(repository);
  assert.deepEqual([changed.counts, changed.exitCode], [{ verified: 1, failed: 1 }, 1]);
});

test("a host may serve no ranges, forbid sources, or fail: each has its exit code", async () => {
  for (const { name, settings, counts, exitCode } of [
    { name: "files-without-hashes", settings: {}, counts: { compared: 4 }, exitCode: 0 },
    {
      name: "files-without-hashes",
      settings: { ranges: false },
      counts: { compared: 4 },
      exitCode: 0,
    },
    {
      name: "private-sources",
      settings: { faults: (path) => (path.includes("/sources/") ? { status: 403 } : undefined) },
      counts: { verified: 1, not_available: 2 },
      exitCode: 0,
    },
    {
      name: "second-commit",
      settings: { faults: (path) => (path.endsWith(".parquet") ? { status: 503 } : undefined) },
      counts: { unchecked: 2 },
      exitCode: 2,
    },
    {
      name: "second-commit",
      settings: { faults: (path) => (path.endsWith(".parquet") ? { truncate: 10 } : undefined) },
      counts: { unchecked: 2 },
      exitCode: 2,
    },
    {
      name: "missing-data-file",
      settings: { spa: true },
      counts: { verified: 1, failed: 1 },
      exitCode: 1,
    },
  ]) {
    const host = await startHost({ root: root(name), ...settings });
    try {
      const found = await verified(host.url);
      assert.deepEqual([found.counts, found.exitCode], [counts, exitCode], name);
      const asked = host.log.filter(({ path }) => path.endsWith(".parquet"));
      assert.ok(asked.length > 0 && asked.every(({ method }) => method === "GET"));
      const ranges = asked.flatMap(({ headers }) => headers.range ?? []);
      assert.equal(
        ranges.length > 0,
        name === "files-without-hashes",
        "only for the end of a large file",
      );
      for (const range of ranges) assert.match(range, /^bytes=\d+-$/);
    } finally {
      await host.close();
    }
  }
});

test("for people: how many files came to what, each that did not, and what is not covered", async (t) => {
  const { stdout: sound } = await run(["verify", root("second-commit"), "--data"]);
  assert.match(
    sound,
    /\n\ndata {7}listed by files\.json: 2 files asked for, \d+ bytes read\n {11}2 verified: .*\n\n/,
  );
  assert.match(sound, /\ncovered .*, ducklake\.duckdb, data files \(2\)\n/);
  assert.ok(!sound.includes("Parquet"), sound);

  const { stdout: compared } = await run(["verify", root("files-without-hashes"), "--data"]);
  assert.match(compared, /\n {11}4 compared: .* not forgery\n/);
  assert.match(compared, /\n {11}4 data files, whose sha256 is not recorded\n/);

  const repository = copyOf(t, "second-commit");
  const [{ path }] = filesOf(repository);
  rmSync(join(repository, path));
  const { stdout: broken } = await run(["verify", repository, "--data"]);
  assert.ok(broken.includes(`\nfailed     ${path}  (data file: missing_file)\n    `), broken);
});
