"""Every scenario, by what it is about."""

from scenarios import broken, life, tables, trust  # noqa: F401
