/**
 * What `npm test` runs: each part a name and its commands, in the order that fails soonest.
 *
 * A part that `holdsTests` fails where it ran none. One that is `slow` runs only where it is asked for, as
 * `npm run test:slow` does.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sentence } from "./command.mjs";
import { chromedriverPath, chromiumPath } from "./programs.mjs";
import { python } from "./python.mjs";
import { inRoot, npmTool } from "./root.mjs";
import { target, wasmTestRunner } from "./rust.mjs";

const repositories = inRoot("build", "repositories");

/** The features of the wasms that every page loads: what they leave out is the browser's. */
const asShipped = ["--no-default-features", "--features", "reader,catalog"];

const strictly = ["--quiet", "--", "--deny", "warnings"];

/** A scenario of each kind; `npm run conformance` reads them all. */
const representative = [
  ...[
    "renamed-columns",
    "promoted-columns",
    "nested-members-swapped",
    "nested-members-of-inlined-rows",
    "nested-members-all-replaced",
  ],
  ...["flushed-rows", "rewritten-files", "merged-after-changed-columns", "partitioned-tables"],
  ...["two-delete-files"],
  ...[
    "added-files-of-nested-columns",
    "hive-partitions",
    "views",
    "macros",
    "comments",
    "made-again",
  ],
  ...["names-of-tables", "names-of-members", "extremes", "variants", "transactions"],
  ...["tags", "format-0-3", "format-0-3-merged-files", "hostile-views", "hostile-macros"],
];

/** A part's commands are made when it starts: only then is all that they name there. */
export const checks = [
  {
    name: "lint",
    commands: () => [
      ["cargo", "fmt", "--check"],
      ["cargo", "clippy", "--all-targets", ...strictly],
      ["cargo", "clippy", "--all-targets", "--target", target, ...strictly],
      ["cargo", "clippy", "--all-targets", "--target", target, ...asShipped, ...strictly],
      [npmTool("prettier"), "--check", "--log-level", "warn", "."],
      [npmTool("eslint"), "--max-warnings", "0", "."],
    ],
  },
  { name: "types", commands: () => [[npmTool("tsc"), "--project", inRoot("tsconfig.json")]] },
  {
    name: "repositories",
    commands: () => [[python, inRoot("tests", "repositories", "make.py"), repositories]],
  },
  {
    name: "rust",
    holdsTests: true,
    commands: () => [
      ["cargo", "test"],
      ["cargo", "test", "--no-default-features", "--test", "trust"], // ed25519 alone
    ],
    env: () => ({ FDL_REPOSITORIES: repositories }),
  },
  {
    name: "fuzz",
    slow: true,
    holdsTests: true,
    commands: () => [["cargo", "test", "--profile", "fuzz", "--test", "fuzz"]],
    env: () => ({ FDL_REPOSITORIES: repositories, FDL_FUZZ_SECONDS: "8" }), // for each target: about a minute
  },
  {
    name: "wasm",
    holdsTests: true,
    commands: () => [
      // By --config: the variable for a runner is split at spaces, and the path may hold one.
      [
        "cargo",
        ...["--config", `target.${target}.runner=[${JSON.stringify(wasmTestRunner)}]`],
        ...["test", "--lib", "--tests", "--target", target, ...asShipped],
      ],
    ],
    env: () => ({
      CHROMEDRIVER: chromedriverPath(),
      // Seconds, for a machine that is busy: left alone, the driver has 5 to start and the tests 20.
      WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "60",
      WASM_BINDGEN_TEST_TIMEOUT: "120",
      WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriverSettings(),
    }),
  },
  {
    name: "conformance",
    slow: true,
    commands: () => [
      [process.execPath, inRoot("scripts", "conformance.mjs"), ...representative],
      [
        process.execPath,
        inRoot("scripts", "conformance.mjs"),
        "--seeds",
        "3",
        "--operations",
        "24",
      ],
    ],
  },
  { name: "hosts", holdsTests: true, commands: () => nodeTests("hosts") },
  { name: "command", holdsTests: true, commands: () => nodeTests("command", 2) },
  { name: "preview", holdsTests: true, commands: () => nodeTests("preview") },
  { name: "browser", holdsTests: true, commands: () => nodeTests("browser") },
];

/** The parts that read the repositories which the maker makes. */
export const readRepositories = [
  "rust",
  "fuzz",
  "wasm",
  "conformance",
  "command",
  "preview",
  "browser",
];

/** One file at a time, as a rule: two browsers at once would share the cores, and their times. */
function nodeTests(folder, atOnce = 1) {
  const path = inRoot("tests", folder);
  const files = readdirSync(path).filter((name) => name.endsWith(".test.mjs"));
  // Without files Node would look for tests everywhere.
  if (files.length === 0) throw new Sentence(`tests/${folder} holds no *.test.mjs.`);
  const settings = [
    ...["--test", "--test-reporter=spec", `--test-concurrency=${atOnce}`],
    "--test-timeout=300000", // what hangs is told by its name
  ];
  return [[process.execPath, ...settings, ...files.map((name) => join(path, name))]];
}

/** Tells the driver which Chromium; left to itself it would take the one it was installed with. */
function webdriverSettings() {
  const path = inRoot("build", "webdriver.json");
  mkdirSync(inRoot("build"), { recursive: true });
  writeFileSync(path, JSON.stringify({ "goog:chromeOptions": { binary: chromiumPath() } }));
  return path;
}
