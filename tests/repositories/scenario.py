"""The two ways to write a scenario: one that makes a repository, and one that breaks it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from breaking import Breaking
from keys import ALICE, BOB
from lake import Lake

Facts = dict[str, Any]
"""What a test needs to know of a repository."""


@dataclass(frozen=True)
class Scenario:
    name: str
    rule: str
    """One sentence: which rule of the specification it shows."""
    make: Callable[[Lake], Facts | None]
    breaks: Callable[[Breaking], Facts | None] | None = None
    """Breaks the repository once the judge has seen it whole."""
    fails: str | None = None
    """Where a reader of the default ref stops, and with which code: "version: id_mismatch". The
    places are open, version, catalog and rows."""
    options: dict[str, Any] = field(default_factory=dict)
    """As `Lake` takes them."""
    in_browser: bool = True
    """Whether the hand-over is tried in a browser too, and not by `npm run conformance` alone."""
    slow: bool = False
    """Made only when it is asked for by name."""
    duckdb: str | None = None
    """The version of DuckDB that makes it, where that is an earlier one."""


SMALL = {"block_size": 16384}
"""What is broken may as well be small."""

SCENARIOS: dict[str, Scenario] = {}


def scenario(
    rule: str,
    *,
    fails: str | None = None,
    in_browser: bool = True,
    slow: bool = False,
    duckdb: str | None = None,
    **options: Any,
) -> Callable:
    def register(make: Callable[[Lake], Facts | None]) -> Callable[[Lake], Facts | None]:
        _add(
            Scenario(
                _name(make),
                rule,
                make,
                fails=fails,
                options=options,
                in_browser=in_browser,
                slow=slow,
                duckdb=duckdb,
            )
        )
        return make

    return register


def broken(
    rule: str, fails: str | None = None, sign: bool = True, in_browser: bool = True
) -> Callable:
    """For a function that breaks a repository of two versions by Alice and Bob."""

    def register(breaks: Callable[[Breaking], Facts | None]) -> Callable[[Breaking], Facts | None]:
        two = partial(two_versions, sign=sign)
        _add(Scenario(_name(breaks), rule, two, breaks, fails, SMALL, in_browser))
        return breaks

    return register


def two_versions(lake: Lake, sign: bool = True) -> None:
    with lake.commit("First towns", by=ALICE, sign=sign) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        sql("INSERT INTO towns SELECT i, 'town ' || i FROM range(100) t(i)")
    with lake.commit("Add a note column", by=BOB, sign=sign) as sql:
        sql("ALTER TABLE towns ADD COLUMN note VARCHAR")
        sql("INSERT INTO towns SELECT i, 'town ' || i, 'new' FROM range(100, 120) t(i)")


def _add(scenario: Scenario) -> None:
    SCENARIOS[scenario.name] = scenario


def _name(function: Callable) -> str:
    return function.__name__.replace("_", "-")
