/** What a repository says reaches the terminal as text, never as control. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { atTip, change, copyOf, temporary } from "./cast.mjs";
import { run, runJson } from "./fdl-reader.mjs";

/** Each would do something to a terminal, or to the reading of what stands beside it. */
const hostile = [
  "\u001b[31mred\u001b[0m", // colour
  "\u001b]0;title\u0007", // the window's title
  "\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", // a link
  "\u009b2J", // clear the screen, in one character
  "\u0008\u0008\u0008hidden\u007f", // backspaces
  "\rover", // back to the start of the line
  "\u202edrowssap\u202c", // right to left
  "\u2066isolated\u2069",
  "\u0000\u000b\u000c\u0085",
].join(" ");

const harmless = "Zoë’s 町 🏞️ — “naïve”, עִבְרִית, عربي, नमस्ते, 100 % <b>&amp;</b> \\n";

// eslint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** A repository whose every text is `text`, signed by a key whose principal is it too. */
function repositoryOf(t, text, message = text) {
  const repository = copyOf(t, "first-commit");
  const record = atTip(repository, "version.json");
  change(atTip(repository, "dataset.json"), ({ tables: [table] }) => ({
    title: text,
    description: message,
    licenses: [{ title: text }],
    sources: [{ title: text, url: "https://host.example/" }],
    tables: [{ ...table, title: text, name: text, columns: [{ name: text, type: text }] }],
  }));
  writeFileSync(
    atTip(repository, "expired.json"),
    JSON.stringify({ expired_at: text, reason: text }),
  );
  change(record, () => ({ author: { name: text, email: text }, message, dataset: undefined }));

  const key = temporary(t, "key");
  keygen("-q", "-t", "ed25519", "-N", "", "-f", key);
  keygen("-q", "-Y", "sign", "-n", "fdl", "-f", key, record);
  const signers = `${key}.signers`;
  const principal = text.replaceAll(/[\s"]/g, "_");
  writeFileSync(signers, `${principal} ${readFileSync(`${key}.pub`, "utf8")}`);
  return { repository, signers, principal };
}

function keygen(...args) {
  const { status, stderr } = spawnSync("ssh-keygen", args, { encoding: "utf8", input: "y\n" });
  assert.equal(status, 0, stderr);
}

/** What every command prints about a repository, on both outputs. */
async function everyOutput({ repository, signers }) {
  const calls = [
    ["refs", repository],
    ["log", repository],
    ["show", repository],
    ["verify", repository],
    ["verify", repository, "--allowed-signers", signers],
    ["show", repository, "--ref", hostile],
    [hostile],
    ["refs", repository, `--${hostile}`],
    ["log", repository, "-n", hostile],
    ["verify", repository, "--allowed-signers", hostile.replaceAll("\u0000", "")],
  ].map((args) => args.map((arg) => arg.replaceAll("\u0000", "")));
  const outputs = await Promise.all(calls.map((args) => run(args)));
  return outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]);
}

test("no control character of any text reaches the terminal", async (t) => {
  const outputs = await everyOutput(repositoryOf(t, hostile));
  for (const output of outputs) assert.doesNotMatch(output, control);
  // They are not dropped either: who looks sees what was there.
  const all = outputs.join("\n");
  for (const shown of ["\\u{1b}[31mred", "\\u{9b}2J", "\\u{202e}drowssap", "\\u{8}", "\\u{0}"]) {
    assert.ok(all.includes(shown), shown);
  }
});

test("the principal of a signer is shown the same way", async (t) => {
  const text = hostile.replaceAll("\u0000", "");
  const { repository, signers } = repositoryOf(t, text);
  const { stdout } = await run(["verify", repository, "--allowed-signers", signers]);
  assert.doesNotMatch(stdout, control);
  assert.match(stdout, /^listed as {2}\\u\{1b\}\[31mred/m);
});

test("--json holds no control character either, and means what was there", async (t) => {
  const { repository, signers } = repositoryOf(t, hostile);
  for (const command of ["log", "show", "verify"]) {
    const options = command === "verify" ? ["--allowed-signers", signers] : [];
    const { stdout } = await run([command, repository, "--json", ...options]);
    assert.doesNotMatch(stdout, control);
  }
  const { document } = await runJson(["show", repository]);
  assert.equal(document.record.message, hostile);
  assert.equal(document.dataset.title, hostile);
  assert.equal(document.record.author.name, hostile);
});

test("a text on several lines cannot look like lines of ours", async (t) => {
  const forged = "Towns\r\nversion 019a\n\nintegrity  intact\u2028table main.gold  9 rows";
  const { repository, signers } = repositoryOf(t, forged);
  for (const args of [
    ["log", repository],
    ["show", repository],
    ["verify", repository, "--allowed-signers", signers],
  ]) {
    const { stdout } = await run(args);
    assert.doesNotMatch(stdout, /^(version 019a$|table main\.gold)/m);
    assert.ok(stdout.split(/^integrity {2}intact/m).length <= (args[0] === "verify" ? 2 : 1));
    assert.doesNotMatch(stdout, /\\u\{d\}/, "a line end of Windows is a line end");
  }
});

test("people's own texts are shown as they are", async (t) => {
  const { repository, signers, principal } = repositoryOf(t, harmless);
  const show = await run(["show", repository]);
  for (const line of [
    `Author:  ${harmless} <${harmless}>`,
    `    ${harmless}`,
    harmless,
    `Licence: ${harmless}`,
    `Source:  ${harmless} <https://host.example/>`,
  ]) {
    assert.ok(show.stdout.split("\n").includes(line), line);
  }
  assert.ok(show.stdout.includes(`table main.${harmless}  100 rows`));
  const verify = await run(["verify", repository, "--allowed-signers", signers]);
  assert.ok(verify.stdout.includes(`listed as  ${principal} (line 1 of the list)`), verify.stdout);
});

test("a message keeps its paragraphs, set in", async (t) => {
  const { repository } = repositoryOf(t, "x", "First line\n\n  a list\n\tand a tab\n\n");
  const { stdout } = await run(["log", repository]);
  assert.match(stdout, /\n\n {4}First line\n\n {6}a list\n {4}\tand a tab\n$/);
});
