"""The judge: what native DuckLake and `ssh-keygen` say of a repository on disk."""

import json
from pathlib import Path
from typing import Any

import ducklake
from keys import signer_of
from repository import data_dir


def judge(root: Path, allowed_signers: str) -> list[dict[str, Any]]:
    """Every version that has a record, oldest first; tables of live versions only."""
    data = root / data_dir(json.loads((root / "fdl.json").read_bytes()))
    return [
        _version(folder, root, data, allowed_signers)
        for folder in sorted(root.glob("versions/*"))
        if (folder / "version.json").exists()
    ]


def _version(folder: Path, root: Path, data: Path, allowed_signers: str) -> dict[str, Any]:
    record = json.loads((folder / "version.json").read_bytes())
    mark = folder / "expired.json"
    tables, views = ([], []) if mark.exists() else _tables_and_views(folder, data, record)
    return {
        "id": folder.name,
        "refs": _refs_at(root, folder.name),
        "expired": json.loads(mark.read_bytes()) if mark.exists() else None,
        "signer": signer_of(folder / "version.json", allowed_signers),
        "tables": tables,
        "views": views,
    }


def _refs_at(root: Path, version: str) -> list[str]:
    refs = (path for path in sorted(root.glob("refs/**/*")) if path.is_file())
    return [ref.relative_to(root).as_posix() for ref in refs if ref.read_text().strip() == version]


def _tables_and_views(folder: Path, data: Path, record: dict[str, Any]) -> Any:
    catalog = folder / record["catalog"]["path"]
    snapshot = record["ducklake"]["snapshot_id"]
    with ducklake.frozen_catalog(catalog, data, snapshot) as connection:
        return (
            [_described(connection, table) for table in ducklake.tables(connection)],
            [_described(connection, view) for view in ducklake.views(connection)],
        )


def _described(connection: ducklake.Connection, table: ducklake.Table) -> dict[str, Any]:
    return {
        "schema": table.schema,
        "name": table.name,
        "rows": table.rows,
        "columns": [
            {"name": name, "type": type, "checksum": _checksum(connection, table, name)}
            for name, type in table.columns
        ],
    }


def _checksum(connection: ducklake.Connection, table: ducklake.Table, column: str) -> str:
    """The same sum on any engine and in any order of rows; empty where there is no value."""
    text = f"CAST({ducklake.quoted(column)} AS VARCHAR)"
    (checksum,) = connection.execute(
        f"SELECT CAST(sum(md5_number_lower({text})) AS VARCHAR) FROM {table.sql}"
    ).fetchone()
    return checksum or ""
