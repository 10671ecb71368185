"""files.json: each table's data files, indexed from a frozen catalog."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ducklake import Table, quoted

Rows = Callable[..., list[tuple]]

COLUMNS = """
SELECT column_name, column_id, initial_default
FROM ducklake_column
WHERE table_id = ? AND parent_column IS NULL AND live(begin_snapshot, end_snapshot)
"""

DATA_FILES = """
SELECT f.table_id, s.path || t.path || f.path, f.file_size_bytes, f.record_count,
  s.path || t.path || d.path, d.file_size_bytes, d.delete_count
FROM ducklake_data_file f
JOIN ducklake_table t ON t.table_id = f.table_id AND live(t.begin_snapshot, t.end_snapshot)
JOIN ducklake_schema s ON s.schema_id = t.schema_id AND live(s.begin_snapshot, s.end_snapshot)
LEFT JOIN ducklake_delete_file d
  ON d.data_file_id = f.data_file_id AND live(d.begin_snapshot, d.end_snapshot)
WHERE live(f.begin_snapshot, f.end_snapshot)
ORDER BY f.data_file_id
"""

TABLE_ID = """
SELECT t.table_id FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
WHERE s.schema_name = ? AND t.table_name = ?
  AND live(t.begin_snapshot, t.end_snapshot) AND live(s.begin_snapshot, s.end_snapshot)
"""

TABLES_OF_INLINED_ROWS = "SELECT table_name FROM ducklake_inlined_data_tables WHERE table_id = ?"
INLINED_ROWS = "SELECT 1 FROM {} WHERE live(begin_snapshot, end_snapshot) LIMIT 1"
TABLE_OF_INLINED_DELETES = "SELECT table_name FROM duckdb_tables() WHERE table_name = ?"
INLINED_DELETES = """
SELECT 1 FROM {} d JOIN ducklake_data_file f ON f.data_file_id = d.file_id
WHERE live(d.begin_snapshot, NULL) AND live(f.begin_snapshot, f.end_snapshot) LIMIT 1
"""


class DataFile(NamedTuple):
    """A data file and the delete file that belongs to it. Paths are relative to `data_dir`."""

    table_id: int
    path: str
    bytes: int
    records: int
    delete_path: str | None
    delete_bytes: int | None
    deletes: int | None


def named_paths(catalog: Path, snapshot: int | None = None) -> set[str]:
    """Every file that a catalog names; with a snapshot, only those that are read at it."""
    with _rows(catalog, snapshot) as rows:
        files = [DataFile(*row) for row in rows(DATA_FILES)]
    return {path for file in files for path in (file.path, file.delete_path) if path}


def files_index(
    data: Path, data_dir: str, catalog: Path, snapshot: int, tables: list[Table], hashed: bool
) -> Any:
    """The content of files.json. `data` is the folder that `data_dir` names."""

    def entry(path: str, bytes: int) -> dict[str, Any]:
        sha256 = {"sha256": sha256_of(data / path)} if hashed else {}
        return {"path": data_dir + path, "bytes": bytes} | sha256

    def data_file(file: DataFile) -> dict[str, Any]:
        delete_file = None
        if file.delete_path:
            delete_file = entry(file.delete_path, file.delete_bytes)
            delete_file["delete_count"] = file.deletes
        return {
            **entry(file.path, file.bytes),
            "record_count": file.records,
            "delete_file": delete_file,
        }

    def table_entry(table: Table) -> dict[str, Any]:
        ((table_id,),) = rows(TABLE_ID, table.schema, table.name)
        fields = {name: (id, default) for name, id, default in rows(COLUMNS, table_id)}
        return {
            "schema": table.schema,
            "name": table.name,
            "columns": [
                {
                    "name": name,
                    "type": type,
                    "field_id": fields[name][0],
                    "initial_default": fields[name][1],
                }
                for name, type in table.columns
            ],
            "files": [data_file(file) for file in files if file.table_id == table_id],
            "inlined": _is_inlined(rows, table_id),
        }

    with _rows(catalog, snapshot) as rows:
        files = [DataFile(*row) for row in rows(DATA_FILES)]
        return {"tables": [table_entry(table) for table in tables]}


def sha256_of(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _is_inlined(rows: Rows, table_id: int) -> bool:
    """Whether the catalog itself holds rows or deletes of the table."""
    inlined_rows = rows(TABLES_OF_INLINED_ROWS, table_id)
    inlined_deletes = rows(TABLE_OF_INLINED_DELETES, f"ducklake_inlined_delete_{table_id}")
    return any(rows(INLINED_ROWS.format(quoted(name))) for (name,) in inlined_rows) or any(
        rows(INLINED_DELETES.format(quoted(name))) for (name,) in inlined_deletes
    )


@contextmanager
def _rows(catalog: Path, snapshot: int | None) -> Iterator[Rows]:
    """Open a catalog as the DuckDB file that it is, with `live(begin_snapshot, end_snapshot)`."""
    live = f"first <= {snapshot} AND (last IS NULL OR {snapshot} < last)"
    with duckdb.connect(str(catalog), read_only=True) as connection:
        connection.execute(
            f"CREATE TEMP MACRO live(first, last) AS {live if snapshot is not None else 'true'}"
        )
        yield lambda sql, *values: connection.execute(sql, values).fetchall()
