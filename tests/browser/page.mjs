/** The built site in Chromium, as its visitors meet it: the portal, and a page that embeds viewers. */
import assert from "node:assert/strict";
import { openBrowser } from "../hosts/browser.mjs";
import { startHost } from "../hosts/server.mjs";
import { inRoot } from "./api.mjs";

/** Starts Chromium, and a host with the site, the repositories and the embedding page. */
export async function openSite() {
  const chromium = await openBrowser();
  const hosts = [];
  const tabs = [];
  /** A host with further settings, such as a delay or a folder of the test's own: the same site, visited by the same browser. */
  const on = async ({ mounts, ...settings }) => {
    const host = await startHost({
      mounts: {
        "/": inRoot("dist/site"),
        "/below/a/path/": inRoot("dist/site"),
        "/pages/": inRoot("tests/browser/pages"),
        "/repositories/": inRoot("build/repositories"),
        ...mounts,
      },
      ...settings,
    });
    hosts.push(host);
    const visit = async (path, context) => {
      const tab = await chromium.newPage({ hosts: [host.url], context });
      tabs.push(tab);
      tab.page.on("dialog", (dialog) => {
        tab.errors.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await tab.page.goto(host.url + path);
      return Object.assign(tab.page, { seen: tab });
    };
    return {
      host,
      /** Whatever is at a path. */
      visit,
      /** The portal, with what its address asks for. */
      portal: (asked = {}, context) => {
        const address = new URL(host.url);
        for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
        return visit(address.search, context);
      },
      /** A page with one viewer for each set of attributes. */
      embed: async (viewers, context) => {
        const page = await visit("pages/embed.html", context);
        await page.evaluate((viewers) => {
          for (const attributes of viewers) {
            const viewer = document.createElement("fdl-viewer");
            for (const [name, value] of Object.entries(attributes))
              viewer.setAttribute(name, value);
            document.body.append(viewer);
          }
        }, viewers);
        return page;
      },
    };
  };
  return {
    ...(await on({})),
    on,
    /** Closes the pages: none asked another host for anything, threw, or met its policy's limits. */
    leave: async () => {
      const seen = tabs.splice(0);
      for (const tab of seen) await tab.close();
      for (const { offOrigin, errors } of seen) {
        assert.deepEqual(offOrigin, []);
        assert.deepEqual(errors, []);
      }
    },
    close: async () => {
      await chromium.close();
      for (const host of hosts) await host.close();
    },
  };
}

/** Where a scenario's repository is, for a viewer or the portal. */
export const srcOf = (name) => `/repositories/${name}/`;

/** Waits until a viewer shows a version. */
export const shown = (page) => page.locator("fdl-viewer article[aria-busy=false]").waitFor();

/** The words of the two verdicts. */
export const verdict = async (page) => ({
  integrity: await page.locator("fdl-verdict #integrity .word").innerText(),
  signature: await page.locator("fdl-verdict #signature .word").innerText(),
});

/** The list of tables: what the page says of each. */
export const listed = (page) =>
  page.locator("fdl-tables li").evaluateAll((items) =>
    items.map((item) => ({
      name: item.querySelector(".name").textContent,
      rows: item.querySelector(".rows").textContent,
    })),
  );

/** The columns of the table shown. */
export const columns = (page) =>
  page.locator("fdl-table details tbody tr").evaluateAll((rows) =>
    rows.map((row) => ({
      name: row.querySelector(".name").textContent,
      type: row.querySelector(".type").textContent,
    })),
  );

/** The rows in a grid: its heads and its cells, a missing value as `null`. */
export async function rowsIn(grid) {
  await grid.locator("table").waitFor();
  return grid.locator("table").evaluate((table) => ({
    columns: [...table.tHead.rows[0].cells].map((head) => ({
      name: head.querySelector(".name").textContent,
      type: head.querySelector(".type").textContent,
    })),
    rows: [...table.tBodies[0].rows].map((row) =>
      [...row.cells].map((cell) => (cell.querySelector(".null") ? null : cell.textContent)),
    ),
  }));
}

/** Scrolls to an element. */
export const lookAt = (element) => element.evaluate((element) => element.scrollIntoView());

/** Too low for the rows or the history to be near what is seen. */
export const low = { viewport: { width: 1000, height: 300 } };

/** Scrolls to the first rows and waits for them. */
export async function firstRows(viewer) {
  await lookAt(viewer.locator("fdl-rows"));
  return rowsIn(viewer.locator("fdl-rows fdl-grid"));
}

/** Runs SQL in the box by the keyboard: the rows, or what is said in their place. */
export async function ask(viewer, sql) {
  const box = viewer.locator("fdl-query textarea");
  await box.fill(sql);
  await box.press("Control+Enter");
  await viewer.locator("fdl-query [aria-busy=false]").waitFor();
  const notice = viewer.locator("fdl-query .notice");
  if (await notice.isVisible()) return { says: await notice.innerText() };
  return rowsIn(viewer.locator("fdl-query fdl-grid"));
}

/** The history: each entry's message, and which one is marked as shown. */
export async function history(page) {
  await lookAt(page.locator("fdl-history"));
  await page.locator("fdl-history [aria-busy=false]").waitFor();
  return page.locator("fdl-history li").evaluateAll((items) =>
    items.map((item) => ({
      message: item.querySelector(".message").textContent.trim(),
      shown: item.querySelector("[aria-current=true]") !== null,
    })),
  );
}
