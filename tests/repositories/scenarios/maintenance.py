"""What maintenance makes of data files: flushed, merged and rewritten, and read at older snapshots."""

from keys import ALICE, BOB
from lake import Lake, Sql
from scenario import SMALL, scenario

DUCKDB_INLINE = 10
FLUSH = "CALL ducklake_flush_inlined_data('lake')"
MERGE = "CALL ducklake_merge_adjacent_files('lake')"
REWRITE = "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)"


def towns(sql: Sql, first: int, count: int) -> None:
    sql(f"INSERT INTO towns SELECT i, 'town ' || i FROM range({first}, {first + count}) t(i)")


def written_in_steps(lake: Lake, rows: int = 20) -> None:
    with lake.commit("In steps", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        for first in (0, 100, 200):
            towns(sql, first, rows)
            sql(f"DELETE FROM towns WHERE id = {first + 1}")
        sql("UPDATE towns SET name = upper(name) WHERE id % 50 = 2")


@scenario(
    "Inlined rows that were changed are flushed with their history.", inline=DUCKDB_INLINE, **SMALL
)
def flushed_rows(lake: Lake) -> None:
    written_in_steps(lake, rows=5)
    with lake.commit("Flushed", by=BOB) as sql:
        sql(FLUSH)
    with lake.commit("And on", by=ALICE) as sql:
        towns(sql, 300, 5)
        sql("DELETE FROM towns WHERE id IN (0, 102, 301)")
        sql(FLUSH)


@scenario(
    "Inlined deletes are flushed into delete files, at the snapshots where they were made.",
    inline=DUCKDB_INLINE,
    in_browser=False,
    **SMALL,
)
def flushed_deletes(lake: Lake) -> None:
    written_in_steps(lake, rows=40)
    with lake.commit("More deletes", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id IN (3, 104)")
        sql("DELETE FROM towns WHERE id IN (5, 106)")
        sql(FLUSH)
        sql("DELETE FROM towns WHERE id IN (7, 108)")


@scenario(
    "Inlined rows of several schema versions are flushed into files of one.",
    inline=DUCKDB_INLINE,
    in_browser=False,
    **SMALL,
)
def flushed_rows_of_changed_columns(lake: Lake) -> None:
    with lake.commit("Changing columns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        towns(sql, 0, 4)
        sql("ALTER TABLE towns ADD COLUMN size TINYINT DEFAULT 7")
        sql("INSERT INTO towns VALUES (10, 'Nara', 1)")
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("ALTER TABLE towns ADD COLUMN name VARCHAR DEFAULT 'new'")
        sql("ALTER TABLE towns ALTER COLUMN size SET DATA TYPE BIGINT")
        sql("INSERT INTO towns VALUES (11, 'Uji', 5000000000, 'n')")
        sql("ALTER TABLE towns DROP COLUMN title")
        sql("DELETE FROM towns WHERE id IN (1, 10)")
        sql("UPDATE towns SET name = 'changed' WHERE id = 2")
    with lake.commit("Flushed", by=BOB) as sql:
        sql(FLUSH)


@scenario(
    "Files are merged that have delete files of several snapshots.", in_browser=False, **SMALL
)
def merged_after_deletes(lake: Lake) -> None:
    written_in_steps(lake)
    with lake.commit("Merged", by=BOB) as sql:
        sql(MERGE)
        sql("DELETE FROM towns WHERE id IN (8, 205)")
        towns(sql, 400, 20)
        sql("DELETE FROM towns WHERE id IN (9, 206)")


@scenario("A file without its deleted rows replaces one with them, from then on.", **SMALL)
def rewritten_files(lake: Lake) -> None:
    written_in_steps(lake)
    with lake.commit("Rewritten", by=BOB) as sql:
        sql(REWRITE)
    with lake.commit("And on", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id % 4 = 0")
        sql(REWRITE)
        sql(MERGE)


@scenario(
    "A data file with two delete files is refused by name: DuckLake reads it once for each.",
    inline=DUCKDB_INLINE,
    in_browser=False,
    **SMALL,
)
def two_delete_files(lake: Lake) -> dict:
    with lake.commit("Deletes in a file and in the catalog, then flushed", by=ALICE) as sql:
        sql("CREATE TABLE rivers AS SELECT 1 AS id")
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        towns(sql, 0, 40)
        sql("DELETE FROM towns WHERE id < 20")
        sql("DELETE FROM towns WHERE id = 22")
        (deleted,) = sql("FROM ducklake_current_snapshot('lake')").fetchone()
        sql(REWRITE)
        sql(FLUSH)
    lake.read_at(deleted)
    return {"refused": {"main.towns": "has a data file with more than one delete file"}}


@scenario("Merged files are merged again, and rewritten.", in_browser=False, **SMALL)
def merged_again_and_again(lake: Lake) -> None:
    with lake.commit("In steps", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        for first in range(0, 60, 10):
            towns(sql, first, 10)
            if first % 20:
                sql(MERGE)
        sql("DELETE FROM towns WHERE id % 9 = 0")
    with lake.commit("Rewritten", by=BOB) as sql:
        sql(REWRITE)
        towns(sql, 100, 10)
        sql(MERGE)


@scenario(
    "Files are merged across changes of columns, each row as it was.",
    in_browser=False,
    **SMALL,
)
def merged_after_changed_columns(lake: Lake) -> None:
    with lake.commit("Changing columns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id SMALLINT, name VARCHAR)")
        towns(sql, 0, 10)
        towns(sql, 10, 10)
        sql("ALTER TABLE towns ADD COLUMN note VARCHAR DEFAULT 'none'")
        sql("INSERT INTO towns SELECT i, 'b' || i, 'note' FROM range(20, 30) t(i)")
        sql("INSERT INTO towns SELECT i, 'b' || i, 'note' FROM range(30, 40) t(i)")
        sql("ALTER TABLE towns ALTER COLUMN id SET DATA TYPE BIGINT")
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("INSERT INTO towns SELECT i + 5000000000, 'c' || i, 'note' FROM range(10) t(i)")
        sql("INSERT INTO towns SELECT i + 6000000000, 'c' || i, 'note' FROM range(10) t(i)")
        sql("ALTER TABLE towns DROP COLUMN note")
    with lake.commit("Merged", by=BOB) as sql:
        sql(MERGE)
        sql("DELETE FROM towns WHERE title LIKE 'b%'")
        sql(REWRITE)


@scenario("Several operations in one transaction are one snapshot.", inline=DUCKDB_INLINE, **SMALL)
def transactions(lake: Lake) -> None:
    with lake.commit("Made and changed at once", by=ALICE) as sql:
        sql("BEGIN")
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        towns(sql, 0, 5)
        towns(sql, 100, 50)
        sql("ALTER TABLE towns ADD COLUMN note VARCHAR DEFAULT 'none'")
        sql("DELETE FROM towns WHERE id IN (1, 101)")
        sql("UPDATE towns SET name = 'changed' WHERE id IN (2, 102)")
        sql("CREATE VIEW seen AS SELECT id FROM towns")
        sql("CREATE TABLE gone (i INTEGER)")
        sql("DROP TABLE gone")
        sql("COMMIT")
    with lake.commit("Changed at once", by=BOB) as sql:
        sql("BEGIN")
        sql("DELETE FROM towns WHERE id IN (3, 103)")
        sql("DELETE FROM towns WHERE id IN (4, 104)")
        sql("INSERT INTO towns VALUES (200, 'new', 'n'), (201, 'newer', NULL)")
        sql("DELETE FROM towns WHERE id = 200")
        sql("ALTER TABLE towns RENAME TO places")
        sql("INSERT INTO places VALUES (202, 'newest', 'n')")
        sql("COMMENT ON TABLE places IS 'Places'")
        sql("COMMIT")


@scenario(
    "Inlined rows are updated and deleted in the catalog.",
    inline=DUCKDB_INLINE,
    in_browser=False,
    **SMALL,
)
def updated_inlined_rows(lake: Lake) -> None:
    with lake.commit("Updates", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        towns(sql, 0, 6)
        sql("UPDATE towns SET name = upper(name) WHERE id < 3")
        sql("UPDATE towns SET id = id + 100 WHERE id % 2 = 0")
        sql("DELETE FROM towns WHERE id > 100")
        towns(sql, 10, 6)
        sql("DELETE FROM towns")
        towns(sql, 20, 2)


PARTITIONS = {
    "by_text": ("kind",),
    "by_two": ("kind", "id"),
    "by_year": ("year(day)",),
    "by_month": ("year(day)", "month(day)"),
    "by_day": ("day(day)", "hour(moment)"),
    "by_bucket": ("bucket(4, id)",),
}


@scenario("Partitioned tables keep the partition's column in their files.", **SMALL)
def partitioned_tables(lake: Lake) -> None:
    columns = "id INTEGER, kind VARCHAR, day DATE, moment TIMESTAMP"
    rows = """SELECT i, [{}][1 + i % 5], DATE '2025-12-30' + i::INTEGER,
              TIMESTAMP '2025-12-31 22:30:00' + INTERVAL (i) HOUR FROM range(10) t(i)"""
    rows = rows.format("'plain', 'a/b = c', '50% #?', '日本', NULL")
    with lake.commit("Partitioned", by=ALICE) as sql:
        for table, keys in PARTITIONS.items():
            sql(f"CREATE TABLE {table} ({columns})")
            sql(f"ALTER TABLE {table} SET PARTITIONED BY ({', '.join(keys)})")
            sql(f"INSERT INTO {table} {rows}")
    with lake.commit("Otherwise partitioned", by=BOB) as sql:
        for table in PARTITIONS:
            sql(f"DELETE FROM {table} WHERE id = 3")
        sql("ALTER TABLE by_text SET PARTITIONED BY (bucket(2, id), kind)")
        sql("ALTER TABLE by_year RESET PARTITIONED BY")
        sql("ALTER TABLE by_text RENAME COLUMN kind TO sort")
        sql(f"INSERT INTO by_text {rows}")
        sql(f"INSERT INTO by_year {rows}")
        sql(REWRITE)


@scenario(
    "Sorted tables and columns that are never NULL read as others do.", in_browser=False, **SMALL
)
def sorted_tables(lake: Lake) -> None:
    with lake.commit("Sorted", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER NOT NULL, name VARCHAR)")
        sql("ALTER TABLE towns SET SORTED BY (name DESC, id)")
        towns(sql, 0, 30)
        towns(sql, 30, 30)
    with lake.commit("Merged in order", by=BOB) as sql:
        sql(MERGE)
        sql("ALTER TABLE towns ALTER COLUMN id DROP NOT NULL")
        sql("INSERT INTO towns VALUES (NULL, NULL)")
        sql("ALTER TABLE towns RESET SORTED BY")


@scenario("A table of a thousand data files is read in one scan.", in_browser=False, **SMALL)
def thousand_files(lake: Lake) -> None:
    many_files(lake, 1000)


@scenario(
    "A table of ten thousand data files is read in one scan.", in_browser=False, slow=True, **SMALL
)
def ten_thousand_files(lake: Lake) -> None:
    many_files(lake, 10_000)


def many_files(lake: Lake, count: int) -> None:
    with lake.commit("Many files", by=ALICE) as sql:
        sql("CREATE TABLE towns (part INTEGER, id INTEGER)")
        sql("ALTER TABLE towns SET PARTITIONED BY (part)")
        sql(f"INSERT INTO towns SELECT i % {count}, i FROM range({2 * count}) t(i)")
        sql("DELETE FROM towns WHERE part < 5 AND id % 2 = 0")
