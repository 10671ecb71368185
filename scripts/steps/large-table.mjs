/** The table of ten million rows that `npm run bench` reads, in a repository of its own. */
import { quietly } from "./command.mjs";
import { python } from "./python.mjs";
import { inRoot } from "./root.mjs";
import { stamped } from "./stamp.mjs";

const maker = "tests/repositories";
const folder = "build/bench/large-table";

export const largeTableFolder = inRoot(folder);

export const largeTable = stamped({
  title: "A table of ten million rows",
  doing: "Making a table of ten million rows",
  stamp: "large-table",
  inputs: [
    "benches/large_table.py",
    // What the maker writes of a version; scenarios are no part of it.
    ...["ducklake.py", "index.py", "keys.py", "lake.py", "record.py", "repository.py"].map(
      (module) => `${maker}/${module}`,
    ),
    `${maker}/requirements.txt`,
  ],
  outputs: [`${folder}/refs.json`, `${folder}/trusted-signers.txt`],
  run: () =>
    quietly(
      "large-table",
      python,
      [inRoot("benches", "large_table.py"), largeTableFolder, inRoot("build", "keys")],
      { env: { PYTHONPATH: inRoot(maker) } },
    ),
});
