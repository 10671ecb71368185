/** The elements of a page that shows an FDL repository. Importing this registers them. */
import { FdlData } from "./data.js";
import { FdlDataset } from "./dataset.js";
import { register } from "./element.js";
import { FdlGrid } from "./grid.js";
import { FdlHistory } from "./history.js";
import { FdlQuery } from "./query.js";
import { FdlRefs } from "./refs.js";
import { FdlReport } from "./report.js";
import { FdlRows } from "./rows.js";
import { FdlTable } from "./table.js";
import { FdlTables } from "./tables.js";
import { FdlVerdict } from "./verdict.js";
import { FdlVersion } from "./version.js";
import { FdlViewer } from "./viewer.js";
import { FdlWarnings } from "./warnings.js";

export { configureEngine, sharedEngine } from "./engine.js";
export type { VerifyData } from "./data.js";
export type { ChooseRef, ChooseTable, Navigate, Show } from "./events.js";
export type { WalkHistory } from "./history.js";
export type { RunQuery } from "./query.js";
export type { LoadRows } from "./rows.js";
export type { ColumnShown, TableShown } from "./table-shown.js";
export type { Trust } from "./trusted-signers.js";
export type { Step } from "./version-tables.js";
export {
  FdlData,
  FdlDataset,
  FdlGrid,
  FdlHistory,
  FdlQuery,
  FdlRefs,
  FdlReport,
  FdlRows,
  FdlTable,
  FdlTables,
  FdlVerdict,
  FdlVersion,
  FdlViewer,
  FdlWarnings,
};

register("fdl-data", FdlData);
register("fdl-dataset", FdlDataset);
register("fdl-grid", FdlGrid);
register("fdl-history", FdlHistory);
register("fdl-query", FdlQuery);
register("fdl-refs", FdlRefs);
register("fdl-report", FdlReport);
register("fdl-rows", FdlRows);
register("fdl-table", FdlTable);
register("fdl-tables", FdlTables);
register("fdl-verdict", FdlVerdict);
register("fdl-version", FdlVersion);
register("fdl-viewer", FdlViewer);
register("fdl-warnings", FdlWarnings);

declare global {
  interface HTMLElementTagNameMap {
    "fdl-data": FdlData;
    "fdl-dataset": FdlDataset;
    "fdl-grid": FdlGrid;
    "fdl-history": FdlHistory;
    "fdl-query": FdlQuery;
    "fdl-refs": FdlRefs;
    "fdl-report": FdlReport;
    "fdl-rows": FdlRows;
    "fdl-table": FdlTable;
    "fdl-tables": FdlTables;
    "fdl-verdict": FdlVerdict;
    "fdl-version": FdlVersion;
    "fdl-viewer": FdlViewer;
    "fdl-warnings": FdlWarnings;
  }
}
