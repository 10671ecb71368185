"""Every row of every table as native DuckLake gives it, in its order and as text: a line of JSON each.

    rows.py ROOT …     roots of repositories, or "ROOT=…" with a name for it
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "repositories"))

import ducklake
from repository import data_dir


def main(*roots: str) -> None:
    for root in map(Path, roots):
        data = root / data_dir(json.loads((root / "fdl.json").read_bytes()))
        for folder in sorted(root.glob("versions/*")):
            if (folder / "version.json").exists() and not (folder / "expired.json").exists():
                each_table(root, folder, data)


def each_table(root: Path, folder: Path, data: Path) -> None:
    record = json.loads((folder / "version.json").read_bytes())
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
