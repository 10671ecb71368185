"""Values whose text is easily written another way, and files that are laid out in other ways."""

from keys import ALICE, BOB
from lake import Lake
from scenario import SMALL, scenario

SPECIAL = r"""' \ " ( ) , : = [ ] { } null NULL""".split() + [
    "",
    " ",
    " a",
    "a\t",
    "it's",
    "été\u00a0",
    "日本",
]
"""Texts that need quotes within a list, and some that do not."""


def texts() -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in SPECIAL) + "]"


@scenario("Numbers, times and bytes at random have the text that DuckDB gives them.", **SMALL)
def values_at_random(lake: Lake) -> None:
    with lake.commit("Numbers", by=ALICE) as sql:
        sql("SELECT setseed(0.25)")
        sql("""
            CREATE TABLE numbers AS
            SELECT (random() - 0.5) * pow(10, (random() * 40 - 20)::INTEGER) AS twofold,
                   ((random() - 0.5) * pow(10, (random() * 40 - 20)::INTEGER))::FLOAT AS single,
                   round(random() * 1000, (i % 7)::INTEGER) AS short,
                   (pow(2, i % 128 - 20))::DOUBLE / 3 AS third,
                   (pow(2, i % 70 - 11))::FLOAT AS single_power,
                   (pow(10, i % 600 - 300))::DOUBLE AS power_of_ten,
                   (pow(10, i % 70 - 35))::FLOAT AS single_power_of_ten,
                   (i - 10000)::DOUBLE / 8 AS eighth,
                   ((random() - 0.5) * 2000)::DECIMAL(4, 1) AS dec4,
                   ((random() - 0.5) * 1.9)::DECIMAL(9, 9) AS dec9,
                   ((random() - 0.5) * 1e10)::DECIMAL(18, 3) AS dec18,
                   ((random() - 0.5) * 1e15)::DECIMAL(38, 20) AS dec38,
                   ((random() - 0.5) * 1e18)::HUGEINT * 1000000000 AS huge
            FROM range(20000) t(i)""")
        sql("CREATE TABLE powers AS SELECT pow(2, i)::DOUBLE AS power FROM range(70, 90) t(i)")
    with lake.commit("Times", by=BOB) as sql:
        sql("""
            CREATE TABLE times AS
            SELECT DATE '2000-02-29' + ((random() - 0.5) * 3000000)::INTEGER AS day,
                   make_timestamp(((random() - 0.5) * 1.6e17)::BIGINT) AS moment,
                   make_timestamp((i - 5000) * 86400000000 - i % 3) AS midnight,
                   make_timestamp(((random() - 0.5) * 1e12)::BIGINT * 1000)::TIMESTAMP_MS AS moment_ms,
                   make_timestamp(((random() - 0.5) * 1e11)::BIGINT * 1000000)::TIMESTAMP_S AS moment_s,
                   make_timestamp_ns(((random() - 0.5) * 1.8e19)::BIGINT) AS moment_ns,
                   make_timestamp(((random() - 0.5) * 1e17)::BIGINT)::TIMESTAMPTZ AS instant,
                   make_time((i % 24)::BIGINT, (i % 60)::BIGINT, (i % 59) + i / 1e4) AS clock,
                   to_months((i % 40)::INTEGER) + to_days((i % 9)::INTEGER)
                     + to_milliseconds((i % 7 * 12345678)::DOUBLE) AS span
            FROM range(10000) t(i)""")
        sql("""INSERT INTO times SELECT day::DATE, day::TIMESTAMP, NULL, NULL,
                 NULL, NULL, day::TIMESTAMPTZ, '24:00:00', INTERVAL 0 DAY
               FROM (VALUES ('infinity'), ('-infinity')) t(day)""")
        sql("""
            CREATE TABLE bytes AS
            SELECT unhex(md5(i::VARCHAR)) AS bytes, uuid() AS id, chr(i::INTEGER % 1000 + 1) AS letter,
                   repeat(chr(i::INTEGER % 128 + 1), (i % 5)::INTEGER) AS some, i % 3 = 0 AS flag
            FROM range(2000) t(i)""")


@scenario("Lists, structs and maps have the text that DuckDB gives them, however deep.", **SMALL)
def nested_values(lake: Lake) -> None:
    with lake.commit("Nested", by=ALICE) as sql:
        sql(f"CREATE TEMP TABLE texts AS SELECT unnest({texts()}) AS text")
        sql("""
            CREATE TABLE nested AS
            SELECT [text, NULL, text || 'x'] AS texts,
                   CASE WHEN i % 7 = 0 THEN NULL WHEN i % 7 = 1 THEN [] ELSE range(i % 5) END AS numbers,
                   {'it''s': text, 'b c': i, 'deep': {'list': [[text], [], NULL]}} AS record,
                   CASE WHEN i % 5 = 0 THEN NULL ELSE {'a': nullif(i % 3, 0)} END AS maybe,
                   MAP {text: i, 'k' || text: NULL} AS counts,
                   MAP {2: [text], 1: [NULL, text]} AS lists,
                   MAP {'__proto__': 1, 'constructor': 2} AS prototypes,
                   [{'m': MAP {[i]: {'x': text}}}, NULL] AS deepest,
                   [DATE '2020-02-29', NULL] AS days, [TIMESTAMP '2020-02-29 12:00:00.5'] AS moments,
                   [1.5::DOUBLE, 'nan'::DOUBLE, 1e20::DOUBLE] AS doubles, ['\\x00a'::BLOB] AS blobs,
                   [true, NULL, false] AS flags, [12.5::DECIMAL(5, 2)] AS decimals,
                   [INTERVAL '1 day 2 hours', INTERVAL '1 month'] AS spans
            FROM texts, range(60) t(i)""")
        sql(
            "INSERT INTO nested SELECT * REPLACE (NULL AS texts, NULL AS record) FROM nested LIMIT 50"
        )


@scenario("A data file of many row groups, some rows deleted, in every codec of Parquet.", **SMALL)
def row_groups_and_codecs(lake: Lake) -> None:
    for codec in ("snappy", "zstd", "gzip", "brotli", "lz4", "lz4_raw", "uncompressed"):
        with lake.commit(f"Rows by {codec}", by=ALICE) as sql:
            sql(f"CALL lake.set_option('parquet_compression', '{codec}')")
            sql("CALL lake.set_option('parquet_row_group_size', 2048)")
            sql(f"""
                CREATE TABLE {codec} AS
                SELECT i, 'row ' || i AS name, i % 10 AS few, md5(i::VARCHAR) AS many,
                       CASE WHEN i % 1000 < 500 THEN NULL ELSE i END AS gaps,
                       [i, i + 1] AS pair, i % 2 = 0 AS flag
                FROM range(9000) t(i)""")
            sql(f"DELETE FROM {codec} WHERE i % 100 = 7 OR i BETWEEN 3000 AND 5500")


@scenario(
    "A version may be an earlier snapshot than the last that its catalog and files hold.", **SMALL
)
def earlier_snapshot_of_merged_files(lake: Lake) -> None:
    with lake.commit("Three inserts", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        for begin in (0, 100, 200):
            sql(f"INSERT INTO towns SELECT i, 'town ' || i FROM range({begin}, {begin + 100}) t(i)")
    with lake.commit("Merged, and the rows of the last one left out", by=BOB) as sql:
        sql("CALL ducklake_merge_adjacent_files('lake')")
    lake.read_at(lake.record(lake.versions[0])["ducklake"]["snapshots"][-2])


@scenario("Defaults of every type, of rows that are older than their columns.", **SMALL)
def defaults_of_types(lake: Lake) -> None:
    with lake.commit("Rows", by=ALICE) as sql:
        sql("CREATE TABLE towns AS SELECT i AS id FROM range(3) t(i)")
    with lake.commit("Columns", by=BOB) as sql:
        for type, default in {
            "TINYINT": "'-5'",
            "UBIGINT": "18446744073709551615",
            "DECIMAL(9,3)": "'-0.5'",
            "DOUBLE": "1000.25",
            "FLOAT": "0.1",
            "BOOLEAN": "'true'",
            "VARCHAR": "'it''s'",
            "DATE": "'2020-02-29'",
            "TIMESTAMP": "'2020-02-29 12:00:00.5'",
            "UUID": "'00000000-0000-4000-8000-00000000000a'",
        }.items():
            name = type.split("(")[0].lower()
            sql(f"ALTER TABLE towns ADD COLUMN {name} {type} DEFAULT {default}")
