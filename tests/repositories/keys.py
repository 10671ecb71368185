"""Signers with real SSH keys. Everything that concerns a key is done by `ssh-keygen`."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

NAMESPACE = "fdl"


@dataclass(frozen=True)
class Signer:
    """Someone who signs versions."""

    name: str
    comment: str = ""

    @property
    def principal(self) -> str:
        return f"{self.name}@example.org"


ALICE = Signer("alice", "Alice")
BOB = Signer("bob", "Bob")
MALLORY = Signer("mallory", "Mallory, whom no page trusts")


class KeyRing:
    """A folder of ed25519 keys, one for each signer, generated when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def allowed_signers(self, *signers: Signer) -> str:
        """The signers' public keys, as the text of an `allowed_signers` file."""
        return "".join(f"{signer.principal} {self._public_key(signer)}\n" for signer in signers)

    def sign(self, signer: Signer, message: bytes, namespace: str = NAMESPACE) -> bytes:
        """An armored SSHSIG over exactly `message`."""
        return _ssh_keygen("-Y", "sign", "-f", self._key(signer), "-n", namespace, message=message)

    def _key(self, signer: Signer) -> Path:
        key = self.folder / signer.name
        if not key.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            _ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", signer.comment, "-f", key)
        return key

    def _public_key(self, signer: Signer) -> str:
        return Path(f"{self._key(signer)}.pub").read_text().strip()


def signer_of(message: Path, allowed_signers: str) -> str | None:
    """The name of whom `ssh-keygen -Y verify` takes for the signer of a file, by its `.sig`."""
    signature = Path(f"{message}.sig")
    if not signature.exists():
        return None
    with NamedTemporaryFile("w", suffix=".allowed_signers") as list:
        list.write(allowed_signers)
        list.flush()
        of = ["-f", list.name, "-s", signature]
        principal = _ssh_keygen("-Y", "find-principals", *of).decode().strip()
        verify = ["-Y", "verify", "-I", principal, "-n", NAMESPACE]
        _ssh_keygen(*verify, *of, message=message.read_bytes())
    return principal.split("@")[0]


def _ssh_keygen(*arguments: str | Path, message: bytes | None = None) -> bytes:
    return subprocess.run(
        ["ssh-keygen", *arguments], input=message, check=True, capture_output=True
    ).stdout
