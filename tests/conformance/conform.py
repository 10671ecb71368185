"""Hold the reader's hand-over against native DuckLake, at every snapshot of every version.

    conform.py HOST [--slow] [NAME …]
    conform.py HOST --seeds NUMBER [--from SEED] [--operations NUMBER]

HOST is a URL that serves build/ (and www/demo/ in build/repositories/demo/); NAME: a scenario, all
that can be read by default. With --seeds the repositories are random histories. They are made if
they are not there. Prints a table and every difference; ends with 1 if there is one.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(PROJECT / "tests" / "repositories"))  # the maker of repositories

import histories  # noqa: E402
import make  # noqa: E402
from keys import KeyRing  # noqa: E402
from making import Making  # noqa: E402
from reader import Reader  # noqa: E402
from scenario import SCENARIOS  # noqa: E402
from versions import Repository, Tally, compared, refusals  # noqa: E402

REPOSITORIES = PROJECT / "build" / "repositories"
HISTORIES = PROJECT / "build" / "histories"
HAND_OVER = PROJECT / "target" / "debug" / "examples" / "hand-over"
SHOWN = 20
"""Differences of each repository that are printed."""

CRASHES = 20
"""How often DuckDB may crash as it writes one history."""

COLUMNS = ("versions", "snapshots", "tables", "rows", "differences")


def main() -> int:
    options = parsed()
    if options.one:
        one = of_seed if options.seeds else of_scenario
        print(one(options, options.one).as_json())
        return 0
    if options.seeds:
        names = [str(seed) for seed in range(options.start, options.start + options.seeds)]
    else:
        make.main(REPOSITORIES, *options.names)
        if options.slow:
            make.main(REPOSITORIES, *slow())
        names = options.names or [name for name in made(options.slow) if is_compared(name)]
    return table(names, apart)


def table(names: list[str], tally_of: Callable[[str], Tally]) -> int:
    """Print a line for each name, as soon as it is there, and the differences below it."""
    total = Tally()
    width = max(map(len, names), default=0)
    print(f"{'':{width}}" + "".join(f"{column:>13}" for column in COLUMNS))
    with ThreadPoolExecutor(2) as two_at_a_time:
        for name, tally in zip(names, two_at_a_time.map(tally_of, names), strict=True):
            total.add(tally)
            print(line(name, tally, width), flush=True)
            shown = tally.differences[:SHOWN]
            if more := len(tally.differences) - len(shown):
                shown.append(f"and {more} more")
            for said in tally.notes + shown:
                print(f"    {name}, {said}".replace("\n", "\n    "), flush=True)
    print(line(f"{len(names)} in all", total, width))
    return 1 if total.differences else 0


def line(name: str, tally: Tally, width: int) -> str:
    figures = (tally.versions, tally.snapshots, tally.tables, tally.rows, len(tally.differences))
    return f"{name:{width}}" + "".join(f"{figure:>13,}" for figure in figures)


def apart(name: str) -> Tally:
    """Compare in a process of its own: native DuckDB itself may crash, and that is a difference. Where
    it crashes as it writes a random history, the history is written without that step."""
    notes: list[str] = []
    making = HISTORIES / f"{name}.making"
    making.unlink(missing_ok=True)
    while True:
        process = subprocess.run(
            [sys.executable, __file__, "--one", name, *sys.argv[1:]], capture_output=True, text=True
        )
        if process.returncode == 0:
            tally = Tally(**json.loads(process.stdout))
            tally.notes = notes + tally.notes
            return tally
        if process.returncode < 0 and making.exists() and len(notes) < CRASHES:
            crashed = Making(making)
            notes.append(f"DuckDB ends with {process.returncode} writing: {crashed.statement}")
            if crashed.leave_out_the_step():
                continue
        said = [f"the comparison ended with {process.returncode}:", process.stderr.strip()]
        return Tally(notes=notes, differences=["\n".join(said)])


def of_scenario(options: argparse.Namespace, name: str) -> Tally:
    root = make.DEMO if name == "demo" else REPOSITORIES / name
    with Reader(HAND_OVER) as reader:
        facts = judged(name)["facts"]
        repository = Repository(root, f"{options.host}repositories/{name}/", facts)
        return (refusals if "refused_views" in facts else compared)(repository, reader)


def of_seed(options: argparse.Namespace, seed: str) -> Tally:
    keys = KeyRing(HISTORIES.parent / "keys")
    making = HISTORIES / f"{seed}.making"
    said = histories.made(int(seed), options.operations, HISTORIES / seed, keys, Making(making))
    making.unlink()
    with Reader(HAND_OVER) as reader:
        url = f"{options.host}histories/{seed}/"
        tally = compared(Repository(HISTORIES / seed, url, {}, earlier_snapshots=False), reader)
    if tally.differences:
        tally.differences.append("\n".join(["what was done, by snapshot:", *said]))
    return tally


def made(with_slow: bool) -> list[str]:
    """The scenarios that are made without being asked for by name."""
    return [name for name in [*SCENARIOS, "demo"] if with_slow or name not in slow()]


def slow() -> list[str]:
    return [name for name, scenario in SCENARIOS.items() if scenario.slow]


def is_compared(name: str) -> bool:
    scenario = judged(name)
    return not scenario["fails"] and any(version["tables"] for version in scenario["versions"])


def judged(name: str) -> Any:
    """What the maker and its judge say of a repository."""
    return json.loads((REPOSITORIES / f"{name}.json").read_bytes())


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="npm run conformance --")
    parser.add_argument("--one", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--seeds", type=int, help="compare so many random histories")
    parser.add_argument("--from", type=int, default=1, dest="start", help="the first seed")
    parser.add_argument("--operations", type=int, default=150, help="of each history, about")
    parser.add_argument("--slow", action="store_true", help="compare those that take minutes too")
    parser.add_argument("host")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
