"""Breaks files of a repository on purpose, the way a careless or a hostile host would."""

import shutil
from pathlib import Path
from typing import Any

import duckdb
from keys import ALICE, Signer
from lake import Lake
from record import named_file
from repository import as_json

HTML = b"<!doctype html>\n<html><head><title>Lake</title></head><body></body></html>\n"
"""What a host for single-page apps answers where a file is missing."""


class Breaking:
    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self.root = lake.repository.root
        self.first, self.tip = lake.versions[0], lake.versions[-1]

    def at_tip(self, name: str) -> Path:
        """A file of the folder of the version that `main` points at."""
        return self.root / "versions" / self.tip / name

    def flip(self, file: Path, at: int | bytes) -> None:
        """Flip the lowest bit of one byte: at an offset, or in the middle of a text found once."""
        content = bytearray(file.read_bytes())
        if isinstance(at, bytes):
            at = content.index(at) + len(at) // 2
        content[at] ^= 1
        file.write_bytes(content)

    def cut(self, file: Path) -> None:
        """Leave the first half of a file."""
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2])

    def html_instead(self, path: str) -> None:
        (self.root / path).write_bytes(HTML)

    def replace_record(self, id: str, content: bytes, by: Signer = ALICE) -> None:
        """Other bytes for a record, signed all the same."""
        self._lake.place_record(id, content, by)

    def change_record(self, id: str, by: Signer = ALICE, **members: Any) -> None:
        """Other members for a record, signed all the same."""
        self.replace_record(id, as_json(self._lake.record(id) | members), by)

    def record(self, id: str) -> dict[str, Any]:
        return self._lake.record(id)

    def change_settings(self, **members: Any) -> None:
        """Other members for fdl.json."""
        settings = self._lake.repository.settings | members
        (self.root / "fdl.json").write_bytes(as_json(settings))

    def delete_version(self, id: str) -> None:
        shutil.rmtree(self.root / "versions" / id)

    def name_again(self, file: Path) -> None:
        """Let the tip's record name a broken file as it is now, signed all the same."""
        record = self.record(self.tip)
        (member,) = (name for name, it in record.items() if named(it) == file.name)
        self.change_record(self.tip, **{member: record[member] | named_file(file)})

    def rewrite_catalog(self, *statements: str) -> None:
        """Change the tip's catalog by SQL, and name it again: what a hostile publisher can do."""
        catalog = self.at_tip("ducklake.duckdb")
        with duckdb.connect(str(catalog)) as connection:
            for statement in statements:
                connection.execute(statement)
        self.name_again(catalog)


def named(member: Any) -> str | None:
    """The path that a member of a record names, if it names a file."""
    return member.get("path") if isinstance(member, dict) else None
