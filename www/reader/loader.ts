import init, * as wasm from "../wasm/fdl_reader.js";
import { FdlError } from "./errors.js";

/** Where the wasm comes from: an address, its bytes, or a module that is compiled already. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

let source = (): WasmSource | Promise<WasmSource> =>
  new URL("../wasm/fdl_reader_bg.wasm", import.meta.url);
let ready: Promise<typeof wasm> | undefined;

/**
 * Names another place for the wasm than beside this file, before the first repository is opened.
 * Nothing is loaded until then.
 */
export function useWasm(given: () => WasmSource | Promise<WasmSource>): void {
  source = given;
}

/** The wasm, loaded once. A failure is not kept: offline now must not mean never. */
export function load(): Promise<typeof wasm> {
  return (ready ??= instantiate().catch((cause: unknown) => {
    ready = undefined;
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

async function instantiate(): Promise<typeof wasm> {
  await init({ module_or_path: await source() });
  return wasm;
}
