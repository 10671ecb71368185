/** A table as the page shows it: the catalog's facts with the publisher's words. */
import type { LakeTable } from "../duckdb/index.js";
import type { Dataset, TableDescription } from "../reader/types.js";

export interface TableShown {
  schema: string;
  name: string;
  title: string | null;
  description: string | null;
  rows: number | null;
  columns: ColumnShown[];
  /** Why it cannot be read here. */
  refused: string | null;
}

export interface ColumnShown {
  name: string;
  type: string | null;
  title: string | null;
  description: string | null;
}

/**
 * The tables of a version, in the description's order. The catalog says which there are, once it
 * has been read; until then the description is all there is. `null` where neither says anything.
 */
export function tablesOf(dataset: Dataset | null, lake: LakeTable[] | null): TableShown[] | null {
  const described = dataset?.tables ?? [];
  if (!lake) {
    return described.length > 0 ? described.map(asDescribed) : null;
  }
  const place = (table: LakeTable) => {
    const at = described.findIndex(isCalled(table));
    return at < 0 ? described.length : at;
  };
  return [...lake]
    .sort((one, other) => place(one) - place(other))
    .map((table) => merged(table, described.find(isCalled(table))));
}

function asDescribed(table: TableDescription): TableShown {
  return {
    ...table,
    title: titled(table, table.name),
    columns: table.columns.map((column) => ({ ...column, title: titled(column, column.name) })),
    refused: null,
  };
}

/** The title, where it says more than the name. */
function titled(description: { title: string | null } | undefined, name: string): string | null {
  const title = description?.title ?? null;
  return title === name ? null : title;
}

function merged(table: LakeTable, description: TableDescription | undefined): TableShown {
  const readable = table.refused === null;
  // Of a table that cannot be read, the description is all that is known.
  const known = readable ? table.columns : (description?.columns ?? []).map(withoutComment);
  return {
    schema: table.schema,
    name: table.name,
    title: titled(description, table.name),
    description: description?.description ?? table.comment,
    rows: (readable ? table.rows : null) ?? description?.rows ?? null,
    columns: known.map(({ name, type, comment }) => {
      const column = description?.columns.find((one) => one.name === name);
      return {
        name,
        type,
        title: titled(column, name),
        description: column?.description ?? comment,
      };
    }),
    refused: table.refused,
  };
}

const withoutComment = <Column extends object>(column: Column) => ({ ...column, comment: null });

function isCalled({ schema, name }: { schema: string; name: string }) {
  return (table: { schema: string; name: string }) =>
    table.schema === schema && table.name === name;
}

/** The table that `wanted` means, `schema.name` or `name`; without one, the first. */
export function chosenTable(tables: TableShown[] | null, wanted: string | null): TableShown | null {
  if (!tables) return null;
  if (!wanted) return tables[0] ?? null;
  return (
    tables.find((table) => `${table.schema}.${table.name}` === wanted) ??
    tables.find((table) => table.name === wanted) ??
    null
  );
}
