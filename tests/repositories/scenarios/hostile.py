"""Catalogs whose publisher would have the reader read something else than its tables.

Each names what it must not: a view or a macro that would do so is refused by name, and nothing is
asked for. The catalogs were edited after they were frozen, and signed all the same.
"""

from breaking import Breaking
from ducklake import literal
from scenario import broken

QUERIES = {
    "a file": "SELECT * FROM read_text('/etc/passwd')",
    "a URL": "SELECT * FROM read_csv('https://example.org/x.csv')",
    "a path as a name": "SELECT * FROM '/etc/passwd'",
    "a path in quotes": 'SELECT * FROM "https://example.org/x.parquet"',
    "a query in a text": "SELECT * FROM query('SELECT 1')",
    "a table by its name": "SELECT * FROM query_table('towns')",
    "a glob": "SELECT * FROM glob('/*')",
    "in a subquery": "SELECT (SELECT content FROM read_text('/etc/passwd')) AS a FROM towns",
    "in a common table": "WITH t AS (FROM read_blob('/etc/passwd')) FROM t",
    "behind a union": "SELECT 1 UNION ALL SELECT size FROM read_text('/etc/passwd')",
    "the engine's tables": "SELECT * FROM duckdb_secrets()",
    "another database": "SELECT * FROM memory.main.towns",
    "the catalog": "SELECT * FROM ducklake_metadata",
    "several statements": "SELECT 1 AS a; COPY towns TO '/tmp/towns.csv'",
    "a copy": "COPY towns TO '/tmp/towns.csv'",
    "an attach": "ATTACH 'https://example.org/x.duckdb'",
    "a pragma": "PRAGMA enable_profiling",
    "an end": "SELECT 1); DROP TABLE towns; --",
    "no SQL": "🙂",
    "nothing": "",
}


MACROS = {
    "reads": ("scalar", "(SELECT content FROM read_text('/etc/passwd'))"),
    "asks": ("table", "SELECT * FROM read_csv('https://example.org/x.csv')"),
}


def rows(table: str, columns: str) -> str:
    return f"INSERT INTO ducklake_{table} BY NAME SELECT {columns} FROM ducklake_schema LIMIT 1"


def view(number: int, name: str, sql: str) -> str:
    return rows(
        "view",
        f"{900 + number} AS view_id, uuid() AS view_uuid, 2 AS begin_snapshot, schema_id,"
        f" {literal(name)} AS view_name, 'duckdb' AS dialect, {literal(sql)} AS sql,"
        " '' AS column_aliases",
    )


@broken(
    "A view that would read something else than tables is refused by name, whatever its SQL.",
    in_browser=False,
)
def hostile_views(files: Breaking) -> dict:
    files.rewrite_catalog(*(view(n, *named) for n, named in enumerate(QUERIES.items())))
    return {"refused_views": [*QUERIES]}


@broken(
    "A view is refused that uses a macro which would read something else than tables.",
    in_browser=False,
)
def hostile_macros(files: Breaking) -> dict:
    statements = []
    for number, (name, (type, sql)) in enumerate(MACROS.items()):
        statements += [
            rows(
                "macro",
                f"schema_id, {900 + number} AS macro_id, {literal(name)} AS macro_name,"
                " 2 AS begin_snapshot",
            ),
            rows(
                "macro_impl",
                f"{900 + number} AS macro_id, 0 AS impl_id, 'duckdb' AS dialect,"
                f" {literal(sql)} AS sql, '{type}' AS type",
            ),
        ]
    uses = {"by value": "SELECT reads() AS a FROM towns", "by rows": "SELECT * FROM asks()"}
    files.rewrite_catalog(*statements, *(view(n, *named) for n, named in enumerate(uses.items())))
    return {"refused_views": [*uses]}


@broken("Encrypted data files are refused by name.", fails="rows: unsupported_table")
def encrypted_files(files: Breaking) -> None:
    files.rewrite_catalog(
        "UPDATE ducklake_data_file SET encryption_key = 'MDEyMzQ1Njc4OWFiY2RlZg=='"
    )


@broken(
    "Data files in another format than Parquet are refused by name.",
    fails="rows: unsupported_table",
)
def files_of_another_format(files: Breaking) -> None:
    files.rewrite_catalog("UPDATE ducklake_data_file SET file_format = 'orc'")


@broken("Deletion vectors are refused by name.", fails="rows: unsupported_table")
def deletion_vectors(files: Breaking) -> None:
    files.rewrite_catalog(
        """INSERT INTO ducklake_delete_file BY NAME
           SELECT 900 AS delete_file_id, table_id, 2 AS begin_snapshot, data_file_id,
                  'x.puffin' AS path, true AS path_is_relative, 'puffin' AS format,
                  1 AS delete_count, 10 AS file_size_bytes, 1 AS footer_size
           FROM ducklake_data_file LIMIT 1"""
    )


@broken("A version whose catalog has no such snapshot is refused.", fails="rows: malformed_catalog")
def expired_snapshot(files: Breaking) -> None:
    files.rewrite_catalog(
        "DELETE FROM ducklake_snapshot WHERE snapshot_id = (SELECT max(snapshot_id) FROM ducklake_snapshot)"
    )
