"""By DuckLake: the statement that the reader makes, run in native DuckDB with data files over HTTP,
held against the judge's answers: the same tables, columns, types and rows.

`by_ducklake.py PROGRAM HOST REPOSITORIES NAME…`; it ends with 1 where anything differs.
"""

import json
import sys
from pathlib import Path

import duckdb
import duckdb_extension_ducklake
import duckdb_extension_httpfs
from reader import ALIAS, CATALOG, Reader, Refused
from relation import literal, quoted


def main(program: str, host: str, repositories: str, *names: str) -> int:
    differences = 0
    with Reader(Path(program)) as reader:
        for name in names:
            found, expected = _of(reader, host, Path(repositories), name)
            same = found == expected
            differences += not same
            print(f"{name}: {'the same' if same else f'{found} instead of {expected}'}")
    return min(differences, 1)


def _of(reader: Reader, host: str, repositories: Path, name: str) -> tuple[object, object]:
    judged = json.loads((repositories / f"{name}.json").read_text())
    [tip] = [version for version in judged["versions"] if "refs/heads/main" in version["refs"]]
    folder = repositories / name / "versions" / tip["id"]
    record = json.loads((folder / "version.json").read_bytes())
    settings = json.loads((repositories / name / "fdl.json").read_bytes())
    catalog = folder / record["catalog"]["path"]
    expected = [
        (table["schema"], table["name"], table["rows"], _columns(table["columns"]))
        for table in tip["tables"]
    ]
    with _connection() as connection:
        connection.execute(f"ATTACH {literal(str(catalog))} AS {CATALOG} (READ_ONLY)")
        try:
            statement = reader.by_ducklake(
                connection,
                record["ducklake"]["snapshot_id"],
                f"{host}{name}/",
                settings.get("data_dir", "data/"),
                catalog,
            )
        except Refused as refused:
            return str(refused), expected
        connection.execute(statement)
        return [_described(connection, *table[:2]) for table in expected], expected


def _described(connection: duckdb.DuckDBPyConnection, schema: str, name: str) -> object:
    table = ".".join(map(quoted, (ALIAS, schema, name)))
    columns = []
    for column, type, *_ in connection.execute(f"DESCRIBE {table}").fetchall():
        text = f"CAST({quoted(column)} AS VARCHAR)"
        sum = f"SELECT CAST(sum(md5_number_lower({text})) AS VARCHAR) FROM {table}"
        (checksum,) = connection.execute(sum).fetchone()
        columns.append((column, type, checksum or ""))
    (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return schema, name, rows, columns


def _columns(columns: list[dict[str, str]]) -> list[tuple[str, str, str]]:
    return [(column["name"], column["type"], column["checksum"]) for column in columns]


def _connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("SET TimeZone = 'UTC'")
    for extension in (duckdb_extension_ducklake, duckdb_extension_httpfs):
        [file] = Path(extension.__file__).parent.glob("extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD {literal(str(file))}")
    return connection


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
