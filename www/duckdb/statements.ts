/** The statements of a text, as DuckDB's own tokenizer finds them. */
import type { AsyncDuckDB } from "@duckdb/duckdb-wasm";

const SEMICOLON = ";".charCodeAt(0);
const LINE_END = "\n".charCodeAt(0);

/**
 * One by one, without semicolons and what is behind them. Each stands on the line that it has in the
 * text, so that DuckDB names that where something is wrong with it.
 */
export async function statementsOf(db: AsyncDuckDB, sql: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(sql);
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  // Comments are no tokens; a semicolon inside a text begins none.
  const { offsets } = await db.tokenize(sql);
  const statements: string[] = [];
  let start: number | undefined;
  let lines = 0;
  let counted = 0;
  const end = (offset: number) => {
    if (start === undefined) return;
    for (; counted < start; counted++) if (bytes[counted] === LINE_END) lines++;
    statements.push("\n".repeat(lines) + text(start, offset));
    start = undefined;
  };
  for (const offset of offsets) {
    if (bytes[offset] === SEMICOLON) end(offset);
    else start ??= offset;
  }
  end(bytes.length);
  return statements;
}
