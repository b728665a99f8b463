"""What a model's question may say here, besides what holds for all interviewers."""

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
    if why := unsayable(text, ctx):
        return why
    again = _repeats(text, (one.text for one in ctx.state.asked))
    return GuardRefusal("repeat", "asked before") if again else None


def unsayable(text: str, ctx: LadderingContext) -> GuardRefusal | None:
    """Return why it can't be said, even if it may repeat an earlier question; None if it can."""
    return guards.refused(text, ctx.language, private(ctx)) or _leak(text)


def certain(text: str, ctx: LadderingContext) -> str:
    shown = guards.certain(text, ctx.language, private(ctx))
    return "" if _leak(shown) else shown


def private(ctx: LadderingContext) -> tuple[str, ...]:
    """Return what only the interviewer knows: prompts and what they are filled with."""
    known, methodology = ctx.material.concept.context, ctx.material.methodology
    return (
        ctx.plan.persona,
        known.insight,
        known.promise,
        known.reason_to_believe,
        methodology.goal,
        *(strategy.description for strategy in methodology.strategies),
        *_own_texts(),
    )


@cache
def _own_texts() -> tuple[str, ...]:
    descriptions = (one.description for one in SIGNALS.values())
    return (*guards.prompts_of(PROMPTS), *MANNERS.values(), *descriptions)


def _repeats(text: str, earlier: Iterable[str]) -> bool:
    question = questions_in(text)
    return any(alike(question, questions_in(one)) for one in earlier)


def _leak(text: str) -> GuardRefusal | None:
    return GuardRefusal("leak", "shows instructions") if SIGNAL.search(text) else None
