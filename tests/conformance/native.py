"""The judge's side: native DuckLake, at one snapshot after another, in a process of its own.

    native.py CATALOG DATA FOLDER

To each line of the input, a JSON object, there is a line of the output. `{"snapshot", "calls"}`
asks for the tables and views of a snapshot, and what these queries give there. `{"rows_of"}`, a
place in that list, asks for the rows of one: they are written into FOLDER as text, `{"rows"}` is
the query that reads them, or `{"fails"}` why there is none.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
from relation import Column, Connection, Relation, described, literal, quoted

JUDGE = "judge"
"""The catalog attached at one snapshot: it says what there is, and of which columns."""

LASTING = "lasting"
"""The catalog attached once for many snapshots: it gives the rows of tables and views, AT one of them.

Each catalog that is attached loads all earlier schemas of a table with inlined rows when that is first
read. Attached anew for each of hundreds of snapshots, DuckLake would do little else. AT does not reach
the macros that a view calls: where they changed, the catalog is attached anew."""

RELATIONS = f"""
SELECT 'table' AS kind, schema_name, table_name AS name, comment
FROM duckdb_tables() WHERE database_name = '{JUDGE}'
UNION ALL
SELECT 'view', schema_name, view_name, comment
FROM duckdb_views() WHERE database_name = '{JUDGE}' AND NOT internal
ORDER BY ALL
"""

MACROS_CHANGED = f"""
SELECT max(snapshot_id) FROM __ducklake_metadata_{JUDGE}.ducklake_snapshot_changes
WHERE snapshot_id <= ? AND (changes_made LIKE '%macro%' OR changes_made LIKE '%dropped_schema%')
"""

COMMENTS = f"""
SELECT schema_name, table_name, column_name, comment
FROM duckdb_columns() WHERE database_name = '{JUDGE}' AND comment IS NOT NULL
"""


def main(catalog: Path, data: Path, folder: Path) -> None:
    native = Native(catalog, data)
    for line in sys.stdin:
        asked = json.loads(line)
        if "snapshot" in asked:
            relations = native.at_snapshot(asked["snapshot"], asked["calls"])
            answer: Any = [asdict(relation) for relation in relations]
        else:
            file = folder / f"{native.snapshot}-{asked['rows_of']}.parquet"
            try:
                answer = {"rows": native.written(relations[asked["rows_of"]], file)}
            except duckdb.Error as error:
                answer = {"fails": str(error)}
                native = Native(catalog, data)  # after some errors the engine does nothing more
        print(json.dumps(answer), flush=True)


class Native:
    """What DuckLake says of a catalog at each of its snapshots."""

    def __init__(self, catalog: Path, data: Path) -> None:
        self._catalog = literal(f"ducklake:{catalog}")
        self._options = f"READ_ONLY, DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true"
        self._macros: object = None
        """Since which snapshot the macros are those of the catalog that lasts."""
        self._connection = connected("ducklake")
        # DuckLake gives a table's latest statistics at every snapshot. At one before a column was
        # promoted they do not fit its type and the optimizer fails on them; without it rows are right.
        self._connection.execute("PRAGMA disable_optimizer")

    def at_snapshot(self, snapshot: int, calls: list[str]) -> list[Relation]:
        """What there is at a snapshot."""
        self.snapshot = snapshot
        self._attach(JUDGE)
        macros = self._connection.execute(MACROS_CHANGED, [snapshot]).fetchone()
        if macros != self._macros:
            self._attach(LASTING)
            self._macros = macros
        return [*self._relations(), *map(self._call, calls)]

    def _attach(self, name: str) -> None:
        self._connection.execute(f"DETACH DATABASE IF EXISTS {name}")
        options = f"{self._options}, SNAPSHOT_VERSION {self.snapshot}"
        self._connection.execute(f"ATTACH {self._catalog} AS {name} ({options})")

    def _relations(self) -> Iterator[Relation]:
        comments = {tuple(place): comment for *place, comment in self._all(COMMENTS)}
        for kind, schema, name, comment in self._all(RELATIONS):
            place = f"{quoted(schema)}.{quoted(name)}"
            columns, unreadable = (), None
            try:
                columns = tuple(
                    Column(column, type, comments.get((schema, name, column)))
                    for column, type in described(self._connection, f"{JUDGE}.{place}")
                )
            except (duckdb.BinderException, duckdb.CatalogException) as error:
                unreadable = str(error)  # a view whose table is gone
            rows = f"FROM {LASTING}.{place} AT (VERSION => {self.snapshot})"
            yield Relation(schema, name, kind, comment, columns, rows, unreadable)

    def _call(self, query: str) -> Relation:
        columns, unreadable = (), None
        with self._inside():
            try:
                found = described(self._connection, query)
                columns = tuple(Column(name, type, None) for name, type in found)
            except (duckdb.BinderException, duckdb.CatalogException) as error:
                unreadable = str(error)  # there is no such macro
        return Relation("", query, "call", None, columns, query, unreadable)

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Names without a catalog are those of the snapshot, while the block runs."""
        self._connection.execute(f"USE {JUDGE}")
        try:
            yield
        finally:
            self._connection.execute("USE memory")

    def _all(self, query: str) -> list[tuple]:
        return self._connection.execute(query).fetchall()

    def written(self, relation: Relation, file: Path) -> str:
        """Write the rows as text, and give the query that reads them."""
        with self._inside() if relation.kind == "call" else nullcontext():
            self._connection.execute(f"COPY ({relation.texts}) TO {literal(str(file))}")
        return f"FROM read_parquet({literal(str(file))})"


def connected(*extensions: str) -> Connection:
    """A connection with extensions as their wheels bring them."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET threads = 1")  # queries are many and small, and two compare at a time
    for name in extensions:
        package = import_module(f"duckdb_extension_{name}")
        folder = Path(package.__file__).parent / "extensions" / f"v{duckdb.__version__}"
        connection.execute(f"LOAD {literal(str(folder / f'{name}.duckdb_extension'))}")
    return connection


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
