"""Make the scenarios' repositories, and beside each the judge's answer.

    make.py [OUT] [NAME …]     OUT: build/repositories by default; NAME: all by default

OUT/<name>/ is a repository, OUT/<name>.json what the judge says of it. The demo repository is not
made here, only judged: OUT/demo.json. What is there already is left as it is while the maker's
sources are the same.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path

import duckdb
import scenarios  # noqa: F401  registers every scenario
from breaking import Breaking
from judge import judge
from keys import ALICE, BOB, MALLORY, KeyRing
from lake import Lake
from repository import as_json
from scenario import SCENARIOS, Facts, Scenario

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
DEMO = PROJECT / "www" / "demo"
DEMO_SIGNERS = PROJECT / "www" / "portal" / "trusted-signers.txt"


def main(out: Path = PROJECT / "build" / "repositories", *names: str) -> None:
    keys = KeyRing(out.parent / "keys")
    usual = [name for name, scenario in SCENARIOS.items() if not scenario.slow]
    sources = digest(HERE) + keys.allowed_signers(ALICE, BOB, MALLORY)
    with ProcessPoolExecutor() as processes:
        for name in processes.map(
            partial(make_once, out=out, keys=keys, sources=sources), names or [*usual, "demo"]
        ):
            if name:
                print(name)


def make_once(name: str, out: Path, keys: KeyRing, sources: str) -> str | None:
    """Make what is missing or out of date; return its name if there was something to do."""
    current = sources + (digest(DEMO) if name == "demo" else "")
    stamp = out / ".stamps" / name
    if stamp.exists() and stamp.read_text() == current:
        return None
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    scenario = SCENARIOS.get(name)
    if scenario and scenario.duckdb not in (None, duckdb.__version__):
        run_with(scenario.duckdb, __file__, str(out), name)
        return name
    answer = judged_demo() if name == "demo" else make(SCENARIOS[name], out / name, keys)
    (out / f"{name}.json").write_bytes(as_json({"name": name} | answer))
    stamp.write_text(current)
    return name


def run_with(version: str, *arguments: str) -> str:
    """Run a program of Python with another DuckDB."""
    process = subprocess.run(
        [sys.executable, *arguments], env=with_duckdb(version), stdout=subprocess.PIPE, check=True
    )
    return process.stdout.decode()


def with_duckdb(version: str) -> dict[str, str]:
    """The environment of a program of Python with another DuckDB: a process has one alone."""
    return os.environ | {"PYTHONPATH": str(PROJECT / "build" / f"duckdb-{version}")}


def make(scenario: Scenario, root: Path, keys: KeyRing) -> Facts:
    """Make a scenario's repository. The judge sees it before anything is broken."""
    shutil.rmtree(root, ignore_errors=True)
    lake = Lake(scenario.name, root, keys, **scenario.options)
    facts = scenario.make(lake)
    versions = judge(root, keys.allowed_signers(ALICE, BOB, MALLORY))
    if scenario.breaks:
        facts = scenario.breaks(Breaking(lake))
    return {
        "rule": scenario.rule,
        "trusted_signers": keys.allowed_signers(ALICE, BOB),
        "versions": versions,
        "fails": scenario.fails,
        "in_browser": scenario.in_browser,
        "facts": facts or {},
    }


def judged_demo() -> Facts:
    trusted = DEMO_SIGNERS.read_text()
    return {
        "rule": "The releases of a real data set, as they were.",
        "trusted_signers": trusted,
        "versions": judge(DEMO, trusted),
        "fails": None,
        "in_browser": True,
        "facts": {},
    }


def digest(folder: Path) -> str:
    """One digest of the names and the bytes of all files below a folder."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix != ".pyc")
    each = [f"{file.relative_to(folder)} {sha256(file.read_bytes()).hexdigest()}" for file in files]
    return sha256("\n".join(each).encode()).hexdigest()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]), *sys.argv[2:])
