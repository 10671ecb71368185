/**
 * Takes the words out of panics: in a page there is nobody who hears them.
 *
 * A panic ends the wasm with a trap, and its message, the place and all that writes them go nowhere.
 * Stable Rust has no switch for that, so it is done to the module: what begins a panic traps at once,
 * and wasm-opt then drops what only led there.
 */
import { readFileSync, writeFileSync } from "node:fs";

/** Functions of Rust's own libraries, by the beginnings of their names. None of them returns. */
const beginsPanic = [
  "core::panicking::",
  "core::option::expect_failed",
  "core::option::unwrap_failed",
  "core::result::unwrap_failed",
  "core::cell::panic_already_",
  "core::slice::index::slice_index_fail",
  "core::slice::copy_from_slice_impl::len_mismatch_fail",
  "core::str::slice_error_fail",
  "alloc::raw_vec::capacity_overflow",
  "alloc::raw_vec::handle_error",
  "alloc::alloc::handle_alloc_error",
];

/**
 * What writes a value for whoever mends a program: panics and nothing else (a test forbids `{:?}` in
 * the crate), but it is reached by way of tables, which wasm-opt leaves as they are. It writes nothing.
 */
const writesDebug = " as core::fmt::Debug>::fmt";

/** Rewrites a module that still has the names of its functions. */
export async function silencePanics(path) {
  // Not imported above: where these scripts begin, npm's packages may still have to be installed.
  const { default: binaryen } = await import("binaryen");
  binaryen.setDebugInfo(true); // writes the names too: wasm-opt puts those together that are alike
  const module = binaryen.readBinary(readFileSync(path));
  let silenced = 0;
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const reference = module.getFunctionByIndex(index);
    // A crate's name may have a hash behind it: core[0123456789abcdef]::panicking::panic.
    const name = binaryen.getFunctionInfo(reference).name.replaceAll(/\[[0-9a-f]+\]/g, "");
    if (name.includes(writesDebug)) {
      binaryen.Function(reference).body = module.i32.const(0);
      continue;
    }
    if (!beginsPanic.some((beginning) => name.startsWith(beginning))) continue;
    binaryen.Function(reference).body = module.unreachable();
    silenced++;
  }
  if (silenced === 0) throw new Error(`${path} names none of the functions that begin a panic.`);
  const data = segments(module);
  if (forgetPlaces(data) === 0) throw new Error(`${path} names none of the places of its panics.`);
  module.setMemory(module.getMemoryInfo().initial, -1, null, data);
  writeFileSync(path, module.emitBinary());
  module.dispose();
}

/** What lies in the memory at the start. */
function segments(module) {
  return Array.from({ length: module.getNumDataSegments() }, (_, index) => {
    const { name, offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(index));
    return { name, address: offset, offset: module.i32.const(offset), data: new Uint8Array(data) };
  });
}

/**
 * A place is the address and the length of the name of a Rust file, a line and a column. Only panics
 * read them, but they are data, which wasm-opt leaves as it is; zeros cost a visitor nothing.
 */
function forgetPlaces(segments) {
  const at = (address, length) => {
    const segment = segments.find(
      (segment) =>
        segment.address <= address && address + length <= segment.address + segment.data.length,
    );
    return segment?.data.subarray(address - segment.address, address - segment.address + length);
  };
  const forgotten = [];
  for (const { address, data } of segments) {
    const view = new DataView(data.buffer);
    for (let start = -address & 3; start + 16 <= data.length; start += 4) {
      const [name, length, line, column] = [0, 4, 8, 12].map((member) =>
        view.getUint32(start + member, true),
      );
      const isPlace = length < 256 && 0 < line && line < 1e5 && 0 < column && column < 1000;
      const file = isPlace && at(name, length);
      if (!file || !/^[\w./ -]+\.rs$/.test(Buffer.from(file).toString("latin1"))) continue;
      forgotten.push(file, data.subarray(start, start + 16));
    }
  }
  for (const bytes of forgotten) bytes.fill(0);
  return forgotten.length;
}
