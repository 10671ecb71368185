"""What vouches for the data files: a hash in files.json, or what the catalog records of them."""

from keys import ALICE, BOB
from lake import Lake
from scenario import scenario


def two_tables(lake: Lake) -> None:
    """Data files of several sizes in two tables, one with a delete file."""
    with lake.commit("Towns and people", by=ALICE) as sql:
        sql("CREATE TABLE towns AS SELECT i AS id, 'town ' || i AS name FROM range(2000) t(i)")
        sql("CREATE TABLE people AS SELECT i AS id, md5(i::VARCHAR) AS name FROM range(9000) t(i)")
    with lake.commit("Fewer towns, more people", by=BOB) as sql:
        sql("DELETE FROM towns WHERE id % 5 = 0")
        sql("INSERT INTO people SELECT i, md5(i::VARCHAR) FROM range(9000, 9100) t(i)")


@scenario(
    "Where files.json gives no sha256, length and rows of data files are compared.",
    hash_files=False,
)
def files_without_hashes(lake: Lake) -> None:
    two_tables(lake)


@scenario(
    "A files.json that the record does not name covers nothing, whatever hashes it gives.",
    name_files_json=False,
)
def files_json_not_named(lake: Lake) -> None:
    two_tables(lake)


@scenario("A source file need not be stored, nor be open to everyone.")
def private_sources(lake: Lake) -> None:
    kept, withheld = lake.place_source(b"id,name\n1,Kyoto\n"), "00" * 32
    inputs = [{"sha256": digest} for digest in (kept, withheld, kept)]
    with lake.commit("Towns of two lists", by=ALICE, inputs=inputs) as sql:
        sql("CREATE TABLE towns AS SELECT 1 AS id, 'Kyoto' AS name")
