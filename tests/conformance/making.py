"""Where the writing of a random history stands, in a file: DuckDB itself may end the process there.

Whoever started the process sees at which step, and starts another that leaves it out.
"""

import json
from pathlib import Path


class Making:
    def __init__(self, file: Path) -> None:
        self._file = file
        kept = json.loads(file.read_bytes()) if file.exists() else {}
        self.without: set[int] = set(kept.get("without", ()))
        """The steps that are left out."""
        self._step: int = kept.get("step", 0)
        self.statement: str = kept.get("statement", "")
        """What is being carried out."""

    def carry_out(self, step: int, statement: str) -> None:
        """To be told before it is done. `step` is the one to leave out should it fail."""
        self._step, self.statement = step, statement
        self._keep()

    def leave_out_the_step(self) -> bool:
        """Or where it is left out already, the one before. `False` if there is none."""
        while self._step in self.without:
            self._step -= 1
        if self._step < 1:
            return False
        self.without.add(self._step)
        self._keep()
        return True

    def _keep(self) -> None:
        kept = {"without": sorted(self.without), "step": self._step, "statement": self.statement}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(kept))
