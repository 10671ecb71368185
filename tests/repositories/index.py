"""files.json: each table's data files, indexed from a frozen catalog."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from duckdb.sqltypes import DuckDBPyType

from ducklake import Table, quoted

Rows = Callable[..., list[tuple]]

COLUMNS = """
SELECT parent_column, column_name, column_id, initial_default
FROM ducklake_column
WHERE table_id = ? AND live(begin_snapshot, end_snapshot)
ORDER BY column_order
"""

DATA_FILES = """
SELECT f.table_id, s.path || t.path || f.path, f.file_size_bytes, f.record_count, f.footer_size,
  s.path || t.path || d.path, d.file_size_bytes, d.delete_count, d.footer_size,
  list_filter([
    CASE WHEN {merged} THEN '{how}' END,
    CASE WHEN f.mapping_id IS NOT NULL THEN 'name_mapping' END,
    CASE WHEN f.encryption_key IS NOT NULL OR d.encryption_key IS NOT NULL THEN 'decryption' END,
    CASE WHEN f.file_format <> 'parquet' THEN f.file_format END,
    CASE WHEN d.format <> 'parquet' THEN d.format END
  ], need -> need IS NOT NULL)
FROM ducklake_data_file f
JOIN ducklake_table t ON t.table_id = f.table_id AND live(t.begin_snapshot, t.end_snapshot)
JOIN ducklake_schema s ON s.schema_id = t.schema_id AND live(s.begin_snapshot, s.end_snapshot)
LEFT JOIN ducklake_delete_file d
  ON d.data_file_id = f.data_file_id AND live(d.begin_snapshot, d.end_snapshot)
WHERE live(f.begin_snapshot, f.end_snapshot)
ORDER BY {order}f.data_file_id
"""

COLUMNS_OF_DATA_FILES = """
SELECT column_name FROM duckdb_columns() WHERE table_name = 'ducklake_data_file'
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
    footer: int | None
    delete_path: str | None
    delete_bytes: int | None
    deletes: int | None
    delete_footer: int | None
    needs: list[str]
    """What a reader must do beyond matching columns by field id."""


def named_paths(catalog: Path, snapshot: int | None = None) -> set[str]:
    """Every file that a catalog names; with a snapshot, only those that are read at it."""
    with _rows(catalog, snapshot) as rows:
        files = _data_files(rows, snapshot)
    return {path for file in files for path in (file.path, file.delete_path) if path}


def files_index(
    data: Path, data_dir: str, catalog: Path, snapshot: int, tables: list[Table], hashed: bool
) -> Any:
    """The content of files.json. `data` is the folder that `data_dir` names."""

    def entry(path: str, bytes: int, footer: int | None) -> dict[str, Any]:
        sha256 = {"sha256": sha256_of(data / path)} if hashed else {}
        return {"path": data_dir + path, "bytes": bytes, "footer_size": footer} | sha256

    def data_file(file: DataFile) -> dict[str, Any]:
        delete_file = None
        if file.delete_path:
            delete_file = entry(file.delete_path, file.delete_bytes, file.delete_footer)
            delete_file["delete_count"] = file.deletes
        return {
            **entry(file.path, file.bytes, file.footer),
            "record_count": file.records,
            "needs": file.needs,
            "delete_file": delete_file,
        }

    def table_entry(table: Table) -> dict[str, Any]:
        ((table_id,),) = rows(TABLE_ID, table.schema, table.name)
        columns = rows(COLUMNS, table_id)
        types = [(name, duckdb.sqltype(type)) for name, type in table.columns]
        return {
            "schema": table.schema,
            "name": table.name,
            "columns": _columns(columns, None, types),
            "files": [data_file(file) for file in files if file.table_id == table_id],
            "inlined": _is_inlined(rows, table_id),
        }

    with _rows(catalog, snapshot) as rows:
        files = _data_files(rows, snapshot)
        return {"tables": [table_entry(table) for table in tables]}


def sha256_of(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _data_files(rows: Rows, snapshot: int | None) -> list[DataFile]:
    """The data files, in the order in which they are read."""
    columns = {name for (name,) in rows(COLUMNS_OF_DATA_FILES)}
    if "partial_max" in columns:
        merged = f"f.partial_max > {snapshot}" if snapshot is not None else "false"
        how = "snapshot_filter"
    else:  # format 0.3
        merged, how = "f.partial_file_info IS NOT NULL", "partial_file_info"
    order = "f.file_order, " if "file_order" in columns else ""
    sql = DATA_FILES.format(merged=merged, how=how, order=order)
    return [DataFile(*row) for row in rows(sql)]


def _columns(rows: list[tuple], parent: int | None, types: list[tuple]) -> list[dict[str, Any]]:
    """Columns with their field ids and types in DuckDB's words, and the columns in them."""
    live = [row for row in rows if row[0] == parent]
    return [
        {
            "name": name,
            "type": str(type),
            "field_id": id,
            "initial_default": default,
            "children": _columns(rows, id, type.children) if _is_nested(type) else [],
        }
        for (_, name, id, default), (_, type) in zip(live, types, strict=True)
    ]


def _is_nested(type: DuckDBPyType) -> bool:
    return type.id in ("struct", "list", "map")


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
