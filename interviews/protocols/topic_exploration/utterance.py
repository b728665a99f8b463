"""Words for an aim: the model's, guarded, and fixed ones where it has none that hold.

The call that reads the answer words the reply as well, for the aim that an answer leads to. Where
the reading leads elsewhere, the words are requested again. A text that guards reject is requested
once more, at a lower temperature and with the reason. So a turn makes at most two extra calls.
After words off topic, which may be orders to the model, the fixed words stand.
"""

from dataclasses import replace

from interviews.choices import RULES
from interviews.engine.conversation import conversation
from interviews.engine.guards import Checked, Limits, prompts_of
from interviews.engine.reading import AS_ANSWER
from interviews.engine.result import CallResults, PartialResults, TaskCall, WordedText
from interviews.engine.signal import Band, band
from interviews.protocols.topic_exploration import blocks, fallback_texts, guards, tasks
from interviews.protocols.topic_exploration.blocks import UtteranceAim
from interviews.protocols.topic_exploration.context import (
    TopicContext,
    asked_questions,
    time_left,
    topic_of,
)
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.phases import advance
from interviews.protocols.topic_exploration.reading import REPLY_KEY, understand
from llm.tasks.task import Utterance


def next_aim(ctx: TopicContext, after: Exploration) -> UtteranceAim | None:
    """Return the aim of the next utterance, once the exploration has moved on to `after`.

    It is None if the topics are left.
    """
    if after.phase in (Phase.DATA_COLLECTION, Phase.END):
        return None
    before = ctx.state.exploration
    moves_on = (after.phase, after.topic) != (before.phase, before.topic)
    goal, question = _target(ctx, after)
    return UtteranceAim(
        exploration=after,
        topic=topic_of(ctx, after),
        goal=goal,
        question=question,
        opens_topic=not after.current.started,
        returns=after.phase is Phase.DEEPEN and moves_on and after.current.started,
    )


def _target(ctx: TopicContext, exploration: Exploration) -> tuple[str, str]:
    """Return the next sub-goal that is left, else an unused probe angle, else the topic itself.

    The second value is the question written for the sub-goal, or ''.
    """
    topic, material = exploration.current, topic_of(ctx, exploration)
    if topic.left:
        index = topic.left[0]
        return material.sub_goals[index], material.question_for(index)
    angles = material.intelligence.probe_angles
    return (angles[topic.angles_left[0]] if topic.angles_left else material.label), ""


def wording_call(ctx: TopicContext, aim: UtteranceAim, key: str) -> TaskCall:
    return TaskCall(key, tasks.REPLY, _reply_input(ctx, aim, read=True))


def _reply_input(
    ctx: TopicContext,
    aim: UtteranceAim | None,
    offered: bool = False,
    read: bool = False,
    rejected_because: str = "",
) -> tasks.TopicReplyInput:
    state, material = ctx.state, ctx.material
    answered = topic_of(ctx, state.exploration) if ctx.received.trigger == "user_answer" else None
    reading = ctx.reading if read else AS_ANSWER
    rules = {"reading": blocks.READ_ALREADY} if read else {}
    short_or_rich = band(ctx.answer, ctx.language) if ctx.answer else Band.MEDIUM
    return tasks.TopicReplyInput(
        **rules,
        persona=ctx.plan.persona[:1_200],
        language=ctx.language,
        accepts=blocks.ACCEPTS if offered else "",
        context=blocks.context(material),
        target=blocks.target(aim, reading, time_left(ctx) / 60, rejected_because),
        manner=blocks.manner(short_or_rich, state.manner),
        goals=blocks.goals(answered),
        known=blocks.known(aim, material, state.facts) if aim else [],
        closed=list(state.closed) or ["-"],
        openings=list(state.stems) or ["-"],
        knowledge=blocks.knowledge(material, aim.topic) if aim else "-",
        question=state.reworded or state.open_question or "-",
        dialogue=_dialogue(ctx),
        answer=ctx.answer or "(nothing was said)",
    )


def _dialogue(ctx: TopicContext) -> tuple[Utterance, ...]:
    """Return the conversation, with the introduction always at its beginning."""
    said = conversation(ctx)
    intro = Utterance(role="interviewer", text=fallback_texts.intro(ctx))
    return said if intro in said[:1] else (intro, *said)


MOVED_KEY, AGAIN_KEY = "reply.moved", "again"


def expected_aim(ctx: TopicContext) -> UtteranceAim | None:
    """Return the aim that follows if the words are an answer, before they are read."""
    exploration = ctx.state.exploration
    if ctx.received.trigger == "opening":
        return next_aim(ctx, exploration)
    as_answer = replace(ctx, reading=ctx.reading.but("answer", care="none"))
    return next_aim(ctx, advance(exploration, understand(as_answer, {}, {}))[0])


def reading_call(ctx: TopicContext) -> TaskCall:
    """Return the call that reads the answer, worded for the aim that an answer would lead to."""
    offered = ctx.state.exploration.phase is Phase.DEEP_OFFER
    data = _reply_input(ctx, expected_aim(ctx), offered=offered)
    return TaskCall(REPLY_KEY, tasks.OFFER_REPLY if offered else tasks.REPLY, data)


def worded(ctx: TopicContext, results: CallResults, aim: UtteranceAim) -> WordedText | TaskCall:
    fixed = fallback_texts.utterance(ctx, aim)
    if ctx.reading.intent == "off_topic":
        return WordedText(fixed)
    key = _wording_key(ctx, results, aim)
    first = results.get(key)
    if first is None:
        return reading_call(ctx) if key == REPLY_KEY else wording_call(ctx, aim, key)
    if not first.by_model:
        return WordedText(fixed, (key,))
    found = _check(ctx, aim, first.value.utterance)
    if found.text:
        return WordedText(found.text, (key,), found.firings)
    if ctx.reading.care == "heavy":  # the question as it was written probes nothing
        return WordedText(fixed, (), found.firings)
    again = results.get(AGAIN_KEY)
    if again is None:
        why = found.firings[-1].reason
        data = _reply_input(ctx, aim, read=True, rejected_because=why)
        return TaskCall(AGAIN_KEY, tasks.AGAIN, data)
    text = again.value.utterance if again.by_model else ""
    repaired = _check(ctx, aim, text) if text else Checked("")
    used = (AGAIN_KEY,) if repaired.text else ()
    return WordedText(repaired.text or fixed, used, (*found.firings, *repaired.firings))


def _wording_key(ctx: TopicContext, results: CallResults, aim: UtteranceAim) -> str:
    """Return the key of the call that words this aim.

    An answer that rules have settled was read by no call.
    """
    reply = results.get(REPLY_KEY)
    if reply is None and ctx.reading.by == RULES and ctx.reading.intent != "answer":
        return MOVED_KEY
    if reply is not None and not reply.by_model:
        return REPLY_KEY
    expected = expected_aim(ctx)
    return REPLY_KEY if expected and aim.words_are_for == expected.words_are_for else MOVED_KEY


def _check(ctx: TopicContext, aim: UtteranceAim, text: str) -> Checked:
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return guards.deep_offer(text, limits(ctx), aim.extra_turns)
    found = guards.question(text, limits(ctx, asked_questions(ctx)))
    topic_language = ctx.language == ctx.plan.languages[0]
    if ctx.reading.care == "heavy" and topic_language and found.text:
        return guards.on_target(found, aim.question or aim.goal, ctx.language)
    return found


def limits(ctx: TopicContext, asked: tuple[str, ...] = ()) -> Limits:
    return Limits(ctx.language, private(ctx), ctx.state.closed, asked)


def private(ctx: TopicContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *prompts_of(tasks.PROMPTS))


def preview_text(
    ctx: TopicContext, results: CallResults, partials: PartialResults, aim: UtteranceAim
) -> str:
    """Return the part of an unfinished reply that can be shown; '' once it was rejected."""
    repaired = AGAIN_KEY in results or AGAIN_KEY in partials
    offers = aim.exploration.phase is Phase.DEEP_OFFER
    if repaired or offers or ctx.reading.intent == "off_topic" or ctx.reading.care == "heavy":
        return ""
    key = _wording_key(ctx, results, aim)
    whole = results.get(key)
    if whole is not None and not whole.by_model:
        return ""
    draft = whole.value.utterance if whole else partials.get(key, {}).get("utterance")
    return guards.before_question(str(draft or ""), limits(ctx, asked_questions(ctx)))


def prefetched(ctx: TopicContext, results: CallResults, aim: UtteranceAim) -> tuple[TaskCall, ...]:
    """Return the call for another aim as soon as a half-written reply shows that it is needed."""
    needed = ctx.reading.intent != "off_topic" and MOVED_KEY not in results
    moved = needed and _wording_key(ctx, results, aim) == MOVED_KEY
    return (wording_call(ctx, aim, MOVED_KEY),) if moved else ()
