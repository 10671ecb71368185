/** The publisher's views and macros, made in the engine; what they may name, `src/catalog/` has decided. */
import type { Engine } from "./engine.js";
import type { PlannedDefinition, PlannedTable } from "./plan.js";
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
  const inside = await engine.db.connect();
  const outside = await engine.db.connect();
  try {
    await inside.query(`USE ${identifier(alias)}`);
    const failed = new Set<number>();
    for (const [place, { statement, needs, table: at, comment }] of definitions.entries()) {
      const table = at === null ? undefined : tables[at];
      try {
        if (needs.some((need) => failed.has(need))) {
          throw new Error("a view or a macro that it needs no longer holds");
        }
        await inside.query(statement);
        if (comment !== null) await inside.query(comment);
        if (table) table.columns = await columnsOf(outside, alias, table);
      } catch (cause) {
        failed.add(place);
        const reason = cause instanceof Error ? cause.message : String(cause);
        if (table) table.refused = `is a view that does not hold (${firstLine(reason)})`;
      }
    }
  } finally {
    await inside.close();
    await outside.close();
  }
}

type Connection = Awaited<ReturnType<Engine["db"]["connect"]>>;

/** The columns of a view, which its SQL decides. No data file is read for it. */
async function columnsOf(connection: Connection, alias: string, { schema, name }: PlannedTable) {
  const view = [alias, schema, name].map(identifier).join(".");
  const described = await connection.query(`DESCRIBE ${view}`);
  const rows = described.toArray() as { column_name: string; column_type: string }[];
  return rows.map((row) => ({ name: row.column_name, type: row.column_type, comment: null }));
}

/** Below its first line the engine quotes the SQL. */
function firstLine(reason: string): string {
  return reason.split("\n")[0] ?? reason;
}
