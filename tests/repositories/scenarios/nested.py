"""Members of nested columns that change: older data files keep the members that they had.

Each change is made at every place where a struct can be: as a column, in a list, as the value of a
map, in another struct. Snapshots before, between and after tell files of both kinds apart; so does
what maintenance makes of them.
"""

from collections.abc import Callable

from ducklake import quoted
from keys import ALICE, BOB
from lake import Lake, Sql
from scenario import SMALL, scenario

Members = dict[str, str]
"""The members of a struct, each with an expression in `i`."""

BEFORE = {"a": "i::INTEGER", "b": "'b' || i"}

SHAPES: dict[str, tuple[str, str, str]] = {
    "plain": ("$", "c", "CASE WHEN i % 5 = 4 THEN NULL ELSE $ END"),
    "listed": (
        "$[]",
        "c.element",
        "CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [$, NULL, $] END",
    ),
    "mapped": (
        "MAP(VARCHAR, $)",
        "c.value",
        "CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN MAP {} ELSE MAP {'k': $, 'l': NULL} END",
    ),
    "nested": ("STRUCT(inside $, beside INTEGER)", "c.inside", "{'inside': $, 'beside': i}"),
    "deep": ("STRUCT(xs $[])[]", "c.element.xs.element", "[{'xs': [$, NULL]}, NULL]"),
}
"""For each table: its column's type around `$`, the struct's; where that is; the column's value."""

MAINTENANCE = ("merge_adjacent_files('lake'", "rewrite_data_files('lake', delete_threshold => 0")


def insert(sql: Sql, members: Members, first: int) -> None:
    struct = ", ".join(f"{quoted(name)} := {value}" for name, value in members.items())
    sql("BEGIN")
    for table, (_, _, value) in SHAPES.items():
        column = value.replace("$", f"struct_pack({struct})")
        sql(f"INSERT INTO {table} SELECT i, {column} FROM range({first}, {first + 8}) t(i)")
    sql("COMMIT")


def changed(
    lake: Lake,
    change: Callable[[Sql, str, str], None],
    after: Members,
    before: Members = BEFORE,
    struct: str = "STRUCT(a INTEGER, b VARCHAR)",
) -> None:
    """`change` alters a table, whose struct is at a place; then it has the members `after`."""
    with lake.commit("Before", by=ALICE) as sql:
        sql("BEGIN")
        for table, (type, _, _) in SHAPES.items():
            sql(f"CREATE TABLE {table} (id INTEGER, c {type.replace('$', struct)})")
        sql("COMMIT")
        insert(sql, before, 0)
        insert(sql, before, 8)
    with lake.commit("After", by=BOB) as sql:
        for table, (_, place, _) in SHAPES.items():
            change(sql, table, place)
        insert(sql, after, 16)
    with lake.commit("Maintained", by=ALICE) as sql:
        sql("BEGIN")
        for table in SHAPES:
            sql(f"DELETE FROM {table} WHERE id % 7 = 3")
        sql("COMMIT")
        for call in MAINTENANCE:
            sql(f"CALL ducklake_{call})")
        insert(sql, after, 24)


@scenario("A member added to a struct is NULL where files lack it.", **SMALL)
def nested_member_added(lake: Lake) -> None:
    changed(
        lake,
        lambda sql, table, place: sql(f"ALTER TABLE {table} ADD COLUMN {place}.added DOUBLE"),
        BEFORE | {"added": "i / 3"},
    )


@scenario("A member added with a default is that where files lack it.", in_browser=False, **SMALL)
def nested_member_added_with_default(lake: Lake) -> None:
    changed(
        lake,
        lambda sql, table, place: sql(
            f"ALTER TABLE {table} ADD COLUMN {place}.added DATE DEFAULT '1868-01-03'"
        ),
        BEFORE | {"added": "DATE '2000-01-01' + i::INTEGER"},
    )


@scenario("A member dropped from a struct is not read from files.", in_browser=False, **SMALL)
def nested_member_dropped(lake: Lake) -> None:
    changed(
        lake,
        lambda sql, table, place: sql(f"ALTER TABLE {table} DROP COLUMN {place}.a"),
        {"b": "'b' || i"},
    )


@scenario("A member keeps its field id when it is renamed.", **SMALL)
def nested_member_renamed(lake: Lake) -> None:
    changed(
        lake,
        lambda sql, table, place: sql(
            f'ALTER TABLE {table} RENAME COLUMN {place}.a TO "a 50% ""new"""'
        ),
        {'a 50% "new"': "i::INTEGER", "b": "'b' || i"},
    )


@scenario("A member renamed in its case alone is the same one.", in_browser=False, **SMALL)
def nested_member_renamed_in_case(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        sql(f"ALTER TABLE {table} RENAME COLUMN {place}.a TO between")
        sql(f"ALTER TABLE {table} RENAME COLUMN {place}.between TO A")

    changed(lake, change, {"A": "i::INTEGER", "b": "'b' || i"})


@scenario(
    "A member dropped and added again under its name is another one.", in_browser=False, **SMALL
)
def nested_member_made_again(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        sql(f"ALTER TABLE {table} DROP COLUMN {place}.a")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.a INTEGER")

    changed(lake, change, {"b": "'b' || i", "a": "i::INTEGER + 1000"})


@scenario(
    "A member that takes the name of a dropped one reads its own values.",
    **SMALL,
)
def nested_members_swapped(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        sql(f"ALTER TABLE {table} DROP COLUMN {place}.a")
        sql(f"ALTER TABLE {table} RENAME COLUMN {place}.b TO a")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.b VARCHAR DEFAULT 'another'")

    two_texts = {"a": "'a' || i", "b": "'b' || i"}
    changed(lake, change, two_texts, two_texts, "STRUCT(a VARCHAR, b VARCHAR)")


@scenario("Members are promoted in type at every depth.", in_browser=False, **SMALL)
def nested_member_promoted(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        type = SHAPES[table][0].replace("$", "STRUCT(a BIGINT, b VARCHAR)")
        sql(f"ALTER TABLE {table} ALTER COLUMN c SET DATA TYPE {type}")

    changed(lake, change, {"a": "i + 5000000000", "b": "'b' || i"})


@scenario(
    "A change of a struct's type adds, drops and promotes members at once.",
    in_browser=False,
    **SMALL,
)
def nested_type_changed(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        type = SHAPES[table][0].replace("$", "STRUCT(a BIGINT, z STRUCT(y INTEGER)[])")
        sql(f"ALTER TABLE {table} ALTER COLUMN c SET DATA TYPE {type}")

    changed(lake, change, {"a": "i + 5000000000", "z": "[{'y': i}]"})


@scenario(
    "Structs, lists and maps are added to structs, and changed there.", in_browser=False, **SMALL
)
def nested_members_of_nested_types(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.s STRUCT(x INTEGER, y VARCHAR)")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.l INTEGER[]")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.m MAP(VARCHAR, STRUCT(v INTEGER))")
        sql(f"ALTER TABLE {table} RENAME COLUMN {place}.s.x TO xx")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.m.value.w DOUBLE DEFAULT 0.5")

    changed(lake, change, BEFORE | NEW)


NEW = {
    "s": "{'xx': i::INTEGER, 'y': 'y' || i}",
    "l": "[i::INTEGER, NULL]",
    "m": "MAP {'k': {'v': i::INTEGER, 'w': i / 2}}",
}


@scenario(
    "Inlined rows keep the members that their structs had, before and after they are flushed.",
    inline=10,
    **SMALL,
)
def nested_members_of_inlined_rows(lake: Lake) -> None:
    def change(sql: Sql, table: str, place: str) -> None:
        sql(f"ALTER TABLE {table} RENAME COLUMN {place}.a TO z")
        sql(f"ALTER TABLE {table} ADD COLUMN {place}.a INTEGER DEFAULT 7")

    changed(lake, change, {"z": "i::INTEGER", "b": "'b' || i", "a": "-i::INTEGER"})
    with lake.commit("Flushed", by=BOB) as sql:
        sql("CALL ducklake_flush_inlined_data('lake')")


DUCKLAKE_ON_REPLACED_MEMBERS = {
    "listed": "NULLs are taken from other rows",
    "mapped": "NULLs are taken from other rows",
    "nested": "no NULL is told",
    "deep": "reading it ends the process, or fails",
}


def all_members_replaced(lake: Lake) -> dict:
    """What DuckLake reads wrong is gone at the last snapshot, which more than the conformance reads."""
    old, new = (f"CASE WHEN i % 3 > 0 THEN {struct} END" for struct in ("{'a': i::INTEGER}", NEW_ONES))
    with lake.commit("Before", by=ALICE) as sql:
        for table, (type, _, value) in SHAPES.items():
            sql(f"CREATE TABLE {table} (id INTEGER, c {type.replace('$', 'STRUCT(a INTEGER)')})")
            sql(f"INSERT INTO {table} SELECT i, {value.replace('$', old)} FROM range(8) t(i)")
    with lake.commit("After", by=BOB) as sql:
        sql("BEGIN")
        for table, (_, place, _) in SHAPES.items():
            sql(f"ALTER TABLE {table} ADD COLUMN {place}.b VARCHAR DEFAULT 'new'")
            sql(f"ALTER TABLE {table} ADD COLUMN {place}.c INTEGER")
            sql(f"ALTER TABLE {table} DROP COLUMN {place}.a")
        sql("COMMIT")
        (snapshot,) = sql("FROM ducklake_current_snapshot('lake')").fetchone()
        drop(sql, *DUCKLAKE_ON_REPLACED_MEMBERS)
    wrong = {
        f"main.{table}": {
            "why": f"where a data file has no member of a struct, {why}",
            "at": [snapshot],
            "rows": rows_as_text(SHAPES[table][2].replace("$", new), 8),
        }
        for table, why in DUCKLAKE_ON_REPLACED_MEMBERS.items()
    }
    return {"judge_wrong": wrong}


NEW_ONES = "{'b': 'new', 'c': NULL}"


def drop(sql: Sql, *tables: str) -> None:
    sql("BEGIN")
    for table in tables:
        sql(f"DROP TABLE {table}")
    sql("COMMIT")


def rows_as_text(column: str, count: int) -> str:
    return f"SELECT i::VARCHAR AS c0, CAST({column} AS VARCHAR) AS c1 FROM range({count}) t(i)"


@scenario(
    "A struct of whose members a file has none is NULL where it was, else of defaults.",
    in_browser=False,
    **SMALL,
)
def nested_members_all_replaced(lake: Lake) -> dict:
    return all_members_replaced(lake)


@scenario(
    "A struct of whose members inlined rows have none is NULL where it was, else of defaults.",
    inline=10,
    in_browser=False,
    **SMALL,
)
def nested_members_of_inlined_rows_all_replaced(lake: Lake) -> dict:
    return all_members_replaced(lake)


@scenario(
    "A member is added to more structs of a list or a map than the engine reads at once.",
    in_browser=False,
    **SMALL,
)
def nested_member_added_to_many(lake: Lake) -> dict:
    count, tables = 3000, ("listed", "mapped", "deep")
    with lake.commit("Many", by=ALICE) as sql:
        sql("CREATE TABLE towns AS SELECT 1 AS id")
        for table in tables:
            type, _, value = SHAPES[table]
            column = value.replace("$", "{'a': i::INTEGER}")
            sql(f"CREATE TABLE {table} (id INTEGER, c {type.replace('$', 'STRUCT(a INTEGER)')})")
            sql(f"INSERT INTO {table} SELECT i, {column} FROM range({count}) t(i)")
    with lake.commit("Added", by=BOB) as sql:
        sql("BEGIN")
        for table in tables:
            sql(f"ALTER TABLE {table} ADD COLUMN {SHAPES[table][1]}.b VARCHAR")
        sql("COMMIT")
        (snapshot,) = sql("FROM ducklake_current_snapshot('lake')").fetchone()
        drop(sql, *tables)
    why = "a member added without a default to more than 2,048 structs of a list or a map ends the process"
    wrong = {
        f"main.{table}": {
            "why": why,
            "at": [snapshot],
            "rows": rows_as_text(SHAPES[table][2].replace("$", "{'a': i, 'b': NULL}"), count),
        }
        for table in tables
    }
    return {"judge_wrong": wrong}
