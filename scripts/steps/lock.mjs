/** One run at a time in this checkout: `npm start` in one terminal, `npm test` in another. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { inRoot } from "./root.mjs";

const path = inRoot("build", "running");

/** Waits until no other run sets up or builds here, then does `work`. */
export async function alone(work) {
  mkdirSync(inRoot("build"), { recursive: true });
  for (let told = false; !taken(); await wait(200)) {
    if (!told) console.log("Another run is setting up or building here; waiting for it …");
    told = true;
  }
  const leave = () => rmSync(path, { force: true });
  process.once("exit", leave);
  try {
    return await work();
  } finally {
    process.off("exit", leave);
    leave();
  }
}

/** Takes the place, unless a run that is still alive holds it. */
function taken() {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!holderIsAlive()) rmSync(path, { force: true });
    return false;
  }
}

/** One that was broken off leaves its number behind, which another program may get later. */
const LONGEST_RUN = 60 * 60 * 1000; // milliseconds

function holderIsAlive() {
  try {
    if (Date.now() - statSync(path).mtimeMs > LONGEST_RUN) return false;
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
