/** docs/trust.md: each of its claims names a test that is there, and each code of a signature is told. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const read = (path) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const trust = read("docs/trust.md");

test("every test that docs/trust.md names is there", () => {
  const named = [
    ...trust.matchAll(/`((?:browser|command|format|fuzz|hosts|trust)\/\S+) ([^`]+)`/g),
  ];
  for (const [, file, name] of named) {
    const source = read(`tests/${file}`);
    const found = file.endsWith(".rs") ? source.includes(`fn ${name}(`) : source.includes(name);
    assert.ok(found, `${file} has no test "${name}"`);
  }
  assert.ok(named.length > 30, "the tests are not found in the page");
});

test("docs/trust.md tells every code that a signature can have", () => {
  const source = read("src/trust/problem.rs");
  const [, body] = /pub enum SignatureProblem \{(.*?)\n\}/s.exec(source);
  const variants = [...body.matchAll(/^ {4}([A-Z][A-Za-z]+)/gm)].map(([, name]) => name);
  assert.ok(variants.length > 15);
  for (const variant of variants) {
    const code = variant.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();
    assert.ok(trust.includes(`\`${code}\``), code);
  }
});

test("docs/trust.md gives the reason for each difference from ssh-keygen", () => {
  const [, body] = /pub enum Difference \{(.*?)\n\}/s.exec(read("tests/trust/agreement.rs"));
  for (const [, name] of body.matchAll(/^ {4}([A-Z][A-Za-z0-9]+),/gm)) {
    assert.ok(trust.includes(`\`${name}\``), name);
  }
});
