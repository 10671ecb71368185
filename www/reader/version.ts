import type * as wasm from "../wasm/fdl_reader.js";
import { crossed, crossing } from "./errors.js";
import type { CallOptions } from "./repository.js";
import type {
  Dataset,
  Expired,
  Files,
  ListedFile,
  Settings,
  VerdictDocument,
  VersionRecord,
} from "./types.js";
import { Verdict } from "./verdict.js";

/** How far the catalog has come, in bytes. */
export interface Progress {
  received: number;
  total: number;
}

/** What can be said when the catalog is read. */
export interface CatalogOptions extends CallOptions {
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far the data files have come, in bytes and in files. */
export interface DataProgress extends Progress {
  /** Files that are done with, whatever came of them. */
  files: number;
  filesTotal: number;
}

/** What can be said when the data files are verified. */
export interface DataOptions extends CallOptions {
  /**
   * The data files as the catalog lists them: `dataFilesOf` of `fdl-reader/duckdb` reads them. They
   * count where the record does not name a files.json.
   */
  files?: ListedFile[] | undefined;
  /** Whether the source files of the record's `inputs` are read too. Default: yes. */
  sources?: boolean | undefined;
  /** How many files are read at once. Default: 4. */
  atOnce?: number | undefined;
  onProgress?: ((progress: DataProgress) => void) | undefined;
}

/** Where a version's data files are: the root that served its catalog, and a folder below it. */
export interface DataPlace {
  root: string;
  /** As in fdl.json, ending in `/`. */
  dataDir: string;
}

/** A version, read and verified. */
export class Version {
  readonly #wasm: wasm.Version;
  readonly id: string;
  /** version.json. */
  readonly record: VersionRecord;
  /** dataset.json; `null` where there is none, or where it is not the one that the record names. */
  readonly dataset: Dataset | null;
  /** files.json, as `dataset`. */
  readonly files: Files | null;
  /** The mark that the version is past retention or withdrawn. */
  readonly expired: Expired | null;
  readonly #dataDir: string;
  readonly #repository: VerdictDocument["repository"];

  /** @internal */
  constructor(read: wasm.Version, { url, settings }: { url: string; settings: Settings }) {
    this.#wasm = read;
    this.#repository = { url, id: settings.id };
    this.#dataDir = settings.data_dir;
    this.id = read.id;
    this.record = read.record as VersionRecord;
    this.dataset = read.dataset as Dataset | null;
    this.files = read.files as Files | null;
    this.expired = read.expired as Expired | null;
  }

  /** @internal */
  get data(): DataPlace {
    return { root: this.#wasm.root, dataDir: this.#dataDir };
  }

  /** What verification came to so far. It grows when the catalog has been read. */
  get verdict(): Verdict {
    return new Verdict(this.#wasm.verdict as VerdictDocument, this.#repository);
  }

  /**
   * Throws where the version's rows may not be read, whichever way.
   *
   * @throws {FdlError} `past_retention`, `withdrawn`, `broken_version`, `untrusted_version`, and where
   * `trustedSigners` is given why a file could not be checked
   */
  mayBeOpened(): void {
    crossed(() => {
      this.#wasm.mayBeOpened();
    });
  }

  /**
   * The URL of a data file or delete file that files.json lists, at the root where data files are read.
   *
   * @throws {FdlError} as `mayBeOpened()`, and `unsafe_path`
   */
  dataUrl(path: string): string {
    return crossed(() => this.#wasm.dataUrl(path));
  }

  /**
   * The bytes of the catalog, verified.
   *
   * Requests: one.
   *
   * @throws {FdlError} `past_retention`, `withdrawn`, `broken_version`, `untrusted_version`, and where
   * `trustedSigners` is given why a file could not be checked, before anything is fetched; then `hash_mismatch`, `size_mismatch`, `missing_file`, …
   */
  async catalog(options: CatalogOptions = {}): Promise<Uint8Array> {
    return await crossing(this.#wasm.catalog(progress(options), options.signal));
  }

  /**
   * The whole verdict: reads the catalog to check it, and keeps none of it. What stands in the way
   * is in the verdict.
   *
   * Requests: one.
   */
  async verify(options: CatalogOptions = {}): Promise<Verdict> {
    const verdict = await crossing(this.#wasm.verify(progress(options), options.signal));
    return new Verdict(verdict as VerdictDocument, this.#repository);
  }

  /**
   * The verdict with the data files, delete files and source files: each is read to check it, and
   * none is kept. Where a hash is recorded, all of a file is read and hashed; where not, its length and
   * its rows are compared, by its end alone. What stands in the way is in the verdict; no file keeps
   * another from being checked, and only `signal` ends the work before its end.
   *
   * Requests: one for each file, `atOnce` at a time.
   *
   * @throws {FdlError} `aborted`, and where `files` is not such a list `invalid_record`, `unsafe_path`
   */
  async verifyData(options: DataOptions = {}): Promise<Verdict> {
    const { files, sources = true, atOnce = 4, onProgress, signal } = options;
    const list = files && JSON.stringify(files);
    const told =
      onProgress &&
      ((received: number, total: number, files: number, filesTotal: number) =>
        onProgress({ received, total, files, filesTotal }));
    const verdict = await crossing(this.#wasm.verifyData(list, sources, atOnce, told, signal));
    return new Verdict(verdict as VerdictDocument, this.#repository);
  }

  /**
   * A data file or delete file of the version, by its path relative to the root, verified: its bytes are
   * those of which the files.json that the record names gives the sha256.
   *
   * Requests: one.
   *
   * @throws {FdlError} as `catalog()`, and `nothing_recorded` where no such hash is given
   */
  async dataFile(
    path: string,
    { onReceived, signal }: CallOptions & { onReceived?: (received: number) => void } = {},
  ): Promise<Uint8Array> {
    return await crossing(this.#wasm.dataFile(path, onReceived, signal));
  }

  /** Gives its memory back. */
  free(): void {
    this.#wasm.free();
  }
}

function progress({ onProgress }: CatalogOptions) {
  return onProgress && ((received: number, total: number) => onProgress({ received, total }));
}
