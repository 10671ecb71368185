import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "./browser.mjs";
import { startHost } from "./server.mjs";

let chromium, host, stranger;

before(async () => {
  const pages = {
    "/": { body: "<!doctype html><title>Here</title>", headers: { "content-type": "text/html" } },
    "/worker.js": {
      body: `const request = new XMLHttpRequest();
             onmessage = ({ data }) => {
               try { request.open("GET", data, false); request.send(); postMessage(request.status); }
               catch { postMessage(0); }
             };`,
      headers: { "content-type": "text/javascript" },
    },
  };
  host = await startHost({ mounts: {}, faults: (path) => pages[path] });
  stranger = await startHost({ mounts: {}, cors: true, faults: () => ({ body: "stranger" }) });
  chromium = await openBrowser();
});

after(async () => {
  await chromium.close();
  await host.close();
  await stranger.close();
});

test("requests for other addresses are seen, and none leaves this machine", async () => {
  const { page, offOrigin, close } = await chromium.newPage({ hosts: [host.url] });
  await page.goto(host.url);
  const outside = await page.evaluate(() => fetch("http://example.com/").catch(() => "blocked"));
  assert.equal(outside, "blocked");
  await page.evaluate((url) => fetch(url).then((response) => response.text()), stranger.url);
  assert.deepEqual(offOrigin, ["http://example.com/", stranger.url]);
  await close();
});

test("a worker's requests are seen too", async () => {
  const { page, offOrigin, close } = await chromium.newPage({ hosts: [host.url] });
  await page.goto(host.url);
  const ask = (url) =>
    page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const worker = new window.Worker("/worker.js");
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage(url);
        }),
      url,
    );
  assert.equal(await ask("http://example.com/"), 0);
  assert.equal(await ask(stranger.url), 200);
  assert.deepEqual(offOrigin, ["http://example.com/", stranger.url]);
  await close();
});

test("what goes wrong on a page is kept", async () => {
  const { page, errors, close } = await chromium.newPage({ hosts: [host.url] });
  await page.goto(host.url);
  await page.evaluate(() => {
    console.error("said");
    setTimeout(() => {
      throw new Error("thrown");
    });
  });
  await page.waitForTimeout(100);
  assert.deepEqual(errors, ["said", "Error: thrown"]);
  await close();
});
