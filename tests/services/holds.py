"""Asks a process of `barriers.py` to hold a session's work, and waits until it does."""

from pathlib import Path

from tests.services.processes import wait_until


class Holds:
    """The folder through which both sides speak."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def ask(self, session_id: str, step: str) -> None:
        """From now on that session's work stops at that step."""
        (self.folder / f"{session_id}.{step}").touch()

    def wait(self, session_id: str, step: str, under_way: object = "") -> None:
        """Until it has stopped there; `under_way` is told if it doesn't."""
        reached = self.folder / f"{session_id}.{step}.reached"
        wait_until(reached.exists, why=lambda: f"{step} was not reached {under_way}")

    def clear(self) -> None:
        """Nothing is held any more that is not held yet."""
        for file in self.folder.iterdir():
            file.unlink()
