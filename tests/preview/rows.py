"""Every row of every table as native DuckLake gives it, as text: a line of JSON for each table.

    rows.py ROOT …     roots of repositories
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "repositories"))

import duckdb
import ducklake
from make import run_with
from repository import data_dir

JUDGES = {"0.3": "1.4.4"}
"""The DuckDB that reads a format which the one at hand would have to migrate first."""


def main(*roots: str) -> None:
    for root in map(Path, roots):
        records = [
            (folder, json.loads((folder / "version.json").read_bytes()))
            for folder in sorted(root.glob("versions/*"))
            if (folder / "version.json").exists() and not (folder / "expired.json").exists()
        ]
        judges = {JUDGES.get(record["ducklake"]["format"]) for _, record in records}
        if judges <= {None, duckdb.__version__}:
            data = root / data_dir(json.loads((root / "fdl.json").read_bytes()))
            for folder, record in records:
                each_table(root, folder, record, data)
        else:
            (judge,) = judges
            print(run_with(judge, __file__, str(root)), end="")


def each_table(root: Path, folder: Path, record: dict[str, Any], data: Path) -> None:
    catalog = folder / record["catalog"]["path"]
    with ducklake.frozen_catalog(catalog, data, record["ducklake"]["snapshot_id"]) as connection:
        for table in ducklake.tables(connection):
            rows = connection.execute(f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {table.sql}")
            answer = {
                "root": str(root),
                "version": folder.name,
                "schema": table.schema,
                "name": table.name,
                "columns": [{"name": name, "type": type} for name, type in table.columns],
                "rows": rows.fetchall(),
            }
            print(json.dumps(answer, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
