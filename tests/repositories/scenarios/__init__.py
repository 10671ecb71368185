"""Every scenario, by what it is about."""

from scenarios import broken, life, tables, text, trust  # noqa: F401
