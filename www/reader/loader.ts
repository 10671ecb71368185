import * as wasm from "../wasm/fdl_reader.js";
import { FdlError } from "./errors.js";

/** Where a wasm comes from: an address, its bytes, or a module that is compiled already. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

type Given = () => WasmSource | Promise<WasmSource>;

/** What wasm-bindgen makes of a wasm; `default` starts it. */
interface Bound {
  default: (from: { module_or_path: WasmSource }) => Promise<unknown>;
}

/** A wasm that is loaded once, when something first needs it. */
export class Loader<Wasm extends Bound> {
  readonly #wasm: Wasm;
  #source: Given;
  #ready: Promise<Wasm> | undefined;

  constructor(wasm: Wasm, source: Given) {
    this.#wasm = wasm;
    this.#source = source;
  }

  /** Names another place for it, before it is first needed. */
  use(source: Given): void {
    this.#source = source;
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
    await this.#wasm.default({ module_or_path: await this.#source() });
    return this.#wasm;
  }
}

/** What reads repositories. */
export const reader = new Loader(
  wasm,
  () => new URL("../wasm/fdl_reader_bg.wasm", import.meta.url),
);

/**
 * Names another place for the wasm than beside this file, before the first repository is opened.
 * Nothing is loaded until then.
 */
export function useWasm(source: () => WasmSource | Promise<WasmSource>): void {
  reader.use(source);
}
