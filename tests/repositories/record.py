"""version.json and dataset.json: what a version is, and what it holds."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from ducklake import STORAGE, Table


def version_record(
    *,
    id: str,
    seq: int,
    parents: list[str],
    created_at: str,
    author: str,
    message: str,
    folder: Path,
    snapshots: list[int],
    format: str,
    inputs: list[dict[str, Any]],
) -> dict[str, Any]:
    """The record of a version whose other files are in `folder`."""
    record = {
        "fdl": "0.1",
        "id": id,
        "seq": seq,
        "parents": parents,
        "created_at": created_at,
        "author": {"name": author},
        "message": message,
        "catalog": {"path": "ducklake.duckdb", "storage": f"duckdb-{STORAGE}"}
        | _measured(folder / "ducklake.duckdb"),
        "dataset": named_file(folder / "dataset.json"),
    }
    if (folder / "files.json").exists():
        record["files"] = named_file(folder / "files.json")
    record["ducklake"] = {"format": format, "snapshot_id": snapshots[-1], "snapshots": snapshots}
    if inputs:
        record["inputs"] = inputs
    return record


def named_file(file: Path) -> dict[str, Any]:
    """A file of the version's folder as its record names it."""
    return {"path": file.name} | _measured(file)


def described(dataset: dict[str, Any], tables: list[Table]) -> dict[str, Any]:
    """dataset.json: the author's texts, with row counts and types filled in from the catalog."""
    texts = dataset.get("tables", {})
    return dataset | {
        "tables": [_described_table(table, texts.get(table.name, {})) for table in tables]
    }


def _described_table(table: Table, texts: dict[str, Any]) -> dict[str, Any]:
    columns = texts.get("columns", {})
    return {
        "schema": table.schema,
        "name": table.name,
        "title": texts.get("title", table.name),
        "description": texts.get("description", ""),
        "row_count": table.rows,
        "columns": [
            {"name": name, "type": type, "title": title, "description": description}
            for name, type in table.columns
            for title, description in [columns.get(name, (name, ""))]
        ],
    }


def _measured(file: Path) -> dict[str, Any]:
    content = file.read_bytes()
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}
