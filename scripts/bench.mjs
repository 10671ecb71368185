/**
 * `npm run bench`: what verifying costs, and how long a visitor waits for the first rows, measured in
 * headless Chromium. It prints figures and fails for none of them; the ratios within a run say more than
 * the figures, which are the machine's.
 *
 * `npm run bench -- --only first-rows` runs that part alone.
 */
import { parseArgs } from "node:util";
import { downloading, makeRepositories } from "../benches/download.mjs";
import { firstRows } from "../benches/first-rows.mjs";
import { hashing } from "../benches/hashing.mjs";
import { startHost } from "../tests/hosts/server.mjs";
import { Sentence } from "./steps/command.mjs";
import { building } from "./steps/index.mjs";
import { largeTable, largeTableFolder } from "./steps/large-table.mjs";
import { chromium, sshKeygen } from "./steps/programs.mjs";
import { main, take } from "./steps/progress.mjs";
import { pythonPackages } from "./steps/python.mjs";
import { inRoot } from "./steps/root.mjs";
import { benchWasm } from "./steps/wasm.mjs";

const repositories = inRoot("build", "bench", "repositories");

const parts = {
  hashing: {
    title: "Hashing",
    steps: [benchWasm],
    run: (browser, pages) => inPage(browser, pages, hashing),
  },
  downloading: {
    title: "Downloading and verifying",
    steps: [],
    run: async (browser, pages) => {
      makeRepositories(repositories);
      return await inPage(browser, pages, downloading);
    },
  },
  "first-rows": {
    title: "First rows of a table of ten million",
    steps: [pythonPackages, sshKeygen, largeTable],
    run: (browser, pages) => firstRows(browser, pages, largeTableFolder),
  },
};

await main(async () => {
  const chosen = chosenParts();
  await take([...building, chromium, ...chosen.flatMap(({ steps }) => steps)]);
  const host = await startHost({
    mounts: {
      "/": inRoot("benches"),
      "/dist/": inRoot("dist"),
      "/duckdb-ext/": inRoot("build", "duckdb-ext"),
      "/node_modules/": inRoot("node_modules"),
      "/repositories/": repositories,
      "/wasm/": inRoot("build", "bench", "wasm"),
    },
    headers: { "cache-control": "no-store" }, // every download is one
  });
  const { openBrowser } = await import("../tests/hosts/browser.mjs"); // needs npm's packages
  const browser = await openBrowser();
  try {
    for (const { title, run } of chosen) {
      console.log(`\n${title}\n${await run(browser, host.url)}`);
    }
  } finally {
    await browser.close();
    await host.close();
  }
});

async function inPage(browser, pages, bench) {
  const { page, close } = await browser.newPage({ hosts: [pages] });
  await page.goto(`${pages}page.html`);
  const figures = await bench(page);
  await close();
  return figures;
}

function chosenParts() {
  const { only } = options();
  const names = only?.flatMap((list) => list.split(",")) ?? Object.keys(parts);
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) {
    const all = Object.keys(parts).join(", ");
    throw new Sentence(`There is no part "${unknown}": choose of ${all}.`);
  }
  return names.map((name) => parts[name]);
}

function options() {
  try {
    return parseArgs({ options: { only: { type: "string", multiple: true } } }).values;
  } catch (error) {
    throw new Sentence(error.message);
  }
}
