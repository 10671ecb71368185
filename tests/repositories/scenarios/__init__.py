"""Every scenario, by what it is about."""

from scenarios import (  # noqa: F401
    added_files,
    broken,
    data,
    life,
    maintenance,
    nested,
    tables,
    text,
    trust,
    values,
    views,
)
