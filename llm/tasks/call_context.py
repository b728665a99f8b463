"""On whose behalf a model is asked, and within which limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from llm.tasks.records import CallRecord


class CallLimit:
    """How many calls may still be made, retries and repairs included; shared by what it is for."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self) -> bool:
        """Takes one call; False when none is left."""
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Budget:
    """Whose money calls cost, and how much of it there is (None: as much as it takes).

    `account` has a budget of the day; `left` is what may still be spent from this budget, which
    `spent` counts. What is `owed` is written when the budget is settled (None: with every call).
    """

    account: str = ""
    day_most: Decimal | None = None
    left: Decimal | None = None
    spent: Decimal = Decimal(0)
    owed: Decimal | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of its own."""
        return self.left is not None and self.spent >= self.left


@dataclass(frozen=True)
class CallContext:
    """`models` maps a tier or a task's name to a model (a task's name wins).

    `deadline` is a `time.monotonic()` after which no model is waited for; `disabled_reason` says
    why none may be asked at all; `limit` bounds the calls; `budget` pays for them (None: nobody
    counts); `record` takes the call records (None: a row is written at once).
    """

    session: str = ""
    turn: int | None = None
    bot: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    deadline: float | None = None
    disabled_reason: str = ""
    limit: CallLimit | None = None
    budget: Budget | None = None
    record: Callable[[CallRecord], None] | None = None
