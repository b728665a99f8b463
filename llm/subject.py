"""On whose behalf a model is asked, and within which limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from llm.records import CallRecord


class Allowance:
    """How many calls may still be made, retries and repairs included; shared by what it is for."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self) -> bool:
        """Takes one call; False when none is left."""
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass(frozen=True)
class Subject:
    """`models` maps a tier or a task's name to a model (a task's name wins).

    `deadline` is a `time.monotonic()` after which no model is waited for; `silenced` says why
    none may be asked at all; `allowance` bounds the calls; `record` takes the call records (None:
    a row is written at once).
    """

    session: str = ""
    turn: int | None = None
    bot: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    deadline: float | None = None
    silenced: str = ""
    allowance: Allowance | None = None
    record: Callable[[CallRecord], None] | None = None
