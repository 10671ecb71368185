"""A repository on disk: its settings and its refs, file by file as the page "Layout" has them."""

import json
from pathlib import Path
from typing import Any

MAIN = "refs/heads/main"


class Repository:
    def __init__(self, root: Path, settings: dict[str, Any], refs_json: bool = True) -> None:
        """`refs_json`: whether the repository keeps a refs.json, for readers that cannot list."""
        self.root = root
        self.settings = settings
        self.refs_json = refs_json
        self.refs: dict[str, str] = {}

    @property
    def data_dir(self) -> str:
        return data_dir(self.settings)

    @property
    def data(self) -> Path:
        return self.root / self.data_dir

    def start(self) -> None:
        self.write("fdl.json", as_json(self.settings))
        self.write("HEAD", f"ref: {MAIN}\n".encode())

    def version(self, id: str) -> Path:
        return self.root / "versions" / id

    def put_ref(self, name: str, version: str) -> None:
        self.refs[name] = version
        self.write(name, f"{version}\n".encode())
        self._put_refs_json()

    def delete_ref(self, name: str) -> None:
        del self.refs[name]
        (self.root / name).unlink()
        self._put_refs_json()

    def write(self, path: str, content: bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def _put_refs_json(self) -> None:
        if self.refs_json:
            self.write("refs.json", as_json({"refs": dict(sorted(self.refs.items()))}))


def data_dir(settings: dict[str, Any]) -> str:
    return settings.get("data_dir", "data/")


def as_json(content: Any) -> bytes:
    """JSON as the maker writes it everywhere: UTF-8, two spaces, a line feed at the end."""
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
