/** A page that has the package's modules, and the repositories beside it. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../hosts/browser.mjs";
import { startHost } from "../hosts/server.mjs";

export const inRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const repositories = inRoot("build/repositories");

/** What the judge says of each scenario, by its name. */
export const judged = Object.fromEntries(
  readdirSync(repositories)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(`${repositories}/${file}`, "utf8")))
    .map((answer) => [answer.name, answer]),
);

/** The path of a scenario's root on the host that `openApi` starts. */
export const rootOf = (name) => (name === "demo" ? "demo/" : `repositories/${name}/`);

/**
 * Starts a host (with further `settings`) and opens the page in Chromium. `run(work, given)` runs
 * `work` in the page with the modules in `window.fdl` and `window.duckdb`.
 */
export async function openApi(settings = {}) {
  const host = await startHost({
    mounts: {
      "/": inRoot("tests/browser/pages"),
      "/dist/": inRoot("dist"),
      "/node_modules/": inRoot("node_modules"),
      "/duckdb-ext/": inRoot("build/duckdb-ext"),
      "/repositories/": repositories,
      "/demo/": inRoot("www/demo"),
    },
    ...settings,
  });
  const chromium = await openBrowser();
  const close = async () => {
    await chromium.close();
    await host.close();
  };
  try {
    const tab = await openTab(chromium, host);
    return { ...tab, host, run: (work, given) => tab.page.evaluate(work, given), close };
  } catch (error) {
    await close(); // an open host would keep the test from ending
    throw error;
  }
}

/** A page with the modules loaded. */
async function openTab(chromium, host) {
  const tab = await chromium.newPage({ hosts: [host.url] });
  await tab.page.goto(`${host.url}api.html`);
  await tab.page.evaluate(async () => {
    window.fdl = await import("fdl-reader");
    window.duckdb = await import("fdl-reader/duckdb");
    window.startEngine = (options = {}) =>
      window.duckdb.startEngine({
        engine: {
          wasm: "/node_modules/@duckdb/duckdb-wasm/dist/duckdb-eh.wasm",
          worker: "/node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js",
        },
        extensionRepository: "/duckdb-ext",
        ...options,
      });
  });
  return tab;
}
