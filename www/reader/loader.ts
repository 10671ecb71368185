import * as wasm from "../wasm/fdl_reader.js";
import { FdlError } from "./errors.js";

/** Where a wasm comes from: an address, its bytes, or a module that is compiled already. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

/** What wasm-bindgen makes of a wasm; `default` starts it. */
interface Bound {
  default: (from: { module_or_path: WasmSource }) => Promise<unknown>;
}

/** What wasm-bindgen made, and where the wasm itself is. */
interface Found<Wasm extends Bound> {
  wasm: Wasm;
  source: WasmSource;
}

/** A wasm that is loaded once, when something first needs it. */
export class Loader<Wasm extends Bound> {
  #find: () => Promise<Found<Wasm>>;
  #ready: Promise<Wasm> | undefined;

  constructor(find: () => Promise<Found<Wasm>>) {
    this.#find = find;
  }

  /** Finds it elsewhere, where that is said before it is first needed. */
  use(find: () => Promise<Found<Wasm>>): void {
    this.#find = find;
  }

  /**
   * Loads it. A failure is not kept: offline now must not mean never.
   *
   * @throws {FdlError} `wasm_not_loaded`
   */
  load(): Promise<Wasm> {
    return (this.#ready ??= this.#start().catch((cause: unknown) => {
      this.#ready = undefined;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new FdlError(
        {
          code: "wasm_not_loaded",
          message: `The reader itself could not be loaded: ${reason}. Reload the page, or in Node install the package again; a page's content security policy must allow 'wasm-unsafe-eval'.`,
          facts: { reason },
        },
        { cause },
      );
    }));
  }

  async #start(): Promise<Wasm> {
    const { wasm, source } = await this.#find();
    await wasm.default({ module_or_path: source });
    return wasm;
  }
}

/**
 * The first lets Web Cryptography check signatures by ECDSA and RSA, which weighs nothing; a page that was
 * not loaded securely has none, and needs the one that has all of it inside.
 */
type ReaderFile = "fdl_reader_bg.wasm" | "fdl_reader_whole_bg.wasm";

/** What reads repositories. */
export const reader = new Loader(() =>
  fitting((file) =>
    file === "fdl_reader_bg.wasm" // names in full, as bundlers must find them
      ? new URL("../wasm/fdl_reader_bg.wasm", import.meta.url)
      : new URL("../wasm/fdl_reader_whole_bg.wasm", import.meta.url),
  ),
);

/** The bindings that fit where this runs, and the wasm that `source` gives for them. */
async function fitting(
  source: (file: ReaderFile) => WasmSource | Promise<WasmSource>,
): Promise<Found<typeof wasm>> {
  if ("subtle" in globalThis.crypto) return { wasm, source: await source("fdl_reader_bg.wasm") };
  const whole = (await import("../wasm/fdl_reader_whole.js")) as unknown as typeof wasm;
  return { wasm: whole, source: await source("fdl_reader_whole_bg.wasm") };
}

/**
 * Names another place for the wasm than beside this file, before the first repository is opened.
 * Nothing is loaded until then. `source` is told which file is needed: `fdl_reader_bg.wasm`, or
 * `fdl_reader_whole_bg.wasm` in a page that was not loaded securely.
 */
export function useWasm(source: (file: ReaderFile) => WasmSource | Promise<WasmSource>): void {
  reader.use(() => fitting(source));
}
