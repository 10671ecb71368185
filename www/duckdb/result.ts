/** A query's answer. Every value is text as DuckDB writes it, so that JavaScript bends none. */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import { queryFailed, reasonOf, valuesNotExact } from "./failures.js";
import { statementsOf } from "./statements.js";

/** A query's answer. */
export interface QueryResult {
  /** None where the statement is of a kind that gives no rows. */
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

/**
 * Runs SQL on a connection of its own, and reads no more rows than are wanted. Of several statements
 * the last one's answer is given; where one of them cannot be parsed, none is run.
 */
export async function ask(
  connection: AsyncDuckDBConnection,
  sql: string,
  options: QueryOptions,
): Promise<QueryResult> {
  const statements = await statementsOf(connection.bindings, sql);
  const last = statements.pop();
  if (last === undefined) {
    // Nothing but comments, or what begins with no token: then DuckDB says so.
    await run(connection, `SELECT NULL;\n${sql}`, options).catch(oneLineUp);
    return { columns: [], rows: [], more: false };
  }
  if (statements.length > 0) await parse(connection, sql);
  for (const statement of statements) {
    await run(connection, statement, options);
  }
  options.signal?.throwIfAborted();
  // CALL of a function that gives rows is a query of them.
  const statement = last.replace(/^(\s*)CALL\b/i, "$1FROM");
  const columns = await describe(connection, statement);
  options.signal?.throwIfAborted();
  if (!columns) return await changesOf(connection, last, isOpenAfter(statements), options);
  const asText = `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (\n${statement}\n)`;
  return { ...(await answerOf(connection, asText, "query", options).catch(oneLineUp)), columns };
}

/**
 * What a statement gives that is no query. Its values are told as they come, and not all of them can be:
 * then what the statement changed is undone.
 */
async function changesOf(
  connection: AsyncDuckDBConnection,
  statement: string,
  inTransaction: boolean,
  options: QueryOptions,
): Promise<QueryResult> {
  if (!/\b(RETURNING|EXECUTE|CALL)\b/i.test(statement)) {
    return await answerOf(connection, statement, "statement", options);
  }
  // A transaction of the visitor's own is undone as a whole: who left it open sees none of it.
  if (!inTransaction) await connection.query("BEGIN");
  try {
    const answer = await answerOf(connection, statement, "undoable statement", options);
    if (!inTransaction) await connection.query("COMMIT");
    return answer;
  } catch (cause) {
    await connection.cancelSent();
    await connection.query("ROLLBACK").catch(() => undefined); // DuckDB may have done so itself
    throw cause;
  }
}

/** Whether statements leave a transaction open. */
function isOpenAfter(statements: string[]): boolean {
  const bounds = /^\s*(BEGIN|START|COMMIT|END|ROLLBACK|ABORT)\b/i;
  const last = statements.filter((statement) => bounds.test(statement)).at(-1);
  return last !== undefined && /^\s*(BEGIN|START)\b/i.test(last);
}

/** Runs what it gives to its end: only so is all of it done. */
async function run(
  connection: AsyncDuckDBConnection,
  statement: string,
  { signal }: QueryOptions,
): Promise<void> {
  const batches = await connection.send(statement, true);
  while (!(await batches.next()).done) signal?.throwIfAborted();
}

/** Throws where a text of several statements cannot be parsed: to prepare them DuckDB parses them all. */
async function parse(connection: AsyncDuckDBConnection, sql: string): Promise<void> {
  try {
    await (await connection.prepare(sql)).close();
  } catch (cause) {
    if (reasonOf(cause).startsWith("Parser Error")) throw cause;
  }
}

/** The columns of a query that gives rows; `undefined` for what is not one. */
async function describe(connection: AsyncDuckDBConnection, statement: string) {
  const isQuery = /^\s*((SELECT|FROM|WITH|VALUES|TABLE|PIVOT|UNPIVOT)\b|\()/i.test(statement);
  const isQuestion = /^\s*(DESCRIBE|DESC|SHOW|SUMMARIZE)\b/i.test(statement);
  if (!isQuery && !isQuestion) return undefined;
  try {
    const described = await connection.query(
      isQuery ? `DESCRIBE ${statement}` : `DESCRIBE (${statement}\n)`,
    );
    const rows = described.toArray() as { column_name: string; column_type: string }[];
    return rows.map((row) => ({ name: row.column_name, type: row.column_type }));
  } catch {
    // Running it says what is wrong with it, if anything is.
    return undefined;
  }
}

/** What else than text is exact in JavaScript, by Arrow's names; what is called so in DuckDB. */
const exact: Readonly<Record<string, string>> = {
  Utf8: "VARCHAR",
  Bool: "BOOLEAN",
  Int8: "TINYINT",
  Int16: "SMALLINT",
  Int32: "INTEGER",
  Int64: "BIGINT",
  Uint8: "UTINYINT",
  Uint16: "USMALLINT",
  Uint32: "UINTEGER",
  Uint64: "UBIGINT",
  Float64: "DOUBLE",
};

/** What is asked: a query gives nothing but text, and may be left in the middle. */
type Kind = "query" | "statement" | "undoable statement";

type Exact = string | number | bigint | boolean | null | undefined;

/** What one statement gives. */
async function answerOf(
  connection: AsyncDuckDBConnection,
  statement: string,
  kind: Kind,
  { limit = Infinity, signal }: QueryOptions,
): Promise<QueryResult> {
  const result: QueryResult = { columns: [], rows: [], more: false };
  const batches = await connection.send(statement, true);
  for await (const batch of batches) {
    signal?.throwIfAborted();
    const fields = batch.schema.fields;
    result.columns = fields.map(({ name, type }) => ({
      name,
      type: typeOf(name, String(type), kind),
    }));
    const vectors = fields.map((_, index) => batch.getChildAt(index));
    for (let row = 0; row < batch.numRows; row++) {
      if (result.rows.length >= limit) {
        result.more = true;
        if (kind !== "query") break; // only at its end all of it is done
        await connection.cancelSent();
        return result;
      }
      const value = (vector: (typeof vectors)[number]) => vector?.get(row) as Exact;
      result.rows.push(vectors.map((vector) => text(value(vector))));
    }
  }
  signal?.throwIfAborted();
  const [first, ...others] = result.columns;
  // With these names DuckDB says of a statement that gives no rows that it ran.
  const onlyRan = others.length === 0 && (first?.name === "Success" || first?.name === "Count");
  return onlyRan && result.rows.length === 0 ? { ...result, columns: [] } : result;
}

function typeOf(column: string, arrow: string, kind: Kind): string {
  const type = exact[arrow];
  if (type === undefined) throw valuesNotExact(column, arrow, kind === "undoable statement");
  return type;
}

function text(value: Exact): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** The query stood one line further down than in the visitor's text. The caret stays where it points. */
function oneLineUp(cause: unknown): never {
  const reason = reasonOf(cause);
  const said = reason.replace(/^LINE (\d+):(?=.*\n *\^\s*$)/m, (found, line: string) =>
    `LINE ${String(Number(line) - 1)}:`.padEnd(found.length),
  );
  throw said === reason ? cause : queryFailed(said);
}
