/** Every repository with something wrong: where a reader stops, with which code, which exit code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { about, names, root, signersFile } from "./cast.mjs";
import { errorOf, run, runJson } from "./fdl-reader.mjs";

/** What `verify` says of a catalog that is not handed over: the check behind the refusal. */
const checks = {
  "catalog-truncated": ["broken", "ducklake.duckdb", "size_mismatch"],
  "expired-with-catalog": ["unchecked", "ducklake.duckdb", "past_retention"],
  "flipped-catalog": ["broken", "ducklake.duckdb", "hash_mismatch"],
  "flipped-catalog-unsigned": ["broken", "ducklake.duckdb", "hash_mismatch"],
  "flipped-dataset": ["broken", "dataset.json", "hash_mismatch"],
  "flipped-files": ["broken", "files.json", "hash_mismatch"],
  "flipped-record": ["intact", "version.json.sig", "bad_signature"],
  "flipped-signature": ["intact", "version.json.sig", "bad_signature"],
  "missing-catalog": ["broken", "ducklake.duckdb", "missing_file"],
  "missing-dataset": ["broken", "dataset.json", "missing_file"],
};

/** Codes that say that a file was changed or cut, not that it could not be had. */
const broken = [
  ...["id_mismatch", "invalid_utf8", "truncated_json", "malformed_json", "invalid_record"],
  ...["unsafe_path", "broken_version"],
];

for (const name of names.filter((name) => about(name).fails)) {
  const { fails, rule } = about(name);
  const [where, code] = fails.split(": ");

  if (where === "open" || where === "version") {
    test(`${rule} (${name}: ${code})`, async (t) => {
      for (const [command, ...options] of [
        ["show"],
        ["verify"],
        ["verify", "--allowed-signers", signersFile(t, name)],
      ]) {
        const answer = await runJson([command, root(name), ...options]);
        const { message } = errorOf(answer);
        assert.equal(answer.document.error.code, code);
        assert.equal(answer.exitCode, command === "verify" && broken.includes(code) ? 1 : 2);
        const text = await run([command, root(name), ...options]);
        assert.deepEqual([text.stdout, text.stderr], ["", `fdl-reader: ${message}\n`]);
        assert.equal(text.exitCode, answer.exitCode);
      }
    });
  } else if (where === "catalog") {
    test(`${rule} (${name}: ${code})`, async (t) => {
      assert.ok(checks[name], `${name} is not among the checks of this test`);
      const [integrity, file, why] = checks[name];
      for (const options of [[], ["--allowed-signers", signersFile(t, name)]]) {
        const { document, exitCode } = await runJson(["verify", root(name), ...options]);
        assert.equal(document.integrity, integrity);
        const found = document.checks.find((check) => check.file === file);
        assert.equal(found.code, why);
        assert.equal(found.outcome, integrity === "unchecked" ? "unchecked" : "failed");
        assert.ok(!document.covers.includes(file));
        assert.equal(exitCode, integrity === "unchecked" ? 2 : 1);
        const text = await run(["verify", root(name), ...options]);
        assert.ok(text.stdout.includes(`${found.outcome.padEnd(9)}  ${file}  (${why})`));
        assert.ok(text.stdout.includes(found.message));
        assert.equal(text.exitCode, exitCode);
      }
    });
  } else {
    test(`what lies beyond the catalog is not verify's: ${name}`, async () => {
      assert.equal(where, "rows");
      const { document, exitCode } = await runJson(["verify", root(name)]);
      assert.deepEqual([document.integrity, exitCode], ["intact", 0]);
    });
  }
}
