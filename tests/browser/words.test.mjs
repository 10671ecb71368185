/** Whatever the reader can say has words in both languages: the codes are read from the sources. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { localeFor } from "../../dist/locales/index.js";
import { inRoot } from "./api.mjs";

const [en, ja] = ["en", "ja"].map((tag) => localeFor(tag).text);

/** The text of every source below a folder. */
function sources(folder, ending) {
  const names = readdirSync(inRoot(folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(ending) && !name.endsWith(".d.ts"))
    .map((name) => readFileSync(join(inRoot(folder), name), "utf8"));
}

const rust = sources("src", ".rs");
const typescript = ["www/reader", "www/duckdb", "www/preview"].flatMap((folder) =>
  sources(folder, ".ts"),
);

/** The variants of each Rust enum that crosses as facts beside a code: the code and the facts' names. */
function variants(source) {
  return [
    ...source.matchAll(
      /strum::IntoStaticStr, thiserror::Error\)\][^{]*?pub enum (\w+) \{\n(.*?)\n\}/gs,
    ),
  ].flatMap(([, name, body]) => {
    const bare = body
      .replace(/#\[serde\(rename = "(\w+)"\)\]\s*\w+:/g, "$1:")
      .replace(/"(?:[^"\\]|\\.)*"/gs, '""')
      .replace(/\/\/.*/g, "")
      .replace(/\w+ \{[^}]*Box<FdlError>[^}]*\},/g, "") // has another's code
      .replace(/#\[[^\]]*\]/g, "");
    return [...bare.matchAll(/(\w+)\s*(?:\{([^}]*)\})?,/g)].map(([, variant, fields = ""]) => ({
      enum: name,
      code: variant.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase(),
      facts: [...fields.matchAll(/(\w+):/g)].map(([, fact]) => fact),
    }));
  });
}

const told = rust.flatMap(variants);
/** The findings of a check that have a code and nothing more. */
const bare = rust.flatMap((source) =>
  [...source.matchAll(/Finding::Code\(\s*"(\w+)"/g)].map(([, code]) => code),
);
const ours = typescript.flatMap((source) =>
  [...source.matchAll(/(?:\bcode: |\bfailure\(\s*)"(\w+)"/g)].map(([, code]) => code),
);
/** Said by the command alone. */
const notOnPages = ["usage", "internal"];

const english = "English";
const problems = told.filter((one) => one.enum === "SignatureProblem");
const failures = [
  ...told.filter((one) => one.enum !== "SignatureProblem").map(({ code }) => code),
  ...ours.filter((code) => !notOnPages.includes(code)),
];

test("the sources are read: each kind of code is found", () => {
  for (const code of ["other_repository", "hash_mismatch", "listed_key", "certificate_expired"]) {
    assert.ok(
      told.some((one) => one.code === code),
      code,
    );
  }
  assert.ok(bare.includes("not_in_record"));
  assert.ok(ours.includes("engine_not_loaded"));
  assert.ok(ours.includes("wasm_not_loaded"));
  assert.deepEqual(told.find(({ code }) => code === "hash_mismatch").facts, [
    "url",
    "expected",
    "found",
  ]);
});

describe("every failure has a headline in both languages", () => {
  for (const code of new Set(failures)) {
    test(code, () => {
      for (const text of [en, ja]) assert.notEqual(text.headline(code), text.headline("no such"));
    });
  }
});

describe("every code has a sentence in Japanese", () => {
  for (const code of new Set([...failures, ...problems.map(({ code }) => code), ...bare])) {
    test(code, () => {
      const says = ja.check({ file: "", code, message: english, facts: {} });
      assert.notEqual(says, english);
      assert.match(says, /\p{Script=Hiragana}/u);
      if (failures.includes(code)) {
        assert.equal(ja.error({ code, message: english, facts: {} }), says);
      }
    });
  }
});

test("a Japanese sentence is made of the facts that the reader gives with the code", () => {
  for (const { code, facts } of told) {
    const given = Object.fromEntries(facts.map((name) => [name, `«${name}»`]));
    const asked = [];
    const watched = new Proxy(given, {
      get: (target, name) => {
        asked.push(name);
        return target[name];
      },
    });
    ja.check({ file: "", code, message: english, facts: watched });
    const foreign = asked.filter((name) => name !== "mirrors" && !facts.includes(name));
    assert.deepEqual([code, foreign], [code, []]);
  }
});

test("why a version is not handed over is said in Japanese for every problem of a signature", () => {
  const says = (problem) =>
    ja.error({ code: "untrusted_version", message: english, facts: { id: "1", problem } });
  for (const { code } of problems) {
    if (code === "unsupported_algorithm") continue; // it could not be checked, as is said of any other
    assert.notEqual(says(code), says("no such"), code);
  }
});

test("what no mirror could mend is said of each root in Japanese too", () => {
  const facts = {
    url: "https://one.example/fdl.json",
    mirrors: [{ root: "https://two.example/", code: "missing_file", url: "https://two.example/x" }],
  };
  const says = ja.error({ code: "not_a_repository", message: english, facts });
  assert.match(says, /one\.example.*ミラー.*two\.example\/x/);
});
