"""What the interviewer says about the open question instead of going on, in every protocol.

A question back is answered in a sentence or two; a question that wasn't understood is put in other
words. A model words both; fixed sentences stand in for it.
"""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar

from pydantic import BaseModel

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine import care, guards, leads
from interviews.engine.contact_data.masking import HIDDEN, STRUCK
from interviews.engine.context import AnyContext
from interviews.engine.language.sentences import single_spaced, spaced_sentences, until_question
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.language.wishes import only, plain
from interviews.engine.leads import lately
from interviews.engine.moves import AGAIN
from interviews.engine.protocol import AnyProtocol
from interviews.engine.reading import PROMPTS
from interviews.engine.result import (
    AnyResult,
    CallResults,
    GuardFiring,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    ending,
)
from interviews.engine.texts import fixed, time_left, wordings
from llm.tasks.outcome import Outcome
from llm.tasks.task import LanguageTag, Spoken, Task, Tier

MOST_COUNTER_QUESTIONS = 5  # in a row; the next one counts as off topic
MOST_CLARIFICATIONS = 2  # of one question; then it is left
HEARD = -1  # in place of a count: they told something before the end, which is still offered
ANSWER, REWORD = "answer", "reword"
RECENT = 6  # lines of the conversation that are shown
LONGEST_LINE, LONGEST_ABOUT = 400, 600  # characters
Check = Callable[[str, guards.Limits], guards.Checked]
Passed = Callable[[str, guards.Limits], str]
SECOND_TIME = "They ask for the second time: be simpler still. It was said that they may skip it."
ROUNDED = 5  # minutes
NO_CASE = "leaves out the case that the question is about"


D = TypeVar("D", bound="ReplyInput")


class ReplyInput(BaseModel):
    title: str
    persona: str
    language: LanguageTag
    rules: str
    closed: list[Spoken]
    question: Spoken  # the open one
    said: Spoken


class CounterQuestionInput(ReplyInput):
    about: str  # the bot's own words about itself
    progress: str
    conversation: list[Spoken]


class ClarificationInput(ReplyInput):
    meant: str
    times: str


def _task(name: str, data: type[D], max_tokens: int) -> Task[D, str]:
    return Task(
        name=f"interviews.{name}",
        tier=Tier.MAIN,
        template=PROMPTS / f"{name}.md",
        input=data,
        output=str,
        fallback=lambda data: "",
        timeout=8.0,
        max_tokens=max_tokens,
        temperature=0.2,
    )


COUNTER_QUESTION = _task("counter_question", CounterQuestionInput, 150)
CLARIFICATION = _task("clarification", ClarificationInput, 200)


def open_question(protocol: AnyProtocol, ctx: AnyContext) -> Utterance:
    """Return the open question as it was last put; an invitation if its words were struck."""
    asked = protocol.repeat_question(ctx)
    text = ctx.state.reworded or asked.text
    return replace(asked, text=fixed(ctx.language, "pace") if STRUCK in text else text)


def answer_question(
    protocol: AnyProtocol, ctx: AnyContext, results: CallResults
) -> NeedsCalls | AnyResult:
    """Answer the participant's question briefly and put the open one again; no turn is used.

    A confidential one gets the fixed answer: no model may see it.
    """
    reply = reply_to_question(protocol, ctx, results)
    if isinstance(reply, NeedsCalls):
        return reply
    state, question = ctx.state.but(asides=ctx.state.asides + 1), _asked(protocol, ctx)
    if again := _in_other_words(protocol, ctx, results):
        state, question = state.but(reworded=again), replace(question, text=again)
    gently = () if again else leads.offer_to_skip(ctx, question)
    return replace(
        reply,
        state=state,
        utterances=(*reply.utterances, *gently, question),
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )


def worded(protocol: AnyProtocol, results: CallResults) -> str:
    """Return what the call that read the answer says, where one call hears and words; else ''."""
    outcome = results.get(protocol.reading_key) if protocol.leads else None
    return single_spaced(outcome.value.say) if outcome and outcome.by_model else ""


def _in_other_words(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> str:
    """Return the open question as that call puts it again; '' if it puts another, or none."""
    outcome = results.get(protocol.reading_key) if protocol.leads else None
    puts_again = outcome and AGAIN in outcome.value.heard.lower().partition(":")[0].split()
    if ctx.state.awaiting or ctx.state.sealed or not puts_again:
        return ""
    told = guards.check(worded(protocol, results), _limits(protocol, ctx)).text
    return "" if protocol.refuses_reply(ctx, told) else guards.question_of(told)


def reply_to_question(
    protocol: AnyProtocol, ctx: AnyContext, results: CallResults
) -> NeedsCalls | AnyResult:
    """Return the answer to the participant's question, and nothing after it."""
    told = guards.Checked("")
    if protocol.leads:
        told = _statement(protocol, ctx, results)
    elif not ctx.state.sealed:
        if ANSWER not in results:
            return NeedsCalls((_answer_call(protocol, ctx, _asked(protocol, ctx)),))
        told = _checked(protocol, ctx, _words(results[ANSWER]), guards.check_statement)
    text = told.text or _fixed_answer(protocol, ctx)
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.INTERVIEWER_ANSWER, text),),
        reason="question_back",
        spoken_by=(protocol.reading_key if protocol.leads else ANSWER,) if told.text else (),
        firings=told.firings,
    )


def _statement(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> guards.Checked:
    """Return what stands before the question in what that call says."""
    if ctx.state.sealed:
        return guards.Checked("")
    said = until_question(spaced_sentences(worded(protocol, results)))
    return guards.check_statement(" ".join(said), _limits(protocol, ctx))


def _asked(protocol: AnyProtocol, ctx: AnyContext) -> Utterance:
    return _confirmation(ctx) if ctx.state.awaiting else open_question(protocol, ctx)


def preview_answer(protocol: AnyProtocol, ctx: AnyContext, partials: PartialResults) -> str:
    return _preview(protocol, ctx, partials, ANSWER, _safe_reply)


def _safe_reply(text: str, limits: guards.Limits) -> str:
    return guards.safe_statement(guards.whole_statements(text), limits)


def reword_question(
    protocol: AnyProtocol, ctx: AnyContext, results: CallResults
) -> NeedsCalls | AnyResult:
    """Put the open question in other words, the second time with an offer to skip it.

    "Shall we stop?" is put as it was.
    """
    if ctx.state.awaiting:
        clarified = ctx.state.but(clarified=ctx.state.clarified + 1)
        return confirm_stop(protocol, replace(ctx, state=clarified), results)
    asked = protocol.repeat_question(ctx)
    if protocol.leads:
        said = worded(protocol, results)
        told = _checked(protocol, ctx, said, guards.check) if said else guards.Checked("")
    elif REWORD not in results:
        return NeedsCalls((_reword_call(protocol, ctx, asked),))
    else:
        told = _checked(protocol, ctx, _words(results[REWORD]), guards.check)
    if plain(told.text) == plain(ctx.state.reworded):  # that was not understood
        told = guards.Checked("", told.firings)
    if told.text and not guards.keeps_case(asked.text, told.text, ctx.language):
        told = guards.Checked("", (*told.firings, GuardFiring("reply", NO_CASE, told.text)))
    key = "reworded_again" if ctx.state.clarified else "reworded"
    text = _may_skip(ctx, told.text) or fixed(ctx.language, key, question=asked.text)
    return TurnResult(
        state=ctx.state.but(clarified=ctx.state.clarified + 1, reworded=told.text),
        utterances=(replace(asked, text=text),),
        reason="clarification",
        spoken_by=(protocol.reading_key if protocol.leads else REWORD,) if told.text else (),
        firings=told.firings,
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )


def preview_rewording(protocol: AnyProtocol, ctx: AnyContext, partials: PartialResults) -> str:
    draft = _preview(protocol, ctx, partials, REWORD, guards.safe_prefix)
    if protocol.leads and not guards.question_of(draft):  # without one, none of it is said
        return ""
    repeats = plain(ctx.state.reworded).startswith(plain(draft))
    if repeats or not guards.keeps_case(protocol.repeat_question(ctx).text, draft, ctx.language):
        return ""
    return _may_skip(ctx, draft)


def _may_skip(ctx: AnyContext, rewording: str) -> str:
    """Put the offer to skip before a second rewording; it isn't left to the model."""
    offers = rewording and ctx.state.clarified
    return f"{fixed(ctx.language, 'may_skip')} {rewording}" if offers else rewording


def _answer_call(protocol: AnyProtocol, ctx: AnyContext, question: Utterance) -> TaskCall:
    lines = ctx.transcript[-RECENT:]
    data = CounterQuestionInput(
        **_shared(protocol, ctx, question),
        about=about(ctx),
        progress=_progress(protocol, ctx),
        conversation=[f"{_speaker(one.role)}: {one.text[:LONGEST_LINE]}" for one in lines],
    )
    return TaskCall(ANSWER, COUNTER_QUESTION, data)


def _reword_call(protocol: AnyProtocol, ctx: AnyContext, asked: Utterance) -> TaskCall:
    data = ClarificationInput(
        **_shared(protocol, ctx, asked),
        meant=protocol.question_purpose(ctx),
        times=SECOND_TIME if ctx.state.clarified else "",
    )
    return TaskCall(REWORD, CLARIFICATION, data)


def _shared(protocol: AnyProtocol, ctx: AnyContext, question: Utterance) -> dict[str, Any]:
    return {
        "title": ctx.plan.title_in(ctx.language),
        "persona": ctx.plan.persona,
        "language": ctx.language,
        "rules": protocol.reply_rules,
        "closed": list(ctx.state.closed),
        "question": question.text,
        "said": ctx.answer,
    }


def _limits(protocol: AnyProtocol, ctx: AnyContext) -> guards.Limits:
    return guards.Limits(ctx.language, protocol.private_texts(ctx), ctx.state.closed)


def _words(outcome: Outcome[str]) -> str:
    return outcome.value if outcome.by_model else ""


def _checked(protocol: AnyProtocol, ctx: AnyContext, words: str, check: Check) -> guards.Checked:
    """Return what may be said of a model's words; nothing where no model has worded them."""
    if not words:
        return guards.Checked("")
    told = check(words, _limits(protocol, ctx))
    if reason := protocol.refuses_reply(ctx, told.text):
        return guards.Checked("", (*told.firings, GuardFiring("reply", reason, told.text)))
    return told


def _preview(
    protocol: AnyProtocol, ctx: AnyContext, partials: PartialResults, key: str, passed: Passed
) -> str:
    if protocol.leads:
        written = partials.get(protocol.reading_key, {}).get("say")
    else:
        written = partials.get(key, {}).get("text")
    draft = passed(str(written or ""), _limits(protocol, ctx))
    return "" if protocol.refuses_reply(ctx, draft) else draft


def _fixed_answer(protocol: AnyProtocol, ctx: AnyContext) -> str:
    """Say that it is an AI, how much is left, and what the bot says about itself that fits best.

    Confidential words decide nothing here, since they are gone on replay.
    """
    said, asked = lately(ctx), terms("" if ctx.state.sealed else ctx.answer, ctx.language)
    told = [one for one in spaced_sentences(about(ctx)) if not any(one in line for line in said)]
    told.sort(key=lambda one: -len(shared_terms(asked, terms(one, ctx.language))))
    current, total, unit = protocol.progress(ctx, ctx.state)
    parts = [fixed(ctx.language, "aside", ctx.turn, said)]
    if ctx.state.last_asked:
        parts.append(fixed(ctx.language, "how_far_last"))
    elif total:
        key = "how_far_topics" if unit == "topics" else "how_far"
        key = "how_far_again" if protocol.comes_back(ctx.state) else key
        left = time_left(ctx.language, _seconds_left(protocol, ctx, current, total))
        number = str(max(1, current))
        parts.append(fixed(ctx.language, key, current=number, total=str(total), left=left))
    return " ".join([*parts, *([] if ctx.state.awaiting else told[: guards.ASIDE])])


def about(ctx: AnyContext) -> str:
    return " ".join(ctx.plan.texts_in(ctx.language).about.split())[:LONGEST_ABOUT]


def _progress(protocol: AnyProtocol, ctx: AnyContext) -> str:
    current, total, unit = protocol.progress(ctx, ctx.state)
    planned = f"planned for about {ctx.plan.minutes} minutes in all"
    if ctx.state.last_asked:
        return f"the last question, nothing comes after it; {planned}"
    if not total:
        return planned
    left = time_left("en", _seconds_left(protocol, ctx, current, total))
    coming = f"{total - current} come after it"
    if protocol.comes_back(ctx.state):
        coming = "all were begun, and the open question comes back to one of them"
    return f"{current} of {total} {unit}; {coming}, {left}; {planned}"


def _seconds_left(protocol: AnyProtocol, ctx: AnyContext, current: int, total: int) -> float:
    """Return what is left by the clock; without one, roughly, by what is left to ask."""
    left = protocol.seconds_left(ctx)
    if left is not None:
        return left
    share = ctx.plan.minutes * (total + 1 - max(1, current)) / total
    return 60 * min(ctx.plan.minutes, ROUNDED * ceil(share / ROUNDED))


def _speaker(role: SpeakerRole) -> str:
    return "Interviewer" if role == SpeakerRole.INTERVIEWER else "Participant"


# -- in fixed words


def _stop_question(ctx: AnyContext) -> str:
    """Return "shall we stop?" with what it means, in the words that were used longest ago."""
    said = [line.text for line in ctx.transcript if line.kind == EntryKind.STOP_REQUEST]

    def last_said(wording: str) -> int:
        question = guards.question_of(wording)
        return max((place for place, text in enumerate(said) if question in text), default=-1)

    return min(wordings(ctx.language, "confirm_stop"), key=last_said)


def _confirmation(ctx: AnyContext) -> Utterance:
    return Utterance(EntryKind.STOP_REQUEST, guards.question_of(_stop_question(ctx)))


def as_asked(ctx: AnyContext, question: str) -> str:
    """Return the open question, with "shall we stop?" if that was asked after it."""
    if ctx.state.awaiting != "stop":
        return question
    said = (line.text for line in reversed(ctx.transcript) if line.kind == EntryKind.STOP_REQUEST)
    return f"{question}\n{guards.question_of(next(said, _stop_question(ctx)))}"


def confirm_stop(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> AnyResult:
    """Ask whether to end the interview, the first time after a model's word on what was told."""
    asked = max(0, ctx.state.unclear) + 1 if ctx.state.awaiting else 0
    human = guards.Checked("") if ctx.state.awaiting else _statement(protocol, ctx, results)
    before = (Utterance(EntryKind.TRANSITION, human.text),) if human.text else ()
    return TurnResult(
        state=ctx.state.but(awaiting="stop", unclear=asked),
        utterances=(*before, Utterance(EntryKind.STOP_REQUEST, _stop_question(ctx))),
        reason="stop_to_confirm",
        spoken_by=(protocol.reading_key,) if human.text else (),
        firings=human.firings,
    )


def hear_out(ctx: AnyContext, goes_on: bool) -> AnyResult:
    """Leave it to them how much they tell before the end, which is still offered, or after a no."""
    key = "pace" if goes_on else "stop_stays"
    text = fixed(ctx.language, key, used=lately(ctx))
    if goes_on:
        state = ctx.state.but(awaiting="", unclear=0)
        return TurnResult(state, (Utterance(EntryKind.TRANSITION, text),), "own_pace")
    state = ctx.state.but(unclear=HEARD)
    return TurnResult(state, (Utterance(EntryKind.STOP_REQUEST, text),), "stop_to_confirm")


def interrupt(protocol: AnyProtocol, ctx: AnyContext) -> AnyResult:
    """Pause, or say how to withdraw (words alone delete nothing), with the open question again.

    After the care text the choice is open, not the question.
    """
    in_care = ctx.state.awaiting == "care"
    state = care.stayed(ctx) if in_care else ctx.state.but(awaiting="", unseen=False)
    pauses = ctx.reading.wants("pause")
    kind = EntryKind.TRANSITION if pauses else EntryKind.INTERVIEWER_ANSWER
    text = fixed(ctx.language, "pause" if pauses else "withdraw")
    return TurnResult(
        state=state,
        utterances=(
            Utterance(kind, text),
            care.choice(ctx) if in_care else open_question(protocol, ctx),
        ),
        reason="paused_in_words" if pauses else "withdrawal_explained",
        status=SessionStatus.PAUSED if pauses else SessionStatus.WAITING_ANSWER,
    )


def lead_back(protocol: AnyProtocol, ctx: AnyContext, results: CallResults) -> AnyResult:
    """Put the open question again; the second time in a row that uses a turn and offers to skip it.

    After something hard nobody is called back to it.
    """
    state = protocol.count_turn(ctx) if ctx.state.strayed else ctx.state
    key = "may_skip" if ctx.state.strayed or ctx.reading.care == "heavy" else "back"
    human = _statement(protocol, ctx, results)
    text = human.text or fixed(ctx.language, key, ctx.turn, lately(ctx))
    question, again = open_question(protocol, ctx), _in_other_words(protocol, ctx, results)
    return TurnResult(
        state=state.but(strayed=ctx.state.strayed + 1, reworded=again or state.reworded),
        utterances=(
            Utterance(EntryKind.TRANSITION, text),
            replace(question, text=again) if again else question,
        ),
        reason="off_topic",
        spoken_by=(protocol.reading_key,) if human.text or again else (),
        firings=human.firings,
    )


def note(protocol: AnyProtocol, ctx: AnyContext) -> AnyResult:
    """Put the open question again after words that only strike something or tell a name."""
    called = ctx.reading.wants("renamed") and ctx.state.names
    text = fixed(ctx.language, "renamed", name=ctx.name) if called else ""
    first = (Utterance(EntryKind.TRANSITION, text),) if text else ()
    return TurnResult(ctx.state, (*first, open_question(protocol, ctx)), "noted")


def heard_beside(ctx: AnyContext, rule: str, awaited: str) -> EntryKind | None:
    """Return the kind of words about care or stopping that tell nothing else; else None."""
    if not rule or ctx.received.trigger != "user_answer":
        return None
    if rule == "care" or awaited == "care":
        return EntryKind.CARE_REPLY
    told = ctx.reading.told and ctx.reading.wants("stop") and not only(ctx.answer, "yes", "stop")
    if rule == "end" and told:
        return None
    replied = awaited == "stop" and rule in ("end", "go_on", "reword")
    about_stopping = replied or rule in ("stop", "interrupt")
    return EntryKind.STOP_REPLY if about_stopping and ctx.reading.care != "heavy" else None


def end_politely(ctx: AnyContext) -> AnyResult:
    # What was said stays, but the people who run the site have deleted the bot.
    text = fixed(ctx.language, "gone")
    return ending(ctx.state, text, "bot_deleted", SessionStatus.STOPPED, masked=HIDDEN)


def ask_again(protocol: AnyProtocol, ctx: AnyContext, gently: bool = False) -> AnyResult:
    keys = ("go_on", "may_skip") if gently else ("go_on",)
    text = " ".join(fixed(ctx.language, key) for key in keys)
    return TurnResult(
        state=ctx.state,
        utterances=(Utterance(EntryKind.TRANSITION, text), open_question(protocol, ctx)),
        reason="goes_on",
    )
