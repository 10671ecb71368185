"""The judge of format 0.3: DuckLake of an earlier DuckDB, since later ones would have to migrate it.

It runs in a process of its own, `earlier.py CATALOG DATA FOLDER`, which writes the rows of everything
at every snapshot into FOLDER and says on standard output what they are the rows of.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import duckdb
import native
from relation import Column, Connection, Relation, literal

VERSION = "1.4.4"


class Earlier:
    """What the earlier DuckLake said of a catalog at each of its snapshots."""

    def __init__(self, catalog: Path, data: Path) -> None:
        from make import run_with

        self._folder = tempfile.TemporaryDirectory()
        said = run_with(VERSION, __file__, str(catalog), str(data), self._folder.name)
        self._snapshots = json.loads(said)

    @contextmanager
    def at_snapshot(self, connection: Connection, snapshot: int) -> Iterator[list[Relation]]:
        yield [
            Relation(**said | {"columns": tuple(Column(**column) for column in said["columns"])})
            for said in self._snapshots[str(snapshot)]
        ]

    def close(self) -> None:
        self._folder.cleanup()


def main(catalog: Path, data: Path, folder: Path) -> None:
    connection = native.connected("ducklake")
    connection.execute(f"ATTACH {literal(str(catalog))} AS plain (READ_ONLY)")
    ids = connection.execute("SELECT snapshot_id FROM plain.ducklake_snapshot").fetchall()
    connection.execute("DETACH plain")
    judge = native.Native(catalog, data)
    said = {}
    for (id,) in ids:
        with judge.at_snapshot(connection, id) as relations:
            said[id] = [
                asdict(relation) | {"rows": written(connection, relation, folder / f"{id}-{place}")}
                for place, relation in enumerate(relations)
            ]
    print(json.dumps(said))


def written(connection: Connection, relation: Relation, file: Path) -> str:
    """Write the rows as text, and give the query that reads them."""
    if relation.unreadable:
        return ""
    names = ", ".join(f"c{index}" for index in range(len(relation.columns)))
    rows = f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ({relation.rows}) t({names})"
    connection.execute("PRAGMA disable_optimizer")
    connection.execute(f"COPY ({rows}) TO {literal(str(file))} (FORMAT parquet)")
    return f"FROM read_parquet({literal(str(file))})"


if __name__ == "__main__":
    assert duckdb.__version__ == VERSION
    main(*map(Path, sys.argv[1:]))
