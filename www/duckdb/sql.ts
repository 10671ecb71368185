/** A name as DuckDB reads it, with quotes in it doubled. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as DuckDB reads it, with quotes in it doubled. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A part of a name that nothing else in an engine has, whoever else uses the engine too. */
export function unique(): string {
  return Math.random().toString(36).slice(2);
}
