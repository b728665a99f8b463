"""What a model's question may hold here besides what holds for every interviewer's words."""

import re
from collections.abc import Iterable
from functools import cache

from interviews.engine import guards
from interviews.engine.guards import GuardRefusal
from interviews.engine.language.sentences import questions_in
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.signals.base import SIGNALS
from interviews.protocols.laddering.tasks import MANNERS, PROMPTS
from plans.similarity import alike

SIGNAL = re.compile(r"\b(?:graph|llm|temporal|meta)\.\w")  # as signals are called in prompts


def refused(text: str, ctx: LadderingContext) -> GuardRefusal | None:
    """Why a new question can't be put; None if it can."""
    if why := unsayable(text, ctx):
        return why
    again = repeats(text, (one.text for one in ctx.state.asked))
    return GuardRefusal("repeat", "asked before") if again else None


def unsayable(text: str, ctx: LadderingContext) -> GuardRefusal | None:
    """The same for words that may ask again what was asked."""
    return guards.refused(text, ctx.language, private(ctx)) or _leaks(text)


def certain(text: str, ctx: LadderingContext) -> str:
    """As much of a question that is being written as can be shown."""
    shown = guards.certain(text, ctx.language, private(ctx))
    return "" if _leaks(shown) else shown


def repeats(text: str, earlier: Iterable[str]) -> bool:
    """Whether it asks again, in whatever words, what was asked."""
    question = questions_in(text)
    return any(alike(question, questions_in(one)) for one in earlier)


def private(ctx: LadderingContext) -> tuple[str, ...]:
    """What only the interviewer knows: prompts, what they are filled with, what is researched."""
    known, ways = ctx.material.concept.context, ctx.material.methodology
    return (
        ctx.plan.persona,
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
