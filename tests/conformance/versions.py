"""Every version of a repository, at every snapshot that its catalog keeps."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import native
from compare import Comparison
from faults import Replaced
from judging import Ended, Judge
from reader import CATALOG, Reader, Refused
from relation import Connection, literal


@dataclass
class Tally:
    """What was compared, and what differs."""

    versions: int = 0
    snapshots: int = 0
    tables: int = 0
    rows: int = 0
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Where the judge is known to be wrong."""

    def add(self, other: "Tally") -> None:
        for name in asdict(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Repository:
    """A repository in a folder that is served at a URL."""

    root: Path
    url: str
    facts: dict[str, Any]
    """What the scenario says of it."""
    earlier_snapshots: bool = True
    """Whether catalogs before the last are compared at more than their version's own snapshot."""

    @property
    def judge_wrong(self) -> dict[str, dict[str, Any]]:
        """By place, why DuckLake's own rows are wrong, the query that makes them right, and at which
        snapshots, where that is not at all of them."""
        return self.facts.get("judge_wrong", {})

    def corrected(self, snapshot: int) -> dict[str, str]:
        """By place, the query that makes DuckLake's rows at a snapshot right."""
        return {
            place: wrong["rows"]
            for place, wrong in self.judge_wrong.items()
            if snapshot in wrong.get("at", [snapshot])
        }

    @property
    def calls(self) -> list[str]:
        """Queries that call macros."""
        return self.facts.get("calls", [])

    @property
    def data_dir(self) -> str:
        return json.loads((self.root / "fdl.json").read_bytes()).get("data_dir", "data/")

    def catalogs(self) -> Iterator[Path]:
        """The catalogs of the versions that are not past retention, oldest first."""
        for record in sorted(self.root.glob("versions/*/version.json")):
            if not (record.parent / "expired.json").exists():
                yield record.parent / json.loads(record.read_bytes())["catalog"]["path"]


def compared(repository: Repository, reader: Reader) -> Tally:
    wrong = repository.judge_wrong
    tally = Tally(notes=[f"in {place} DuckLake is wrong: {wrong[place]['why']}" for place in wrong])
    catalogs = list(repository.catalogs())
    for catalog in catalogs:
        record = json.loads((catalog.parent / "version.json").read_bytes())["ducklake"]
        data = repository.root / repository.data_dir
        with (
            connected(catalog) as connection,
            closing(Judge(catalog, data, record["format"])) as judge,
        ):
            ids = snapshots(connection)
            if catalog != catalogs[-1] and not repository.earlier_snapshots:
                ids = [record["snapshot_id"]]
            comparison = Comparison(connection, repository.facts.get("refused", {}))
            found: dict[str, list[str]] = {}
            for snapshot in ids:
                is_own = snapshot == record["snapshot_id"]
                for said in at_snapshot(comparison, repository, snapshot, is_own, judge, reader):
                    found.setdefault(said, []).append(str(snapshot))
            for call in sorted(set(repository.calls) - comparison.called):
                tally.differences.append(f"version {catalog.parent.name}: {call} is never answered")
        tally.versions += 1
        tally.snapshots += len(ids)
        tally.tables += comparison.tables
        tally.rows += comparison.rows
        tally.notes += sorted(comparison.judge_wrong.difference(tally.notes))
        tally.differences += (
            f"version {catalog.parent.name}, snapshot {', '.join(at)}: {said}"
            for said, at in found.items()
        )
    return tally


def refusals(repository: Repository, reader: Reader) -> Tally:
    """Whether the last version's views that would read something else than tables are refused.

    DuckLake is not asked: it would read them.
    """
    catalog = [*repository.catalogs()][-1]
    snapshot = json.loads((catalog.parent / "version.json").read_bytes())["ducklake"]["snapshot_id"]
    with connected(catalog) as connection:
        plan = reader.plan(connection, snapshot, repository.url, repository.data_dir)
    views = [planned for planned in plan["tables"] if planned["kind"] == "view"]
    made = {definition["table"] for definition in plan["definitions"]}
    tally = Tally(versions=1, snapshots=1, tables=len(views))
    if sorted(view["name"] for view in views) != sorted(repository.facts["refused_views"]):
        tally.differences.append(f"the reader lists {[view['name'] for view in views]}")
    for place, planned in enumerate(plan["tables"]):
        if planned["kind"] == "view" and (planned["refused"] is None or place in made):
            tally.differences.append(f"the view {planned['name']!r} is not refused")
    return tally


def at_snapshot(
    comparison: Comparison,
    repository: Repository,
    snapshot: int,
    is_own: bool,
    judge: Judge,
    reader: Reader,
) -> Iterator[str]:
    connection = comparison.connection
    try:
        judged = judge.at_snapshot(snapshot, repository.calls)
        comparison.called.update(one.name for one in judged if not one.unreadable)
        corrected = repository.corrected(snapshot)
        with reader.at_snapshot(
            connection, snapshot, repository.url, repository.data_dir, repository.calls
        ) as read:
            replaced = Replaced(connection, snapshot)
            yield from comparison.differences(judged, read, is_own, corrected, replaced)
    except (Refused, Ended, duckdb.Error) as error:
        yield f"{type(error).__name__}: {error}"


def snapshots(connection: Connection) -> list[int]:
    return [
        id
        for (id,) in connection.execute(
            f"SELECT snapshot_id FROM {CATALOG}.ducklake_snapshot ORDER BY ALL"
        ).fetchall()
    ]


@contextmanager
def connected(catalog: Path) -> Iterator[Connection]:
    """A connection that has the catalog attached as the plain DuckDB file that it is.

    It is a copy: DuckDB attaches no file twice, and the judge has the file itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "frozen.duckdb"
        shutil.copy(catalog, copy)
        with native.connected("ducklake", "httpfs") as connection:
            connection.execute("SET enable_http_metadata_cache = true")  # files never change
            connection.execute(f"ATTACH {literal(str(copy))} AS {CATALOG} (READ_ONLY)")
            yield connection
