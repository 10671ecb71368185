/** The publisher's views and macros, made in the engine; what they may name, `src/catalog/` has decided. */
import type { Engine } from "./engine.js";
import type { PlannedDefinition, PlannedTable } from "./plan.js";
import { reasonOf } from "./failures.js";
import { identifier } from "./sql.js";

/**
 * Makes them in the database `alias`. One that DuckDB does not take (its table lost a column since) is
 * refused by name in `tables`, and so is what needs it.
 */
export async function define(
  engine: Engine,
  alias: string,
  definitions: PlannedDefinition[],
  tables: PlannedTable[],
): Promise<void> {
  if (definitions.length === 0) return;
  // They are found by the names that they use inside their own database: as DuckLake finds them.
  await engine.together(async (run) => {
    await run(`USE ${identifier(alias)}`);
    const failed = new Set<number>();
    for (const [place, { statement, needs, table: at, comment }] of definitions.entries()) {
      const table = at === null ? undefined : tables[at];
      try {
        if (needs.some((need) => failed.has(need))) {
          throw new Error("a view or a macro that it needs no longer holds");
        }
        await run(statement);
        if (comment !== null) await run(comment);
        if (table) table.columns = await columnsOf(engine, alias, table);
      } catch (cause) {
        engine.lost.throwIfAborted();
        failed.add(place);
        if (table) table.refused = `is a view that does not hold (${firstLine(reasonOf(cause))})`;
      }
    }
  });
}

/** The columns of a view, which its SQL decides. No data file is read for it. */
async function columnsOf(engine: Engine, alias: string, { schema, name }: PlannedTable) {
  const view = [alias, schema, name].map(identifier).join(".");
  const { rows } = await engine.query(`DESCRIBE ${view}`);
  return rows.map(([column, type]) => ({ name: column ?? "", type: type ?? "", comment: null }));
}

/** Below its first line the engine quotes the SQL. */
function firstLine(reason: string): string {
  return reason.split("\n")[0] ?? reason;
}
