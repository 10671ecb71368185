/** What a call may look like, and what is said of one that is wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { about, root, tipOf } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

const lake = root("tagged");

const wrong = [
  [[], /^Name a command: refs, log, show, or verify\.$/],
  [["frobnicate", lake], /^There is no command "frobnicate": choose refs, log, show, or verify\.$/],
  [[lake], /^There is no command ".*tagged": choose /],
  [["toString", lake], /^There is no command "toString"/],
  [["refs"], /^refs needs the address or the folder of a repository\.$/],
  [["show", ""], /^show needs the address or the folder of a repository\.$/],
  [["refs", lake, "main", "x"], /^refs reads one repository, not also "main x"\.$/],
  [["refs", lake, "--ref", "main"], /^refs does not take --ref\.$/],
  [["show", lake, "-n", "1"], /^show does not take -n\.$/],
  [["show", lake, "--allowed-signers", "x"], /^show does not take --allowed-signers\.$/],
  [["log", lake, "--mirror"], /^--mirror needs a value\.$/],
  [["log", lake, "-n", "x"], /^-n takes a whole number, not "x"\.$/],
  [["log", lake, "-n", "1.5"], /^-n takes a whole number, not "1\.5"\.$/],
  [["log", lake, "-n", ""], /^-n takes a whole number, not ""\.$/],
  [["log", lake, "-n=-1"], /^-n takes a whole number/],
  [["log", lake, "-n", "-1"], /^-n needs a value\.$/],
  [["log", lake, "-n"], /^-n needs a value\.$/],
  [["show", lake, "--ref"], /^--ref needs a value\.$/],
  [["verify", lake, "--ref", "--allowed-signers", "x"], /^--ref needs a value\.$/],
  [["show", lake, "--ref", "a", "--ref=b"], /^--ref is given twice\.$/],
  [["verify", lake, "--allowed-singers", "x"], /^There is no option --allowed-singers\.$/],
  [["show", lake, "-x"], /^There is no option -x\.$/],
  [["show", lake, "--json=yes"], /^--json takes no value\.$/],
];

for (const [args, sentence] of wrong) {
  test(`a wrong call exits with 2 and says what is wrong: ${args.join(" ").replace(lake, "URL")}`, async () => {
    const answer = await runJson(args);
    const { code, message, path } = errorOf(answer);
    assert.match(message, sentence);
    assert.deepEqual([code, path, answer.exitCode], ["usage", null, 2]);
    if (args.includes("--json=yes")) return;
    const { stdout, stderr, exitCode } = await run(args);
    assert.deepEqual([stdout, exitCode], ["", 2]);
    assert.equal(stderr, `fdl-reader: ${message} See fdl-reader --help.\n`);
  });
}

test("--help tells every command and option, and exits with 0", async () => {
  for (const args of [["--help"], ["-h"], ["verify", "--help"], ["frobnicate", "-h"]]) {
    const { stdout, stderr, exitCode } = await run(args);
    for (const word of ["refs URL", "log URL", "show URL", "verify URL", "--ref", "-n N"]) {
      assert.ok(stdout.includes(word), word);
    }
    for (const word of ["--allowed-signers", "--revoked", "--namespace", "--principal", "--time"]) {
      assert.ok(stdout.includes(word), word);
    }
    for (const word of ["--data", "--mirror", "--json", "exits with 0"]) {
      assert.ok(stdout.includes(word), word);
    }
    assert.deepEqual([stderr, exitCode], ["", 0]);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 100, line);
  }
  const { document, exitCode } = await runJson(["--help"]);
  assert.equal(document.usage, (await run(["--help"])).stdout.trimEnd());
  assert.equal(exitCode, 0);
});

test("options may stand anywhere, with a space or =, and -n with its number joined", async () => {
  const [, { id }] = about("tagged").versions;
  for (const args of [
    ["--json", "show", "--ref", "2025-final", lake],
    ["show", "--ref=2025-final", "--json", lake],
    ["show", "--json", "--ref", "2025-final", "--", lake],
  ]) {
    assert.equal(JSON.parse((await run(args)).stdout).id, id);
  }
  for (const args of [
    ["log", "-n1", lake],
    ["log", lake, "-n", "1"],
  ]) {
    const { document } = await runJson(args);
    assert.deepEqual(
      document.versions.map(({ id }) => id),
      [tipOf(lake)],
    );
  }
});

test("a ref that is unknown, impossible or empty is never taken for HEAD", async () => {
  for (const command of ["log", "show", "verify"]) {
    for (const [ref, code] of [
      ["mian", "unknown_ref"],
      ["refs/heads/mian", "unknown_ref"],
      ["refs/remotes/main", "invalid_ref_name"],
      ["a..b", "invalid_ref_name"],
      ["", "invalid_ref_name"],
      ["019cb2ec-f680-7000-8000-000000000000", "missing_version"],
    ]) {
      const answer = await runJson([command, lake, `--ref=${ref}`]);
      if (command === "log" && code === "missing_version") {
        assert.equal(answer.document.versions[0].missing, true);
        continue;
      }
      assert.equal(errorOf(answer).code, code, `${command} ${ref}`);
      assert.equal(answer.exitCode, 2);
    }
  }
});
