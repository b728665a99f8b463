"""Rules that come before every protocol's own, the same in all of them.

Each answer is read first (reading.py). Questions back, wishes, distress and words off topic are met
here; what is left is the protocol's: an answer, not knowing, a skip, a refusal. After the care text
the interview continues only if the participant says so, with the question that was open; until then
the interviewer stays with them, in few words and without a question of its own. What was said in
distress is hidden from the protocol and its models.
"""

from dataclasses import replace
from typing import Any, Literal

from interviews.choices import RULES, EntryKind, SessionStatus, SpeakerRole
from interviews.engine import care, leads, replies, strikes
from interviews.engine.contact_data.fields import only_asks, read_field
from interviews.engine.contact_data.masking import HIDDEN, STRUCK, scrub
from interviews.engine.context import AnyContext
from interviews.engine.guards import names_closed
from interviews.engine.language.distress import in_distress, is_heavy
from interviews.engine.language.wishes import may_ask_for_more, only, wish_of
from interviews.engine.protocol import AnyProtocol
from interviews.engine.reading import (
    AS_ANSWER,
    BRIEF,
    KEY,
    AnswerReading,
    Intent,
    RulesReading,
    by_model,
    choice_of,
    read_by_rules,
    so_far,
    stored_reading,
    tells_more,
)
from interviews.engine.result import (
    AnyResult,
    AnyStep,
    CallResults,
    NeedsCalls,
    PartialResults,
    TurnResult,
    Utterance,
)
from interviews.engine.texts import fixed

Rule = Literal[
    "", "care", "end", "go_on", "hear", "unclear", "stop", "interrupt", "reply", "reword", "back",
    "noted",
]  # fmt: skip
MOST_STRAYED = 2  # answers off topic in a row that are led back; the next one moves on
LEFT: dict[Intent, Intent] = {  # what is left of an intent once the common rules are used up
    "ask_back": "off_topic",
    "manipulate": "off_topic",
    "clarify": "skip",
    "complaint": "skip",
    "last_one": "skip",
    "strike": "skip",
    "renamed": "skip",
}
AT_ONCE = ("care", "go_on", "unclear")  # what else the answer holds makes no difference
LEAVE_OPEN = ("stop", "hear", "interrupt", "reply", "reword", "back", "noted")  # the question
BESIDE = ("stop", "interrupt", "reply")  # what they are wished beside is an answer like any other
TAKES_IN = (*LEAVE_OPEN, "go_on", "end")  # something hard beside it is taken in
ENDS = {"stop": ("yes",), "care": ("no",)}  # replies to what is awaited
GOES_ON = {"stop": ("no", "go_on"), "care": ("yes", "go_on")}


# -- reading


def rules_reading(protocol: AnyProtocol, ctx: AnyContext) -> RulesReading:
    """Read the answer by rules: once a turn, since a long answer takes a while."""
    if ctx.received.trigger != "user_answer":
        skipped = AS_ANSWER.but("skip" if ctx.received.trigger == "skip" else "answer")
        return RulesReading(skipped, skipped)
    if stored := stored_reading(ctx.remembered):
        return RulesReading(stored, stored)
    question = replies.open_question(protocol, ctx).text
    guesses = protocol.guesses and not ctx.state.awaiting
    rules = read_by_rules(ctx.answer, ctx.language, question, guesses)
    floor = replace(rules.floor, tells=tells_more(ctx.answer, ctx.state.awaiting))
    if not protocol.leads and _may_go_on_hard(ctx, floor):
        floor = replace(floor, care="heavy")
    if not _is_for_rules(ctx, floor):
        return replace(rules, floor=floor)
    floor = _confidential(ctx.answer, floor) if ctx.state.sealed else floor
    if ctx.state.awaiting == "care":
        floor = replace(floor, reply=choice_of(ctx.answer))
    return RulesReading(floor, floor)


def _may_go_on_hard(ctx: AnyContext, floor: AnswerReading) -> bool:
    """Return whether something hard was told just before; rules can't tell what belongs to it."""
    plain = floor.intent == "answer" and floor.care == "none" and len(ctx.answer.split()) > BRIEF
    if not plain or ctx.state.awaiting or ctx.state.sealed:
        return False
    said = [one for one in ctx.transcript if one.role == SpeakerRole.PARTICIPANT]
    return bool(said) and is_heavy(said[-1].text, ctx.language)


def _confidential(answer: str, floor: AnswerReading) -> AnswerReading:
    """Return the reading without words of the answer, which may be contact data.

    A question that gives or refuses contact data ("Is a@b.org all right?") is an answer. So is
    "What do you mean?": it decides nothing, so the request is put again.
    """
    decides = floor.intent == "ask_back" and not only_asks(answer)
    reads_on = decides or floor.intent == "clarify"
    return floor.but("answer" if reads_on else floor.intent, closed="")


def _is_for_rules(ctx: AnyContext, floor: AnswerReading) -> bool:
    """Return whether no model reads it: confidential, in clear distress, or a bare yes or no."""
    if ctx.state.sealed or ctx.state.awaiting == "care":
        return True
    if floor.care == "acute" and in_distress(ctx.answer, clearly=True):
        return True
    if ctx.state.awaiting != "stop" or not only(ctx.answer, "yes", "no", "go_on", "stop"):
        return False
    return wish_of(ctx.answer) != "stop" or not may_ask_for_more(ctx.answer)


def read(
    protocol: AnyProtocol,
    ctx: AnyContext,
    rules: RulesReading,
    results: CallResults,
    partials: PartialResults,
) -> AnswerReading | None:
    """Return the reading of the answer as far as it is known; None while it isn't."""
    if rules.settled is not None:
        return rules.settled
    key = protocol.reading_key
    if key in results:
        return by_model(results[key], rules)
    return so_far(partials.get(key, {}), rules)


# -- deciding


def decide(
    protocol: AnyProtocol,
    ctx: AnyContext,
    results: CallResults,
    rules: RulesReading,
    partials: PartialResults | None = None,
) -> AnyStep:
    """Decide the turn by the common rules if one applies, else by the protocol.

    `rules` comes from `rules_reading`; this is called again for every result.
    """
    if ctx.bot_gone:
        return replace(replies.end_politely(ctx), details=protocol.trace_details(ctx))
    reading = read(protocol, ctx, rules, results, partials or {})
    read_ctx, results, struck = _without_struck(protocol, with_reading(ctx, reading), results)
    rule = rule_for(protocol, read_ctx)
    step = _decide(protocol, read_ctx, rule, results)
    at_once = rule in AT_ONCE and not _told_beside(read_ctx, rule)
    if reading is None or not (reading.whole or at_once):
        return _wait_for_reading(protocol, ctx, step)
    if isinstance(step, NeedsCalls):
        return step
    step = _with_reading(protocol, read_ctx, step)
    return _confirm_struck(read_ctx, step, struck) if _strikes(read_ctx) else step


def _strikes(ctx: AnyContext) -> bool:
    """Return whether something isn't to be kept; words of danger are, so that people can help."""
    return ctx.reading.wants("strike") and ctx.reading.care != "acute" and not ctx.state.sealed


def _without_struck(
    protocol: AnyProtocol, ctx: AnyContext, results: CallResults
) -> tuple[AnyContext, CallResults, strikes.Strike | None]:
    """Leave out what isn't to be kept; on replay it has gone before."""
    if not _strikes(ctx) or strikes.KEY in ctx.remembered:
        return ctx, results, None
    found = strikes.strike(ctx)
    results = found.results(results, ctx.received.position)
    return strikes.without_struck(ctx, found, protocol.forget), results, found


def _confirm_struck(ctx: AnyContext, result: AnyResult, struck: strikes.Strike | None) -> AnyResult:
    """Say that it isn't kept; or, where it isn't found, how everything is deleted."""
    found = struck is None or bool(struck.entries)
    key = "struck" if found else "withdraw"
    text = fixed(ctx.language, key, ctx.turn, leads.lately(ctx))
    begun = {strikes.KEY: ctx.state.model_dump(mode="json")} if found else {}
    return replace(
        result,
        utterances=(Utterance(EntryKind.TRANSITION, text), *result.utterances),
        read_by_rules={**result.read_by_rules, **begun},
        strike=struck if found else None,
    )


def _decide(protocol: AnyProtocol, ctx: AnyContext, rule: Rule, results: CallResults) -> AnyStep:
    if rule in BESIDE and ctx.reading.told and not ctx.state.awaiting and not ctx.state.sealed:
        return _answered_beside(protocol, ctx, rule, results)
    before = ctx.state
    keeps = rule in LEAVE_OPEN or _told_beside(ctx, rule)
    if keeps:
        ctx = replace(ctx, state=protocol.keep_unanswered(ctx, results))
    result = _step(protocol, ctx, rule, results)
    if keeps and isinstance(result, TurnResult):
        result = replace(result, records=protocol.new_records(before, ctx.state))
    if rule in TAKES_IN and isinstance(result, TurnResult) and not _own(protocol, ctx, result):
        result = replace(result, utterances=(*leads.beside(ctx), *result.utterances))
    kind = None if _told_beside(ctx, rule) else replies.heard_beside(ctx, rule, before.awaiting)
    if kind and isinstance(result, TurnResult):
        result = replace(result, heard_as=kind)
    confidential = ctx.state.sealed and ctx.received.trigger == "user_answer"
    if confidential and isinstance(result, TurnResult):
        return _hide_answer(ctx, rule, result)
    return result


def _own(protocol: AnyProtocol, ctx: AnyContext, result: AnyResult) -> bool:
    """Return whether a model that leads has said more than a question, which takes it in."""
    said = result.utterances
    more = len(said) > 1 or leads.has_own_lead(ctx, said[0].text)
    return protocol.leads and bool(result.spoken_by) and more


def _answered_beside(
    protocol: AnyProtocol, ctx: AnyContext, rule: Rule, results: CallResults
) -> AnyStep:
    """Meet a wish beside an answer: the answer counts as any other, and its question is closed.

    A question back is answered before the next one. Before "shall we stop?" and after a pause the
    next question waits.
    """
    answered = _go_on(protocol, ctx, results)
    if rule == "reply":
        reply = replies.reply_to_question(protocol, ctx, results)
        if isinstance(reply, NeedsCalls):
            more = answered.inquiries if isinstance(answered, NeedsCalls) else ()
            return NeedsCalls((*reply.inquiries, *more))
        if isinstance(answered, NeedsCalls):
            return answered
        return replace(
            answered,
            utterances=(*reply.utterances, *answered.utterances),
            spoken_by=(*dict.fromkeys((*reply.spoken_by, *answered.spoken_by)),),
            firings=(*dict.fromkeys((*reply.firings, *answered.firings)),),
        )
    if isinstance(answered, NeedsCalls) or answered.status != SessionStatus.WAITING_ANSWER:
        return answered
    met = _step(protocol, replace(ctx, state=answered.state), rule, results)
    if isinstance(met, NeedsCalls):
        return met
    return replace(
        answered,
        state=met.state.but(unseen=rule == "stop"),
        utterances=(*(() if met.spoken_by else leads.beside(ctx)), *met.utterances),
        status=met.status,
        spoken_by=met.spoken_by,
        firings=met.firings,
    )


def _told_beside(ctx: AnyContext, rule: Rule) -> bool:
    """Return whether something told beside the reply to "shall we stop?" is kept, as beside it."""
    return rule in ("hear", "go_on") and ctx.reading.tells


def _wait_for_reading(protocol: AnyProtocol, ctx: AnyContext, step: AnyStep) -> NeedsCalls:
    """Let the protocol prepare for what the answer seems to be, until it is read."""
    calls = step.inquiries if isinstance(step, NeedsCalls) else ()
    ahead = (call for call in calls if call.key != protocol.reading_key)
    return NeedsCalls((protocol.reading_call(ctx), *ahead))


def with_reading(ctx: AnyContext, reading: AnswerReading | None) -> AnyContext:
    """Return the context with the reading; refused subjects and a right name hold from here on."""
    if reading is None:
        return ctx
    state, subjects = ctx.state, reading.closed.split("; ") if reading.wants("refuse") else []
    if new := tuple(one for one in subjects if one and one not in state.closed):
        state = state.but(closed=(*state.closed, *new))
    name = read_field("name", reading.renamed, ctx.language).value
    if name and name != ctx.name:
        state = state.but(names=(*state.names, name))
    if reading.wants("last_one") and not state.last_asked:
        state = state.but(ends_early=True)
    return replace(ctx, reading=reading, state=state).renamed()


def rule_for(protocol: AnyProtocol, ctx: AnyContext) -> Rule:
    """Return the common rule that the answer calls for; empty where the protocol goes on.

    After "shall we stop?" a yes ends the interview, and anything unclear answers the open question,
    or has it put if it wasn't yet; a few words that only rules have read are met by asking once
    more. What is told beside a yes, and something hard beside any reply, is heard first.
    After the care text a bare no ends it, a bare yes continues, and anything else is unclear.
    """
    reading, state = ctx.reading, ctx.state
    if ctx.received.trigger == "stop":
        return "end"
    if ctx.received.trigger != "user_answer":
        return "go_on" if state.unseen else ""
    if reading.care == "acute":
        return "care"
    if reading.wants("pause", "withdraw"):
        return "interrupt"
    if state.awaiting and (awaited := _awaited(protocol, ctx)):
        return awaited
    if reading.wants("stop"):
        return "" if protocol.is_offer(state) else "stop"
    if state.sealed and not _asks_in_confidence(ctx):
        return ""
    return _aside_rule(protocol, ctx) or ("go_on" if state.unseen and not _tells_first(ctx) else "")


def _asks_in_confidence(ctx: AnyContext) -> bool:
    """Return whether it is a question back that no protocol has read as an answer before."""
    return ctx.reading.intent == "ask_back" and not ctx.remembered.keys() - {KEY}


def _aside_rule(protocol: AnyProtocol, ctx: AnyContext) -> Rule:
    state, intent = ctx.state, ctx.reading.intent
    if ctx.reading.wants("ask_back") and state.asides < replies.MOST_COUNTER_QUESTIONS:
        return "reply"
    if intent == "clarify" and state.clarified < replies.MOST_CLARIFICATIONS:
        return "reword"
    if intent in ("strike", "renamed"):  # a question about what was struck isn't put again
        asked = (protocol.repeat_question(ctx).text, *leads.lately(ctx)[-1:])
        return "" if any(STRUCK in text for text in asked) else "noted"
    if LEFT.get(intent, intent) != "off_topic":
        return ""
    return "back" if state.strayed < MOST_STRAYED and protocol.has_time(ctx) else ""


def _awaited(protocol: AnyProtocol, ctx: AnyContext) -> Rule:
    """Return what an answer to "shall we stop?" or to the care text comes to."""
    ends, goes_on = ENDS[ctx.state.awaiting], GOES_ON[ctx.state.awaiting]
    if ctx.reading.wants("stop"):
        return "end"
    if ctx.state.awaiting == "stop" and _tells_first(ctx):
        return "" if protocol.leads and ctx.reading.reply in goes_on else "hear"
    if ctx.reading.reply in ends:
        return "end"
    if ctx.reading.reply in goes_on:
        return "go_on"
    if ctx.state.awaiting == "care":
        return "unclear"
    if _may_mean_either(ctx):
        return "stop"
    return "go_on" if ctx.reading.intent == "dont_know" else ""


def _tells_first(ctx: AnyContext) -> bool:
    """Return whether they tell something before the end: "Yes, but first I want to tell you …".

    Beside a yes a model must have heard it, unless it is hard. What comes after it is still told.
    """
    reading = ctx.reading
    if reading.intent != "answer" or not reading.told or ctx.state.sealed:
        return False
    if ctx.state.unclear == replies.HEARD and not reading.reply:
        return True
    by_a_model = reading.by != RULES
    return reading.tells and (reading.care == "heavy" or (reading.reply == "yes" and by_a_model))


def _may_mean_either(ctx: AnyContext) -> bool:
    """Return whether anger, or a few unread words, may be about "shall we stop?", asked once."""
    if ctx.state.unclear or ctx.state.sealed:  # confidential words may be contact data
        return False
    if ctx.reading.intent in ("off_topic", "manipulate"):
        return ctx.reading.tells
    unread = ctx.reading.by == RULES and ctx.reading.intent == "answer"
    return unread and len(ctx.answer.split()) <= BRIEF


def _step(protocol: AnyProtocol, ctx: AnyContext, rule: Rule, results: CallResults) -> AnyStep:
    match rule:
        case "care":
            return care.show(ctx)
        case "stop":
            return replies.confirm_stop(protocol, ctx, results)
        case "hear":
            return replies.hear_out(ctx, goes_on=ctx.reading.reply in GOES_ON["stop"])
        case "interrupt":
            return replies.interrupt(protocol, ctx)
        case "unclear":
            return care.stay(ctx)
        case "reply":
            return replies.answer_question(protocol, ctx, results)
        case "reword":
            return replies.reword_question(protocol, ctx, results)
    return _on_open_question(protocol, ctx, rule, results)


def _on_open_question(
    protocol: AnyProtocol, ctx: AnyContext, rule: Rule, results: CallResults
) -> AnyStep:
    in_care = ctx.state.awaiting == "care"
    ctx = replace(ctx, state=ctx.state.but(awaiting="", unclear=0, unseen=False))
    match rule:
        case "end":
            return _end(protocol, ctx, results, at_once=in_care)
        case "go_on" if subject := _refused(protocol, ctx):
            reading = ctx.reading.but("refuse", closed=subject)
            step = _go_on(protocol, replace(ctx, reading=reading), results)
            # what they have just said is a yes or no
            return step if isinstance(step, NeedsCalls) else replace(step, heard_as=None)
        case "go_on":
            return replies.ask_again(protocol, ctx, gently=in_care)
        case "back":
            return replies.lead_back(protocol, ctx, results)
        case "noted":
            return replies.note(protocol, ctx)
    return _go_on(protocol, ctx, results)


def _refused(protocol: AnyProtocol, ctx: AnyContext) -> str:
    """Return the closed subject that the open question is about, or empty."""
    asked = replies.open_question(protocol, ctx).text
    return next((one for one in ctx.state.closed if names_closed(asked, (one,), ctx.language)), "")


def _go_on(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> AnyStep:
    ctx = for_protocol(ctx)
    step = protocol.step(ctx, results)
    if isinstance(step, NeedsCalls):
        return step
    own = protocol.leads and any(results[key].by_model for key in step.spoken_by if key in results)
    led = step if own else leads.with_lead(ctx, step, results)
    passed_over = ctx.received.trigger == "user_answer" and not ctx.state.sealed
    passed_over = passed_over and ctx.reading.wants("skip", "refuse") and not ctx.reading.told
    declines = EntryKind.STOP_REPLY if ctx.reading.intent == "stop" else None
    heard_as = step.heard_as or (EntryKind.SKIP if passed_over else declines)
    fresh = led.state.but(asides=0, strayed=0, clarified=0, reworded="")
    led = replace(led, state=fresh, heard_as=heard_as)
    return replace(led, progress=protocol.progress(ctx, led.state))


def for_protocol(ctx: AnyContext) -> AnyContext:
    """Return the context with an intent that protocols know: the common rules have done theirs."""
    intent = ctx.reading.intent
    if intent not in LEFT:
        return ctx
    left = ctx.reading.but(LEFT[intent])
    if intent == "complaint":  # it is admitted before the next question
        left = replace(left, wishes=(*left.wishes, "complaint"))
    return replace(ctx, reading=left)


def preview(
    protocol: AnyProtocol,
    ctx: AnyContext,
    rules: RulesReading,
    results: CallResults,
    partials: PartialResults,
) -> str:
    """Return as much of what will be said as is certain; nothing until the answer is read."""
    reading = read(protocol, ctx, rules, results, partials)
    if reading is None or ctx.bot_gone or reading.wants("strike"):
        return ""
    ctx = with_reading(ctx, reading)
    match rule_for(protocol, ctx):
        case "reply":
            draft = replies.preview_answer(protocol, ctx, partials)
            return draft if protocol.leads else leads.after_beside(ctx, draft)
        case "reword":
            if protocol.leads and ctx.reading.care == "heavy":
                return ""
            return leads.after_beside(ctx, replies.preview_rewording(protocol, ctx, partials))
        case "":
            draft = protocol.preview(for_protocol(ctx), results, partials)
            if protocol.leads:
                return draft
            held = leads.lead_of(ctx) and not leads.leads_itself(ctx, draft, partials)
            return "" if held else draft
    return ""


def _with_reading(protocol: AnyProtocol, ctx: AnyContext, result: AnyResult) -> AnyResult:
    """Add what is stored of the reading: for replay, for the trace and for researchers."""
    details: dict[str, Any] = dict(result.details or protocol.trace_details(ctx))
    if ctx.received.trigger != "user_answer":
        return replace(result, details=details)
    reading = ctx.reading
    details |= {"intent": reading.intent, "care": reading.care}
    details |= {"answers": reading.answers, "wishes": list(reading.wishes)}
    read = {**result.read_by_rules, KEY: ctx.reading.as_stored()}
    return replace(result, details=details, read_by_rules=read)


def _hide_answer(ctx: AnyContext, rule: Rule, result: AnyResult) -> AnyResult:
    """Hide a confidential answer.

    A bare request is shown as it was said, and a cry for help without contact data, so that people
    can help. Everything else is hidden.
    """
    if not rule:
        return result
    in_the_open = rule == "care" or only(
        ctx.answer, "stop", "pause", "withdraw", "yes", "no", "go_on"
    )
    return replace(result, masked=scrub(ctx.answer) if in_the_open else HIDDEN)


def _end(protocol: AnyProtocol, ctx: AnyContext, results: CallResults, at_once: bool) -> AnyStep:
    result = protocol.exit(ctx, results)
    if isinstance(result, NeedsCalls):
        return result
    # to ask for something first: contact data
    if at_once and result.status == SessionStatus.WAITING_ANSWER:
        return _end(protocol, replace(ctx, state=result.state), results, at_once=False)
    return replace(result, progress=protocol.progress(ctx, result.state))
