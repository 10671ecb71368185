"""Every version of a repository, at every snapshot that its catalog keeps."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_ducklake
import duckdb_extension_httpfs
import native
from compare import Comparison
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
    """What the scenario says of it: `refused`, by place."""
    earlier_snapshots: bool = True
    """Whether catalogs before the last are compared at more than their version's own snapshot."""

    @property
    def data_dir(self) -> str:
        return json.loads((self.root / "fdl.json").read_bytes()).get("data_dir", "data/")

    def catalogs(self) -> Iterator[Path]:
        """The catalogs of the versions that are not past retention, oldest first."""
        for record in sorted(self.root.glob("versions/*/version.json")):
            if not (record.parent / "expired.json").exists():
                yield record.parent / json.loads(record.read_bytes())["catalog"]["path"]


def compared(repository: Repository, reader: Reader) -> Tally:
    tally = Tally()
    catalogs = list(repository.catalogs())
    for catalog in catalogs:
        tally.versions += 1
        with connected(catalog) as connection:
            ids = snapshots(connection)
            if catalog != catalogs[-1] and not repository.earlier_snapshots:
                ids = ids[-1:]
            comparison = Comparison(connection, repository.facts.get("refused", {}))
            found: dict[str, list[str]] = {}
            for snapshot in ids:
                is_last = snapshot == ids[-1]
                for said in at_snapshot(comparison, repository, catalog, snapshot, is_last, reader):
                    found.setdefault(said, []).append(str(snapshot))
            tally.snapshots += len(ids)
            tally.tables += comparison.tables
            tally.rows += comparison.rows
            tally.differences += (
                f"version {catalog.parent.name}, snapshot {', '.join(at)}: {said}"
                for said, at in found.items()
            )
    return tally


def at_snapshot(
    comparison: Comparison,
    repository: Repository,
    catalog: Path,
    snapshot: int,
    is_last: bool,
    reader: Reader,
) -> Iterator[str]:
    connection, data = comparison.connection, repository.root / repository.data_dir
    try:
        with (
            native.at_snapshot(connection, catalog, data, snapshot) as judged,
            reader.at_snapshot(connection, snapshot, repository.url, repository.data_dir) as read,
        ):
            yield from comparison.differences(judged, read, is_last)
    except (Refused, duckdb.Error) as error:
        yield f"{type(error).__name__}: {error}"


def snapshots(connection: Connection) -> list[int]:
    return [
        id
        for (id,) in connection.execute(
            f"SELECT snapshot_id FROM {CATALOG}.ducklake_snapshot ORDER BY ALL"
        ).fetchall()
    ]


class connected:
    """A connection that has the catalog attached as the plain DuckDB file that it is.

    It is a copy: DuckDB attaches no file twice, and the judge has the file itself.
    """

    def __init__(self, catalog: Path) -> None:
        self._catalog = catalog

    def __enter__(self) -> Connection:
        self._folder = tempfile.TemporaryDirectory()
        copy = Path(self._folder.name) / "frozen.duckdb"
        shutil.copy(self._catalog, copy)
        self._connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        self._connection.execute("SET TimeZone = 'UTC'")
        for name, package in (
            ("ducklake", duckdb_extension_ducklake),
            ("httpfs", duckdb_extension_httpfs),
        ):
            file = Path(package.__file__).parent / f"extensions/v{duckdb.__version__}"
            self._connection.execute(f"LOAD {literal(f'{file}/{name}.duckdb_extension')}")
        self._connection.execute("SET enable_http_metadata_cache = true")  # files never change
        self._connection.execute(f"ATTACH {literal(str(copy))} AS {CATALOG} (READ_ONLY)")
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._folder.cleanup()
