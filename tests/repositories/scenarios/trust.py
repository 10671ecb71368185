"""Who signed, and whether the page trusts them."""

from keys import ALICE, BOB, MALLORY
from lake import Lake
from scenario import scenario, two_versions


@scenario("A signature is optional: an unsigned version is one for which nobody vouches.")
def unsigned(lake: Lake) -> None:
    two_versions(lake, sign=False)


@scenario("A key is not trusted because fdl.json lists it.", signers=(ALICE, BOB, MALLORY))
def untrusted_signer(lake: Lake) -> None:
    with lake.commit("Towns by Mallory", by=MALLORY) as sql:
        sql("CREATE TABLE towns AS SELECT i AS id, 'town ' || i AS name FROM range(100) t(i)")


@scenario(
    "Each version needs a verdict of its own: signed, unsigned and by a stranger in one history."
)
def mixed_signers(lake: Lake) -> None:
    two_versions(lake)
    with lake.commit("An unsigned change", by=BOB, sign=False) as sql:
        sql("DELETE FROM towns WHERE id = 3")
    with lake.commit("A stranger's change", by=MALLORY) as sql:
        sql("DELETE FROM towns WHERE id = 4")
    with lake.commit("Alice goes on", by=ALICE) as sql:
        sql("DELETE FROM towns WHERE id = 5")
