"""The judge: native DuckLake, at one snapshot after another."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import duckdb
from relation import Column, Connection, Relation, described, literal, quoted

JUDGE = "judge"
"""The catalog attached at one snapshot: it says what there is, and of which columns."""

LASTING = "lasting"
"""The catalog attached once for many snapshots: it gives the rows of tables and views, AT one of them.

Each catalog that is attached loads all earlier schemas of a table with inlined rows when that is first
read. Attached anew for each of hundreds of snapshots, DuckLake would do little else. AT does not reach
the macros that a view calls: where they changed, the catalog is attached anew."""

OPTIMIZED = False
"""DuckLake gives a table's latest statistics at every snapshot. At one before a column was promoted
they do not fit its type and the optimizer fails on them; without it the rows are right."""

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


class Native:
    """What DuckLake says of a catalog at each of its snapshots."""

    def __init__(self, catalog: Path, data: Path) -> None:
        self._catalog = literal(f"ducklake:{catalog}")
        self._options = f"READ_ONLY, DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true"

        self._lasting: object = None
        """Since which snapshot the macros are those of the catalog that lasts."""

    @contextmanager
    def at_snapshot(self, connection: Connection, snapshot: int) -> Iterator[list[Relation]]:
        """What there is at a snapshot, while the block runs."""
        self._attach(connection, JUDGE, snapshot)
        try:
            macros = connection.execute(MACROS_CHANGED, [snapshot]).fetchone()
            if macros != self._lasting:
                connection.execute(f"DETACH DATABASE IF EXISTS {LASTING}")
                self._attach(connection, LASTING, snapshot)
                self._lasting = macros
            comments = {tuple(place): comment for *place, comment in _all(connection, COMMENTS)}
            yield [
                _relation(connection, snapshot, comments, *row)
                for row in _all(connection, RELATIONS)
            ]
        finally:
            connection.execute(f"DETACH {JUDGE}")

    def _attach(self, connection: Connection, name: str, snapshot: int) -> None:
        connection.execute(
            f"ATTACH {self._catalog} AS {name} ({self._options}, SNAPSHOT_VERSION {snapshot})"
        )

    def close(self) -> None:
        pass


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


def _relation(
    connection: Connection,
    snapshot: int,
    comments: dict[tuple[str, ...], str],
    kind: str,
    schema: str,
    name: str,
    comment: str | None,
) -> Relation:
    place = f"{quoted(schema)}.{quoted(name)}"
    columns, unreadable = (), None
    try:
        columns = tuple(
            Column(column, type, comments.get((schema, name, column)))
            for column, type in described(connection, f"{JUDGE}.{place}")
        )
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        unreadable = str(error)  # a view whose table is gone
    rows = f"FROM {LASTING}.{place} AT (VERSION => {snapshot})"
    return Relation(schema, name, kind, comment, columns, rows, unreadable, OPTIMIZED)


def _all(connection: Connection, query: str) -> list[tuple]:
    return connection.execute(query).fetchall()
