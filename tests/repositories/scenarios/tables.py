"""What tables hold, and how DuckLake keeps it: deletes, inlined rows, columns, types, names."""

from keys import ALICE, BOB
from lake import Lake
from scenario import scenario, two_versions

DUCKDB_INLINE = 10
"""DuckLake's own DATA_INLINING_ROW_LIMIT."""


def towns(lake: Lake, rows: int = 1000) -> None:
    with lake.commit("First towns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        sql(f"INSERT INTO towns SELECT i, 'town ' || i FROM range({rows}) t(i)")


@scenario("A catalog may have DuckDB's default block size.")
def default_blocks(lake: Lake) -> None:
    two_versions(lake)


@scenario("A catalog may have blocks of 16 KB.", block_size=16384)
def small_blocks(lake: Lake) -> None:
    two_versions(lake)


@scenario("Rows that a delete file names are gone; one can carry the deletes of several snapshots.")
def delete_files(lake: Lake) -> None:
    towns(lake)
    with lake.commit("Delete in two steps", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id % 11 = 2")
        sql("DELETE FROM towns WHERE id % 100 = 3")
    with lake.commit("More towns, fewer towns", by=ALICE) as sql:
        sql("INSERT INTO towns SELECT i, 'town ' || i FROM range(1000, 1400) t(i)")
        sql("DELETE FROM towns WHERE id BETWEEN 900 AND 1100")


@scenario("Small deletes are kept in the catalog.", inline=DUCKDB_INLINE)
def inlined_deletes(lake: Lake) -> None:
    towns(lake)
    for id in (7, 8, 900):
        with lake.commit(f"Remove town {id}", by=BOB) as sql:
            sql(f"DELETE FROM towns WHERE id = {id}")


@scenario("A data file can have a delete file and inlined deletes at once.", inline=DUCKDB_INLINE)
def deletes_both(lake: Lake) -> None:
    towns(lake)
    with lake.commit("Remove many", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id BETWEEN 100 AND 299")
    with lake.commit("Remove a few", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id IN (7, 8, 500)")


@scenario("Small inserts are kept in the catalog, beside data files.", inline=DUCKDB_INLINE)
def inlined_rows(lake: Lake) -> None:
    towns(lake)
    with lake.commit("Two more", by=BOB) as sql:
        sql("INSERT INTO towns VALUES (1000, 'Nara'), (1001, NULL)")
        sql("CREATE TABLE rivers (id INTEGER, name VARCHAR)")
        sql("INSERT INTO rivers VALUES (1, 'Yodo'), (2, 'Kamo'), (3, 'Uji')")
    with lake.commit("Change inlined rows", by=ALICE) as sql:
        sql("UPDATE rivers SET name = 'Katsura' WHERE id = 2")
        sql("DELETE FROM rivers WHERE id = 3")


@scenario(
    "Inlined rows keep the columns that their table had when they were written.",
    inline=DUCKDB_INLINE,
)
def inlined_rows_and_added_columns(lake: Lake) -> None:
    with lake.commit("Rivers", by=ALICE) as sql:
        sql("CREATE TABLE rivers (id INTEGER, name VARCHAR)")
        sql("INSERT INTO rivers VALUES (1, 'Yodo'), (2, 'Kamo')")
    with lake.commit("Add a length", by=BOB) as sql:
        sql("ALTER TABLE rivers ADD COLUMN length_km INTEGER DEFAULT 31")
        sql("INSERT INTO rivers VALUES (3, 'Uji', 75)")
    with lake.commit("Rename a column", by=BOB) as sql:
        sql("ALTER TABLE rivers RENAME COLUMN name TO title")
        sql("INSERT INTO rivers VALUES (4, 'Katsura', NULL)")


@scenario("An update deletes rows from their data file and adds them to another.")
def updates(lake: Lake) -> None:
    towns(lake)
    with lake.commit("Capital letters", by=BOB) as sql:
        sql("UPDATE towns SET name = upper(name) WHERE id % 3 = 0")
    with lake.commit("And once more", by=ALICE) as sql:
        sql("UPDATE towns SET name = name || '!' WHERE id % 6 = 0")


@scenario("Data files older than a column give its default, or NULL where it has none.")
def added_columns(lake: Lake) -> None:
    towns(lake, rows=100)
    with lake.commit("Add a note, and a population of 1000 by default", by=BOB) as sql:
        sql("ALTER TABLE towns ADD COLUMN note VARCHAR")
        sql("ALTER TABLE towns ADD COLUMN population INTEGER DEFAULT 1000")
        sql("INSERT INTO towns SELECT i, 'town ' || i, 'new', i * 10 FROM range(100, 150) t(i)")
    with lake.commit("Add when a town was founded", by=ALICE) as sql:
        sql("ALTER TABLE towns ADD COLUMN founded DATE DEFAULT '1868-01-03'")
        sql("ALTER TABLE towns ALTER COLUMN population SET DEFAULT 5")
        sql("INSERT INTO towns (id, name) SELECT i, 'town ' || i FROM range(150, 180) t(i)")


@scenario(
    "A column keeps its field id when it is renamed, and a new column of an old name is another."
)
def renamed_columns(lake: Lake) -> None:
    towns(lake, rows=100)
    with lake.commit("Name becomes title", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("INSERT INTO towns SELECT i, 'title ' || i FROM range(100, 120) t(i)")
    with lake.commit("Another name, and wider ids", by=ALICE) as sql:
        sql("ALTER TABLE towns ADD COLUMN name VARCHAR")
        sql("ALTER TABLE towns ALTER COLUMN id SET DATA TYPE BIGINT")
        sql("INSERT INTO towns SELECT i + 5000000000, 'title ' || i, 'name' FROM range(20) t(i)")
        sql("ALTER TABLE towns DROP COLUMN title")


@scenario("Schemas, tables and columns may have any name.")
def several_schemas(lake: Lake) -> None:
    with lake.commit("Names of all kinds", by=ALICE) as sql:
        sql("CREATE SCHEMA archive")
        sql("CREATE TABLE archive.towns AS SELECT i AS id FROM range(30) t(i)")
        sql("CREATE TABLE towns AS SELECT i AS id FROM range(20) t(i)")
        sql("""CREATE SCHEMA "it's ""quoted"", 50% / a.b" """)
        sql('''CREATE TABLE "it's ""quoted"", 50% / a.b"."a table; with spaces + #1?" AS
               SELECT i AS "the ""id""", 'x' || i AS "na.me's" FROM range(10) t(i)''')
        sql('CREATE SCHEMA "日本"')
        sql("""CREATE TABLE "日本"."都道府県" AS
               SELECT * FROM (VALUES (1, '北海道'), (26, '京都府')) t("番号", "名前")""")


@scenario("A table without rows has columns all the same.")
def empty_table(lake: Lake) -> None:
    with lake.commit("Nothing yet", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR, area DECIMAL(10, 2))")
    with lake.commit("A table emptied again", by=BOB) as sql:
        sql("CREATE TABLE rivers AS SELECT i AS id FROM range(50) t(i)")
        sql("DELETE FROM rivers")


@scenario("Every type that DuckLake keeps.")
def types(lake: Lake) -> None:
    with lake.commit("One column of each type", by=ALICE) as sql:
        sql("""
            CREATE TABLE everything (
                tiny TINYINT, small SMALLINT, plain INTEGER, big BIGINT, huge HUGEINT,
                utiny UTINYINT, usmall USMALLINT, uplain UINTEGER, ubig UBIGINT,
                amount DECIMAL(38, 10), price DECIMAL(9, 2), single FLOAT, twofold DOUBLE,
                text VARCHAR, flag BOOLEAN, day DATE, moment TIMESTAMP, moment_s TIMESTAMP_S,
                moment_ms TIMESTAMP_MS, moment_ns TIMESTAMP_NS, instant TIMESTAMPTZ,
                clock TIME, span INTERVAL, id UUID, bytes BLOB, list INTEGER[],
                record STRUCT(a INTEGER, b VARCHAR), map MAP(VARCHAR, INTEGER),
                deep STRUCT(xs STRUCT(y DOUBLE)[])[], document JSON
            )""")
        sql("""
            INSERT INTO everything
            SELECT i % 100, i * 300, i * 70000, i * 5000000000, i * 5000000000,
                   i % 200, i * 600, i * 140000, i * 9000000000,
                   i * 12345678901234567890.0123456789, i * 1.01, i / 3, i / 7,
                   CASE WHEN i % 5 = 0 THEN NULL ELSE 'été ' || i END, i % 2 = 0,
                   DATE '1999-12-31' + i::INTEGER,
                   TIMESTAMP '2026-03-29 01:30:00.123456' + INTERVAL (i) HOUR,
                   TIMESTAMP '1969-12-31 23:59:59' + INTERVAL (i) SECOND,
                   TIMESTAMP '2026-01-01 00:00:00.123' + INTERVAL (i) MILLISECOND,
                   TIMESTAMP_NS '2026-01-01 00:00:00.123456789',
                   TIMESTAMPTZ '2026-03-29 01:30:00.5+02' + INTERVAL (i) MINUTE,
                   TIME '23:59:59.999999', INTERVAL (i) DAY,
                   ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID,
                   ('a\\x00' || i)::BLOB, [i, NULL, i + 1], {'a': i, 'b': 'b' || i},
                   MAP {'k': i, 'l': NULL}, [{'xs': [{'y': i / 2}]}],
                   json_object('i', i, 'n', [1, NULL])
            FROM range(40) t(i)""")
        nulls = ", ".join(["NULL"] * 30)
        sql(f"INSERT INTO everything SELECT {nulls} FROM range(20)")
    with lake.commit("The ends of the ranges", by=BOB) as sql:
        sql("""
            INSERT INTO everything
                (tiny, small, plain, big, ubig, amount, single, twofold, day, moment, text)
            SELECT * FROM (VALUES
                (-128, -32768, -2147483648, -9223372036854775808, 0,
                 -9999999999999999999999999999.9999999999, '-inf', 'nan',
                 '0001-01-01'::DATE, '0001-01-01'::TIMESTAMP, ''),
                (127, 32767, 2147483647, 9223372036854775807, 18446744073709551615,
                 9999999999999999999999999999.9999999999, 'inf', '-0.0',
                 '9999-12-31', '9999-12-31 23:59:59.999999', E'tab\\t"quote"\\n')
            )""")


@scenario("A promoted column reads the rows that were written in its former type.")
def promoted_columns(lake: Lake) -> None:
    with lake.commit("Small numbers", by=ALICE) as sql:
        sql("CREATE TABLE counts (id TINYINT, amount INTEGER, share FLOAT)")
        sql("INSERT INTO counts SELECT i, i * 1000, i / 7 FROM range(100) t(i)")
    with lake.commit("Larger ones", by=BOB) as sql:
        sql("ALTER TABLE counts ALTER id SET TYPE INTEGER")
        sql("ALTER TABLE counts ALTER amount SET TYPE BIGINT")
        sql("ALTER TABLE counts ALTER share SET TYPE DOUBLE")
        sql("INSERT INTO counts SELECT i + 70000, i * 10000000000, i / 7 FROM range(20) t(i)")


@scenario("Views and comments are kept in the catalog.")
def views_and_comments(lake: Lake) -> None:
    towns(lake, rows=50)
    with lake.commit("A view and two comments", by=BOB) as sql:
        sql("CREATE VIEW late_towns AS SELECT * FROM towns WHERE id >= 40")
        sql("COMMENT ON TABLE towns IS 'Towns by number'")
        sql("COMMENT ON COLUMN towns.name IS 'The usual name'")


@scenario("Tables that were dropped or renamed belong to the versions before.")
def dropped_and_renamed_tables(lake: Lake) -> None:
    towns(lake, rows=50)
    with lake.commit("Rename", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME TO places")
        sql("CREATE TABLE rivers AS SELECT i AS id FROM range(10) t(i)")
    with lake.commit("Drop and begin again", by=ALICE) as sql:
        sql("DROP TABLE rivers")
        sql("CREATE TABLE towns AS SELECT i AS id FROM range(5) t(i)")


@scenario("Merged data files begin at their earliest snapshot; each row carries its own.")
def compacted(lake: Lake) -> None:
    towns(lake, rows=50)
    for at in (50, 60, 70):
        with lake.commit(f"Towns from {at}", by=BOB) as sql:
            sql(f"INSERT INTO towns SELECT i, 'town ' || i FROM range({at}, {at + 10}) t(i)")
    with lake.commit("Merge adjacent files", by=ALICE) as sql:
        sql("CALL ducklake_merge_adjacent_files('lake')")


@scenario(
    "The catalog's statistics tell which data files hold no row that is asked for.",
    inline=DUCKDB_INLINE,
)
def many_files(lake: Lake) -> None:
    with lake.commit("Ten files", by=ALICE) as sql:
        sql("CREATE TABLE days (id INTEGER, day DATE, share DOUBLE, note VARCHAR)")
        for first in range(0, 1000, 100):
            nan = "'nan'" if first == 300 else "NULL" if first == 500 else "i / 7"
            sql(f"""INSERT INTO days SELECT i, DATE '2024-01-01' + i::INTEGER, {nan}, 'day ' || i
                    FROM range({first}, {first + 100}) t(i)""")
    with lake.commit("Deletes of both kinds, and rows in the catalog", by=BOB) as sql:
        sql("DELETE FROM days WHERE id BETWEEN 120 AND 160")
        sql("DELETE FROM days WHERE id IN (5, 999)")
        sql("INSERT INTO days VALUES (-1, NULL, -1, 'early'), (2000, '2030-01-01', NULL, NULL)")
