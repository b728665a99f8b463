"""What a model's question may hold here besides what holds for every interviewer's words."""

import re
from collections.abc import Iterable
from functools import cache

from interviews.engine import guards
from interviews.engine.guards import GuardRefusal
from interviews.engine.language.sentences import questions_in
from interviews.protocols.laddering.context import Here
from interviews.protocols.laddering.signals.base import SIGNALS
from interviews.protocols.laddering.tasks import MANNERS, PROMPTS
from plans.similarity import alike

SIGNAL = re.compile(r"\b(?:graph|llm|temporal|meta)\.\w")  # as signals are called in prompts


def refused(text: str, now: Here) -> GuardRefusal | None:
    """Why a new question can't be put; None if it can."""
    if why := unsayable(text, now):
        return why
    again = repeats(text, (one.text for one in now.state.asked))
    return GuardRefusal("repeat", "asked before") if again else None


def unsayable(text: str, now: Here) -> GuardRefusal | None:
    """The same for words that may ask again what was asked."""
    return guards.refused(text, now.language, private(now)) or _leaks(text)


def certain(text: str, now: Here) -> str:
    """As much of a question that is being written as can be shown."""
    shown = guards.certain(text, now.language, private(now))
    return "" if _leaks(shown) else shown


def repeats(text: str, earlier: Iterable[str]) -> bool:
    """Whether it asks again, in whatever words, what was asked."""
    question = questions_in(text)
    return any(alike(question, questions_in(one)) for one in earlier)


def private(now: Here) -> tuple[str, ...]:
    """What only the interviewer knows: prompts, what they are filled with, what is researched."""
    known, ways = now.material.concept.context, now.material.methodology
    return (
        now.plan.persona,
        known.insight,
        known.promise,
        known.reason_to_believe,
        ways.goal,
        *(strategy.description for strategy in ways.strategies),
        *_of_our_own(),
    )


@cache
def _of_our_own() -> tuple[str, ...]:
    return (
        *guards.prompts_of(PROMPTS),
        *MANNERS.values(),
        *(one.description for one in SIGNALS.values()),
    )


def _leaks(text: str) -> GuardRefusal | None:
    return GuardRefusal("leak", "shows instructions") if SIGNAL.search(text) else None
