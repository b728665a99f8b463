"""What a question must keep to here, besides what holds for all interviewers."""

import re
from collections.abc import Iterable
from functools import cache

from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.terms import terms
from interviews.engine.result import GuardFiring
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.signals.base import SIGNALS
from interviews.protocols.laddering.tasks import MANNERS, PROMPTS

SIGNAL = re.compile(r"\b(?:graph|llm|temporal|meta)\.\w")  # as signals are called in prompts


def check(text: str, ctx: LadderingContext) -> Checked:
    checked = guards.check(text, _limits(ctx))
    if SIGNAL.search(checked.text):
        return Checked("", (*checked.firings, GuardFiring("leak", "shows instructions", text)))
    return checked


def check_gentle(text: str, about: Iterable[str], ctx: LadderingContext) -> Checked:
    """Check a question after something hard: it must be about what was chosen instead."""
    checked = check(text, ctx)
    asked = terms(guards.question_of(checked.text), ctx.language)
    if not checked.text or any(asked & terms(one, ctx.language) for one in about):
        return checked
    return Checked("", (*checked.firings, GuardFiring("heavy", "asks into something hard", text)))


def safe_prefix(text: str, ctx: LadderingContext) -> str:
    shown = guards.safe_prefix(text, _limits(ctx))
    return "" if SIGNAL.search(shown) else shown


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


def _limits(ctx: LadderingContext) -> Limits:
    is_opening = ctx.received.trigger == "opening"  # which may be put in the words that are stored
    asked = () if is_opening else tuple(one.text for one in ctx.state.asked)
    return Limits(ctx.language, private(ctx), ctx.state.closed, asked)


@cache
def _own_texts() -> tuple[str, ...]:
    descriptions = (one.description for one in SIGNALS.values())
    return (*guards.prompts_of(PROMPTS), *MANNERS.values(), *descriptions)
