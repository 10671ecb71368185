"""The life of a repository: the steps of "Inside a repository", and what the layout leaves open."""

from keys import ALICE, BOB
from lake import Lake
from scenario import SMALL, scenario, two_versions


def first_towns(lake: Lake) -> None:
    with lake.commit("First towns", by=ALICE) as sql:
        sql("CREATE TABLE towns (id INTEGER, name VARCHAR)")
        sql("INSERT INTO towns SELECT i, 'town ' || i FROM range(100) t(i)")


@scenario("After init, HEAD points at a ref that does not exist yet: there is no version.")
def after_init(lake: Lake) -> None:
    pass


@scenario("The ref is written last, and a reader begins with it.")
def first_commit(lake: Lake) -> None:
    first_towns(lake)


@scenario("Two versions name the same data file at the same path.")
def second_commit(lake: Lake) -> None:
    two_versions(lake)


@scenario("A tag holds its version, whatever becomes of main.")
def tagged(lake: Lake) -> None:
    two_versions(lake)
    lake.tag("2025-final")
    with lake.commit("Fewer towns", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id >= 50")


@scenario(
    "Past retention a version keeps its record alone; one that a ref points at is not taken out.",
    earlier_snapshots=False,
)
def retention(lake: Lake) -> dict:
    first_towns(lake)
    with lake.commit("Rebuild the towns", by=BOB) as sql:
        sql("CREATE OR REPLACE TABLE towns AS SELECT i AS id, 'place' AS name FROM range(90) t(i)")
    lake.tag("kept")
    for year in (2024, 2025, 2026):
        with lake.commit(f"Towns of {year}", by=ALICE) as sql:
            sql("DROP TABLE towns")
            sql(f"CREATE TABLE towns AS SELECT i AS id, '{year}' AS name FROM range(80) t(i)")
    return {"expired": lake.expire(keep=2)}


@scenario("Branches move on their own; refs/requests is the host's and not shown unless asked for.")
def branches(lake: Lake) -> None:
    first_towns(lake)
    lake.tag("v1")
    lake.branch("draft")
    with lake.commit("Propose more towns", by=BOB) as sql:
        sql("INSERT INTO towns SELECT i, 'proposed ' || i FROM range(100, 150) t(i)")
    lake.request(1)
    lake.branch("team/bob")
    with lake.commit("Bob's own names", by=BOB) as sql:
        sql("UPDATE towns SET name = upper(name) WHERE id < 20")
    lake.checkout("main")
    with lake.commit("Remove a town", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id = 7")


@scenario("A merge is a version with two parents.")
def merge(lake: Lake) -> None:
    first_towns(lake)
    lake.branch("draft")
    with lake.commit("Draft more towns", by=BOB) as sql:
        sql("INSERT INTO towns SELECT i, 'drafted ' || i FROM range(100, 130) t(i)")
    lake.checkout("main")
    with lake.commit("Remove a town", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id = 7")
    with lake.merge("draft", "Merge draft", by=ALICE) as sql:
        sql("INSERT INTO towns SELECT i, 'drafted ' || i FROM range(100, 130) t(i)")


def published_by_mistake(lake: Lake, records_too: bool = False) -> dict:
    with lake.commit("First people", by=ALICE) as sql:
        sql("CREATE TABLE people (id INTEGER, name VARCHAR)")
        sql("INSERT INTO people SELECT i, 'reader ' || i FROM range(60) t(i)")
    with lake.commit("Add private people", by=BOB) as sql:
        sql("INSERT INTO people SELECT i, 'private ' || i FROM range(60, 80) t(i)")
    lake.tag("summer")
    with lake.commit("Add a note column", by=BOB) as sql:
        sql("ALTER TABLE people ADD COLUMN note VARCHAR")
    affected = lake.versions[1:]
    with lake.withdraw(
        affected, "Take the private people out", by=ALICE, records_too=records_too
    ) as sql:
        sql("CREATE OR REPLACE TABLE people AS FROM people WHERE id < 60")
    return {"withdrawn": affected}


@scenario(
    "A withdrawal moves branches forward, deletes tags, data files and catalogs, not records.",
    earlier_snapshots=False,
)
def withdrawal(lake: Lake) -> dict:
    return published_by_mistake(lake)


@scenario(
    "Where a withdrawn record itself is deleted, the history shows a missing parent.",
    earlier_snapshots=False,
)
def withdrawal_record_deleted(lake: Lake) -> dict:
    return published_by_mistake(lake, records_too=True)


@scenario("Twenty-five versions, each the only parent of the next.", **SMALL)
def long_history(lake: Lake) -> None:
    first_towns(lake)
    for year in range(2, 26):
        with lake.commit(f"Edition {year}", by=ALICE if year % 2 else BOB) as sql:
            sql(f"INSERT INTO towns VALUES ({1000 + year}, 'town of edition {year}')")


@scenario("A branch and a tag share a short name: only the full name says which is meant.")
def ambiguous_ref_name(lake: Lake) -> None:
    first_towns(lake)
    lake.tag("spring")
    lake.branch("spring")
    with lake.commit("Spring towns", by=BOB) as sql:
        sql("INSERT INTO towns VALUES (100, 'Primavera')")


@scenario(
    "fdl.json declares another data_dir, and every data file is under it.",
    settings={"data_dir": "tables/parquet/"},
)
def other_data_dir(lake: Lake) -> None:
    two_versions(lake)


@scenario("Without data_dir in fdl.json, data files are under data/.", settings={"data_dir": None})
def no_data_dir(lake: Lake) -> None:
    two_versions(lake)


@scenario("A repository without an id is still read.", settings={"id": None})
def no_id(lake: Lake) -> None:
    two_versions(lake)


@scenario("Without refs.json, refs are read from their own files.", refs_json=False)
def no_refs_json(lake: Lake) -> None:
    two_versions(lake)
    lake.tag("2025-final")


@scenario("files.json is optional.", files_json=False)
def no_files_json(lake: Lake) -> None:
    two_versions(lake)


@scenario(
    "fdl.json tells which DuckLake formats are published, and until when.",
    settings={"catalog_formats": [{"ducklake": "1.1"}, {"ducklake": "1.0", "until": "2027-03-31"}]},
)
def catalog_formats(lake: Lake) -> None:
    two_versions(lake)


@scenario("A record lists what its version was made from.")
def inputs(lake: Lake) -> None:
    source = b"id,name\n1,Kyoto\n"
    digest = lake.place_source(source)
    with lake.commit(
        "Towns of a list", by=ALICE, inputs=[{"sha256": digest, "name": "towns.csv"}]
    ) as sql:
        sql("CREATE TABLE towns AS SELECT 1 AS id, 'Kyoto' AS name")
