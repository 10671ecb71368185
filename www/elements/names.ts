/** How refs, versions and tables are called on the page. */
import { identifier } from "../duckdb/sql.js";
import type { Refs } from "../reader/types.js";
import type { Text } from "../locales/index.js";

const branches = "refs/heads/";
const tags = "refs/tags/";

export function isVersionId(ref: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref);
}

/** A ref's name without its folder. */
export function shortRef(name: string): string {
  const folder = [branches, tags].find((one) => name.startsWith(one));
  return folder === undefined ? name : name.slice(folder.length);
}

export function refKind(name: string): "branch" | "tag" | "other" {
  if (name.startsWith(branches)) return "branch";
  return name.startsWith(tags) ? "tag" : "other";
}

/** The full name of what a page calls `ref`, or its version ID; `null`, the default, is HEAD's. */
export function fullRef(ref: string | null, refs: Refs | null): string | null {
  if (ref === null || ref === "HEAD") return refs?.head ?? null;
  if (isVersionId(ref) || ref.startsWith("refs/")) return ref;
  const named = refs?.refs.find(({ name }) => refKind(name) !== "other" && shortRef(name) === ref);
  return named?.name ?? ref;
}

/** The shortest name that still means `ref`; `null` where it is the default. */
export function briefRef(ref: string, refs: Refs | null): string | null {
  if (ref === refs?.head) return null;
  const brief = shortRef(ref);
  const alike = refs?.refs.filter(
    ({ name }) => refKind(name) !== "other" && shortRef(name) === brief,
  );
  return alike?.length === 1 ? brief : ref;
}

/** Enough of a version ID to tell it from its neighbours: a UUIDv7's time to the millisecond. */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

/** A ref in words, such as "branch main". */
export function refInWords(ref: string, { refs }: Text): string {
  if (isVersionId(ref)) return refs.version(shortId(ref));
  switch (refKind(ref)) {
    case "branch":
      return refs.branch(shortRef(ref));
    case "tag":
      return refs.tag(shortRef(ref));
    case "other":
      return ref;
  }
}

/** What a repository is called where it has no title: the last folder of its address. */
export function folderName(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, host } = new URL(url);
  const folder = pathname
    .split("/")
    .filter((segment) => segment !== "")
    .at(-1);
  if (folder === undefined) return host;
  try {
    return decodeURIComponent(folder);
  } catch {
    return folder; // a percent sign that encodes nothing
  }
}

/** A table's name as SQL writes it, quoted where it has to be. */
export function sqlName(...parts: string[]): string {
  const plain = /^[a-z_][a-z0-9_]*$/;
  return parts.map((part) => (plain.test(part) ? part : identifier(part))).join(".");
}
