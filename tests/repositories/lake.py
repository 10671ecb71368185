"""What a scenario is written with: a repository and the working catalog beside it."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import ducklake
from clock import Clock
from index import files_index, named_paths
from keys import ALICE, BOB, KeyRing, Signer
from record import described, named_file, version_record
from repository import MAIN, Repository, as_json

Sql = Callable[..., Any]
GRACE_PERIOD = timedelta(days=7)


class Lake:
    def __init__(
        self,
        name: str,
        root: Path,
        keys: KeyRing,
        *,
        settings: dict[str, Any] | None = None,
        dataset: dict[str, Any] | None = None,
        signers: tuple[Signer, ...] = (ALICE, BOB),
        inline: int = 0,
        block_size: int = ducklake.DEFAULT_BLOCK_SIZE,
        earlier_snapshots: bool = True,
        files_json: bool = True,
        hash_files: bool = True,
        name_files_json: bool = True,
        refs_json: bool = True,
    ) -> None:
        """Start a repository at `root`.

        `settings`: members of fdl.json, `None` to leave one out. `dataset`: the author's texts
        of dataset.json. `inline`: DuckLake's DATA_INLINING_ROW_LIMIT, 0 keeps rows and deletes
        out of the catalog. `block_size`: of the frozen catalogs. `earlier_snapshots`: whether
        they keep the snapshots before their version's. `hash_files`: whether files.json gives the
        sha256 of data files. `name_files_json`: whether records name it.
        """
        self.clock = Clock(name)
        self.keys = keys
        self.dataset = dataset or {"title": name.replace("-", " ").capitalize()}
        self.inline = inline
        self.block_size = block_size
        self.earlier_snapshots = earlier_snapshots
        self.files_json = files_json
        self.hash_files = hash_files
        self.name_files_json = name_files_json
        self.head = MAIN
        self.versions: list[str] = []
        self.repository = Repository(root, self._settings(signers, settings or {}), refs_json)
        self.repository.start()

    def _settings(self, signers: tuple[Signer, ...], settings: dict[str, Any]) -> dict[str, Any]:
        usual = {
            "fdl": "0.1",
            "id": self.clock.uuid4(),
            "data_dir": "data/",
            "signers": self.keys.allowed_signers(*signers).splitlines(),
        }
        return {name: value for name, value in (usual | settings).items() if value is not None}

    # Versions.

    @property
    def tip(self) -> str | None:
        """The version that the branch checked out points at."""
        return self.repository.refs.get(self.head)

    @contextmanager
    def commit(
        self,
        message: str,
        by: Signer = ALICE,
        *,
        sign: bool = True,
        at: str | None = None,
        merging: tuple[str, ...] = (),
        inputs: list[dict[str, Any]] | None = None,
    ) -> Iterator[Sql]:
        """Check out the branch, run the block's SQL, and commit what came of it.

        `at`: when, a day after the version before if it is not said. `merging`: further parents.
        """
        self.clock.set(at) if at else self.clock.wait()
        parents = [id for id in (self.tip, *merging) if id]
        with tempfile.TemporaryDirectory() as folder:
            working = Path(folder) / "working.duckdb"
            if self.tip:
                shutil.copy(self.repository.version(self.tip) / "ducklake.duckdb", working)
            with ducklake.working_catalog(working, self.repository.data, self.inline) as connection:
                yield connection.execute
                if not self.earlier_snapshots:
                    ducklake.forget_earlier_snapshots(connection)
            version = self._place_version(working, parents, message, by, sign, inputs or [])
        self.repository.put_ref(self.head, version)

    def _place_version(
        self,
        working: Path,
        parents: list[str],
        message: str,
        by: Signer,
        sign: bool,
        inputs: list[dict[str, Any]],
    ) -> str:
        """Write a version's folder in the order that keeps readers safe, the record last."""
        id = self.clock.uuid7()
        self.versions.append(id)
        folder = self.repository.version(id)
        folder.mkdir(parents=True)
        catalog = folder / "ducklake.duckdb"
        # As a tool leaves it that publishes to a bucket: readers have their own root.
        data_path = f"s3://example/{self.clock.name}/{self.repository.data_dir}"
        ducklake.freeze(working, catalog, data_path, self.block_size)
        format, snapshots = ducklake.format_and_snapshots(catalog)
        with ducklake.frozen_catalog(catalog, self.repository.data, snapshots[-1]) as connection:
            tables = ducklake.tables(connection)
        self._place(id, "dataset.json", as_json(described(self.dataset, tables)))
        if self.files_json:
            data, data_dir = self.repository.data, self.repository.data_dir
            index = files_index(data, data_dir, catalog, snapshots[-1], tables, self.hash_files)
            self._place(id, "files.json", as_json(index))
        record = version_record(
            id=id,
            seq=1 + max((self.record(parent)["seq"] for parent in parents), default=0),
            parents=parents,
            created_at=self.clock.stamp(),
            author=by.name,
            message=message,
            folder=folder,
            snapshots=snapshots,
            format=format,
            inputs=inputs,
        )
        if not self.name_files_json:
            record.pop("files", None)
        self.place_record(id, as_json(record), by if sign else None)
        return id

    def read_at(self, snapshot: int) -> None:
        """Let the version checked out be an earlier snapshot than the last of its catalog."""
        id, catalog, data = self.tip, self._catalog(self.tip), self.repository.data
        with ducklake.frozen_catalog(catalog, data, snapshot) as connection:
            tables = ducklake.tables(connection)
        index = files_index(
            data, self.repository.data_dir, catalog, snapshot, tables, self.hash_files
        )
        self._place(id, "dataset.json", as_json(described(self.dataset, tables)))
        self._place(id, "files.json", as_json(index))
        record = self.record(id)
        for member in ("dataset", "files"):
            record[member] = named_file(self.repository.version(id) / record[member]["path"])
        record["ducklake"] |= {"snapshot_id": snapshot, "snapshots": [snapshot]}
        self.place_record(id, as_json(record), ALICE)

    def place_record(self, id: str, content: bytes, by: Signer | None) -> None:
        """Write a version's record, signed where `by` is given."""
        if by:
            self._place(id, "version.json.sig", self.keys.sign(by, content))
        self._place(id, "version.json", content)

    def record(self, id: str) -> dict[str, Any]:
        return json.loads((self.repository.version(id) / "version.json").read_bytes())

    def _place(self, id: str, name: str, content: bytes) -> None:
        self.repository.write(f"versions/{id}/{name}", content)

    def place_source(self, content: bytes) -> str:
        """Keep a source file, named by the digest that is returned."""
        digest = sha256(content).hexdigest()
        self.repository.write(f"sources/{digest}", content)
        return digest

    # Refs.

    def tag(self, name: str) -> None:
        self.repository.put_ref(f"refs/tags/{name}", self.tip)

    def request(self, number: int) -> None:
        """A ref for the host's own use, such as a pending approval."""
        self.repository.put_ref(f"refs/requests/{number}", self.tip)

    def branch(self, name: str) -> None:
        """Make a branch of the version checked out, and check it out."""
        self.repository.put_ref(f"refs/heads/{name}", self.tip)
        self.checkout(name)

    def checkout(self, name: str) -> None:
        self.head = f"refs/heads/{name}"

    @contextmanager
    def merge(self, branch: str, message: str, by: Signer = ALICE, **more: Any) -> Iterator[Sql]:
        """A version with two parents; the block's SQL brings over what the branch has."""
        other = self.repository.refs[f"refs/heads/{branch}"]
        with self.commit(message, by, merging=(other,), **more) as sql:
            yield sql

    # Taking versions out.

    def expire(self, keep: int) -> list[str]:
        """Take the versions behind the newest `keep` out of retention, and end the grace period."""
        pointed_at = self.repository.refs.values()
        old = [id for id in self._live()[:-keep] if id not in pointed_at]
        for id in old:
            self._take_out(id, "retention")
        self.clock.wait(GRACE_PERIOD)
        named = set().union(*(named_paths(self._catalog(id)) for id in self._live()))
        self._delete_data_files(self._placed_data_files() - named)
        return old

    @contextmanager
    def withdraw(
        self, affected: list[str], message: str, by: Signer = ALICE, records_too: bool = False
    ) -> Iterator[Sql]:
        """Remove data that must not be published; the block's SQL makes a version without it.

        `records_too`: the records hold the data as well, and are deleted.
        """
        refs = self.repository.refs
        holding = {name: id for name, id in refs.items() if id in affected}
        branches = [name for name in holding if name.startswith("refs/heads/")]
        merging = {holding[name] for name in branches} - {self.tip}
        with self.commit(message, by, merging=tuple(sorted(merging))) as sql:
            yield sql
        for name in holding:
            if name in branches:
                self.repository.put_ref(name, self.tip)
            else:
                self.repository.delete_ref(name)
        kept = [id for id in self._live() if id not in affected]
        read = set().union(*(named_paths(self._catalog(id), self._snapshot(id)) for id in kept))
        named = set().union(*(named_paths(self._catalog(id)) for id in affected))
        self._delete_data_files(named - read)
        for id in affected:
            self._take_out(id, "withdrawn")
            if records_too:
                shutil.rmtree(self.repository.version(id))

    def _take_out(self, id: str, reason: str) -> None:
        """Mark a version as past retention, then delete what a reader must not open any more."""
        mark = {"expired_at": self.clock.stamp(), "reason": reason}
        self._place(id, "expired.json", as_json(mark))
        self._catalog(id).unlink()
        (self.repository.version(id) / "files.json").unlink(missing_ok=True)

    def _live(self) -> list[str]:
        return [id for id in self.versions if self._catalog(id).exists()]

    def _catalog(self, id: str) -> Path:
        return self.repository.version(id) / "ducklake.duckdb"

    def _snapshot(self, id: str) -> int:
        return self.record(id)["ducklake"]["snapshot_id"]

    def _placed_data_files(self) -> set[str]:
        data = self.repository.data
        return {file.relative_to(data).as_posix() for file in data.rglob("*.parquet")}

    def _delete_data_files(self, paths: set[str]) -> None:
        for path in paths:
            (self.repository.data / path).unlink(missing_ok=True)
