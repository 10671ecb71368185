/** `npm start`: all the set-up, the build, and the portal served on this machine. */
import { startHost } from "../tests/hosts/server.mjs";
import { Sentence } from "./steps/command.mjs";
import { building } from "./steps/index.mjs";
import { main, take } from "./steps/progress.mjs";
import { inRoot } from "./steps/root.mjs";
import { wasmSizes } from "./steps/wasm.mjs";

const port = Number(process.env.PORT ?? 4173);

await main(async () => {
  await (await serve()).close(); // a port that is taken is told before minutes of building
  await take(building);
  console.log(wasmSizes());

  await serve();
  console.log(`The portal is served until Ctrl+C is pressed:\nhttp://localhost:${port}/`);
});

/**
 * The site is plain files, so the tests' plain host serves it. (Vite's does not find a file whose
 * name has an encoded `=` or `#`, as partitions have.)
 */
async function serve() {
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Sentence(`PORT must be a number from 1 to 65535, not ${process.env.PORT}.`);
  }
  const site = {
    root: inRoot("dist", "site"),
    port,
    cors: true, // a page on another port may embed fdl-viewer.js
    headers: { "cache-control": "no-cache" }, // a new build shows at once
  };
  return startHost(site).catch(({ code }) => {
    throw new Sentence(
      code === "EADDRINUSE"
        ? `Port ${port} is taken: stop what listens there, or choose another, as in PORT=4200 npm start.`
        : `Port ${port} cannot be used (${code}): choose another, as in PORT=4200 npm start.`,
    );
  });
}
