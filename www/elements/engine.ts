/** The page's one engine, shared by every element on it and started when first needed. */
import type { Engine, EngineOptions } from "../duckdb/index.js";

/** What is one for the whole page, also where several copies of this package are on it. */
interface Shared {
  options: EngineOptions;
  engine: Promise<Engine> | undefined;
  /** The names that versions are attached under. */
  aliases: Set<string>;
}

/** Copies whose engines have another shape have a number of their own. */
const key = Symbol.for("fdl-reader/engine/1");
const page = globalThis as unknown as Record<symbol, Shared | undefined>;
const shared = (page[key] ??= { options: {}, engine: undefined, aliases: new Set() });

/**
 * Says where the page's engine and its extensions lie, or gives the page's own engine; without it they
 * come from DuckDB's own places. Counts until the engine is started, which the first rows do.
 */
export function configureEngine(chosen: EngineOptions): void {
  shared.options = chosen;
}

/**
 * The engine. Nothing of DuckDB is loaded before the first call. One that was lost is followed by a
 * new one.
 */
export function sharedEngine(): Promise<Engine> {
  return (shared.engine ??= start());
}

function start(): Promise<Engine> {
  const starting: Promise<Engine> = import("../duckdb/index.js")
    .then(({ startEngine }) => startEngine(shared.options))
    .then((engine) => {
      engine.lost.addEventListener("abort", forget);
      return engine;
    });
  const forget = () => {
    if (shared.engine === starting) shared.engine = undefined;
  };
  starting.catch(forget); // offline now must not mean never
  return starting;
}

/** A name for a version's tables that no other viewer on the page uses: `lake`, `lake2`, … */
export function takeAlias(): string {
  const { aliases } = shared;
  let alias = "lake";
  for (let n = 2; aliases.has(alias); n++) alias = `lake${String(n)}`;
  aliases.add(alias);
  return alias;
}

export function giveBackAlias(alias: string): void {
  shared.aliases.delete(alias);
}
