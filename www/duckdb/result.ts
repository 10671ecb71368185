/** A query's answer. Every value is text as DuckDB writes it, so that JavaScript bends none. */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";

/** A query's answer. */
export interface QueryResult {
  columns: { name: string; type: string }[];
  /** Every value as DuckDB writes it, NULL as `null`. */
  rows: (string | null)[][];
  /** Whether there are more rows than `limit` allowed. */
  more: boolean;
}

/** What can be said with a query. */
export interface QueryOptions {
  /** Give no more rows than this. Default: all. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs SQL on a connection of its own, and reads no more rows than are wanted. */
export async function ask(
  connection: AsyncDuckDBConnection,
  sql: string,
  { limit = Infinity, signal }: QueryOptions,
): Promise<QueryResult> {
  const columns = await describe(connection, sql);
  signal?.throwIfAborted();
  const asText = columns ? `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${unterminated(sql)}\n)` : sql;
  const result: QueryResult = { columns: columns ?? [], rows: [], more: false };
  for await (const batch of await connection.send(asText, true)) {
    signal?.throwIfAborted();
    const fields = batch.schema.fields;
    if (result.columns.length === 0) {
      result.columns = fields.map(({ name, type }) => ({ name, type: String(type) }));
    }
    const vectors = fields.map((_, index) => batch.getChildAt(index));
    for (let row = 0; row < batch.numRows; row++) {
      if (result.rows.length >= limit) {
        await connection.cancelSent();
        return { ...result, more: true };
      }
      const value = (vector: (typeof vectors)[number]) => vector?.get(row) as Scalar;
      result.rows.push(vectors.map((vector) => text(value(vector))));
    }
  }
  signal?.throwIfAborted();
  return result;
}

/** The columns of a query that gives rows; `undefined` for what is not one. */
async function describe(connection: AsyncDuckDBConnection, sql: string) {
  try {
    const described = await connection.query(`DESCRIBE SELECT * FROM (${unterminated(sql)}\n)`);
    const rows = described.toArray() as { column_name: string; column_type: string }[];
    return rows.map((row) => ({ name: row.column_name, type: row.column_type }));
  } catch {
    // Running it says what is wrong with it, if anything is.
    return undefined;
  }
}

/** What DuckDB gives where it does not give text: to EXPLAIN, INSERT and the like. */
type Scalar = string | number | bigint | boolean | null | undefined;

function unterminated(sql: string): string {
  return sql.replace(/[\s;]+$/, "");
}

function text(value: Scalar): string | null {
  return value === null || value === undefined ? null : String(value);
}
