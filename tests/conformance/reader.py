"""The reader's side: what its hand-over says, run in native DuckDB over HTTP.

What decides is `examples/hand-over.rs`, which answers one JSON line to each.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from relation import Column, Connection, Relation, described, quoted

ALIAS = 'the "reader"'
CATALOG = "frozen"
"""The catalog's name, as the plain DuckDB file that it is."""


class Refused(Exception):
    """The reader refuses the catalog as a whole, by a code."""


class Reader:
    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait()

    @contextmanager
    def at_snapshot(
        self, connection: Connection, snapshot: int, root: str, data_dir: str, calls: list[str]
    ) -> Iterator[list[Relation]]:
        """What the reader makes of the catalog attached as `frozen`, while the block runs, and what the
        queries `calls` give there."""
        plan = self.plan(connection, snapshot, root, data_dir)
        alias = quoted(ALIAS)
        connection.execute(f"ATTACH ':memory:' AS {alias}")
        try:
            for statement in plan["statements"]:
                connection.execute(statement)
            _define(connection, plan["definitions"], plan["tables"])
            relations = [_relation(connection, planned) for planned in plan["tables"]]
            yield [*relations, *(_call(connection, query) for query in calls)]
        finally:
            connection.execute(f"DETACH {alias}")

    def by_ducklake(
        self, connection: Connection, snapshot: int, root: str, data_dir: str, file: Path
    ) -> str:
        """The statement that attaches the catalog by DuckLake, under the same names."""
        return self.plan(connection, snapshot, root, data_dir, file=str(file))

    def plan(
        self, connection: Connection, snapshot: int, root: str, data_dir: str, **more: str
    ) -> Any:
        """What the reader would have DuckDB told."""
        rows: dict[str, list[dict[str, str | None]]] = {}
        while True:
            answer = self._ask(
                alias=ALIAS,
                catalog=CATALOG,
                snapshot=snapshot,
                root=root,
                data_dir=data_dir,
                rows=rows,
                **more,
            )
            if "plan" in answer:
                return answer["plan"]
            for query in answer["questions"]["queries"]:
                rows[query["name"]] = _texts(connection, query["sql"])

    def _ask(self, **members: Any) -> Any:
        self._process.stdin.write(json.dumps(members) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if error := answer.get("error"):
            raise Refused(f"{error['code']}: {error['message']}")
        return answer


def _define(connection: Connection, definitions: list[Any], tables: list[Any]) -> None:
    """Make the publisher's views and macros, as `www/duckdb/definitions.ts` does."""
    failed = set()
    with connection.cursor() as inside:
        inside.execute(f"USE {quoted(ALIAS)}")
        for place, definition in enumerate(definitions):
            try:
                if failed.intersection(definition["needs"]):
                    raise duckdb.CatalogException("what it needs does not hold")
                inside.execute(definition["statement"])
                if definition["comment"] is not None:
                    inside.execute(definition["comment"])
            except duckdb.Error as error:
                failed.add(place)
                if definition["table"] is not None:
                    tables[definition["table"]]["refused"] = f"does not hold: {error}"


def _texts(connection: Connection, sql: str) -> list[dict[str, str | None]]:
    answer = connection.execute(sql)
    names = [column[0] for column in answer.description]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def _relation(connection: Connection, planned: Any) -> Relation:
    place = ".".join(map(quoted, (ALIAS, planned["schema"], planned["name"])))
    columns, unreadable = (), planned["refused"]
    if unreadable is None:
        comments = {column["name"]: column["comment"] for column in planned["columns"]}
        try:
            found = described(connection, place)
        except duckdb.Error as error:
            found, unreadable = [], str(error)
        columns = tuple(Column(name, type, comments.get(name)) for name, type in found)
    return Relation(
        planned["schema"],
        planned["name"],
        planned["kind"],
        planned["comment"],
        columns,
        f"FROM {place}",
        unreadable,
        counted=planned["rows"],
    )


def _call(connection: Connection, query: str) -> Relation:
    """What a query gives that finds tables and macros by their names alone."""
    kept, unreadable, columns = f"{quoted(ALIAS)}.main.{quoted(query)}", None, ()
    try:
        with connection.cursor() as inside:
            inside.execute(f"USE {quoted(ALIAS)}")
            inside.execute(f"CREATE TABLE {kept} AS {query}")
        columns = tuple(Column(name, type, None) for name, type in described(connection, kept))
    except duckdb.Error as error:
        unreadable = str(error)
    return Relation("", query, "call", None, columns, f"FROM {kept}", unreadable)
