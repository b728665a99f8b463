"""Rules for every protocol, before its own: stop is confirmed once, distress is met with care.

After the care text nothing probes: it goes on only when the participant says so, with the question
that was open and a word that it may be left out; and what was said in distress is kept apart from
what the protocol, and any model that it asks, is shown of the conversation (`calm`).
"""

from dataclasses import replace
from typing import Any, Literal, cast

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN, scrub
from interviews.engine.context import M, S, TurnContext
from interviews.engine.language import distress_check
from interviews.engine.language.distress import in_distress
from interviews.engine.language.wishes import only, plain, wishes
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import CallResults, NeedsCalls, TurnResult, Utterance
from interviews.engine.texts import fixed

Heard = Literal["", "distress", "doubt", "stop", "end", "go_on", "unclear"]
NOES = {"no", "nope", "nah", "not", "нет", "не", "nein", "nee", "nicht", "non", "لا", "كلا", "ليس"}
KEY = "courtesy"  # of what these rules have read in a confidential answer


def lead(
    protocol: InterviewProtocol[Any, Any],
    ctx: TurnContext[Any, Any],
    results: CallResults,
    heard: Heard,
) -> NeedsCalls | TurnResult[Any]:
    """The move by the common rules where one applies, else the protocol's own step.

    `heard` is what `hear` makes of the same `now`: once a turn, while this is called at every news.
    """
    move = _led(protocol, ctx, results, heard)
    if isinstance(move, NeedsCalls) or move.details:
        return move
    return replace(move, details=protocol.trace_details(ctx))


def _led(
    protocol: InterviewProtocol[Any, Any],
    ctx: TurnContext[Any, Any],
    results: CallResults,
    heard: Heard,
) -> NeedsCalls | TurnResult[Any]:
    if ctx.bot_gone:
        return _end_politely(ctx)
    if ctx.received.trigger == "stop":
        return protocol.exit(ctx, results)
    if heard == "doubt":
        return _in_doubt(protocol, ctx, results)
    move = _step(protocol, ctx, heard, results)
    if ctx.state.sealed and ctx.received.trigger == "user_answer" and isinstance(move, TurnResult):
        return _confidential(ctx, heard, move)
    return move


def hear(ctx: TurnContext[Any, Any]) -> Heard:
    """Which rule applies to what was said; on replay of a confidential answer, which one did.

    After "shall we stop?" a yes ends it, and what is no clear answer is one to the question that
    is open. After the care text a no ends it, a yes goes on, and anything else is left unanswered.
    An answer that only hints at distress is in doubt; a confidential one goes to no model for it.
    """
    if ctx.received.trigger != "user_answer":
        return ""
    if KEY in ctx.remembered:
        return cast(Heard, ctx.remembered[KEY])
    if in_distress(ctx.answer):
        return "distress"
    heard = _wish(ctx)
    in_doubt = not heard and not ctx.state.sealed and distress_check.is_worth_asking(ctx.answer)
    return "doubt" if in_doubt else heard


def _wish(ctx: TurnContext[Any, Any]) -> Heard:
    if not ctx.state.awaiting:
        return "stop" if wishes(ctx.answer, "stop") else ""
    ends: Literal["yes", "no"] = "yes" if ctx.state.awaiting == "stop" else "no"
    if wishes(ctx.answer, "stop") or _says(ctx, ends):
        return "end"
    if _says(ctx, "no" if ends == "yes" else "yes"):
        return "go_on"
    return "unclear" if ctx.state.awaiting == "care" else ""


def _step(
    protocol: InterviewProtocol[Any, Any],
    ctx: TurnContext[Any, Any],
    heard: Heard,
    results: CallResults,
) -> NeedsCalls | TurnResult[Any]:
    calm = _nothing_awaited(ctx)
    match heard:
        case "distress":
            return _care(ctx)
        case "stop":
            return confirm_stop(ctx)
        case "end":
            if ctx.state.awaiting == "care":
                return _end_at_once(protocol, calm, results)
            return protocol.exit(calm, results)
        case "unclear":
            return _choice(ctx)
        case "go_on":
            return _put_again(protocol, calm, gently=ctx.state.awaiting == "care")
    return protocol.step(calm, results)  # it is an answer to the question that is open


def _in_doubt(
    protocol: InterviewProtocol[Any, Any], ctx: TurnContext[Any, Any], results: CallResults
) -> NeedsCalls | TurnResult[Any]:
    """A model decides, while the protocol reads on; without one it is an answer like others."""
    crisis = distress_check.verdict(results)
    step = _step(protocol, ctx, "distress" if crisis else "", results)
    if crisis is not None:
        return step
    return NeedsCalls(
        (distress_check.inquiry(ctx), *(step.inquiries if isinstance(step, NeedsCalls) else ()))
    )


def undecided(heard: Heard, results: CallResults) -> bool:
    """Whether it is still to be found out if this is an answer: nothing is shown meanwhile."""
    return heard == "doubt" and distress_check.verdict(results) is None


def _confidential(
    ctx: TurnContext[Any, Any], heard: Heard, move: TurnResult[Any]
) -> TurnResult[Any]:
    """The move with what replay needs to know, since the words will be gone.

    A bare wish is shown as it was said, and a cry for help without addresses and numbers, so that
    people can help; whatever else was told along with it is hidden.
    """
    read = {**move.read_by_rules, KEY: heard}
    if not heard:
        return replace(move, read_by_rules=read)
    in_the_open = heard == "distress" or only(ctx.answer, "stop", "yes", "no")
    return replace(move, read_by_rules=read, masked=scrub(ctx.answer) if in_the_open else HIDDEN)


def _says(ctx: TurnContext[Any, Any], wish: Literal["yes", "no"]) -> bool:
    # "go on" means no to "shall we end?" and yes to "would you like to go on?"
    goes_on = wishes(ctx.answer, "no") and not _refuses(ctx.answer)
    if ctx.state.awaiting == "care" and goes_on:
        return wish == "yes"
    return wishes(ctx.answer, wish)


def _refuses(answer: str) -> bool:
    first = plain(answer).split(maxsplit=1)
    return bool(first) and first[0] in NOES


def _nothing_awaited(ctx: TurnContext[Any, Any]) -> TurnContext[Any, Any]:
    if not ctx.state.awaiting:
        return ctx
    return replace(ctx, state=ctx.state.model_copy(update={"awaiting": ""}))


def _end_at_once(
    protocol: InterviewProtocol[Any, Any], ctx: TurnContext[Any, Any], results: CallResults
) -> NeedsCalls | TurnResult[Any]:
    """The end, also where the protocol would ask for something before it, such as contact data."""
    move = protocol.exit(ctx, results)
    if isinstance(move, NeedsCalls) or move.status != SessionStatus.WAITING_ANSWER:
        return move
    return protocol.exit(replace(ctx, state=move.state), results)


def confirm_stop(ctx: TurnContext[Any, Any]) -> TurnResult[Any]:
    """Whether the interview is to end is asked once; a yes leads to the protocol's exit."""
    text = fixed(ctx.language, "confirm_stop")
    return TurnResult(
        state=ctx.state.model_copy(update={"awaiting": "stop"}),
        utterances=(Utterance(EntryKind.QUESTION, text),),
        reason="stop_to_confirm",
    )


def _end_politely(ctx: TurnContext[Any, Any]) -> TurnResult[Any]:
    """The people who run the site have deleted the bot: what was said stays, nothing is asked."""
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.OUTRO, fixed(ctx.language, "gone")),),
        reason="bot_deleted",
        status=SessionStatus.STOPPED,
        masked=HIDDEN,
    )


def _care(ctx: TurnContext[Any, Any]) -> TurnResult[Any]:
    """The bot's own care text where it has one; nobody probes into a crisis."""
    texts = ctx.plan.texts.get(ctx.language)
    text = (texts.care if texts else "") or fixed(ctx.language, "care")
    return TurnResult(
        state=ctx.state.model_copy(update={"awaiting": "care"}),
        utterances=(Utterance(EntryKind.CARE, text),),
        reason="distress",
        flagged=True,
    )


def _choice(ctx: TurnContext[Any, Any]) -> TurnResult[Any]:
    """Whatever else is told after the care text, the choice to go on is the participant's."""
    text = fixed(ctx.language, "care_choice", turn=ctx.turn)
    return TurnResult(
        state=ctx.state, utterances=(Utterance(EntryKind.CARE, text),), reason="care_choice"
    )


def _put_again(
    protocol: InterviewProtocol[Any, Any], ctx: TurnContext[Any, Any], gently: bool = False
) -> TurnResult[Any]:
    question = protocol.repeat_question(ctx)
    said = ("go_on", "may_skip") if gently else ("go_on",)
    text = " ".join(fixed(ctx.language, key) for key in said)
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.TRANSITION, text), question),
        reason="goes_on",
    )


def calm(ctx: TurnContext[S, M]) -> TurnContext[S, M]:
    """The same without what was said in distress and around the care text, so that nobody asks
    about it later."""
    lines = ctx.transcript
    care = {place for place, line in enumerate(lines) if line.kind == EntryKind.CARE}
    beside = {place + step for place in care for step in (-1, 1)}
    kept = tuple(
        line
        for place, line in enumerate(lines)
        if place not in care and not (place in beside and line.role == SpeakerRole.PARTICIPANT)
    )
    return replace(ctx, transcript=kept)
