/**
 * Stamps: what a step was made from, so that it is skipped while that has not changed.
 *
 * They hash contents, not times: a checkout touches files that it does not change.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { inRoot, root } from "./root.mjs";

/**
 * A step that is done when `outputs` are there and were made from the same `inputs`.
 *
 * Inputs and outputs are paths in the project; a folder stands for all that is in it. A missing
 * input counts as an empty one. `facts` gives whatever else the outputs depend on, as text.
 */
export function stamped({ stamp, inputs, outputs, facts = () => "", ...step }) {
  const path = inRoot("build", "stamps", stamp);
  const wanted = () => digest(inputs, facts());
  return {
    ...step,
    done: () =>
      outputs.every((output) => existsSync(inRoot(output))) &&
      existsSync(path) &&
      readFileSync(path, "utf8") === wanted(),
    run: async () => {
      rmSync(path, { force: true }); // a step that was interrupted is not done
      const made = wanted();
      await step.run();
      mkdirSync(inRoot("build", "stamps"), { recursive: true });
      writeFileSync(path, made);
    },
  };
}

function digest(inputs, facts) {
  const hash = createHash("sha256").update(facts);
  for (const file of inputs.flatMap((input) => filesIn(inRoot(input)))) {
    const bytes = readFileSync(file);
    hash.update(`\0${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "__pycache__")
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
