"""Catalogs of DuckLake's earlier format, and of those that are refused by name."""

from breaking import Breaking
from keys import ALICE, BOB
from lake import Lake
from scenario import SMALL, broken, scenario
from scenarios import added_files, maintenance, nested, views

FORMAT_0_3 = {"duckdb": "1.4.4", **SMALL}


@scenario(
    "A catalog of format 0.3 is read too: deletes, columns, comments and views.", **FORMAT_0_3
)
def format_0_3(lake: Lake) -> None:
    with lake.commit("Towns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        sql("INSERT INTO towns SELECT i, 'town ' || i FROM range(100) t(i)")
        sql("DELETE FROM towns WHERE id % 11 = 2")
    with lake.commit("Changes", by=BOB) as sql:
        sql("ALTER TABLE towns ADD COLUMN population INTEGER DEFAULT 1000")
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("UPDATE towns SET title = upper(title) WHERE id % 7 = 0")
        sql("CREATE VIEW late AS SELECT id, title FROM towns WHERE id > 90")
        sql("COMMENT ON TABLE towns IS 'Towns'")
        sql("COMMENT ON COLUMN towns.title IS 'The title'")


@scenario(
    "In format 0.3 merged files count the rows of each snapshot.", in_browser=False, **FORMAT_0_3
)
def format_0_3_merged_files(lake: Lake) -> None:
    with lake.commit("In steps", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        for first in range(0, 50, 10):
            maintenance.towns(sql, first, 10)
    with lake.commit("Merged", by=BOB) as sql:
        sql(maintenance.MERGE)
        sql("DELETE FROM towns WHERE id % 10 = 3")
        maintenance.towns(sql, 100, 10)
    with lake.commit("Merged again", by=ALICE) as sql:
        sql(maintenance.MERGE)
        sql(maintenance.REWRITE)


@scenario("In format 0.3 inlined rows are flushed.", inline=10, in_browser=False, **FORMAT_0_3)
def format_0_3_inlined_rows(lake: Lake) -> None:
    with lake.commit("Inlined", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        maintenance.towns(sql, 0, 5)
        maintenance.towns(sql, 10, 5)
        sql("DELETE FROM towns WHERE id = 3")
        sql("UPDATE towns SET name = 'changed' WHERE id = 11")
    with lake.commit("Flushed", by=BOB) as sql:
        sql(maintenance.FLUSH)


@scenario(
    "In format 0.3 members of structs change as in later ones.", in_browser=False, **FORMAT_0_3
)
def format_0_3_nested_members(lake: Lake) -> None:
    nested.nested_members_swapped(lake)


@scenario("In format 0.3 files are added by name.", in_browser=False, **FORMAT_0_3)
def format_0_3_added_files(lake: Lake) -> None:
    added_files.added_files_and_renamed_columns(lake)


@scenario("In format 0.3 Hive folders give values.", in_browser=False, **FORMAT_0_3)
def format_0_3_hive_partitions(lake: Lake) -> dict:
    added_files.hive_partitions(lake)
    why = "1.4.4 leaves values of folders percent-encoded, and reads NULL as a text"
    return {"judge_wrong": {"main.places": {"why": why, "rows": DECODED}}}


DECODED = "SELECT c0, nullif(url_decode(c1), 'NULL') AS c1 FROM judged"


@scenario("In format 0.3 views read views.", in_browser=False, **FORMAT_0_3)
def format_0_3_views(lake: Lake) -> None:
    views.views(lake)


@broken("A format that is not known is refused by its name.", fails="rows: unsupported_format")
def format_1_1(files: Breaking) -> None:
    files.rewrite_catalog("UPDATE ducklake_metadata SET value = '1.1-dev1' WHERE key = 'version'")
