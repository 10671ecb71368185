"""Make a repository of one table of ten million rows in one data file, signed.

    large_table.py OUT KEYS     with the maker of repositories on PYTHONPATH
"""

import shutil
import sys
from pathlib import Path

from keys import ALICE, KeyRing
from lake import Lake

ROWS = 10_000_000


def main(root: Path, keys: KeyRing) -> None:
    shutil.rmtree(root, ignore_errors=True)
    lake = Lake("large-table", root, keys, signers=(ALICE,), block_size=16384)
    with lake.commit("Ten million payments", by=ALICE) as sql:
        sql("SET threads = 1")  # more would write more files
        sql(f"""
            CREATE TABLE payments AS
            SELECT i AS id, 'account ' || hash(i) % 1000000 AS name,
                   DATE '2000-01-01' + (i // 1200)::INTEGER AS day,
                   (hash(i + 1) % 100000000 / 100)::DECIMAL(12, 2) AS amount,
                   CASE WHEN i % 3 > 0 THEN 'for order ' || hash(i + 2) END AS note
            FROM range({ROWS}) t(i)""")
    files = list(lake.repository.data.rglob("*.parquet"))
    if len(files) != 1:
        raise SystemExit(f"The table has {len(files)} data files, not one.")
    (root / "trusted-signers.txt").write_text(keys.allowed_signers(ALICE))


if __name__ == "__main__":
    out, folder = map(Path, sys.argv[1:])
    main(out, KeyRing(folder))
