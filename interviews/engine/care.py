"""What is said to somebody in danger: the bot's care text, then its contacts and a choice."""

from typing import Any

from interviews.choices import EntryKind
from interviews.engine.contact_data.links import links
from interviews.engine.context import AnyContext, ProtocolState
from interviews.engine.language.sentences import asks, spaced_sentences
from interviews.engine.leads import lately
from interviews.engine.moves import LedState
from interviews.engine.result import AnyResult, TurnResult, Utterance
from interviews.engine.texts import fixed
from plans.protocols import PlanContent

MOST_CHOICES = 3  # times that the choice after the care text is put; then it can wait


def care_text(plan: PlanContent[Any], language: str) -> str:
    return plan.texts_in(language).care or fixed(language, "care")


def contacts(text: str) -> str:
    """Return the sentences of a care text with a number or address, or all that ask nothing."""
    lines = [one for line in text.splitlines() for one in spaced_sentences(line)]
    told = [one for one in lines if not asks(one)]
    return " ".join([one for one in told if any(links(one))] or told) or text


def contacts_of(plan: PlanContent[Any], language: str) -> str:
    return contacts(care_text(plan, language))


def show(ctx: AnyContext) -> AnyResult:
    """Show the care text; to a further sign, its contacts.

    Whoever goes on is led back to the open question, not to something hard that was told of it.
    """
    if ctx.care_shown or ctx.state.awaiting == "care":
        text, put = _with_contacts(ctx, "care_stays"), MOST_CHOICES + 1
    else:
        text, put = care_text(ctx.plan, ctx.language), 0
    return TurnResult(
        state=_behind_door(ctx.state).but(awaiting="care", unclear=put),
        utterances=(Utterance(EntryKind.CARE, text),),
        reason="distress",
        flagged=True,
    )


def _behind_door(state: ProtocolState) -> ProtocolState:
    if isinstance(state, LedState) and state.door:
        return state.but(door="", stays=0, open_question="")
    return state


def stay(ctx: AnyContext) -> AnyResult:
    return TurnResult(stayed(ctx), (choice(ctx),), "care_choice")


def choice(ctx: AnyContext) -> Utterance:
    """Put the choice after the care text a few times, say once that it can wait, and then wait.

    Rules can't tell how grave it is what they say meanwhile, so the contacts come first each time.
    """
    times = _times_put(ctx)
    key = "care_choice" if times < MOST_CHOICES else "care_waits"
    key = "care_stays" if times == MOST_CHOICES else key
    return Utterance(EntryKind.CARE, _with_contacts(ctx, key, times))


def stayed(ctx: AnyContext) -> ProtocolState:
    state: ProtocolState = ctx.state
    return state.but(unclear=_times_put(ctx) + 1)


def _with_contacts(ctx: AnyContext, key: str, turn: int = 0) -> str:
    said = fixed(ctx.language, key, turn, lately(ctx))
    return f"{contacts_of(ctx.plan, ctx.language)} {said}"


def _times_put(ctx: AnyContext) -> int:
    """Return how often the choice was put; often enough for who asks or tells more.

    They are told that it can wait instead, and again unless that was just done.
    """
    times: int = ctx.state.unclear
    if ctx.reading.tells and times != MOST_CHOICES + 1:
        return MOST_CHOICES
    return max(times, MOST_CHOICES) if ctx.reading.intent == "ask_back" else times
