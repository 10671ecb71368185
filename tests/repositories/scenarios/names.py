"""Names of all kinds, wherever there are names: they reach paths, URLs and SQL."""

from ducklake import literal, quoted
from keys import ALICE, BOB
from lake import Lake
from scenario import SMALL, scenario

NAMES = (
    "it's",
    'q"uote',
    "two words",
    "a.b",
    "50%",
    "100%25",
    "#1",
    "why?",
    "a+b",
    "k=v",
    "x&y",
    "semi;colon",
    "back\\slash",
    "new\nline",
    "日本",
    "😀",
    "{a}",
    "[b]*",
    "-- comment",
    "'); DROP TABLE towns; --",
    '"; SELECT 1; "',
    "select",
    "_",
    "é",
)


@scenario("Tables and columns may have any name.", **SMALL)
def names_of_tables(lake: Lake) -> None:
    with lake.commit("Names", by=ALICE) as sql:
        sql("BEGIN")
        for name in NAMES:
            sql(f"CREATE TABLE {quoted(name)} ({quoted(name)} INTEGER, v VARCHAR)")
            sql(f"INSERT INTO {quoted(name)} VALUES (1, {literal(name)}), (2, NULL)")
        sql("COMMIT")
    with lake.commit("Deletes", by=BOB) as sql:
        sql("BEGIN")
        for name in NAMES:
            sql(f"DELETE FROM {quoted(name)} WHERE {quoted(name)} = 2")
        sql("COMMIT")


@scenario("Schemas may have any name, and their views too.", in_browser=False, **SMALL)
def names_of_schemas(lake: Lake) -> None:
    with lake.commit("Names", by=ALICE) as sql:
        sql("BEGIN")
        for name in NAMES:
            sql(f"CREATE SCHEMA {quoted(name)}")
            sql(f"CREATE TABLE {quoted(name)}.towns AS SELECT 1 AS id, {literal(name)} AS name")
            sql(f"CREATE VIEW {quoted(name)}.{quoted(name)} AS FROM {quoted(name)}.towns")
            sql(f"COMMENT ON TABLE {quoted(name)}.towns IS {literal(name)}")
        sql("COMMIT")


@scenario("Members of structs and keys of maps may have any name.", **SMALL)
def names_of_members(lake: Lake) -> None:
    members = [name for name in NAMES if name != "_"]
    with lake.commit("Names", by=ALICE) as sql:
        struct = ", ".join(f"{quoted(name)} INTEGER" for name in members)
        sql(f"CREATE TABLE nested (id INTEGER, s STRUCT({struct}), l STRUCT({struct})[])")
        values = ", ".join(f"{quoted(name)} := i::INTEGER" for name in members)
        packed = f"struct_pack({values})"
        sql(f"INSERT INTO nested SELECT i, {packed}, [{packed}] FROM range(3) t(i)")
    with lake.commit("Renamed in a circle", by=BOB) as sql:
        for place in ("s", "l.element"):
            sql(f"ALTER TABLE nested RENAME COLUMN {place}.{quoted(members[0])} TO for_now")
            for name, before in zip(members[1:], members, strict=False):
                sql(f"ALTER TABLE nested RENAME COLUMN {place}.{quoted(name)} TO {quoted(before)}")
            sql(f"ALTER TABLE nested RENAME COLUMN {place}.for_now TO {quoted(members[-1])}")
        sql(f"INSERT INTO nested SELECT i, {packed}, [{packed}] FROM range(3, 6) t(i)")


@scenario("Partitions may have any value, and their columns any name.", in_browser=False, **SMALL)
def names_of_partitions(lake: Lake) -> None:
    with lake.commit("Partitions", by=ALICE) as sql:
        for table, column in (("plain", "kind"), ("odd", "k=v 50% #1?/日本")):
            sql(f"CREATE TABLE {table} (id INTEGER, {quoted(column)} VARCHAR)")
            sql(f"ALTER TABLE {table} SET PARTITIONED BY ({quoted(column)})")
            values = ", ".join(f"({i}, {literal(name)})" for i, name in enumerate(NAMES))
            sql(
                f"INSERT INTO {table} VALUES {values}, (98, ''), (99, NULL), (100, 'a/b'), (101, '..')"
            )
            sql(f"DELETE FROM {table} WHERE id % 3 = 0")


@scenario("Columns are renamed in a circle, and in their case alone.", in_browser=False, **SMALL)
def columns_renamed_in_a_circle(lake: Lake) -> None:
    with lake.commit("Before", by=ALICE) as sql:
        sql("CREATE TABLE t (a INTEGER, b VARCHAR, c DOUBLE)")
        sql("INSERT INTO t SELECT i, 'b' || i, i / 3 FROM range(5) t(i)")
    with lake.commit("After", by=BOB) as sql:
        for before, after in (("a", "x"), ("b", "a"), ("c", "b"), ("x", "C")):
            sql(f"ALTER TABLE t RENAME COLUMN {before} TO {after}")
        sql("INSERT INTO t SELECT i, 'b' || i, i / 3 FROM range(5, 10) t(i)")


@scenario(
    "Tables and schemas that were dropped and made again under their names are others.", **SMALL
)
def made_again(lake: Lake) -> None:
    with lake.commit("Made", by=ALICE) as sql:
        sql("CREATE SCHEMA archive")
        sql("CREATE TABLE archive.towns AS SELECT i AS id, 'old' AS name FROM range(5) t(i)")
        sql("CREATE TABLE rivers AS SELECT i AS id FROM range(5) t(i)")
    with lake.commit("Made again", by=BOB) as sql:
        sql("DROP SCHEMA archive CASCADE")
        sql("CREATE SCHEMA archive")
        sql("CREATE TABLE archive.towns AS SELECT 'new' AS name, 1.5 AS id")
        sql("DROP TABLE rivers")
        sql("CREATE TABLE rivers AS SELECT 'a' AS id, 2 AS more")
        sql("BEGIN")
        sql("DROP TABLE rivers")
        sql("CREATE TABLE rivers AS SELECT 'at once' AS id")
        sql("COMMIT")
    with lake.commit("Renamed into each other's names", by=ALICE) as sql:
        sql("CREATE TABLE lakes AS SELECT 3 AS id")
        sql("ALTER TABLE rivers RENAME TO for_now")
        sql("ALTER TABLE lakes RENAME TO rivers")
        sql("ALTER TABLE for_now RENAME TO lakes")
        sql("INSERT INTO lakes VALUES ('later')")
        sql("CREATE TABLE Archive AS SELECT 1 AS id")
