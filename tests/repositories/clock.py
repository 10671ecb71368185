"""A clock that the maker sets, so that a repository made twice has the same IDs and times."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID


class Clock:
    """Stands at one instant until it is moved, and names versions by it."""

    def __init__(self, name: str, start: str = "2026-03-02T09:00:00Z") -> None:
        self.name = name
        self.now = _parse(start)
        self._given = 0

    def wait(self, time: timedelta = timedelta(days=1)) -> None:
        self.now += time

    def set(self, time: str) -> None:
        self.now = _parse(time)

    def stamp(self) -> str:
        """The time as records write it, such as `2026-03-02T09:00:00Z`."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def uuid7(self) -> str:
        """A new UUIDv7 of this instant."""
        return _uuid(self._noise(), version=7, milliseconds=int(self.now.timestamp() * 1000))

    def uuid4(self) -> str:
        """A new UUIDv4, which tells no time."""
        return _uuid(self._noise(), version=4)

    def _noise(self) -> bytes:
        self._given += 1
        return sha256(f"{self.name} {self._given}".encode()).digest()[:16]


def _parse(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def _uuid(noise: bytes, version: int, milliseconds: int | None = None) -> str:
    if milliseconds is not None:
        noise = milliseconds.to_bytes(6, "big") + noise[6:]
    fixed = bytearray(noise)
    fixed[6] = version << 4 | fixed[6] & 0x0F
    fixed[8] = 0x80 | fixed[8] & 0x3F
    return str(UUID(bytes=bytes(fixed)))
