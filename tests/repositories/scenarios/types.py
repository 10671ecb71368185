"""Every type that DuckLake stores, at its extremes, NULL, and inside others."""

from keys import ALICE, BOB
from lake import Lake, Sql
from scenario import SMALL, scenario

# DuckLake keeps the two widest integers as DOUBLE, and cannot read the very largest back.
EXTREMES: dict[str, tuple[str, ...]] = {
    "BOOLEAN": ("true", "false"),
    "TINYINT": ("-128", "127"),
    "SMALLINT": ("-32768", "32767"),
    "INTEGER": ("-2147483648", "2147483647"),
    "BIGINT": ("-9223372036854775808", "9223372036854775807"),
    "HUGEINT": ("-100000000000000000000000000000000000000", "12345678901234567890123"),
    "UTINYINT": ("0", "255"),
    "USMALLINT": ("0", "65535"),
    "UINTEGER": ("0", "4294967295"),
    "UBIGINT": ("0", "18446744073709551615"),
    "UHUGEINT": ("0", "170141183460469231731687303715884105728"),
    "FLOAT": ("'-inf'", "'nan'", "3.4028235e38", "1e-45", "'-0.0'"),
    "DOUBLE": ("'inf'", "'nan'", "1.7976931348623157e308", "5e-324", "'-0.0'"),
    "DECIMAL(4,1)": ("-999.9", "999.9"),
    "DECIMAL(9,9)": ("-0.999999999", "0.000000001"),
    "DECIMAL(18,0)": ("-999999999999999999", "1"),
    "DECIMAL(38,10)": ("-9999999999999999999999999999.9999999999", "0.0000000001"),
    "VARCHAR": ("''", "'NULL'", "chr(1)", "'日本 😀 é'", "repeat('long ', 5000)"),
    "BLOB": ("''::BLOB", "'\\x00\\xFF'::BLOB"),
    "UUID": ("'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
    "DATE": ("'0001-01-01'", "'9999-12-31'", "'infinity'", "'-infinity'", "'0044-03-15 (BC)'"),
    "TIME": ("'00:00:00'", "'23:59:59.999999'"),
    "TIMETZ": ("'00:00:00+00'", "'12:30:00.5+05:30'"),
    "TIMESTAMP": ("'0001-01-01 00:00:00'", "'9999-12-31 23:59:59.999999'", "'infinity'"),
    "TIMESTAMP_S": ("'1969-12-31 23:59:59'", "'9999-12-31 23:59:59'"),
    "TIMESTAMP_MS": ("'1969-12-31 23:59:59.999'", "'9999-12-31 23:59:59.999'"),
    "TIMESTAMP_NS": ("'1677-09-22 00:00:00.000000001'", "'2262-04-11 23:47:16.854775806'"),
    "TIMESTAMPTZ": ("'0001-01-01 00:00:00+00'", "'2026-03-29 01:30:00+02'", "'-infinity'"),
    "INTERVAL": ("INTERVAL '-1 year 13 months 400 days'", "INTERVAL '0.000001 second'"),
    "JSON": ("'null'", '\'{"a": [1, "it\'\'s"], "日本": {}}\'', "'[]'"),
}

DEEP = (
    "{}[]",
    "STRUCT(a {}, b {}[])",
    "MAP(VARCHAR, {})",
    "STRUCT(m MAP(INTEGER, STRUCT(l {}[])))[]",
)
"""Types around another, the last of them four deep."""


def values(type: str) -> str:
    return ", ".join(f"(CAST({value} AS {type}))" for value in (*EXTREMES[type], "NULL"))


@scenario("Each type at its extremes, and NULL.", **SMALL)
def extremes(lake: Lake) -> None:
    with lake.commit("Extremes", by=ALICE) as sql:
        make_tables(sql)


@scenario("Each type at its extremes, as an inlined row.", inline=10, in_browser=False, **SMALL)
def extremes_inlined(lake: Lake) -> None:
    with lake.commit("Inlined", by=ALICE) as sql:
        make_tables(sql)
    with lake.commit("Flushed", by=BOB) as sql:
        sql("CALL ducklake_flush_inlined_data('lake')")


def make_tables(sql: Sql) -> None:
    sql("BEGIN")
    for number, type in enumerate(EXTREMES):
        sql(f"CREATE TABLE t{number} (v {type})")
        sql(f"INSERT INTO t{number} VALUES {values(type)}")
    sql("COMMIT")


@scenario("Each type inside others, four deep.", in_browser=False, **SMALL)
def deep_types(lake: Lake) -> None:
    with lake.commit("Deep", by=ALICE) as sql:
        sql("BEGIN")
        for number, type in enumerate(EXTREMES):
            columns = ", ".join(
                f"c{depth} {around.replace('{}', type)}" for depth, around in enumerate(DEEP)
            )
            sql(f"CREATE TABLE t{number} ({columns})")
            sql(f"""INSERT INTO t{number} SELECT [v, NULL], {{'a': v, 'b': [v]}}, MAP {{'k': v, 'l': NULL}},
                    [{{'m': MAP {{1: {{'l': [v, NULL]}}, 2: NULL}}}}, NULL]
                    FROM (VALUES {values(type)}) x(v)""")
            sql(f"INSERT INTO t{number} VALUES (NULL, NULL, NULL, NULL), ([], NULL, MAP {{}}, [])")
        sql("COMMIT")


@scenario("VARIANT holds values of any type.", in_browser=False, **SMALL)
def variants(lake: Lake) -> None:
    with lake.commit("Variants", by=ALICE) as sql:
        sql("CREATE TABLE variants (id INTEGER, v VARIANT)")
        for number, value in enumerate(
            (
                "42",
                "'text'",
                "NULL",
                "[1, NULL, 3]",
                "{'a': 1, 'b': {'c': [true]}}",
                "1.50::DECIMAL(9, 2)",
            )
            + ("DATE '2026-01-01'", "TIMESTAMP '2026-01-01 00:00:00.5'", "'x'::BLOB")
        ):
            sql(f"INSERT INTO variants VALUES ({number}, ({value})::VARIANT)")
        sql("INSERT INTO variants SELECT 100 + i, {'a': i}::VARIANT FROM range(20) t(i)")
    with lake.commit("Changed", by=BOB) as sql:
        sql("ALTER TABLE variants ADD COLUMN w VARIANT")
        sql("DELETE FROM variants WHERE id = 3")


@scenario("GEOMETRY is stored and read as it is.", in_browser=False, **SMALL)
def geometries(lake: Lake) -> None:
    with lake.commit("Geometries", by=ALICE) as sql:
        sql("CREATE TABLE places (id INTEGER, g GEOMETRY)")
        sql("""INSERT INTO places VALUES (1, 'POINT(1 2)'), (2, NULL), (3, 'LINESTRING(0 0, 1 1.5)'),
               (4, 'POLYGON((0 0, 1 0, 1 1, 0 0))'), (5, 'POINT EMPTY'), (6, 'POINT Z(1 2 3)'),
               (7, 'GEOMETRYCOLLECTION(POINT(1 2), LINESTRING(0 0, 1 1))')""")
    with lake.commit("Another column", by=BOB) as sql:
        sql("ALTER TABLE places ADD COLUMN h GEOMETRY")
        sql("INSERT INTO places SELECT 8, 'POINT(3 4)'::GEOMETRY, 'POINT(5 6)'::GEOMETRY")
