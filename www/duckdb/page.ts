/** Rows of one table, filtered and sorted; `src/catalog/page.rs` decides from which files. */
import type { Engine } from "./engine.js";
import type { HandOver } from "./plan.js";
import type { QueryResult } from "./result.js";

/** Which rows of a table are wanted. */
export interface RowsRequest {
  /** Default: all. */
  columns?: string[] | undefined;
  /** All of them must hold. */
  filters?: RowsFilter[] | undefined;
  /** NULL comes last. Default: as the rows are stored. */
  order?: { column: string; descending?: boolean | undefined }[] | undefined;
  /** How many rows to pass over. Default: 0. */
  offset?: number | undefined;
  /** Default: 20. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What a row must be like. The value is given as DuckDB writes it. */
export type RowsFilter =
  | { column: string; is: "=" | "<>" | "<" | "<=" | ">" | ">=" | "contains"; value: string }
  | { column: string; is: "null" | "not null" };

/** The rows that are asked for. */
export async function pageOf(
  engine: Engine,
  planned: HandOver,
  { limit = 20, signal, ...request }: RowsRequest & { schema: string; name: string },
): Promise<QueryResult> {
  const page = JSON.stringify({ ...request, limit });
  const asked = planned.filesLeftOut(page);
  const told = asked ? (await engine.query(asked.sql, { signal })).rows : [];
  return await engine.query(
    planned.page(
      page,
      told.map(([id]) => BigInt(id ?? "")),
    ),
    { signal },
  );
}
