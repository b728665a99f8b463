"""Rules for every protocol, before its own: stop is confirmed once, distress is met with care."""

from dataclasses import replace
from typing import Any, Literal, cast

from interviews.engine.intents import in_distress, only, wishes
from interviews.engine.masking import HIDDEN, scrub
from interviews.engine.texts import fixed
from interviews.engine.types import Interviewing, Move, Need, Now, Readings, Utterance
from interviews.words import Kind, Status

Heard = Literal["", "distress", "stop", "end", "go_on"]
KEY = "courtesy"  # of what these rules have read in a confidential answer


def lead(
    protocol: Interviewing[Any, Any], now: Now[Any, Any], readings: Readings
) -> Need | Move[Any]:
    """The move by the common rules where one applies, else the protocol's own step."""
    move = _led(protocol, now, readings)
    if isinstance(move, Need) or move.details:
        return move
    return replace(move, details=protocol.standing(now))


def _led(
    protocol: Interviewing[Any, Any], now: Now[Any, Any], readings: Readings
) -> Need | Move[Any]:
    if now.bot_gone:
        return _end_politely(now)
    if now.received.trigger == "stop":
        return protocol.exit(now, readings)
    heard = _heard(now)
    move = _step(protocol, now, heard, readings)
    if now.state.sealed and now.received.trigger == "user_answer" and isinstance(move, Move):
        return _confidential(now, heard, move)
    return move


def _heard(now: Now[Any, Any]) -> Heard:
    """Which rule applies to what was said; on replay of a confidential answer, which one did.

    After "shall we stop?" a yes ends it; after the care text a no does. Else it goes on.
    """
    if now.received.trigger != "user_answer":
        return ""
    if KEY in now.remembered:
        return cast(Heard, now.remembered[KEY])
    if in_distress(now.answer):
        return "distress"
    if not now.state.awaiting:
        return "stop" if wishes(now.answer, "stop") else ""
    ends: Literal["yes", "no"] = "yes" if now.state.awaiting == "stop" else "no"
    if wishes(now.answer, "stop") or _says(now, ends):
        return "end"
    return "go_on" if _says(now, "no" if ends == "yes" else "yes") else ""


def _step(
    protocol: Interviewing[Any, Any], now: Now[Any, Any], heard: Heard, readings: Readings
) -> Need | Move[Any]:
    calm = _nothing_awaited(now)
    match heard:
        case "distress":
            return _care(now)
        case "stop":
            return confirm_stop(now)
        case "end":
            return protocol.exit(calm, readings)
        case "go_on":
            return _put_again(protocol, calm)
    return protocol.step(calm, readings)  # it is an answer to the question that is open


def _confidential(now: Now[Any, Any], heard: Heard, move: Move[Any]) -> Move[Any]:
    """The move with what replay needs to know, since the words will be gone.

    A bare wish is shown as it was said, and a cry for help without addresses and numbers, so that
    people can help; whatever else was told along with it is hidden.
    """
    read = {**move.read_by_rules, KEY: heard}
    if not heard:
        return replace(move, read_by_rules=read)
    in_the_open = heard == "distress" or only(now.answer, "stop", "yes", "no")
    return replace(move, read_by_rules=read, masked=scrub(now.answer) if in_the_open else HIDDEN)


def _says(now: Now[Any, Any], wish: Literal["yes", "no"]) -> bool:
    # "go on" means no to "shall we end?" and yes to "would you like to go on?"
    goes_on = wishes(now.answer, "no") and not _refuses(now.answer)
    if now.state.awaiting == "care" and goes_on:
        return wish == "yes"
    return wishes(now.answer, wish)


def _refuses(answer: str) -> bool:
    first = answer.casefold().strip().split(maxsplit=1)
    return bool(first) and first[0].strip(".,!") in {"no", "nope", "nah", "нет", "not", "не"}


def _nothing_awaited(now: Now[Any, Any]) -> Now[Any, Any]:
    if not now.state.awaiting:
        return now
    return replace(now, state=now.state.model_copy(update={"awaiting": ""}))


def confirm_stop(now: Now[Any, Any]) -> Move[Any]:
    """Whether the interview is to end is asked once; a yes leads to the protocol's exit."""
    text = fixed(now.language, "confirm_stop")
    return Move(
        state=now.state.model_copy(update={"awaiting": "stop"}),
        utterances=(Utterance(Kind.QUESTION, text),),
        reason="stop_to_confirm",
    )


def _end_politely(now: Now[Any, Any]) -> Move[Any]:
    """The people who run the site have deleted the bot: what was said stays, nothing is asked."""
    return Move(
        state=now.state,
        utterances=(Utterance(Kind.OUTRO, fixed(now.language, "gone")),),
        reason="bot_deleted",
        status=Status.STOPPED,
        masked=HIDDEN,
    )


def _care(now: Now[Any, Any]) -> Move[Any]:
    """The bot's own care text where it has one; nobody probes into a crisis."""
    texts = now.plan.texts.get(now.language)
    text = (texts.care if texts else "") or fixed(now.language, "care")
    return Move(
        state=now.state.model_copy(update={"awaiting": "care"}),
        utterances=(Utterance(Kind.CARE, text),),
        reason="distress",
        flagged=True,
    )


def _put_again(protocol: Interviewing[Any, Any], now: Now[Any, Any]) -> Move[Any]:
    question = protocol.again(now)
    return Move(
        state=now.state,
        utterances=(Utterance(Kind.TRANSITION, fixed(now.language, "go_on")), question),
        reason="goes_on",
    )
