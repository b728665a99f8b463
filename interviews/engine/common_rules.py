"""Rules for every protocol, before its own: stop is confirmed once, distress is met with care.

After the care text nothing probes: it goes on only when the participant says so, with the question
that was open and a word that it may be left out; and what was said in distress is kept apart from
what the protocol, and any model that it asks, is shown of the conversation (`calm`).
"""

from dataclasses import replace
from typing import Any, Literal, cast

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN, scrub
from interviews.engine.language import distress_check
from interviews.engine.language.distress import in_distress
from interviews.engine.language.wishes import only, plain, wishes
from interviews.engine.texts import fixed
from interviews.engine.types import (
    CallResults,
    InterviewProtocol,
    M,
    NeedsCalls,
    S,
    TurnContext,
    TurnResult,
    Utterance,
)

Heard = Literal["", "distress", "doubt", "stop", "end", "go_on", "unclear"]
NOES = {"no", "nope", "nah", "not", "нет", "не", "nein", "nee", "nicht", "non", "لا", "كلا", "ليس"}
KEY = "courtesy"  # of what these rules have read in a confidential answer


def lead(
    protocol: InterviewProtocol[Any, Any],
    now: TurnContext[Any, Any],
    readings: CallResults,
    heard: Heard,
) -> NeedsCalls | TurnResult[Any]:
    """The move by the common rules where one applies, else the protocol's own step.

    `heard` is what `hear` makes of the same `now`: once a turn, while this is called at every news.
    """
    move = _led(protocol, now, readings, heard)
    if isinstance(move, NeedsCalls) or move.details:
        return move
    return replace(move, details=protocol.trace_details(now))


def _led(
    protocol: InterviewProtocol[Any, Any],
    now: TurnContext[Any, Any],
    readings: CallResults,
    heard: Heard,
) -> NeedsCalls | TurnResult[Any]:
    if now.bot_gone:
        return _end_politely(now)
    if now.received.trigger == "stop":
        return protocol.exit(now, readings)
    if heard == "doubt":
        return _in_doubt(protocol, now, readings)
    move = _step(protocol, now, heard, readings)
    if now.state.sealed and now.received.trigger == "user_answer" and isinstance(move, TurnResult):
        return _confidential(now, heard, move)
    return move


def hear(now: TurnContext[Any, Any]) -> Heard:
    """Which rule applies to what was said; on replay of a confidential answer, which one did.

    After "shall we stop?" a yes ends it, and what is no clear answer is one to the question that
    is open. After the care text a no ends it, a yes goes on, and anything else is left unanswered.
    An answer that only hints at distress is in doubt; a confidential one goes to no model for it.
    """
    if now.received.trigger != "user_answer":
        return ""
    if KEY in now.remembered:
        return cast(Heard, now.remembered[KEY])
    if in_distress(now.answer):
        return "distress"
    heard = _wish(now)
    in_doubt = not heard and not now.state.sealed and distress_check.is_worth_asking(now.answer)
    return "doubt" if in_doubt else heard


def _wish(now: TurnContext[Any, Any]) -> Heard:
    if not now.state.awaiting:
        return "stop" if wishes(now.answer, "stop") else ""
    ends: Literal["yes", "no"] = "yes" if now.state.awaiting == "stop" else "no"
    if wishes(now.answer, "stop") or _says(now, ends):
        return "end"
    if _says(now, "no" if ends == "yes" else "yes"):
        return "go_on"
    return "unclear" if now.state.awaiting == "care" else ""


def _step(
    protocol: InterviewProtocol[Any, Any],
    now: TurnContext[Any, Any],
    heard: Heard,
    readings: CallResults,
) -> NeedsCalls | TurnResult[Any]:
    calm = _nothing_awaited(now)
    match heard:
        case "distress":
            return _care(now)
        case "stop":
            return confirm_stop(now)
        case "end":
            if now.state.awaiting == "care":
                return _end_at_once(protocol, calm, readings)
            return protocol.exit(calm, readings)
        case "unclear":
            return _choice(now)
        case "go_on":
            return _put_again(protocol, calm, gently=now.state.awaiting == "care")
    return protocol.step(calm, readings)  # it is an answer to the question that is open


def _in_doubt(
    protocol: InterviewProtocol[Any, Any], now: TurnContext[Any, Any], readings: CallResults
) -> NeedsCalls | TurnResult[Any]:
    """A model decides, while the protocol reads on; without one it is an answer like others."""
    crisis = distress_check.verdict(readings)
    step = _step(protocol, now, "distress" if crisis else "", readings)
    if crisis is not None:
        return step
    return NeedsCalls(
        (distress_check.inquiry(now), *(step.inquiries if isinstance(step, NeedsCalls) else ()))
    )


def undecided(heard: Heard, readings: CallResults) -> bool:
    """Whether it is still to be found out if this is an answer: nothing is shown meanwhile."""
    return heard == "doubt" and distress_check.verdict(readings) is None


def _confidential(
    now: TurnContext[Any, Any], heard: Heard, move: TurnResult[Any]
) -> TurnResult[Any]:
    """The move with what replay needs to know, since the words will be gone.

    A bare wish is shown as it was said, and a cry for help without addresses and numbers, so that
    people can help; whatever else was told along with it is hidden.
    """
    read = {**move.read_by_rules, KEY: heard}
    if not heard:
        return replace(move, read_by_rules=read)
    in_the_open = heard == "distress" or only(now.answer, "stop", "yes", "no")
    return replace(move, read_by_rules=read, masked=scrub(now.answer) if in_the_open else HIDDEN)


def _says(now: TurnContext[Any, Any], wish: Literal["yes", "no"]) -> bool:
    # "go on" means no to "shall we end?" and yes to "would you like to go on?"
    goes_on = wishes(now.answer, "no") and not _refuses(now.answer)
    if now.state.awaiting == "care" and goes_on:
        return wish == "yes"
    return wishes(now.answer, wish)


def _refuses(answer: str) -> bool:
    first = plain(answer).split(maxsplit=1)
    return bool(first) and first[0] in NOES


def _nothing_awaited(now: TurnContext[Any, Any]) -> TurnContext[Any, Any]:
    if not now.state.awaiting:
        return now
    return replace(now, state=now.state.model_copy(update={"awaiting": ""}))


def _end_at_once(
    protocol: InterviewProtocol[Any, Any], now: TurnContext[Any, Any], readings: CallResults
) -> NeedsCalls | TurnResult[Any]:
    """The end, also where the protocol would ask for something before it, such as contact data."""
    move = protocol.exit(now, readings)
    if isinstance(move, NeedsCalls) or move.status != SessionStatus.WAITING_ANSWER:
        return move
    return protocol.exit(replace(now, state=move.state), readings)


def confirm_stop(now: TurnContext[Any, Any]) -> TurnResult[Any]:
    """Whether the interview is to end is asked once; a yes leads to the protocol's exit."""
    text = fixed(now.language, "confirm_stop")
    return TurnResult(
        state=now.state.model_copy(update={"awaiting": "stop"}),
        utterances=(Utterance(EntryKind.QUESTION, text),),
        reason="stop_to_confirm",
    )


def _end_politely(now: TurnContext[Any, Any]) -> TurnResult[Any]:
    """The people who run the site have deleted the bot: what was said stays, nothing is asked."""
    return TurnResult(
        state=now.state,
        utterances=(Utterance(EntryKind.OUTRO, fixed(now.language, "gone")),),
        reason="bot_deleted",
        status=SessionStatus.STOPPED,
        masked=HIDDEN,
    )


def _care(now: TurnContext[Any, Any]) -> TurnResult[Any]:
    """The bot's own care text where it has one; nobody probes into a crisis."""
    texts = now.plan.texts.get(now.language)
    text = (texts.care if texts else "") or fixed(now.language, "care")
    return TurnResult(
        state=now.state.model_copy(update={"awaiting": "care"}),
        utterances=(Utterance(EntryKind.CARE, text),),
        reason="distress",
        flagged=True,
    )


def _choice(now: TurnContext[Any, Any]) -> TurnResult[Any]:
    """Whatever else is told after the care text, the choice to go on is the participant's."""
    text = fixed(now.language, "care_choice", turn=now.turn)
    return TurnResult(
        state=now.state, utterances=(Utterance(EntryKind.CARE, text),), reason="care_choice"
    )


def _put_again(
    protocol: InterviewProtocol[Any, Any], now: TurnContext[Any, Any], gently: bool = False
) -> TurnResult[Any]:
    question = protocol.repeat_question(now)
    said = ("go_on", "may_skip") if gently else ("go_on",)
    text = " ".join(fixed(now.language, key) for key in said)
    return TurnResult(
        state=now.state,
        utterances=(Utterance(EntryKind.TRANSITION, text), question),
        reason="goes_on",
    )


def calm(now: TurnContext[S, M]) -> TurnContext[S, M]:
    """The same without what was said in distress and around the care text, so that nobody asks
    about it later."""
    lines = now.transcript
    care = {place for place, line in enumerate(lines) if line.kind == EntryKind.CARE}
    beside = {place + step for place in care for step in (-1, 1)}
    kept = tuple(
        line
        for place, line in enumerate(lines)
        if place not in care and not (place in beside and line.role == SpeakerRole.PARTICIPANT)
    )
    return replace(now, transcript=kept)
