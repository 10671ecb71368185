"""Data files that DuckLake did not write: their columns are matched by name, some by their folder."""

from pathlib import Path

from ducklake import literal, quoted
from keys import ALICE, BOB
from lake import Lake, Sql
from scenario import SMALL, scenario


def add(
    lake: Lake, sql: Sql, table: str, query: str, name: str = "added.parquet", **options: bool
) -> None:
    """Write the rows of a query into a file of the table's folder, and add it."""
    file = lake.repository.data / "main" / table / name
    file.parent.mkdir(parents=True, exist_ok=True)
    sql(f"COPY ({query}) TO {literal(file)}")
    call(sql, table, file, **options)


def add_partitioned(
    lake: Lake, sql: Sql, table: str, query: str, by: tuple[str, ...], **options: bool
) -> None:
    """Write the rows of a query into Hive folders, and add them."""
    folder = lake.repository.data / "main" / table / "hive"
    folder.parent.mkdir(parents=True, exist_ok=True)
    keys = ", ".join(map(quoted, by))
    sql(f"COPY ({query}) TO {literal(folder)} (FORMAT parquet, PARTITION_BY ({keys}))")
    call(sql, table, folder / "**" / "*.parquet", hive_partitioning=True, **options)


def call(sql: Sql, table: str, file: Path, **options: bool) -> None:
    more = "".join(f", {name} => {value}" for name, value in options.items())
    sql(f"CALL ducklake_add_data_files('lake', {literal(table)}, {literal(file)}{more})")


@scenario("A file that was added is read by the names of its columns, in any order.", **SMALL)
def added_files(lake: Lake) -> None:
    with lake.commit("One file of each kind", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR, area DOUBLE)")
        sql("INSERT INTO towns SELECT i, 'town ' || i, i / 7 FROM range(20) t(i)")
        add(
            lake,
            sql,
            "towns",
            "SELECT i / 3 AS area, 'added ' || i AS name, i::INTEGER AS id FROM range(20, 40) t(i)",
        )
    with lake.commit("Fewer rows", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id % 5 = 0")
        sql("UPDATE towns SET name = upper(name) WHERE id % 7 = 0")


@scenario(
    "A column renamed after a file was added keeps the name that the file has.",
    in_browser=False,
    **SMALL,
)
def added_files_and_renamed_columns(lake: Lake) -> None:
    with lake.commit("Towns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        add(lake, sql, "towns", "SELECT i::INTEGER AS id, 'a' || i AS name FROM range(9) t(i)")
    with lake.commit("Renamed, dropped and made again", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("ALTER TABLE towns ADD COLUMN name VARCHAR DEFAULT 'another'")
        add(
            lake,
            sql,
            "towns",
            "SELECT i::INTEGER AS id, 't' || i AS title, 'n' || i AS name FROM range(9, 18) t(i)",
            "second.parquet",
        )
        sql("ALTER TABLE towns DROP COLUMN id")
        sql("ALTER TABLE towns ADD COLUMN id BIGINT")
        sql("INSERT INTO towns SELECT 't', 'n', i FROM range(3) t(i)")


@scenario(
    "What an added file lacks is NULL or the default; more is ignored.", in_browser=False, **SMALL
)
def added_files_of_other_columns(lake: Lake) -> None:
    with lake.commit("Towns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        sql("ALTER TABLE towns ADD COLUMN kind VARCHAR DEFAULT 'town'")
        sql("INSERT INTO towns SELECT i, 'n' || i, 'k' FROM range(5) t(i)")
        add(lake, sql, "towns", "SELECT 7::INTEGER AS id", "lacks.parquet", allow_missing=True)
        add(
            lake,
            sql,
            "towns",
            "SELECT 8::INTEGER AS id, 'n' AS name, 'k' AS kind, 9 AS more, [1] AS \"and more\"",
            "more.parquet",
            ignore_extra_columns=True,
        )
        add(
            lake,
            sql,
            "towns",
            "SELECT 'n' AS name, 9 AS more",
            "both.parquet",
            ignore_extra_columns=True,
            allow_missing=True,
        )
    with lake.commit("Later columns", by=BOB) as sql:
        sql("ALTER TABLE towns ADD COLUMN more INTEGER DEFAULT 5")
        sql("DELETE FROM towns WHERE id = 8")


@scenario("Added files may have narrower types than their table.", in_browser=False, **SMALL)
def added_files_of_narrower_types(lake: Lake) -> None:
    with lake.commit("Numbers", by=ALICE) as sql:
        sql("CREATE TABLE numbers (a BIGINT, b DOUBLE, c INTEGER)")
        add(
            lake,
            sql,
            "numbers",
            "SELECT i::INTEGER AS a, i::FLOAT / 3 AS b, i::SMALLINT AS c FROM range(9) t(i)",
        )
    with lake.commit("Wider", by=BOB) as sql:
        sql("ALTER TABLE numbers ALTER COLUMN c SET DATA TYPE BIGINT")
        sql("INSERT INTO numbers VALUES (5000000000, 1e300, 5000000000)")


@scenario("The members of nested columns of added files are matched by name.", **SMALL)
def added_files_of_nested_columns(lake: Lake) -> None:
    with lake.commit("Nested", by=ALICE) as sql:
        sql("""CREATE TABLE nested (id INTEGER, s STRUCT(a INTEGER, b VARCHAR),
               l STRUCT(x INTEGER, y INTEGER)[], m MAP(VARCHAR, STRUCT(v DOUBLE)))""")
        sql("""INSERT INTO nested SELECT i, {'a': i, 'b': 'b'}, [{'x': i, 'y': -i}],
               MAP {'k': {'v': i / 2}} FROM range(4) t(i)""")
        add(
            lake,
            sql,
            "nested",
            """SELECT MAP {'k': {'v': i / 2}, 'n': NULL} AS m, [{'y': i::INTEGER, 'x': -i::INTEGER}, NULL] AS l,
                      {'b': 'added', 'a': i::INTEGER} AS s, i::INTEGER AS id
               FROM range(4, 8) t(i)""",
        )
    with lake.commit("Members change", by=BOB) as sql:
        sql("ALTER TABLE nested RENAME COLUMN s.a TO aa")
        sql("ALTER TABLE nested ADD COLUMN s.a INTEGER DEFAULT 5")
        sql("ALTER TABLE nested DROP COLUMN l.element.x")
        sql("ALTER TABLE nested ADD COLUMN m.value.w VARCHAR DEFAULT 'w'")
        sql("DELETE FROM nested WHERE id = 5")


@scenario("Members that an added file lacks are NULL; more are ignored.", in_browser=False, **SMALL)
def added_files_of_other_members(lake: Lake) -> None:
    with lake.commit("Nested", by=ALICE) as sql:
        sql("CREATE TABLE nested (id INTEGER, s STRUCT(a INTEGER, b STRUCT(c VARCHAR, d INTEGER)))")
        add(
            lake,
            sql,
            "nested",
            "SELECT 1::INTEGER AS id, {'b': {'d': 5::INTEGER}} AS s",
            "lacks.parquet",
            allow_missing=True,
        )
        add(
            lake,
            sql,
            "nested",
            "SELECT 2::INTEGER AS id, {'z': 1, 'a': 2::INTEGER, 'b': {'c': 'c', 'd': 3::INTEGER, 'y': [1]}} AS s",
            "more.parquet",
            ignore_extra_columns=True,
        )


@scenario("The values of Hive folders are a column's, NULL and encoded ones too.", **SMALL)
def hive_partitions(lake: Lake) -> None:
    with lake.commit("Places by kind", by=ALICE) as sql:
        sql("CREATE TABLE places (id INTEGER, kind VARCHAR)")
        sql("INSERT INTO places VALUES (-1, 'here')")
        add_partitioned(
            lake,
            sql,
            "places",
            """SELECT i::INTEGER AS id, unnest([
                 'plain', 'a b', 'a/b', 'a=b', '50% #1?', 'x+y&z;', 'été', '日本', '😀', 'it''s "q"',
                 'back\\slash', NULL
               ]) AS kind FROM range(3) t(i)""",
            ("kind",),
            allow_missing=True,
        )
    with lake.commit("The column has another name", by=BOB) as sql:
        sql("ALTER TABLE places RENAME COLUMN kind TO sort")
        sql("DELETE FROM places WHERE sort = 'a/b'")


@scenario("Hive folders give values of the types of their columns.", in_browser=False, **SMALL)
def hive_partitions_of_types(lake: Lake) -> None:
    with lake.commit("By day and number", by=ALICE) as sql:
        sql(
            "CREATE TABLE events (id INTEGER, day DATE, n BIGINT, flag BOOLEAN, price DECIMAL(9, 2))"
        )
        add_partitioned(
            lake,
            sql,
            "events",
            """SELECT i::INTEGER AS id, DATE '2026-01-30' + i::INTEGER AS day, i * 5000000000 AS n,
                      i % 2 = 0 AS flag, (i + 0.25)::DECIMAL(9, 2) AS price FROM range(4) t(i)""",
            ("day", "n", "flag", "price"),
            allow_missing=True,
        )
    with lake.commit("Promoted", by=BOB) as sql:
        sql("ALTER TABLE events ADD COLUMN note VARCHAR DEFAULT 'none'")
        sql("INSERT INTO events VALUES (9, '2026-02-01', 1, true, 1.5, 'new')")


@scenario(
    "Added files keep their mapping when their table is partitioned or renamed.",
    in_browser=False,
    **SMALL,
)
def added_files_in_changed_tables(lake: Lake) -> None:
    with lake.commit("Added", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        add(lake, sql, "towns", "SELECT i::INTEGER AS id, 'a' || i AS name FROM range(9) t(i)")
    with lake.commit("Changed", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME TO places")
        sql("ALTER TABLE places SET PARTITIONED BY (name)")
        sql("INSERT INTO places SELECT i, 'b' || i % 2 FROM range(9) t(i)")
        sql("DELETE FROM places WHERE id = 3")
    with lake.commit("Rewritten", by=ALICE) as sql:
        sql("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)")


@scenario("Added files and DuckLake's own are merged into one.", in_browser=False, **SMALL)
def added_files_merged(lake: Lake) -> None:
    with lake.commit("Added", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        for part in range(3):
            add(
                lake,
                sql,
                "towns",
                f"SELECT 'a' || i AS name, (i + {part * 10})::INTEGER AS id FROM range(9) t(i)",
                f"part {part} 50%.parquet",
            )
            sql(f"INSERT INTO towns VALUES ({part + 100}, 'own')")
    with lake.commit("Merged", by=BOB) as sql:
        sql("ALTER TABLE towns RENAME COLUMN name TO title")
        sql("CALL ducklake_merge_adjacent_files('lake')")


@scenario(
    "A file that lies outside data_dir is refused by name, whatever the catalog says of it.",
    in_browser=False,
    files_json=False,
    **SMALL,
)
def added_files_outside(lake: Lake) -> dict:
    with lake.commit("Outside", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER)")
        sql("CREATE TABLE rivers AS SELECT 1 AS id")
        outside = lake.repository.root / "outside.parquet"
        sql(f"COPY (SELECT 1::INTEGER AS id) TO {literal(outside)}")
        call(sql, "towns", outside)
    return {"refused": {"main.towns": "has data files outside the repository"}}
