"""Random histories: from a seed, a repository whose tables went through everything.

An operation that DuckLake refuses is left out; the same seed gives the same operations again.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
from keys import ALICE, KeyRing
from lake import Lake
from making import Making
from relation import literal, quoted
from values import NAMES, PLAIN, WIDER, a_default, a_struct, a_type, a_value, places

VERSIONS = 4
MAINTENANCE = (
    "CALL ducklake_flush_inlined_data('lake')",
    "CALL ducklake_merge_adjacent_files('lake')",
    "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
    "CALL ducklake_rewrite_data_files('lake')",
)


FOLDER = """
SELECT schema_name, table_name, s.path || t.path
FROM __ducklake_metadata_lake.ducklake_table t JOIN __ducklake_metadata_lake.ducklake_schema s USING (schema_id)
WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL
  AND format('"{}"."{}"', replace(schema_name, '"', '""'), replace(table_name, '"', '""')) = ?
"""
"""Where a table's files are. Files elsewhere are outside the repository, as the catalog names them."""


class BrokenOff(Exception):
    """DuckLake itself failed while it wrote, and what is left of the catalog is of no use."""


class History:
    def __init__(self, seed: int, root: Path, keys: KeyRing, making: Making) -> None:
        self.seed = seed
        self.making = making
        self.steps = 0
        self.done = 0
        """The last step that was carried out."""
        self.begin_step()
        inline = self.rng.choice((0, 0, 5, 10))
        self.lake = Lake(
            f"history-{seed}", root, keys, inline=inline, block_size=16384, files_json=False
        )
        self.said: list[str] = []
        """Each statement that was carried out, and the snapshot that it led to."""

    def begin_step(self) -> None:
        """Each step has its own chance, so that leaving one out leaves the others as they are."""
        self.steps += 1
        self.rng = Random(f"{self.seed} {self.steps}")

    def write(self, operations: int) -> None:
        """Carry out about so many operations, and freeze a version every so often."""
        for version in range(VERSIONS):
            try:
                with self.lake.commit(f"Version {version}", by=ALICE, sign=False) as sql:
                    self.sql = sql
                    self.sql("SET threads = 1")  # all statements are small
                    for _ in range(operations // VERSIONS):
                        self.step()
                    self.making.carry_out(self.done, "the last step of a version")
            except duckdb.Error as error:
                raise BrokenOff from error

    def step(self) -> None:
        self.begin_step()
        if self.steps in self.making.without:
            return
        self.making.carry_out(self.done, "the step before")
        try:
            if self.steps < 5:
                statements = [self.create_table()]
            elif self.rng.random() < 0.12:
                some = (self.statement() for _ in range(self.rng.randint(2, 5)))
                statements = ["BEGIN", *filter(None, some), "COMMIT"]
            else:
                statements = [*filter(None, [self.statement()])]
        except duckdb.Error as error:
            raise BrokenOff from error
        self.run(statements)

    def run(self, statements: list[str]) -> None:
        """Carry out statements, none of them where DuckLake refuses one."""
        try:
            for statement in statements:
                self.making.carry_out(self.steps, statement)
                self.sql(statement)
            (snapshot,) = self.sql("FROM ducklake_current_snapshot('lake')").fetchone()
        except (duckdb.FatalException, duckdb.InternalException) as error:
            raise BrokenOff from error
        except duckdb.Error:
            self.roll_back()
            return
        self.done = self.steps
        self.said += (f"{snapshot}: {statement}" for statement in statements)

    def roll_back(self) -> None:
        try:
            self.sql("ROLLBACK")
        except duckdb.TransactionException:
            pass  # there was no transaction

    def statement(self) -> str | None:
        """One operation on what there is, or nothing where it does not apply."""
        kinds = tuple(KINDS)
        (kind,) = self.rng.choices(kinds, [KINDS[kind] for kind in kinds])
        return kind(self)

    # What there is.

    def tables(self) -> list[str]:
        rows = self.sql(
            "SELECT schema_name, table_name FROM duckdb_tables()"
            " WHERE database_name = 'lake' ORDER BY ALL"
        ).fetchall()
        return [f"{quoted(schema)}.{quoted(name)}" for schema, name in rows]

    def schemas(self) -> list[str]:
        rows = self.sql(
            "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'lake' ORDER BY ALL"
        ).fetchall()
        return [quoted(name) for (name,) in rows]

    def views(self) -> list[str]:
        rows = self.sql(
            "SELECT schema_name, view_name FROM duckdb_views()"
            " WHERE database_name = 'lake' AND NOT internal ORDER BY ALL"
        ).fetchall()
        return [f"{quoted(schema)}.{quoted(name)}" for schema, name in rows]

    def table(self) -> str | None:
        tables = self.tables()
        return self.rng.choice(tables) if tables else None

    def columns(self, table: str) -> list[tuple[str, Any]]:
        answer = self.sql(f"FROM {table} LIMIT 0")
        return [(name, type) for name, type, *_ in answer.description]

    def place(self, kinds: tuple[str, ...]) -> tuple[str, str, Any] | None:
        """A table, and a nested place in it whose parent is of one of these kinds."""
        table = self.table()
        if not table:
            return None
        found = [
            (".".join(map(quoted, path)), type)
            for name, column in self.columns(table)
            for path, type in places(column, (name,))
            if type.id in kinds
        ]
        return (table, *self.rng.choice(found)) if found else None

    # Operations.

    def create_table(self) -> str:
        schema = self.rng.choice(self.schemas())
        name = quoted(self.rng.choice(("towns", "Rivers", "it's", "50% #1?")))
        names = self.rng.sample(NAMES, self.rng.randint(1, 5))
        columns = ", ".join(f"{quoted(name)} {a_type(self.rng)}" for name in names)
        replace = "OR REPLACE " if self.rng.random() < 0.2 else ""
        return f"CREATE {replace}TABLE {schema}.{name} ({columns})"

    def insert(self) -> str | None:
        table = self.table()
        if not table:
            return None
        return f"INSERT INTO {table} {self.rows(table)}"

    def rows(self, table: str) -> str:
        values = ", ".join(
            f"{a_value(self.rng, type)} AS {quoted(name)}" for name, type in self.columns(table)
        )
        first = self.rng.randint(0, 1000)
        count = self.rng.choice((1, 2, 4, 8, 30, 60))
        return f"SELECT {values} FROM range({first}, {first + count}) t(i)"

    def some_rows(self, table: str) -> str:
        k = self.rng.choice((2, 3, 5, 7, 20))
        return f"rowid % {k} = {self.rng.randint(0, k - 1)}"

    def delete(self) -> str | None:
        table = self.table()
        if not table:
            return None
        return f"DELETE FROM {table}" + (
            "" if self.rng.random() < 0.05 else f" WHERE {self.some_rows(table)}"
        )

    def update(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, type = self.rng.choice(self.columns(table))
        value = f"(SELECT {a_value(self.rng, type)} FROM (SELECT {self.rng.randint(0, 99)} AS i))"
        return f"UPDATE {table} SET {quoted(name)} = {value} WHERE {self.some_rows(table)}"

    def add_column(self) -> str | None:
        table = self.table()
        if not table:
            return None
        type = a_type(self.rng)
        name = quoted(self.rng.choice(NAMES))
        return f"ALTER TABLE {table} ADD COLUMN {name} {type}{a_default(self.rng, type)}"

    def drop_column(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, _ = self.rng.choice(self.columns(table))
        return f"ALTER TABLE {table} DROP COLUMN {quoted(name)}"

    def rename_column(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, _ = self.rng.choice(self.columns(table))
        return f"ALTER TABLE {table} RENAME COLUMN {quoted(name)} TO {self.new_name(name)}"

    def new_name(self, name: str) -> str:
        return quoted(name.swapcase() if self.rng.random() < 0.2 else self.rng.choice(NAMES))

    def promote(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, type = self.rng.choice(self.columns(table))
        wider = widened(self.rng, type)
        return f"ALTER TABLE {table} ALTER COLUMN {quoted(name)} SET DATA TYPE {wider}"

    def add_member(self) -> str | None:
        found = self.place(("struct",))
        if not found:
            return None
        table, path, _ = found
        type = self.rng.choice((*PLAIN, a_struct(self.rng), "INTEGER[]"))
        name = quoted(self.rng.choice(NAMES))
        return f"ALTER TABLE {table} ADD COLUMN {path}.{name} {type}{a_default(self.rng, type)}"

    def drop_member(self) -> str | None:
        found = self.place(("struct",))
        if not found:
            return None
        table, path, type = found
        if len(type.children) == 1:
            return None  # DuckLake would do it, and could not read its own catalog any more
        name, _ = self.rng.choice(type.children)
        return f"ALTER TABLE {table} DROP COLUMN {path}.{quoted(name)}"

    def rename_member(self) -> str | None:
        found = self.place(("struct",))
        if not found:
            return None
        table, path, type = found
        name, _ = self.rng.choice(type.children)
        return f"ALTER TABLE {table} RENAME COLUMN {path}.{quoted(name)} TO {self.new_name(name)}"

    def set_default(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, type = self.rng.choice(self.columns(table))
        default = a_default(self.rng, str(type))
        change = f"SET{default}" if default else "DROP DEFAULT"
        return f"ALTER TABLE {table} ALTER COLUMN {quoted(name)} {change}"

    def rename_table(self) -> str | None:
        table = self.table()
        name = quoted(self.rng.choice(("towns", "rivers", "Places", "日本")))
        return f"ALTER TABLE {table} RENAME TO {name}" if table else None

    def drop_table(self) -> str | None:
        tables = self.tables()
        return f"DROP TABLE {self.rng.choice(tables)}" if len(tables) > 2 else None

    def change_schema(self) -> str:
        name = quoted(self.rng.choice(("archive", 's"2', "日本")))
        verb = self.rng.choice(("CREATE SCHEMA {}", "DROP SCHEMA {}", "DROP SCHEMA {} CASCADE"))
        return verb.format(name)

    def partition(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, type = self.rng.choice(self.columns(table))
        keys = [quoted(name), f"bucket(4, {quoted(name)})"]
        if type.id in ("date", "timestamp", "timestamp with time zone"):
            keys += [f"year({quoted(name)})", f"year({quoted(name)}), month({quoted(name)})"]
        if self.rng.random() < 0.2:
            return f"ALTER TABLE {table} RESET PARTITIONED BY"
        return f"ALTER TABLE {table} SET PARTITIONED BY ({self.rng.choice(keys)})"

    def sort(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, _ = self.rng.choice(self.columns(table))
        return f"ALTER TABLE {table} SET SORTED BY ({quoted(name)} DESC)"

    def comment(self) -> str | None:
        table = self.table()
        if not table:
            return None
        name, _ = self.rng.choice(self.columns(table))
        on = self.rng.choice((f"TABLE {table}", f"COLUMN {table}.{quoted(name)}"))
        if views := self.views():
            on = self.rng.choice((on, f"VIEW {self.rng.choice(views)}"))
        return f"COMMENT ON {on} IS {self.rng.choice(('NULL', literal(self.rng.choice(NAMES))))}"

    def view(self) -> str | None:
        table = self.rng.choice([*self.tables(), *self.views()])
        views = self.views()
        if views and self.rng.random() < 0.3:
            return f"DROP VIEW {self.rng.choice(views)}"
        name = f"{self.rng.choice(self.schemas())}.{self.rng.choice(('seen', quoted('a view')))}"
        try:
            column, _ = self.rng.choice(self.columns(table))
        except (duckdb.BinderException, duckdb.CatalogException):
            return None  # a view that no longer binds
        column = quoted(column)
        query = self.rng.choice(
            (
                f"SELECT * FROM lake.{table}",
                f"SELECT {column} AS one FROM lake.{table} WHERE {column} IS NOT NULL",
                f"WITH w AS (FROM lake.{table}) SELECT count(*) AS n, count({column}) AS m FROM w",
                f"SELECT plus_one(count(*)) AS n FROM lake.{table}",
            )
        )
        aliases = "(x)" if self.rng.random() < 0.1 else ""
        return f"CREATE OR REPLACE VIEW {name}{aliases} AS {query}"

    def macro(self) -> str:
        return self.rng.choice(
            (
                "CREATE OR REPLACE MACRO plus_one(n) AS n + 1",
                "CREATE OR REPLACE MACRO plus_one(n, more := 10) AS n + more",
                "DROP MACRO plus_one",
            )
        )

    def maintain(self) -> str:
        return self.rng.choice(MAINTENANCE)

    def add_file(self) -> str | None:
        """A file that DuckLake did not write, whose columns are matched by name."""
        table = self.table()
        if not table:
            return None
        folder = self.sql(FOLDER, [table]).fetchone()
        if not folder:
            return None
        schema, name, path = folder
        file = self.lake.repository.data / path / f"added {self.steps} 50%.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        self.sql(f"COPY ({self.rows(table)}) TO {literal(str(file))}")
        return (
            f"CALL ducklake_add_data_files('lake', {literal(name)}, {literal(str(file))},"
            f" schema => {literal(schema)})"
        )


def widened(rng: Random, type: Any) -> str:
    """The type with one of its plain types promoted, and now and then a member more."""
    if type.id == "struct":
        members = [(name, child) for name, child in type.children]
        chosen = rng.randrange(len(members))
        texts = [
            f"{quoted(name)} {widened(rng, child) if index == chosen else child}"
            for index, (name, child) in enumerate(members)
        ]
        return f"STRUCT({', '.join(texts)})"
    if type.id == "list":
        return f"{widened(rng, type.children[0][1])}[]"
    if type.id == "map":
        (_, key), (_, child) = type.children
        return f"MAP({key}, {widened(rng, child)})"
    return rng.choice(WIDER.get(type.id, (str(type),)))


KINDS: dict[Callable[[History], str | None], int] = {
    History.insert: 24,
    History.delete: 8,
    History.update: 6,
    History.add_column: 6,
    History.drop_column: 4,
    History.rename_column: 5,
    History.promote: 6,
    History.add_member: 6,
    History.drop_member: 4,
    History.rename_member: 6,
    History.set_default: 2,
    History.create_table: 3,
    History.rename_table: 2,
    History.drop_table: 2,
    History.change_schema: 2,
    History.partition: 2,
    History.sort: 1,
    History.comment: 3,
    History.view: 4,
    History.macro: 2,
    History.maintain: 7,
    History.add_file: 4,
}
"""How often each operation is chosen, beside the others."""


def made(seed: int, operations: int, root: Path, keys: KeyRing, making: Making) -> list[str]:
    """Make the history of a seed in the folder `root`; what was done."""
    while True:
        shutil.rmtree(root, ignore_errors=True)
        history = History(seed, root, keys, making)
        try:
            history.write(operations)
            return history.said
        except BrokenOff:
            if not making.leave_out_the_step():
                raise
