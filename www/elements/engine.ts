/** The page's one engine, shared by every element on it and started when first needed. */
import type { Engine, EngineOptions } from "../duckdb/index.js";

let options: EngineOptions = {};
let engine: Promise<Engine> | undefined;

/**
 * Says where the page's engine and its extensions lie; without it they come from DuckDB's own
 * places. Counts until the engine is started, which the first rows do.
 */
export function configureEngine(chosen: EngineOptions): void {
  options = chosen;
}

/** The engine. Nothing of DuckDB is loaded before the first call. */
export function sharedEngine(): Promise<Engine> {
  return (engine ??= start().catch((cause: unknown) => {
    engine = undefined; // offline now must not mean never
    throw cause;
  }));
}

async function start(): Promise<Engine> {
  const { startEngine } = await import("../duckdb/index.js");
  return startEngine(options);
}

const taken = new Set<string>();

/** A name for a version's tables that no other viewer on the page uses: `lake`, `lake2`, … */
export function takeAlias(): string {
  let alias = "lake";
  for (let n = 2; taken.has(alias); n++) alias = `lake${n}`;
  taken.add(alias);
  return alias;
}

export function giveBackAlias(alias: string): void {
  taken.delete(alias);
}
