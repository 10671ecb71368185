"""The judge: native DuckLake, attached at one snapshot after another."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import duckdb
from relation import Column, Connection, Relation, described, literal, quoted

JUDGE = "judge"

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

COMMENTS = f"""
SELECT column_name, comment FROM duckdb_columns()
WHERE database_name = '{JUDGE}' AND schema_name = ? AND table_name = ?
"""


class Native:
    """What DuckLake says of a catalog at each of its snapshots."""

    def __init__(self, catalog: Path, data: Path) -> None:
        options = f"DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true"
        self._attach = f"ATTACH {literal(f'ducklake:{catalog}')} AS {JUDGE} (READ_ONLY, {options}"

    @contextmanager
    def at_snapshot(self, connection: Connection, snapshot: int) -> Iterator[list[Relation]]:
        """What there is at a snapshot, while the block runs."""
        connection.execute(f"{self._attach}, SNAPSHOT_VERSION {snapshot})")
        try:
            yield [_relation(connection, *row) for row in connection.execute(RELATIONS).fetchall()]
        finally:
            connection.execute(f"DETACH {JUDGE}")

    def close(self) -> None:
        pass


def connected(*extensions: str) -> Connection:
    """A connection with extensions as their wheels bring them."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("SET TimeZone = 'UTC'")
    for name in extensions:
        package = import_module(f"duckdb_extension_{name}")
        folder = Path(package.__file__).parent / "extensions" / f"v{duckdb.__version__}"
        connection.execute(f"LOAD {literal(str(folder / f'{name}.duckdb_extension'))}")
    return connection


def _relation(
    connection: Connection, kind: str, schema: str, name: str, comment: str | None
) -> Relation:
    place = f"{JUDGE}.{quoted(schema)}.{quoted(name)}"
    columns, unreadable = (), None
    try:
        comments = dict(connection.execute(COMMENTS, [schema, name]).fetchall())
        columns = tuple(
            Column(column, type, comments.get(column))
            for column, type in described(connection, place)
        )
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        unreadable = str(error)  # a view whose table is gone
    return Relation(schema, name, kind, comment, columns, f"FROM {place}", unreadable, OPTIMIZED)
