/** What the elements tell the page. Each event bubbles out of the shadow trees. */

/** A visitor chose a branch, a tag or a version. */
export interface ChooseRef {
  /** A full ref name or a version ID. */
  ref: string;
}

/** A visitor chose a table. */
export interface ChooseTable {
  schema: string;
  name: string;
}

/** The viewer went to another ref or table because the visitor chose it. */
export interface Navigate {
  /** As in the viewer's attribute; `null` for the default. */
  ref: string | null;
  table: string | null;
}

/** The viewer shows a version. */
export interface Show {
  /** The dataset's title. */
  title: string;
  /** The version's ID. */
  version: string;
}

/** Each event and what it carries. */
export interface Told {
  "fdl-choose-ref": ChooseRef;
  "fdl-choose-table": ChooseTable;
  "fdl-navigate": Navigate;
  "fdl-show": Show;
}

declare global {
  interface HTMLElementEventMap {
    "fdl-choose-ref": CustomEvent<Told["fdl-choose-ref"]>;
    "fdl-choose-table": CustomEvent<Told["fdl-choose-table"]>;
    "fdl-navigate": CustomEvent<Told["fdl-navigate"]>;
    "fdl-show": CustomEvent<Told["fdl-show"]>;
  }
}
