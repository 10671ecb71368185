"""What native DuckDB gives to queries: their columns and types, and every value as it writes it.

    values.py < queries.json, a list of lists of statements, the last of each a query > answers.json
"""

import json
import sys

import duckdb


def answer(statements: list[str]) -> dict[str, object]:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    *before, query = statements
    for statement in before:
        connection.execute(statement)
    described = connection.execute(f"DESCRIBE {query}").fetchall()
    columns = [{"name": name, "type": kind} for name, kind, *_ in described]
    names = ", ".join(f"c{index}" for index in range(len(columns)))
    written = ", ".join(f"CAST(c{index} AS VARCHAR)" for index in range(len(columns)))
    connection.execute(f"SELECT {written} FROM ({query}\n) AS answer({names})")
    return {"columns": columns, "rows": connection.fetchall()}


json.dump([answer(statements) for statements in json.load(sys.stdin)], sys.stdout)
