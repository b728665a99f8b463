"""On whose behalf a model is asked, and within which limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord


class CallLimit:
    """How many calls may still be made, retries and repairs included."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self) -> bool:
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Budget:
    """Whose money calls cost, and how much there is (None: no limit).

    `account` has a daily budget of `day_most`; `left` is what may be spent from this budget, and
    `spent` what was. `owed` is stored when the budget is settled (None: with every call).
    """

    account: str = ""
    day_most: Decimal | None = None
    left: Decimal | None = None
    spent: Decimal = Decimal(0)
    owed: Decimal | None = None

    @property
    def is_empty(self) -> bool:
        return self.left is not None and self.spent >= self.left


@dataclass(frozen=True)
class CallContext:
    """`models` maps a tier or a task's name to a model (a task's name wins).

    `deadline` is a `time.monotonic()` after which no model is waited for; `disabled_reason` says
    why none may be asked at all; `limit` bounds the calls; `budget` pays for them (None: not
    charged); `record` takes the call records (None: they are stored at once); `only` names the one
    of the two routes that may be asked.
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
    only: Source | None = None
