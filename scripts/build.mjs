/** `npm run build`: all the set-up that building needs, then dist/. */
import { building } from "./steps/index.mjs";
import { main, take } from "./steps/progress.mjs";
import { wasmSizes } from "./steps/wasm.mjs";

await main(async () => {
  await take(building);
  console.log(wasmSizes());
});
