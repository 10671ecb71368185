/** `fdl-reader`: open a repository, follow a ref, decide whether to believe the version. */
export { FdlError } from "./errors.js";
export { useWasm, type WasmSource } from "./loader.js";
export {
  openRepository,
  readTrustedSigners,
  Repository,
  type CallOptions,
  type RepositoryOptions,
} from "./repository.js";
export { TipWarning, type TipStore } from "./tips.js";
export type * from "./types.js";
export { Verdict } from "./verdict.js";
export {
  Version,
  type CatalogOptions,
  type DataOptions,
  type DataProgress,
  type Progress,
} from "./version.js";
