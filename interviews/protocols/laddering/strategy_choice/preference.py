from collections.abc import Callable

from interviews.protocols.laddering.signals.moment import FocusCandidate
from plans.protocols.laddering.schema.methodology import Focus

BONUS = 1.0  # as much as a weight of 1 that matches
SHALLOW_CHAIN = 2  # nodes at most

PREFERRED: dict[Focus, Callable[[FocusCandidate], bool]] = {
    "any": lambda one: False,
    "newest": lambda one: one.newest,
    "orphan": lambda one: one.state.orphan and not one.uncovered,
    "current": lambda one: one.state.focus_streak > 0,
    "shallow_chain": lambda one: 0 < one.chain <= SHALLOW_CHAIN,
    "uncovered": lambda one: one.uncovered,
}


def bonus(focus: Focus, candidate: FocusCandidate | None) -> float:
    return BONUS if candidate is not None and PREFERRED[focus](candidate) else 0.0
