"""What publishers write. To a reader it is text, whatever it looks like."""

from keys import ALICE
from lake import Lake
from repository import as_json
from scenario import SMALL, scenario

IMAGE = '<img src=x onerror="alert(1)">'
SCRIPT = "<script>alert(1)</script>"
BACKWARDS = "\u202edrawkcab nettirw"
"""An override of the direction that nothing takes back."""
LONG = "Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu" * 3
SCRIPT_LINK = "javascript:alert(1)"
MARKUP_LINK = f"data:text/html,{SCRIPT}"

DATASET = {
    "title": f"Towns {IMAGE} {BACKWARDS}",
    "description": f"{SCRIPT}\n{LONG}\n{BACKWARDS}",
    "keywords": [IMAGE, SCRIPT, LONG],
    "licenses": [{"title": IMAGE, "url": SCRIPT_LINK}, {"title": SCRIPT, "url": MARKUP_LINK}],
    "sources": [{"url": f"https://example.org/{LONG}?{SCRIPT}"}, {"title": LONG}],
    "contributors": [{"title": IMAGE, "role": SCRIPT}],
    "tables": {
        SCRIPT: {
            "title": f"{IMAGE} {LONG}",
            "description": f"{SCRIPT} {BACKWARDS}",
            "columns": {IMAGE: (SCRIPT, IMAGE), LONG: (LONG, LONG)},
        }
    },
}


@scenario(
    "Text of a repository is shown as text, however long it is and whatever it looks like.",
    dataset=DATASET,
    settings={"signers": [f"{IMAGE} {SCRIPT}"]},
    **SMALL,
)
def hostile_text(lake: Lake) -> dict:
    with lake.commit(f"{IMAGE} {LONG}", by=ALICE) as sql:
        sql(f"CREATE TABLE {quoted(SCRIPT)} (i INTEGER)")
    first = lake.tip
    mark = {"expired_at": IMAGE, "reason": f"{SCRIPT} {LONG}"}
    lake.repository.write(f"versions/{first}/expired.json", as_json(mark))
    with lake.commit(f"{SCRIPT} {BACKWARDS}", by=ALICE) as sql:
        sql(f"DROP TABLE {quoted(SCRIPT)}")
        names = ", ".join(f"{quoted(name)} VARCHAR" for name in (IMAGE, LONG, BACKWARDS))
        sql(f"CREATE TABLE {quoted(SCRIPT)} (i INTEGER, {names})")
        sql(
            f"INSERT INTO {quoted(SCRIPT)} VALUES (1, ?, ?, ?), (2, ?, ?, ?), (3, NULL, NULL, '')",
            [IMAGE, SCRIPT, BACKWARDS, SCRIPT_LINK, "x" * 10_000, f"a\nb\n{LONG}"],
        )
        sql(f"CREATE TABLE {quoted(LONG[:120])} AS SELECT 1 AS i")
    author = {"name": f"{IMAGE} {BACKWARDS}", "email": f"{SCRIPT}@{LONG}"}
    lake.place_record(lake.tip, as_json(lake.record(lake.tip) | {"author": author}), ALICE)
    lake.tag("<img/src=x/onerror=alert(1)>")
    return {"expired": first, "link": DATASET["sources"][0]["url"]}


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
