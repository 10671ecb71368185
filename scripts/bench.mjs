/**
 * `npm run bench`: what verifying costs, measured in headless Chromium. It prints figures and fails
 * for none of them; the ratios within a run say more than the figures, which are the machine's.
 */
import { downloading, makeRepositories } from "../benches/download.mjs";
import { hashing } from "../benches/hashing.mjs";
import { startHost } from "../tests/hosts/server.mjs";
import { building } from "./steps/index.mjs";
import { chromium } from "./steps/programs.mjs";
import { main, take } from "./steps/progress.mjs";
import { inRoot } from "./steps/root.mjs";
import { benchWasm } from "./steps/wasm.mjs";

await main(async () => {
  await take([...building, chromium, benchWasm]);
  const repositories = inRoot("build", "bench", "repositories");
  makeRepositories(repositories);
  const host = await startHost({
    mounts: {
      "/": inRoot("benches"),
      "/dist/": inRoot("dist"),
      "/node_modules/": inRoot("node_modules"),
      "/repositories/": repositories,
      "/wasm/": inRoot("build", "bench", "wasm"),
    },
    headers: { "cache-control": "no-store" }, // every download is one
  });
  const { openBrowser } = await import("../tests/hosts/browser.mjs"); // needs npm's packages
  const browser = await openBrowser();
  try {
    for (const [title, bench] of [
      ["Hashing", hashing],
      ["Downloading and verifying", downloading],
    ]) {
      const { page, close } = await browser.newPage({ hosts: [host.url] });
      await page.goto(`${host.url}page.html`);
      console.log(`\n${title}\n${await bench(page)}`);
      await close();
    }
  } finally {
    await browser.close();
    await host.close();
  }
});
