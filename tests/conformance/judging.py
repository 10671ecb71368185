"""Asks the judge, native DuckLake, whose faults end its own process alone."""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import make
import native
from relation import Column, Relation

EARLIER = {"0.3": "1.4.4"}
"""The version of DuckDB that judges a format which later ones would have to migrate."""


class Ended(Exception):
    """The judge's process ended, by a signal."""


class Judge:
    """What DuckLake says of a catalog at each of its snapshots."""

    def __init__(self, catalog: Path, data: Path, format: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._command = [sys.executable, native.__file__, catalog, data, self._folder.name]
        self._environment = make.with_duckdb(EARLIER[format]) if format in EARLIER else None
        self._process: subprocess.Popen[str] | None = None

    def at_snapshot(self, snapshot: int, calls: list[str]) -> list[Relation]:
        """What there is at a snapshot, its rows read already."""
        asked = {"snapshot": snapshot, "calls": calls}
        said = self._ask(asked)
        relations = []
        for place, one in enumerate(said):
            columns = tuple(Column(**column) for column in one["columns"])
            relation = Relation(**one | {"columns": columns})
            if not relation.unreadable:
                relation = self._read(relation, place, asked)
            relations.append(relation)
        return relations

    def _read(self, relation: Relation, place: int, asked: dict[str, Any]) -> Relation:
        try:
            answer = self._ask({"rows_of": place})
        except Ended as ended:
            answer = {"fails": str(ended)}
        if "fails" in answer:
            self._ask(asked)  # the judge begins anew
        return replace(relation, **answer)

    def _ask(self, asked: dict[str, Any]) -> Any:
        if not self._process:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=self._environment,
            )
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        if answer := self._process.stdout.readline():
            return json.loads(answer)
        status = self._process.wait()
        self._process = None
        raise Ended(f"DuckDB ends with {status}")

    def close(self) -> None:
        if self._process:
            self._process.stdin.close()
            self._process.wait()
        self._folder.cleanup()
