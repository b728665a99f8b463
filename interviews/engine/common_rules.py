"""Rules that come before every protocol's own: confirm a stop once, meet distress with care.

After the care text the interview continues only if the participant says so, with the question that
was open. What was said in distress is hidden from the protocol and its models.
"""

from dataclasses import replace
from typing import Literal, cast

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN, scrub
from interviews.engine.context import AnyContext, M, S, TurnContext
from interviews.engine.language import distress_check
from interviews.engine.language.distress import in_distress
from interviews.engine.language.wishes import only, plain, wish_of, wishes
from interviews.engine.protocol import AnyProtocol
from interviews.engine.result import (
    AnyResult,
    AnyStep,
    CallResults,
    NeedsCalls,
    TurnResult,
    Utterance,
)
from interviews.engine.texts import fixed

Rule = Literal["", "distress", "doubt", "stop", "pause", "withdraw", "end", "go_on", "unclear"]
NOES = {"no", "nope", "nah", "not", "нет", "не", "nein", "nee", "nicht", "non", "لا", "كلا", "ليس"}
KEY = "courtesy"  # of the rule stored with a confidential answer


def decide(protocol: AnyProtocol, ctx: AnyContext, results: CallResults, rule: Rule) -> AnyStep:
    """Decide the turn by the common rules if one applies, else by the protocol.

    `rule` comes from `match_rule`, once a turn; this is called again for every result.
    """
    result = _decide(protocol, ctx, results, rule)
    if isinstance(result, NeedsCalls) or result.details:
        return result
    return replace(result, details=protocol.trace_details(ctx))


def _decide(protocol: AnyProtocol, ctx: AnyContext, results: CallResults, rule: Rule) -> AnyStep:
    if ctx.bot_gone:
        return _end_politely(ctx)
    if ctx.received.trigger == "stop":
        return protocol.exit(ctx, results)
    if rule == "doubt":
        return _in_doubt(protocol, ctx, results)
    result = _step(protocol, ctx, rule, results)
    confidential = ctx.state.sealed and ctx.received.trigger == "user_answer"
    if confidential and isinstance(result, TurnResult):
        return _hide_answer(ctx, rule, result)
    return result


def match_rule(ctx: AnyContext) -> Rule:
    """Return the common rule that the answer calls for.

    After "shall we stop?" a yes ends the interview and anything unclear answers the open question.
    After the care text a no ends it, a yes continues, and anything else is unclear. An answer that
    only hints at distress is in doubt, but no model is asked about a confidential one. On replay,
    the rule stored with a confidential answer is returned.
    """
    if ctx.received.trigger != "user_answer":
        return ""
    if KEY in ctx.remembered:
        return cast(Rule, ctx.remembered[KEY])
    if in_distress(ctx.answer):
        return "distress"
    rule = _match_wish(ctx)
    in_doubt = not rule and not ctx.state.sealed and distress_check.is_worth_asking(ctx.answer)
    return "doubt" if in_doubt else rule


def _match_wish(ctx: AnyContext) -> Rule:
    if not ctx.state.awaiting:
        return wish_of(ctx.answer)
    ends: Literal["yes", "no"] = "yes" if ctx.state.awaiting == "stop" else "no"
    if wishes(ctx.answer, "stop") or _answers(ctx, ends):
        return "end"
    if _answers(ctx, "no" if ends == "yes" else "yes"):
        return "go_on"
    return "unclear" if ctx.state.awaiting == "care" else ""


def _step(protocol: AnyProtocol, ctx: AnyContext, rule: Rule, results: CallResults) -> AnyStep:
    answered = ctx
    if ctx.state.awaiting:
        answered = replace(ctx, state=ctx.state.model_copy(update={"awaiting": ""}))
    match rule:
        case "distress":
            return _care(ctx)
        case "stop":
            return confirm_stop(ctx)
        case "pause" | "withdraw":
            return _interrupt(protocol, ctx, rule)
        case "end":
            at_once = ctx.state.awaiting == "care"
            return _end(protocol, answered, results, at_once)
        case "unclear":
            return _offer_choice(ctx)
        case "go_on":
            return _ask_again(protocol, answered, gently=ctx.state.awaiting == "care")
    return protocol.step(answered, results)


def _in_doubt(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> AnyStep:
    # a model decides; meanwhile the protocol prepares as for an ordinary answer
    crisis = distress_check.verdict(results)
    step = _step(protocol, ctx, "distress" if crisis else "", results)
    if crisis is not None:
        return step
    return NeedsCalls(
        (distress_check.inquiry(ctx), *(step.inquiries if isinstance(step, NeedsCalls) else ()))
    )


def is_undecided(rule: Rule, results: CallResults) -> bool:
    return rule == "doubt" and distress_check.verdict(results) is None


def _hide_answer(ctx: AnyContext, rule: Rule, result: AnyResult) -> AnyResult:
    """Add what replay needs, since the words will be gone.

    A bare request is shown as it was said, and a cry for help without contact data, so that people
    can help. Everything else is hidden.
    """
    read = {**result.read_by_rules, KEY: rule}
    if not rule:
        return replace(result, read_by_rules=read)
    in_the_open = rule == "distress" or only(ctx.answer, "stop", "pause", "withdraw", "yes", "no")
    return replace(result, read_by_rules=read, masked=scrub(ctx.answer) if in_the_open else HIDDEN)


def _answers(ctx: AnyContext, wish: Literal["yes", "no"]) -> bool:
    # "go on" means no to "shall we end?" and yes to "would you like to go on?"
    goes_on = wishes(ctx.answer, "no") and not _refuses(ctx.answer)
    if ctx.state.awaiting == "care" and goes_on:
        return wish == "yes"
    return wishes(ctx.answer, wish)


def _refuses(answer: str) -> bool:
    first = plain(answer).split(maxsplit=1)
    return bool(first) and first[0] in NOES


def _end(protocol: AnyProtocol, ctx: AnyContext, results: CallResults, at_once: bool) -> AnyStep:
    result = protocol.exit(ctx, results)
    if not at_once or isinstance(result, NeedsCalls):
        return result
    if result.status == SessionStatus.WAITING_ANSWER:  # to ask for something first: contact data
        return protocol.exit(replace(ctx, state=result.state), results)
    return result


def confirm_stop(ctx: AnyContext) -> AnyResult:
    return TurnResult(
        state=ctx.state.model_copy(update={"awaiting": "stop"}),
        utterances=(Utterance(EntryKind.QUESTION, fixed(ctx.language, "confirm_stop")),),
        reason="stop_to_confirm",
    )


def _interrupt(
    protocol: AnyProtocol, ctx: AnyContext, rule: Literal["pause", "withdraw"]
) -> AnyResult:
    """Pause, or say how to withdraw (words alone delete nothing), with the open question again."""
    pauses = rule == "pause"
    kind = EntryKind.TRANSITION if pauses else EntryKind.INTERVIEWER_ANSWER
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(kind, fixed(ctx.language, rule)), protocol.repeat_question(ctx)),
        reason="paused_in_words" if pauses else "withdrawal_explained",
        status=SessionStatus.PAUSED if pauses else SessionStatus.WAITING_ANSWER,
    )


def _end_politely(ctx: AnyContext) -> AnyResult:
    # What was said stays, but the people who run the site have deleted the bot.
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.OUTRO, fixed(ctx.language, "gone")),),
        reason="bot_deleted",
        status=SessionStatus.STOPPED,
        masked=HIDDEN,
    )


def _care(ctx: AnyContext) -> AnyResult:
    texts = ctx.plan.texts.get(ctx.language)
    text = (texts.care if texts else "") or fixed(ctx.language, "care")
    return TurnResult(
        state=ctx.state.model_copy(update={"awaiting": "care"}),
        utterances=(Utterance(EntryKind.CARE, text),),
        reason="distress",
        flagged=True,
    )


def _offer_choice(ctx: AnyContext) -> AnyResult:
    text = fixed(ctx.language, "care_choice", turn=ctx.turn)
    return TurnResult(
        state=ctx.state, utterances=(Utterance(EntryKind.CARE, text),), reason="care_choice"
    )


def _ask_again(protocol: AnyProtocol, ctx: AnyContext, gently: bool = False) -> AnyResult:
    keys = ("go_on", "may_skip") if gently else ("go_on",)
    text = " ".join(fixed(ctx.language, key) for key in keys)
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.TRANSITION, text), protocol.repeat_question(ctx)),
        reason="goes_on",
    )


def without_distress(ctx: TurnContext[S, M]) -> TurnContext[S, M]:
    """Leave out the care text and the answers around it, so that no model asks about them."""
    lines = ctx.transcript
    care = {index for index, line in enumerate(lines) if line.kind == EntryKind.CARE}
    beside = {index + step for index in care for step in (-1, 1)}
    kept = tuple(
        line
        for index, line in enumerate(lines)
        if index not in care and not (index in beside and line.role == SpeakerRole.PARTICIPANT)
    )
    return replace(ctx, transcript=kept)
