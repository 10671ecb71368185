"""Every scenario, by what it is about."""

from scenarios import broken, data, life, nested, tables, text, trust, values  # noqa: F401
