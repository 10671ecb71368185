"""Views and macros that the publisher made, and comments on what there is."""

from keys import ALICE, BOB
from lake import Lake, Sql
from scenario import SMALL, scenario


def towns_and_rivers(sql: Sql) -> None:
    sql("CREATE TABLE towns (id INTEGER, name VARCHAR, river INTEGER)")
    sql("INSERT INTO towns SELECT i, 'town ' || i, i % 3 FROM range(12) t(i)")
    sql("CREATE TABLE rivers AS SELECT i AS id, 'river ' || i AS name FROM range(3) t(i)")


@scenario("Views read tables, other views, and those of other schemas.", **SMALL)
def views(lake: Lake) -> None:
    with lake.commit("Views", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE VIEW late AS SELECT * FROM towns WHERE id >= 6")
        sql("CREATE VIEW latest AS SELECT id, upper(name) AS name FROM late WHERE id >= 9")
        sql("CREATE SCHEMA archive")
        sql("CREATE TABLE archive.old AS SELECT i AS id FROM range(4) t(i)")
        sql(
            "CREATE VIEW archive.seen AS SELECT o.id, t.name FROM archive.old o JOIN main.towns t USING (id)"
        )
        sql(
            "CREATE VIEW across AS SELECT * FROM archive.seen UNION ALL SELECT id, name FROM latest"
        )
    with lake.commit("What they read changes", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id = 10")
        sql("ALTER TABLE towns ADD COLUMN note VARCHAR DEFAULT 'none'")
        sql("CREATE OR REPLACE VIEW latest AS SELECT id, lower(name) AS name FROM late")
        sql("ALTER VIEW across RENAME TO everywhere")


@scenario("A view gives its columns the names that it was made with.", in_browser=False, **SMALL)
def views_with_column_names(lake: Lake) -> None:
    with lake.commit("Names", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql('CREATE VIEW named("the id", "na""me") AS SELECT id, name FROM towns')
        sql("CREATE VIEW first_named(number) AS SELECT id, name FROM towns")
        sql('CREATE VIEW "view; with \'odd\' ""name"" 50%" AS SELECT id AS "日本" FROM towns')


@scenario("A view may hold whatever a query can.", in_browser=False, **SMALL)
def views_of_all_kinds(lake: Lake) -> None:
    with lake.commit("Queries", by=ALICE) as sql:
        towns_and_rivers(sql)
        for name, query in {
            "common": "WITH t AS (SELECT * FROM towns), r AS (FROM rivers) SELECT t.name, r.name AS river FROM t JOIN r ON t.river = r.id",
            "recursive": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) FROM n",
            "within": "SELECT name, (SELECT name FROM rivers r WHERE r.id = t.river) AS river FROM towns t WHERE EXISTS (FROM rivers r WHERE r.id = t.river AND r.id > 0)",
            "inside": "SELECT * FROM (SELECT id, name FROM towns) q WHERE id IN (SELECT id FROM rivers)",
            "grouped": "SELECT river, count(*) AS n, list(name ORDER BY id) AS names FROM towns GROUP BY ALL HAVING count(*) > 1",
            "windowed": "SELECT id, row_number() OVER (PARTITION BY river ORDER BY id) AS place FROM towns QUALIFY place < 3",
            "set_operations": "SELECT id FROM towns EXCEPT SELECT id FROM rivers UNION ALL SELECT 99",
            "values_alone": "FROM (VALUES (1, 'a'), (2, 'b')) v(id, name)",
            "numbers": "SELECT * FROM range(5) t(i) CROSS JOIN unnest([1, 2]) u(j)",
            "pivoted": "SELECT * FROM (PIVOT towns ON river IN (0, 1, 2) USING count(*) GROUP BY name)",
            "ordered": "SELECT * EXCLUDE (name) REPLACE (id + 1 AS id) FROM towns ORDER BY id LIMIT 3",
            "sideways": "SELECT t.id, x.twice FROM towns t, LATERAL (SELECT t.id * 2 AS twice) x",
            "lambdas": "SELECT list_transform([1, 2, 3], lambda x: x + id) AS l FROM towns",
            "shadowed": "WITH towns AS (SELECT 1 AS id) FROM towns",
            "qualified": "SELECT lake.main.towns.name FROM lake.main.towns",
            "literals": "SELECT 'read_csv(''/etc/passwd'')' AS text, $$FROM 'x.csv'$$ AS quoted, id FROM towns",
        }.items():
            sql(f"CREATE VIEW {name} AS {query}")


@scenario("A view that no longer binds is listed, and the others are read.", **SMALL)
def views_that_no_longer_bind(lake: Lake) -> None:
    with lake.commit("Views", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE VIEW names AS SELECT name FROM towns")
        sql("CREATE VIEW more_names AS SELECT name || '!' AS name FROM names")
        sql("CREATE VIEW by_river AS SELECT r.name FROM rivers r")
        sql("CREATE VIEW ids AS SELECT id FROM towns")
    with lake.commit("A column and a table are gone", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("DROP TABLE rivers")
    with lake.commit("They are back", by=ALICE) as sql:
        sql("ALTER TABLE towns ADD COLUMN name VARCHAR DEFAULT 'again'")
        sql("CREATE TABLE rivers AS SELECT 5 AS id, 'Yodo' AS name")


@scenario(
    "Views that are dropped or replaced belong to the snapshots before.", in_browser=False, **SMALL
)
def dropped_and_replaced_views(lake: Lake) -> None:
    with lake.commit("Views", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE VIEW seen AS SELECT id FROM towns")
        sql("CREATE VIEW gone AS SELECT id FROM rivers")
    with lake.commit("Replaced", by=BOB) as sql:
        sql("CREATE OR REPLACE VIEW seen AS SELECT name FROM rivers")
        sql("DROP VIEW gone")
        sql("CREATE TABLE gone AS SELECT 1 AS now_a_table")
    with lake.commit("A table's name becomes a view's", by=ALICE) as sql:
        sql("DROP TABLE rivers")
        sql("CREATE VIEW rivers AS SELECT id, name FROM towns")


@scenario("Macros are used by views: scalar, with defaults, overloaded, and tables.", **SMALL)
def macros(lake: Lake) -> dict:
    with lake.commit("Macros", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE MACRO twice(n) AS n * 2")
        sql("CREATE MACRO plus(n, more := 5) AS n + more")
        sql("CREATE MACRO many(a) AS a, (a, b) AS a * 100 + b, (a, b, c) AS twice(a + b + c)")
        sql("CREATE MACRO of_river(r) AS TABLE SELECT * FROM towns WHERE river = r")
        sql(
            "CREATE VIEW numbers AS SELECT twice(id) AS a, plus(id) AS b, plus(id, more := 7) AS c FROM towns"
        )
        sql("CREATE VIEW overloads AS SELECT many(1) AS a, many(1, 2) AS b, many(1, 2, 3) AS c")
        sql("CREATE VIEW upper_river AS SELECT id FROM of_river(1)")
    with lake.commit("Replaced", by=BOB) as sql:
        sql("CREATE OR REPLACE MACRO twice(n) AS n * 2 + 0.5")
        sql("DROP MACRO plus")
    return {
        "calls": [
            "SELECT twice(21), twice(0.25), twice(NULL)",
            "SELECT id, plus(id), plus(id, more := 7) FROM towns",
            "SELECT many(1), many(1, 2), many(1, 2, 3)",
            "FROM of_river(1)",
            "SELECT name FROM of_river(r := 2) WHERE twice(id) > 10",
        ]
    }


@scenario("A macro is its schema's.", in_browser=False, **SMALL)
def macros_of_schemas(lake: Lake) -> dict:
    with lake.commit("Macros", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE SCHEMA archive")
        sql("CREATE MACRO archive.times(n) AS n * 10")
        sql("CREATE MACRO times(n) AS n * 3")
        sql(
            "CREATE VIEW both_times AS SELECT archive.times(id) AS a, times(id) AS b, main.times(id) AS c FROM towns"
        )
        sql("CREATE VIEW archive.own AS SELECT times(2) AS a")
        sql('CREATE MACRO "odd ""name"" 50%"(a) AS a || \'%\'')
        sql('CREATE VIEW odd AS SELECT "odd ""name"" 50%"(name) AS n FROM towns')
        sql("CREATE TABLE archive.olds AS SELECT i AS id FROM range(3) t(i)")
        sql("CREATE MACRO archive.old(least) AS TABLE SELECT * FROM archive.olds WHERE id >= least")
    return {
        "calls": [
            "SELECT archive.times(2), times(2), main.times(2)",
            """SELECT "odd ""name"" 50%"(name) FROM towns""",
            "FROM archive.old(1)",
        ]
    }


@scenario("Comments are those of the snapshot: made, changed, and taken away.", **SMALL)
def comments(lake: Lake) -> None:
    with lake.commit("Comments", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE VIEW late AS SELECT * FROM towns WHERE id > 5")
        sql("COMMENT ON TABLE towns IS 'Towns ''by'' number\n<b>50%</b> 日本'")
        sql("COMMENT ON COLUMN towns.name IS 'The usual name'")
        sql("COMMENT ON VIEW late IS 'Late ones'")
    with lake.commit("Other comments", by=BOB) as sql:
        sql("COMMENT ON TABLE towns IS 'Places'")
        sql("COMMENT ON COLUMN towns.name IS NULL")
        sql("COMMENT ON COLUMN towns.id IS ''")
        sql("COMMENT ON VIEW late IS 'Later'")
    with lake.commit("What they are on changes", by=ALICE) as sql:
        sql("COMMENT ON TABLE towns IS NULL")
        sql("ALTER TABLE towns RENAME COLUMN id TO number")
        sql("ALTER TABLE towns RENAME TO places")
        sql("COMMENT ON TABLE rivers IS 'Rivers'")
        sql("CREATE OR REPLACE TABLE rivers AS SELECT 1 AS id")


@scenario("Tags that are not comments are not taken for comments.", **SMALL)
def tags(lake: Lake) -> None:
    with lake.commit("Tags", by=ALICE) as sql:
        towns_and_rivers(sql)
        sql("CREATE VIEW late AS SELECT * FROM towns WHERE id > 5")
        sql("COMMENT ON COLUMN towns.name IS 'The usual name'")
        sql("COMMENT ON TABLE rivers IS 'Rivers'")
        # DuckLake has no statement for other tags than comments, but a place. On columns it refuses them.
        metadata, now = "__ducklake_metadata_lake", "(FROM ducklake_current_snapshot('lake'))"
        for key in ("owner", "Comment", "comments", ""):
            for kind in ("table", "view"):
                sql(f"""INSERT INTO {metadata}.ducklake_tag (object_id, begin_snapshot, key, value)
                        SELECT {kind}_id, {now}, '{key}', 'not a comment'
                        FROM {metadata}.ducklake_{kind} WHERE end_snapshot IS NULL""")
    with lake.commit("Comments beside them", by=BOB) as sql:
        sql("COMMENT ON TABLE towns IS 'Towns'")
        sql("COMMENT ON COLUMN towns.id IS 'The number'")
        sql("COMMENT ON VIEW late IS 'Late ones'")
        sql("COMMENT ON TABLE rivers IS NULL")
