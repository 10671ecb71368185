import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { rounds, startHost } from "./server.mjs";

let root;

before(() => {
  root = mkdtempSync(join(tmpdir(), "a host "));
  writeFileSync(join(root, "letters.txt"), "abcdefghij");
  writeFileSync(join(root, "empty"), "");
  writeFileSync(join(root, "index.html"), "<!doctype html>the page");
  writeFileSync(join(root, "a=ü #%.json"), "{}");
  mkdirSync(join(root, "lake"));
  writeFileSync(join(root, "lake", "HEAD"), "ref: refs/heads/main\n");
});

after(() => rmSync(root, { recursive: true }));

/** Starts a host for one test alone. */
async function host(t, settings = {}) {
  const started = await startHost({ root, ...settings });
  t.after(() => started.close());
  return started;
}

/** Asks for a path as it stands: fetch would tidy it up first. */
function raw(url, path) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
}

test("a file is served with its type, size and ETag", async (t) => {
  const { url } = await host(t);
  const response = await fetch(`${url}a=%C3%BC%20%23%25.json`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("content-length"), "2");
  assert.ok(response.headers.get("etag"));
  assert.equal(await response.text(), "{}");
  assert.equal(await (await fetch(`${url}empty`)).text(), "");
  assert.match(await (await fetch(url)).text(), /the page/);
});

test("a missing file is a 404, on a single-page host the page", async (t) => {
  const plain = await host(t);
  assert.equal((await fetch(`${plain.url}none.json`)).status, 404);
  const spa = await host(t, { spa: true });
  const response = await fetch(`${spa.url}none.json`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type"), /^text\/html/);
});

test("nothing outside the root is served, and a path is decoded once", async (t) => {
  const { url } = await host(t, { root: join(root, "lake") });
  for (const path of [
    "/../letters.txt",
    "/%2e%2e/letters.txt",
    "/..%2fletters.txt",
    "/%00",
    "/%",
  ]) {
    assert.equal(await raw(url, path), 400, path);
  }
  assert.equal(await raw(url, "/%252e%252e/letters.txt"), 404);
});

test("the longest mount serves a path", async (t) => {
  const { url } = await host(t, { mounts: { "/": root, "/demo/": join(root, "lake") } });
  assert.match(await (await fetch(`${url}demo/HEAD`)).text(), /refs\/heads\/main/);
  assert.equal((await fetch(`${url}demo/letters.txt`)).status, 404);
});

test("a range is answered 206, or 416 beyond the end, or whole where ranges are off", async (t) => {
  const { url } = await host(t);
  const ask = (range, from = url) => fetch(`${from}letters.txt`, { headers: { range } });
  const part = await ask("bytes=2-4");
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("content-range"), "bytes 2-4/10");
  assert.equal(await part.text(), "cde");
  assert.equal(await (await ask("bytes=7-99")).text(), "hij");
  assert.equal(await (await ask("bytes=-2")).text(), "ij");
  assert.equal((await ask("bytes=10-")).status, 416);
  const plain = await host(t, { ranges: false });
  assert.equal((await ask("bytes=2-4", plain.url)).status, 200);
});

test("HEAD has the headers alone, If-None-Match saves the body", async (t) => {
  const { url, log } = await host(t);
  const head = await fetch(`${url}letters.txt`, { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), "10");
  const etag = head.headers.get("etag");
  const again = await fetch(`${url}letters.txt`, { headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);
  assert.deepEqual(
    log.map(({ method, status, bytes }) => [method, status, bytes]),
    [
      ["HEAD", 200, 0],
      ["GET", 304, 0],
    ],
  );
});

test("other origins may read where cors is on", async (t) => {
  const allowed = "access-control-allow-origin";
  assert.equal((await fetch((await host(t)).url)).headers.get(allowed), null);
  const { url } = await host(t, { cors: true });
  assert.equal((await fetch(`${url}none`)).headers.get(allowed), "*");
  assert.equal((await fetch(url, { method: "OPTIONS" })).status, 204);
});

test("a compressed body arrives as it was, and the log counts what went over the wire", async (t) => {
  const { url, log } = await host(t, { gzip: true, faults: () => ({ body: "a".repeat(5000) }) });
  const response = await fetch(`${url}long`);
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.equal((await response.text()).length, 5000);
  assert.ok(log[0].bytes < 500);
});

test("a host that compresses for everyone does so to parts of files too", async (t) => {
  const { url } = await host(t, { gzip: "always" });
  const plain = { "accept-encoding": "identity" };
  const whole = await fetch(`${url}letters.txt`, { headers: plain });
  assert.equal(whole.headers.get("content-encoding"), "gzip");
  assert.equal(await whole.text(), "abcdefghij");
  const part = await fetch(`${url}letters.txt`, { headers: { ...plain, range: "bytes=2-4" } });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("content-encoding"), "gzip");
  assert.equal(part.headers.get("content-range"), "bytes 2-4/10");
  assert.equal(await part.text(), "cde");
});

test("HEAD alone is refused with the status that is set", async (t) => {
  const { url } = await host(t, { head: 403 });
  assert.equal((await fetch(`${url}letters.txt`, { method: "HEAD" })).status, 403);
  assert.equal(await (await fetch(`${url}letters.txt`)).text(), "abcdefghij");
});

test("where a token is set, only requests with exactly that query are answered", async (t) => {
  const { url } = await host(t, { token: "key=a%2Fb" });
  const status = async (query) => (await fetch(`${url}letters.txt${query}`)).status;
  assert.equal(await status("?key=a%2Fb"), 200);
  for (const query of ["", "?", "?key=a/b", "?key=a%2Fb&more", "?key=other"]) {
    assert.equal(await status(query), 403, query);
  }
});

test("faults change the status, the body and the headers, and cut the connection", async (t) => {
  const faults = (path) =>
    ({
      "/gone.json": { status: 410 },
      "/page.json": { body: "<html>", headers: { "content-type": "text/html" } },
      "/letters.txt": { truncate: 4 },
    })[path];
  const { url, log } = await host(t, { faults });
  assert.equal((await fetch(`${url}gone.json`)).status, 410);
  const page = await fetch(`${url}page.json`);
  assert.equal(page.headers.get("content-type"), "text/html");
  assert.equal(await page.text(), "<html>");
  await assert.rejects((await fetch(`${url}letters.txt`)).text());
  assert.equal(log.at(-1).bytes, 4);
});

test("all answers together come no faster than the bandwidth, and whole", async (t) => {
  const bytes = Buffer.alloc(50_000, "letters");
  const { url } = await host(t, { bandwidth: 4e6, faults: () => ({ body: bytes }) });
  const start = performance.now();
  const ask = async (path) => Buffer.from(await (await fetch(url + path)).arrayBuffer());
  const answers = await Promise.all([ask("one"), ask("two")]);
  assert.ok(performance.now() - start >= 170, "100,000 bytes take 200 ms, a timer's lateness less");
  for (const answer of answers) assert.ok(answer.equals(bytes));
});

test("rounds are the requests that waited for another's end", async (t) => {
  const { url, log } = await host(t, { delay: 30 });
  const ask = async (path) => (await fetch(url + path)).text();
  await Promise.all([ask("letters.txt"), ask("empty"), ask("lake/HEAD")]);
  assert.equal(rounds(log), 1);
  await Promise.all([ask("none"), ask("letters.txt")]);
  assert.equal(rounds(log), 2);
  assert.equal(rounds([]), 0);
});
