"""Every scenario, by what it is about."""

from scenarios import (  # noqa: F401
    added_files,
    broken,
    data,
    formats,
    hostile,
    life,
    maintenance,
    names,
    nested,
    tables,
    text,
    trust,
    types,
    values,
    views,
)
