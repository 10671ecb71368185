/** Node itself, and the packages from npm. */
import { existsSync, readFileSync } from "node:fs";
import { quietly, Sentence } from "./command.mjs";
import { inRoot } from "./root.mjs";

/** What Vite and ESLint need; the published package itself runs on any Node 20. */
const oldest = [20, 19];

export const node = {
  title: `Node ${process.versions.node}`,
  doing: "Looking at Node",
  done: () => {
    const [major, minor] = process.versions.node.split(".").map(Number);
    return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  },
  run: () => {
    throw new Sentence(
      `Node ${process.versions.node} is too old: install Node ${oldest.join(".")} or later, then run this again.`,
    );
  },
};

export const packages = {
  title: "npm packages",
  doing: "Installing npm packages",
  done: () => {
    const there = lockedIn("node_modules/.package-lock.json");
    const wanted = lockedIn("package-lock.json");
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        there[path]?.version === version || (optional && !there[path]),
    );
  },
  run: () => quietly("npm", "npm", ["ci"]),
};

/** What a lock file lists, by folder; the project itself, listed under "", is left out. */
function lockedIn(path) {
  if (!existsSync(inRoot(path))) return {};
  const { "": _project, ...packages } = JSON.parse(readFileSync(inRoot(path), "utf8")).packages;
  return packages;
}
