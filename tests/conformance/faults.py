"""Where DuckLake itself is known to be wrong: as narrowly as what the catalog says allows."""

import re

from reader import CATALOG
from relation import Connection, Relation, literal, quoted

READ_TWICE = "has a data file with more than one delete file"
"""DuckLake gives the rows of such a file once for each of its delete files, so that more rows are there
after a delete than before. It comes of flushing the inlined deletes of a file that was rewritten since,
and shows at snapshots before that alone. The reader refuses the table by name. Scenario:
`two-delete-files`."""

NO_COMMON_MEMBER = "has nested structs of whose members a data file has none"
"""Below the top level of a column, DuckLake does not tell which of them were NULL: it takes NULLs of
other rows. Where they are below a list and something else, it fails, or ends the process. Scenarios:
`nested-members-all-replaced`, `nested-members-of-inlined-rows-all-replaced`."""

FAILURE = re.compile(
    r"INTERNAL Error: Vector::Reference used on vector of different type"
    r" \(source (.+)\[\] referenced STRUCT\(list \1\)\)\n"
    r"|INTERNAL Error: Expected vector of type LIST, but found vector of type STRUCT\n"
    r"|DuckDB ends with -"
)
"""How it fails on them."""

REPLACED = f"""
WITH members AS (
  SELECT table_id, parent_column, column_id, min(begin_snapshot) AS since,
    bool_or(live(begin_snapshot, end_snapshot)) AS lives
  FROM {CATALOG}.ducklake_column WHERE parent_column IS NOT NULL GROUP BY ALL
), replaced AS (
  SELECT table_id, parent_column FROM members GROUP BY ALL
  HAVING min(since) FILTER (NOT lives) < min(since) FILTER (lives)
)
SELECT s.schema_name || '.' || t.table_name,
  list((m.column_name, m.column_type, m.initial_default) ORDER BY m.column_order)
FROM replaced r
JOIN {CATALOG}.ducklake_table t ON t.table_id = r.table_id AND live(t.begin_snapshot, t.end_snapshot)
JOIN {CATALOG}.ducklake_schema s
  ON s.schema_id = t.schema_id AND live(s.begin_snapshot, s.end_snapshot)
JOIN {CATALOG}.ducklake_column c ON c.table_id = r.table_id AND c.column_id = r.parent_column
  AND c.parent_column IS NOT NULL AND live(c.begin_snapshot, c.end_snapshot)
JOIN {CATALOG}.ducklake_column m ON m.table_id = r.table_id AND m.parent_column = c.column_id
  AND live(m.begin_snapshot, m.end_snapshot)
GROUP BY s.schema_name, t.table_name, r.table_id, r.parent_column
"""
"""The members of each nested struct that has none of which it had at first."""

TYPES = {"float32": "FLOAT", "float64": "DOUBLE"}
"""Types that have another name in DuckLake, as far as their values' text depends on it."""


class Replaced:
    """The nested structs at a snapshot that have none of the members which older files have."""

    def __init__(self, connection: Connection, snapshot: int) -> None:
        self._texts: dict[str, list[str]] = {}
        """By a table's place, what such a struct is in each row of those files, as text."""
        connection.execute(
            "CREATE OR REPLACE TEMP MACRO live(first, last) AS"
            f" first <= {snapshot} AND (last IS NULL OR {snapshot} < last)"
        )
        for place, members in connection.execute(REPLACED).fetchall():
            values = (
                f"{quoted(name)} := CAST({literal(default)} AS {TYPES.get(type, type)})"
                if default is not None
                else f"{quoted(name)} := NULL"
                for name, type, default in members
            )
            struct = f"SELECT CAST(struct_pack({', '.join(values)}) AS VARCHAR)"
            self._texts.setdefault(place, []).append(connection.execute(struct).fetchone()[0])

    def texts(self, relation: Relation) -> list[str]:
        """Of a table; a view may read any of them."""
        if relation.kind == "table":
            return self._texts.get(relation.place, [])
        return [text for texts in self._texts.values() for text in texts]
