/**
 * `npm test`: all the set-up, the build, and every check but the slow ones. The first that fails ends it.
 *
 * `npm test -- --only rust,browser` runs these parts alone.
 */
import { parseArgs } from "node:util";
import { checks, readRepositories } from "./steps/checks.mjs";
import { loudly, Sentence } from "./steps/command.mjs";
import { building, testing } from "./steps/index.mjs";
import { main, take } from "./steps/progress.mjs";
import { wasmSizes } from "./steps/wasm.mjs";

await main(async () => {
  const parts = chosenParts();
  await take([...building, ...testing]);
  console.log(wasmSizes());

  const total = { passed: 0, failed: 0 };
  for (const part of parts) {
    const { passed, failed } = await check(part);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) break;
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});

function chosenParts() {
  const names = checks.map(({ name }) => name);
  const usual = checks.filter(({ slow }) => !slow).map(({ name }) => name);
  const only = onlyOption()?.flatMap((list) => list.split(",")) ?? usual;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown) throw new Sentence(`There is no part "${unknown}": choose of ${names.join(", ")}.`);
  if (only.some((name) => readRepositories.includes(name))) only.push("repositories");
  return checks.filter(({ name }) => only.includes(name));
}

function onlyOption() {
  try {
    return parseArgs({ options: { only: { type: "string", multiple: true } } }).values.only;
  } catch (error) {
    throw new Sentence(error.message);
  }
}

/** How many tests of a part passed and failed. A command that fails without a test counts as one. */
async function check({ name, commands, env = () => ({}), holdsTests = false }) {
  const total = { passed: 0, failed: 0 };
  for (const [command, ...args] of commands()) {
    console.log(`\n── ${name}: ${[command.split("/").at(-1), ...args].join(" ")}`);
    const { status, said } = await loudly(command, args, { env: env() });
    const { passed, failed } = count(said);
    total.passed += passed;
    total.failed += status === 0 ? failed : Math.max(failed, 1);
    if (status !== 0) break;
  }
  if (holdsTests && total.passed + total.failed === 0) {
    console.error(`No test of the part "${name}" was run.`);
    total.failed = 1;
  }
  return total;
}

/** Sums the closing lines of cargo's, wasm-bindgen's and Node's runners. */
function count(said) {
  const sum = (pattern) =>
    [...said.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  return {
    passed: sum(/^test result: .*?(\d+) passed/gm) + sum(/^ℹ pass (\d+)$/gm),
    failed: sum(/^test result: .*?(\d+) failed/gm) + sum(/^ℹ fail (\d+)$/gm),
  };
}
