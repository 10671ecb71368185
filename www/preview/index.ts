/** `fdl-reader/preview`: rows of a table without an engine, where they can be shown exactly. */
export { isNotPreviewable, type Reason } from "./failures.js";
export { preview, Preview, type PageOptions, type PreviewResult } from "./preview.js";
export type { Fetch } from "./remote-file.js";
