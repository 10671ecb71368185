"""The judge: native DuckLake, attached at one snapshot."""

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def at_snapshot(
    connection: Connection, catalog: Path, data: Path, snapshot: int
) -> Iterator[list[Relation]]:
    """What native DuckLake has at a snapshot, while the block runs."""
    connection.execute(
        f"ATTACH {literal(f'ducklake:{catalog}')} AS {JUDGE} (READ_ONLY,"
        f" DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true, SNAPSHOT_VERSION {snapshot})"
    )
    try:
        yield [_relation(connection, *row) for row in connection.execute(RELATIONS).fetchall()]
    finally:
        connection.execute(f"DETACH {JUDGE}")


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
