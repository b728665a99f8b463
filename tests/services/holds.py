"""Asks a process of `barriers.py` to hold a session's work, and waits until it does."""

import asyncio
from pathlib import Path

from tests.services.client import Answered
from tests.services.processes import wait_until

Request = asyncio.Future[Answered]


class Holds:
    """The folder through which both sides speak."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def ask(self, session_id: str, step: str) -> None:
        """From now on that session's work stops at that step."""
        (self.folder / f"{session_id}.{step}").touch()

    def wait(self, session_id: str, step: str, under_way: Request | None = None) -> None:
        """Until it has stopped there; if it doesn't, what became of the request is told."""
        reached = self.folder / f"{session_id}.{step}.reached"
        wait_until(reached.exists, why=lambda: f"{step} was not reached; {_state(under_way)}")

    def clear(self) -> None:
        """Nothing is held any more that is not held yet."""
        for file in self.folder.iterdir():
            file.unlink()


def _state(request: Request | None) -> str:
    if request is None or not request.done():
        return "its request waits"
    if request.cancelled() or request.exception():
        return f"its request failed: {request}"
    answered = request.result()
    return f"answered with {answered.status}: {answered.body}"
