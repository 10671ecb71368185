"""A table, a view, or the call of a macro at one snapshot, as one side shows it."""

from dataclasses import dataclass

import duckdb

Connection = duckdb.DuckDBPyConnection


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    comment: str | None


@dataclass(frozen=True)
class Relation:
    schema: str
    name: str
    kind: str
    """`table`, `view`, or `call`, whose name is the query that calls."""
    comment: str | None
    columns: tuple[Column, ...]
    rows: str
    """A query that gives its rows; every value of them is then compared as text."""
    unreadable: str | None = None
    """Why this side cannot read it."""
    fails: str | None = None
    """With what words it fails nonetheless, as its rows are read."""
    counted: int | None = None
    """Its row count where this side knows it without reading the rows."""

    @property
    def place(self) -> str:
        return f"{self.schema}.{self.name}"

    @property
    def texts(self) -> str:
        """A query that gives its rows as texts. Names may clash: columns go by their place."""
        names = ", ".join(f"c{index}" for index in range(len(self.columns)))
        return f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ({self.rows}) t({names})"


def quoted(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def described(connection: Connection, place: str) -> list[tuple[str, str]]:
    """The names and types of a table's or view's columns, in their order."""
    return [(name, type) for name, type, *_ in connection.execute(f"DESCRIBE {place}").fetchall()]
