/**
 * Loading an extension, looked at first.
 *
 * DuckDB-Wasm does not compare an extension's version with its own (a wrong one corrupts memory)
 * and reports an unreachable host as a memory error. So the file is fetched here, its footer is
 * read, and the engine gets just these bytes; it still checks DuckDB's signature over them.
 */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import { extensionMismatch, extensionMissing } from "./failures.js";
import { literal } from "./sql.js";

/** DuckDB's own host. */
const DUCKDB_EXTENSIONS = "https://extensions.duckdb.org";

/** What an engine needs of an extension. */
export interface Build {
  /** Such as `v1.5.1`. */
  version: string;
  /** Such as `wasm_eh`. */
  platform: string;
}

/**
 * Fetches, checks and loads the extension `name` from `repository`. One that is loaded already is
 * checked all the same.
 */
export async function loadExtension(
  connection: AsyncDuckDBConnection,
  name: string,
  build: Build,
  repository = DUCKDB_EXTENSIONS,
): Promise<void> {
  const had = await loadedVersion(connection, name);
  if (had !== undefined) {
    // DuckDB's own extensions carry its version, others a commit.
    if (had.startsWith("v") && had !== build.version)
      throw extensionMismatch(name, build.version, had);
    return;
  }
  const folder = `${repository.replace(/\/$/, "")}/${build.version}/${build.platform}`;
  const url = `${folder}/${name}.duckdb_extension.wasm`;
  const bytes = await fetchExtension(url);
  const found = buildOf(bytes);
  const text = ({ version, platform }: Build) => `${version} (${platform})`;
  if (text(found) !== text(build)) throw extensionMismatch(url, text(build), text(found));

  const setting = await custom(connection);
  const blob = URL.createObjectURL(new Blob([bytes]));
  try {
    // Behind `#`, the path that the engine appends is not part of the address.
    await connection.query(`SET custom_extension_repository = ${literal(`${blob}#`)}`);
    await connection.query(`LOAD ${name}`);
  } finally {
    URL.revokeObjectURL(blob);
    // As it was: the engine may be the page's own.
    await connection.query(
      setting
        ? `SET custom_extension_repository = ${literal(setting)}`
        : "RESET custom_extension_repository",
    );
  }
}

/** The version of an extension that is loaded; `undefined` where it is not. */
async function loadedVersion(connection: AsyncDuckDBConnection, name: string) {
  const loaded = await connection.query(
    `SELECT extension_version AS version FROM duckdb_extensions() WHERE loaded AND extension_name = ${literal(name)}`,
  );
  const [row] = loaded.toArray() as { version: string | null }[];
  return row && (row.version ?? "");
}

/** Where extensions are taken from by a setting of the engine. */
async function custom(connection: AsyncDuckDBConnection): Promise<string | null> {
  const asked = "SELECT current_setting('custom_extension_repository') AS setting";
  const [row] = (await connection.query(asked)).toArray() as { setting: string | null }[];
  return row?.setting ?? null;
}

async function fetchExtension(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url);
    if (response.ok) return await response.arrayBuffer();
  } catch (cause) {
    throw extensionMissing(url, cause);
  }
  throw extensionMissing(url);
}

/**
 * The footer of an extension: eight fields of 32 bytes, last first, then a signature of 256 bytes.
 * Source: DuckDB, `scripts/append_metadata.cmake`.
 */
function buildOf(bytes: ArrayBuffer): Build {
  const footer = new Uint8Array(bytes.slice(-512));
  const field = (number: number) => {
    const text = new TextDecoder().decode(footer.subarray((8 - number) * 32, (9 - number) * 32));
    return text.replace(/\0+$/, "");
  };
  return { platform: field(2), version: field(3) };
}
