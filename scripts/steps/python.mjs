/** Python's virtual environment in build/, and the packages that the maker of repositories needs. */
import { answer, quietly, Sentence } from "./command.mjs";
import { installDebian, onPath } from "./programs.mjs";
import { inRoot } from "./root.mjs";
import { stamped } from "./stamp.mjs";

/** Always `python -m …`: a script in the environment breaks where the project's path has a space. */
export const python = inRoot("build", "venv", "bin", "python");

export const venv = stamped({
  title: "Python environment",
  doing: "Making a Python environment",
  stamp: "venv",
  inputs: [],
  outputs: ["build/venv/bin/python"],
  run: async () => {
    if (!onPath("python3")) {
      throw new Sentence("Python is missing: install Python 3.10 or later, then run this again.");
    }
    if (answer("python3", ["-c", "import venv, ensurepip"]) === null) {
      await installDebian(
        ["python3-venv"],
        "Python's venv module is missing: install it (on Debian: apt-get install python3-venv), then run this again.",
      );
    }
    await quietly("venv", "python3", ["-m", "venv", inRoot("build", "venv")]);
  },
});

const requirements = "tests/repositories/requirements.txt";
const earlier = "tests/repositories/requirements-1.4.4.txt";

export const pythonPackages = stamped({
  title: "Python packages",
  doing: "Installing native DuckDB and DuckLake",
  stamp: "python-packages",
  inputs: [requirements],
  outputs: ["build/venv/bin/python"],
  facts: () => answer(python, ["--version"]) ?? "",
  run: () =>
    quietly("python-packages", python, ["-m", "pip", "install", "-r", inRoot(requirements)]),
});

/** The DuckDB that makes catalogs of DuckLake's format 0.3. It lies beside the other: a process has one. */
export const earlierDuckdb = stamped({
  title: "DuckDB 1.4.4",
  doing: "Installing native DuckDB 1.4.4 and its DuckLake",
  stamp: "duckdb-1.4.4",
  inputs: [earlier],
  outputs: ["build/venv/bin/python", "build/duckdb-1.4.4/duckdb/__init__.py"],
  facts: () => answer(python, ["--version"]) ?? "",
  run: () =>
    quietly("duckdb-1.4.4", python, [
      ...["-m", "pip", "install", "--upgrade", "--target", inRoot("build", "duckdb-1.4.4")],
      ...["-r", inRoot(earlier)],
    ]),
});
