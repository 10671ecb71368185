"""Types and values by chance: as deep, as odd and as often NULL as a table can have them."""

from random import Random

from relation import quoted

NAMES = (
    "a",
    "b",
    "c",
    "d",
    "e",
    "Name",
    "key",
    "value",
    "list",
    "é ü",
    'q"uote',
    "50%",
    "a.b",
    "日本",
    "x'y",
)
"""Few, so that a name comes back after it was dropped or renamed."""

SCALARS = {
    "tinyint": "((i * {k} + {c}) % 256 - 128)",
    "smallint": "((i * {k} + {c}) % 2000 - 1000)",
    "integer": "((i * {k} + {c}) % 100000 - 50000)",
    "bigint": "(i * 5000000000 + {c})",
    "utinyint": "((i * {k} + {c}) % 256)",
    "uinteger": "((i * {k} + {c}) % 100000)",
    "float": "(i / {k})",
    "double": "(i / {k} + {c})",
    "decimal": "((i * {k} + {c}) % 100000 / 100)",
    "varchar": "([{texts}])[1 + (i + {c}) % 5] || i",
    "boolean": "(i % {k} = 0)",
    "date": "(DATE '1969-12-20' + (i * {k})::INTEGER)",
    "timestamp": "(TIMESTAMP '2026-03-29 01:30:00.123456' + INTERVAL (i * {k}) HOUR)",
    "timestamp with time zone": "(TIMESTAMPTZ '2026-03-29 01:30:00.5+02' + INTERVAL (i * {k}) DAY)",
    "time": "(TIME '00:00:01.000001' + INTERVAL (i % 80000) SECOND)",
    "interval": "(INTERVAL (i) DAY + INTERVAL ({c}) MONTH)",
    "uuid": "(('00000000-0000-4000-8000-' || lpad((i + {c})::VARCHAR, 12, '0'))::UUID)",
    "blob": "(('a\\x00' || i)::BLOB)",
}
"""An expression in `i` for each type by its id."""

TEXTS = ("''", "'O''Brien '", "'日本 '", "'50% '", "'NULL'")

PLAIN = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "UINTEGER", "FLOAT", "DOUBLE"),
    *("DECIMAL(9,2)", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIME"),
    *("INTERVAL", "UUID", "BLOB"),
)

WIDER = {
    "tinyint": ("SMALLINT", "INTEGER", "BIGINT"),
    "smallint": ("INTEGER", "BIGINT"),
    "integer": ("BIGINT",),
    "utinyint": ("USMALLINT", "UINTEGER", "UBIGINT"),
    "uinteger": ("UBIGINT",),
    "float": ("DOUBLE",),
}
"""What DuckLake promotes a type to."""

DEFAULTS = {
    "tinyint": ("7", "-128"),
    "integer": ("0", "2147483647"),
    "bigint": ("-5000000000",),
    "double": ("1.5",),
    "decimal": ("1234567.89",),
    "varchar": ("'it''s'", "''", "'NULL'"),
    "boolean": ("true",),
    "date": ("'1868-01-03'",),
    "timestamp": ("'2026-01-01 00:00:00.5'",),
    "uuid": ("'00000000-0000-4000-8000-000000000001'",),
}
"""Literals, by the id of the type."""


def a_type(rng: Random, depth: int = 0) -> str:
    """The SQL of a type; nested ones hold others down to a depth of four."""
    kind = rng.random()
    if depth >= 4 or kind < 0.5:
        return rng.choice(PLAIN)
    if kind < 0.75:
        return a_struct(rng, depth)
    if kind < 0.9:
        return f"{a_type(rng, depth + 1)}[]"
    return f"MAP({rng.choice(('VARCHAR', 'INTEGER'))}, {a_type(rng, depth + 1)})"


def a_struct(rng: Random, depth: int = 0) -> str:
    names = rng.sample(NAMES, rng.randint(1, 3))
    return f"STRUCT({', '.join(f'{quoted(name)} {a_type(rng, depth + 1)}' for name in names)})"


def a_value(rng: Random, type) -> str:
    """An expression in `i` of a type as DuckDB's Python API describes it, every so often NULL."""
    value = _some_value(rng, type)
    return (
        f"CASE WHEN (i + {rng.randint(0, 9)}) % {rng.randint(3, 9)} = 0 THEN NULL ELSE {value} END"
    )


def _some_value(rng: Random, type) -> str:
    if type.id == "struct":
        members = (f"{quoted(name)} := {a_value(rng, child)}" for name, child in type.children)
        return f"struct_pack({', '.join(members)})"
    if type.id == "list":
        ((_, child),) = type.children
        values = ", ".join(a_value(rng, child) for _ in range(rng.randint(0, 3)))
        return f"CAST([{values}] AS {type})"
    if type.id == "map":
        (_, key), (_, child) = type.children
        keys = ("1", "2", "3") if key.id == "integer" else ("'k'", "'l m'", "''")
        keys = keys[: rng.randint(0, 3)]
        values = ", ".join(a_value(rng, child) for _ in keys)
        return f"CAST(MAP([{', '.join(keys)}], [{values}]) AS {type})"
    if type.id not in SCALARS:
        return "i % 100"
    value = SCALARS[type.id].format(
        k=rng.randint(1, 7), c=rng.randint(0, 99), texts=", ".join(TEXTS)
    )
    return f"CAST({value} AS {type})"


def a_default(rng: Random, type: str) -> str:
    """A DEFAULT clause for a plain type, or nothing."""
    literals = DEFAULTS.get(type.split("(")[0].lower())
    return f" DEFAULT {rng.choice(literals)}" if literals and rng.random() < 0.5 else ""


def places(type, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], object]]:
    """Each nested place of a column, as ALTER TABLE names it, with its type; itself the first."""
    found = [(path, type)]
    if type.id == "struct":
        for name, child in type.children:
            found += places(child, (*path, name))
    elif type.id == "list":
        found += places(type.children[0][1], (*path, "element"))
    elif type.id == "map":
        found += places(type.children[1][1], (*path, "value"))
    return found
