"""Native DuckDB with the DuckLake extension: working catalogs, frozen catalogs, what they hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import duckdb_extension_ducklake

STORAGE = "v1.5.0" if duckdb.__version__ >= "1.5" else "v1.4.0"
DEFAULT_BLOCK_SIZE = 262144

Connection = duckdb.DuckDBPyConnection


@dataclass(frozen=True)
class Table:
    """A table at one snapshot, as DuckLake shows it."""

    schema: str
    name: str
    rows: int
    columns: list[tuple[str, str]]
    """Names and DuckDB types, in the table's order."""

    @property
    def sql(self) -> str:
        return f"lake.{quoted(self.schema)}.{quoted(self.name)}"


@contextmanager
def working_catalog(catalog: Path, data: Path, inline: int) -> Iterator[Connection]:
    """Attach a catalog for writing, as `lake`; `inline` is DATA_INLINING_ROW_LIMIT."""
    options = f"DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true"
    with _connection() as connection:
        connection.execute(
            f"ATTACH {literal(f'ducklake:{catalog}')} AS lake"
            f" ({options}, DATA_INLINING_ROW_LIMIT {inline})"
        )
        connection.execute("USE lake")
        yield connection
        connection.execute("USE memory")
        connection.execute("DETACH lake")


@contextmanager
def frozen_catalog(catalog: Path, data: Path, snapshot: int) -> Iterator[Connection]:
    """Attach a frozen catalog at one snapshot, as `lake`, the way a native reader does."""
    options = f"DATA_PATH {literal(f'{data}/')}, OVERRIDE_DATA_PATH true"
    with _connection() as connection:
        connection.execute(
            f"ATTACH {literal(f'ducklake:{catalog}')} AS lake"
            f" (READ_ONLY, {options}, SNAPSHOT_VERSION {snapshot})"
        )
        yield connection


def forget_earlier_snapshots(connection: Connection) -> None:
    """Keep the last snapshot alone. No file is deleted: other catalogs may name it."""
    snapshots = connection.execute(
        "SELECT snapshot_id FROM lake.snapshots() ORDER BY ALL"
    ).fetchall()
    earlier = [id for (id,) in snapshots[:-1]]
    connection.execute(f"CALL ducklake_expire_snapshots('lake', versions => {earlier})")


def freeze(working: Path, frozen: Path, data_path: str, block_size: int) -> None:
    """Copy a working catalog into a fresh DuckDB file whose `data_path` is the repository's."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(working)} AS working (READ_ONLY)")
        connection.execute(
            f"ATTACH {literal(frozen)} AS frozen"
            f" (STORAGE_VERSION {literal(STORAGE)}, BLOCK_SIZE {block_size})"
        )
        connection.execute("COPY FROM DATABASE working TO frozen")
        connection.execute(
            "UPDATE frozen.ducklake_metadata SET value = ? WHERE key = 'data_path'", [data_path]
        )
        connection.execute("DETACH frozen")


def format_and_snapshots(catalog: Path) -> tuple[str, list[int]]:
    """The DuckLake format of a catalog, such as `1.0`, and the snapshots that it keeps."""
    with duckdb.connect(str(catalog), read_only=True) as connection:
        (format,) = connection.execute(
            "SELECT value FROM ducklake_metadata WHERE key = 'version'"
        ).fetchone()
        snapshots = connection.execute(
            "SELECT snapshot_id FROM ducklake_snapshot ORDER BY snapshot_id"
        ).fetchall()
    return format, [id for (id,) in snapshots]


def tables(connection: Connection) -> list[Table]:
    """The tables of the attached `lake`, in the order of their names."""
    names = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables()"
        " WHERE database_name = 'lake' ORDER BY ALL"
    ).fetchall()
    return [_table(connection, schema, name) for schema, name in names]


def views(connection: Connection) -> list[Table]:
    """The views of the attached `lake` that can be read, in the order of their names."""
    names = connection.execute(
        "SELECT schema_name, view_name FROM duckdb_views()"
        " WHERE database_name = 'lake' AND NOT internal ORDER BY ALL"
    ).fetchall()
    readable = []
    for schema, name in names:
        try:
            readable.append(_table(connection, schema, name))
        except (duckdb.BinderException, duckdb.CatalogException):
            pass  # what it reads is gone
    return readable


def _table(connection: Connection, schema: str, name: str) -> Table:
    table = Table(schema, name, 0, [])
    columns = connection.execute(f"DESCRIBE {table.sql}").fetchall()
    (rows,) = connection.execute(f"SELECT count(*) FROM {table.sql}").fetchone()
    return Table(schema, name, rows, [(column[0], column[1]) for column in columns])


def _connection() -> Connection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"LOAD {literal(_extension())}")
    return connection


def _extension() -> Path:
    """The extension as its wheel brings it: nothing is downloaded when it is loaded."""
    folder = Path(duckdb_extension_ducklake.__file__).parent / "extensions"
    return folder / f"v{duckdb.__version__}" / "ducklake.duckdb_extension"


def quoted(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str | Path) -> str:
    return "'" + str(text).replace("'", "''") + "'"
