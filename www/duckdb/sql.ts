/** A name as DuckDB reads it, with quotes in it doubled. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as DuckDB reads it, with quotes in it doubled. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
