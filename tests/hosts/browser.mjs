/** Headless Chromium for tests: it reaches this machine and nothing else, and tells what it saw. */
import { chromium } from "playwright-core";
import { chromiumPath } from "../../scripts/steps/programs.mjs";

/**
 * Starts Chromium.
 *
 * Nothing outside this machine is reachable from it: names are not even looked up. This is not done
 * by intercepting requests, since that would switch the browser's HTTP cache off. `insecure.test` is
 * this machine under a name that makes no page secure, as localhost does.
 */
export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--host-resolver-rules=MAP insecure.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      "--no-first-run",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), // root cannot have one
    ],
  });
  return {
    browser,
    newPage: (settings) => newPage(browser, settings),
    close: () => browser.close(),
  };
}

/**
 * A page of its own profile. `hosts` are the addresses that it may ask; `context` goes to
 * Playwright's newContext (locale, colorScheme, viewport …).
 *
 * What it saw is kept: `offOrigin` the requests for any other address, `errors` what the page threw
 * or wrote to the console as an error (answers such as 404 left out), `requests` the URL of every
 * request. `close` closes it.
 */
async function newPage(browser, { hosts = [], context: options = {} } = {}) {
  const context = await browser.newContext(options);
  const allowed = hosts.map((url) => new URL(url).origin);
  const [offOrigin, errors, requests] = [[], [], []];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!protocol.startsWith("http")) return; // data:, blob:
    requests.push(request.url());
    if (!allowed.includes(origin)) offOrigin.push(request.url());
  });
  context.on("console", (message) => {
    // A probe for an optional file, answered 404, writes one too; the host's log tells of those.
    const isAnswer = message.text().startsWith("Failed to load resource:");
    if (message.type() === "error" && !isAnswer) errors.push(message.text());
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  const page = await context.newPage();
  return { page, offOrigin, errors, requests, close: () => context.close() };
}
