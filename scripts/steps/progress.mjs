/**
 * Steps, one after another, each saying which of how many it is.
 *
 * A step is `{ title, doing, done(), run() }`: `title` names what it makes ready, `doing` says
 * what it does to that end, `done` answers whether nothing is left to do.
 */
import { Sentence } from "./command.mjs";
import { alone } from "./lock.mjs";

/** Takes the steps; what two runs at once would both write is written by one after the other. */
export const take = (steps) => alone(() => takeEach(steps));

async function takeEach(steps) {
  for (const [index, { title, doing, done, run }] of steps.entries()) {
    const place = `[${index + 1}/${steps.length}]`;
    if (await done()) {
      console.log(`${place} ${title}: ready`);
      continue;
    }
    console.log(`${place} ${doing} …`);
    const start = performance.now();
    await run();
    const seconds = Math.round((performance.now() - start) / 1000);
    if (seconds >= 5) console.log(`${" ".repeat(place.length)} done in ${seconds} s`);
  }
}

/** Runs a whole command; what a person can act on is said in its sentence alone. */
export async function main(command) {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof Sentence ? error.message : error);
    process.exitCode = 1;
  }
}
