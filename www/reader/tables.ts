/** The tables of a version, as far as they are known without its catalog. */
import type { ColumnDescription, TableDescription, TableFiles } from "./types.js";
import type { Version } from "./version.js";

/**
 * As dataset.json describes them, or else as files.json lists them; `null` where neither says what
 * the version holds.
 */
export function tablesOf({ dataset, files }: Version): TableDescription[] | null {
  if (dataset && (dataset.tables.length > 0 || !files)) return dataset.tables;
  return files ? files.tables.map(listed) : null;
}

function listed({ schema, name, columns, files, inlined }: TableFiles): TableDescription {
  const counts = files.map(({ record_count, delete_file }) => {
    const deleted = delete_file ? delete_file.delete_count : 0;
    return record_count === null || deleted === null ? NaN : record_count - deleted;
  });
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return {
    schema,
    name,
    title: null,
    description: null,
    // Rows and deletes that lie in the catalog are not counted in files.json.
    rows: inlined === false && !Number.isNaN(rows) ? rows : null,
    columns: (columns ?? []).map(described),
  };
}

function described({ name, type }: { name: string; type: string }): ColumnDescription {
  return { name, type, title: null, description: null };
}
