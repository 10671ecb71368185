"""What differs between the two sides at one snapshot."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import duckdb
from faults import FAILURE, NO_COMMON_MEMBER, READ_TWICE, Replaced
from relation import Column, Connection, Relation, literal

SHOWN = 3
"""Rows of each side that a difference shows."""


@dataclass
class Comparison:
    """Compares in one connection, and counts what it has compared."""

    connection: Connection
    refused: dict[str, str] = field(default_factory=dict)
    """By place, how the reader's reason begins where it is right to refuse a table. It must at the
    version's own snapshot, and may at those before."""
    tables: int = 0
    rows: int = 0
    called: set[str] = field(default_factory=set)
    """What DuckLake had an answer to, by name."""
    judge_wrong: set[str] = field(default_factory=set)
    """Where DuckLake is known to be wrong, as sentences."""

    def differences(
        self,
        judged: list[Relation],
        read: list[Relation],
        is_own: bool,
        corrected: dict[str, str],
        replaced: Replaced,
    ) -> Iterator[str]:
        """Each difference as a sentence, which begins with a place such as `main.towns`.

        `is_own`: at the version's own snapshot. `corrected`: by place, the query that makes the
        right rows of those that DuckLake gives wrong (`judged`, its columns c0, c1, …) or not at all.
        `replaced`: the structs on which DuckLake is known to be wrong.
        """
        self.tables += len(judged)
        ours = {relation.place: relation for relation in read}
        theirs = {relation.place: relation for relation in judged}
        for place in sorted(theirs.keys() - ours.keys()):
            yield f"{place} is a {theirs[place].kind} that the reader does not have"
        for place in sorted(ours.keys() - theirs.keys()):
            yield f"{place} is a {ours[place].kind} that DuckLake does not have"
        if len(ours) < len(read):
            yield "the reader has two tables of one name"
        for place in sorted(ours.keys() & theirs.keys()):
            told = corrected.get(place), replaced.texts(theirs[place])
            for said in self._of_one(theirs[place], ours[place], is_own, *told):
                yield f"{place} {said}"

    def _of_one(
        self,
        judged: Relation,
        read: Relation,
        is_own: bool,
        correction: str | None,
        replaced: list[str],
    ) -> Iterator[str]:
        if judged.kind != read.kind:
            yield f"is a {judged.kind}, and a {read.kind} to the reader"
        if judged.comment != read.comment:
            yield f"has the comment {judged.comment!r}, to the reader {read.comment!r}"
        if judged.unreadable and read.unreadable:
            return  # a view that binds for neither
        refused = self.refused.get(judged.place)
        if refused and (is_own or read.unreadable):
            if not (read.unreadable or "").startswith(refused):
                yield f"should be refused ({refused}), and is not: {read.unreadable}"
            return
        if (read.unreadable or "").startswith(READ_TWICE) and not is_own:
            self.judge_wrong.add(f"{judged.place} {READ_TWICE}, and DuckLake reads it once for each")
            return
        if judged.unreadable or read.unreadable:
            yield f"cannot be read: DuckLake {judged.unreadable}, the reader {read.unreadable}"
            return
        if judged.columns != read.columns:
            yield f"has other columns:\n{_both(judged.columns, read.columns)}"
        if len(judged.columns) == len(read.columns):
            yield from self._of_rows(judged, read, correction, replaced)

    def _of_rows(
        self, judged: Relation, read: Relation, correction: str | None, replaced: list[str]
    ) -> Iterator[str]:
        """The two multisets of rows, each value as text."""
        try:
            count = self._keep("read", read.texts)
        except duckdb.Error as error:
            yield f"the reader fails: {error}"
            return
        if read.counted not in (None, count):
            yield f"has {count} rows to the reader, by its count from the catalog {read.counted}"
        if judged.fails and not correction:
            if replaced and FAILURE.match(judged.fails):
                self.judge_wrong.add(f"{judged.place} {NO_COMMON_MEMBER}, and DuckLake fails")
            else:
                yield f"DuckLake fails: {judged.fails}"
            return
        expected = 0 if judged.fails else self._keep("judged", judged.rows)
        if correction:
            expected = self._keep("judged", correction)
        self.rows += expected
        said = [*self._of_kept(expected, count)]
        if said and replaced:
            for side in ("judged", "read"):
                for text in replaced:
                    texts = f"replace(COLUMNS(*), {literal(text)}, 'NULL')"
                    self._keep(side, f"SELECT {texts} FROM {side}")
            if not any(self._of_kept(expected, count)):
                wrong = f"{NO_COMMON_MEMBER}, and DuckLake mixes NULLs up"
                self.judge_wrong.add(f"{judged.place} {wrong}")
                return
        yield from said

    def _of_kept(self, expected: int, count: int) -> Iterator[str]:
        """What differs between the rows of the sides, of which there are so many."""
        if expected != count:
            yield f"has {expected} rows, to the reader {count}"
        alone = [*self._rows_of_one("judged", "read", "to DuckLake alone")]
        yield from alone
        # Where as many rows have none that the other lacks, the other has no more either.
        if alone or expected != count:
            yield from self._rows_of_one("read", "judged", "to the reader alone")

    def _keep(self, side: str, rows: str) -> int:
        """Keep the rows of a side, and count them."""
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {side} AS {rows}")
        (count,) = self.connection.execute(f"SELECT count(*) FROM {side}").fetchone()
        return count

    def _rows_of_one(self, side: str, other: str, words: str) -> Iterator[str]:
        rows = self.connection.execute(
            f"FROM (FROM {side} EXCEPT ALL FROM {other}) ORDER BY ALL LIMIT {SHOWN}"
        ).fetchall()
        if rows:
            yield f"has rows {words}:\n" + "\n".join(f"  {row}" for row in rows)


def _both(judged: Iterable[Column], read: Iterable[Column]) -> str:
    return (
        "\n".join(f"  DuckLake: {column}" for column in judged)
        + "\n"
        + "\n".join(f"  reader:   {column}" for column in read)
    )
