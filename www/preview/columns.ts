/** A table's columns in a Parquet file: which leaves hold them, by field id, and how they are shown. */
import type { SchemaTree } from "hyparquet";
import type { ColumnOfFiles } from "../reader/index.js";
import { defaultText } from "./defaults.js";
import { notPreviewable } from "./failures.js";
import type { Raw } from "./pages.js";
import type { Leaf, ParquetFile } from "./parquet-file.js";
import { isKnown, scalar } from "./scalars.js";
import * as text from "./text.js";

/** How a column of the table is shown, from what the leaves of a file hold in one row. */
export interface Reading {
  /** The leaves that it takes. */
  leaves: Leaf[];
  /** The text of the value; `of` gives what a leaf holds. `null`: NULL. */
  text(of: (leaf: Leaf) => Raw): string | null;
}

/** What a column is by its type in DuckDB's words. */
type Kind = "list" | "map" | "struct" | "scalar";

function kindOf(type: string): Kind {
  if (/\]$/.test(type)) return "list";
  if (type.startsWith("MAP(")) return "map";
  if (type.startsWith("STRUCT(")) return "struct";
  return "scalar";
}

/** As many columns are in one of the kind; a struct has any number. */
const children = { list: 1, map: 2, scalar: 0 };

/**
 * Why a column cannot be shown exactly, as far as that can be told before any file is read.
 *
 * @throws {FdlError} `not_previewable`
 */
export function checkColumn(column: ColumnOfFiles, depth = 0): void {
  const { type } = column;
  const kind = kindOf(type);
  if (kind !== "struct" && column.children.length !== children[kind]) {
    throw notPreviewable("too_little_said", type);
  }
  if (kind === "struct" && column.children.length === 0) {
    throw notPreviewable("too_little_said", type);
  }
  if (/\[\d+\]$/.test(type)) throw notPreviewable("type", type);
  if (kind === "scalar" && !isKnown(type)) throw notPreviewable("type", type);
  // DuckDB quotes it in some places and not in others.
  if (depth > 0 && type === "JSON") throw notPreviewable("type", type);
  if (kind !== "scalar" && column.initial_default !== null) throw notPreviewable("default", type);
  defaultOf(column);
  for (const child of column.children) checkColumn(child, depth + 1);
}

function defaultOf({ type, initial_default: initial }: ColumnOfFiles): string | null {
  const shown = defaultText(type, initial);
  if (shown === undefined) throw notPreviewable("default", `${type} ${initial ?? ""}`);
  return shown;
}

/**
 * How a column is read from a file: what the file lacks gives its default.
 *
 * @throws {FdlError} `not_previewable`
 */
export function readingOf(column: ColumnOfFiles, file: ParquetFile): Reading {
  const node = withId(file.root, column.field_id);
  if (!node) {
    const shown = defaultOf(column);
    return { leaves: [], text: () => shown };
  }
  const value = valueOf(column, node, file);
  return { leaves: value.leaves, text: (of) => value.read(of) };
}

/** A column within a file, at some depth. */
interface Value {
  leaves: Leaf[];
  read(of: (leaf: Leaf) => Raw): string | null;
}

function withId(parent: SchemaTree, id: number): SchemaTree | undefined {
  const found = parent.children.filter(({ element }) => element.field_id === id);
  if (found.length > 1) throw notPreviewable("shape", "a field id stands twice");
  return found[0];
}

function valueOf(column: ColumnOfFiles, node: SchemaTree, file: ParquetFile): Value {
  const { element } = node;
  if (element.repetition_type === "REPEATED") throw notPreviewable("shape", element.name);
  switch (kindOf(column.type)) {
    case "scalar":
      return scalarOf(column, node, file);
    case "struct":
      return structOf(column, node, file);
    case "list":
      return listOf(column, node, file);
    case "map":
      return mapOf(column, node, file);
  }
}

function leavesIn(node: SchemaTree, file: ParquetFile): Leaf[] {
  return file.leaves.filter(({ path }) => path.includes(node));
}

function scalarOf(column: ColumnOfFiles, node: SchemaTree, file: ParquetFile): Value {
  const [leaf] = leavesIn(node, file);
  const shown = node.children.length === 0 ? scalar(column.type, node.element) : undefined;
  if (!leaf || !shown) {
    const { type = "group", converted_type: converted = "" } = node.element;
    throw notPreviewable("shape", `${column.type} as ${type} ${converted}`);
  }
  return {
    leaves: [leaf],
    read: (of) => {
      const raw = of(leaf);
      return raw === null ? null : shown(raw);
    },
  };
}

function structOf(column: ColumnOfFiles, node: SchemaTree, file: ParquetFile): Value {
  if (node.children.length === 0 || (node.element.converted_type ?? node.element.logical_type)) {
    throw notPreviewable("shape", column.type);
  }
  const members = column.children.map((child) => {
    const found = withId(node, child.field_id);
    const shown = found ? valueOf(child, found, file) : undefined;
    const initial = shown ? null : defaultOf(child);
    return { child, shown, initial };
  });
  // Any leaf tells whether there is a struct, even one that the table no longer has.
  const [witness] = leavesIn(node, file);
  if (!witness) throw notPreviewable("shape", column.type);
  const leaves = [...new Set([witness, ...members.flatMap(({ shown }) => shown?.leaves ?? [])])];
  return {
    leaves,
    read: (of) => {
      const inner = unwrapped(node, of);
      if (inner(witness) === undefined) return null;
      return text.struct(
        members.map(({ child, shown, initial }) => [
          child.name,
          within(child, shown ? shown.read(inner) : initial),
        ]),
      );
    },
  };
}

function listOf(column: ColumnOfFiles, node: SchemaTree, file: ParquetFile): Value {
  const [child] = column.children;
  const [repeated, ...others] = node.children;
  const isList = node.element.converted_type === "LIST" && others.length === 0;
  if (!child || !repeated || !isList || repeated.element.repetition_type !== "REPEATED") {
    throw notPreviewable("shape", column.type);
  }
  const element = withId(repeated, child.field_id);
  if (!element || repeated.children.length !== 1) throw notPreviewable("shape", column.type);
  const value = valueOf(child, element, file);
  return {
    leaves: value.leaves,
    read: (of) => {
      const entries = entriesOf(node, value.leaves, of);
      return entries && text.list(entries.map((entry) => within(child, value.read(entry))));
    },
  };
}

function mapOf(column: ColumnOfFiles, node: SchemaTree, file: ParquetFile): Value {
  const [keyColumn, valueColumn] = column.children;
  const [repeated, ...others] = node.children;
  const isMap = node.element.converted_type === "MAP" && others.length === 0;
  if (!keyColumn || !valueColumn || !repeated || !isMap) {
    throw notPreviewable("shape", column.type);
  }
  const [key, value] = [keyColumn, valueColumn].map((child) => {
    const found = withId(repeated, child.field_id);
    return found && valueOf(child, found, file);
  });
  if (!key || !value || repeated.element.repetition_type !== "REPEATED") {
    throw notPreviewable("shape", column.type);
  }
  const leaves = [...key.leaves, ...value.leaves];
  return {
    leaves,
    read: (of) => {
      const entries = entriesOf(node, leaves, of);
      return (
        entries &&
        text.map(
          entries.map((entry) => [
            within(keyColumn, key.read(entry)),
            within(valueColumn, value.read(entry)),
          ]),
        )
      );
    },
  };
}

function within({ type }: ColumnOfFiles, shown: string | null): text.Within {
  return { text: shown, nested: kindOf(type) !== "scalar" };
}

/** What leaves hold within a group; `undefined` where there is none. */
function unwrapped({ element }: SchemaTree, of: (leaf: Leaf) => Raw): (leaf: Leaf) => Raw {
  if (element.repetition_type === "REQUIRED") return of;
  return (leaf) => listed(of(leaf))[0];
}

/** The entries of a list or a map, each with what leaves hold in it; `null` where there is none. */
function entriesOf(
  node: SchemaTree,
  leaves: Leaf[],
  of: (leaf: Leaf) => Raw,
): ((leaf: Leaf) => Raw)[] | null {
  const inner = unwrapped(node, of);
  const columns = new Map(leaves.map((leaf) => [leaf, inner(leaf)]));
  const [first] = columns.values();
  if (first === undefined) return null;
  const length = listed(first).length;
  for (const column of columns.values()) {
    if (column === undefined || listed(column).length !== length) {
      throw new Error("the parts of a value differ in their length");
    }
  }
  return Array.from({ length }, (_, at) => (leaf) => listed(columns.get(leaf))[at]);
}

function listed(raw: Raw): readonly Raw[] {
  if (Array.isArray(raw)) return raw as readonly Raw[];
  throw new Error("a list is none");
}
