/** Programs of the system: looked for on the PATH, installed where this is Debian and we are root. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { quietly, Sentence } from "./command.mjs";

/** The first of these programs that is on the PATH, with its folder; `null` where none is. */
export function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

/** Chromium or Chrome: `$CHROME`, or what is on the PATH. */
export const chromiumPath = () =>
  chosen("CHROME") ??
  onPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

/** The driver through which wasm tests steer Chromium: `$CHROMEDRIVER`, or what is on the PATH. */
export const chromedriverPath = () => chosen("CHROMEDRIVER") ?? onPath("chromedriver");

export const chromium = program({
  title: "Chromium",
  find: chromiumPath,
  debian: ["chromium", "chromium-driver"],
  otherwise:
    "Chromium is missing: install Chromium or Chrome, or set CHROME to its path, then run this again.",
});

export const chromedriver = program({
  title: "chromedriver",
  find: chromedriverPath,
  debian: ["chromium-driver"],
  otherwise:
    "chromedriver is missing: install the one that belongs to your Chromium, or set CHROMEDRIVER to its path, then run this again.",
});

export const sshKeygen = program({
  title: "ssh-keygen",
  find: () => onPath("ssh-keygen"),
  debian: ["openssh-client"],
  otherwise: "ssh-keygen is missing: install OpenSSH's client, then run this again.",
});

function program({ title, find, debian, otherwise }) {
  return {
    title,
    doing: `Installing ${title}`,
    done: () => find() !== null,
    run: () => installDebian(debian, otherwise),
  };
}

/** Installs Debian packages, or says in a sentence what a person must install. */
export async function installDebian(packages, otherwise) {
  if (process.getuid?.() !== 0 || !onPath("apt-get")) throw new Sentence(otherwise);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await quietly("apt-update", "apt-get", ["update"], { env });
  await quietly(`apt-${packages[0]}`, "apt-get", ["install", "-y", ...packages], { env });
}

function chosen(variable) {
  const path = process.env[variable];
  if (!path) return null;
  if (!isExecutable(path)) throw new Sentence(`${variable} names no program: ${path}`);
  return path;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
