"""The aim of the next utterance, and the model call that words it."""

from collections.abc import Sequence

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.reading import AS_ANSWER
from interviews.engine.result import TaskCall
from interviews.engine.signal import Band, band
from interviews.protocols.topic_exploration import blocks, fallback_texts, tasks
from interviews.protocols.topic_exploration.blocks import UtteranceAim
from interviews.protocols.topic_exploration.context import TopicContext, time_left, topic_of
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.reading import REPLY_KEY
from llm.tasks.task import Utterance

DIALOGUE_ENTRIES = 12  # the last six turns
MAX_ENTRY_LENGTH = 600  # characters


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
    return (angles[topic.angles_used] if topic.angles_used < len(angles) else material.label), ""


def reply_call(ctx: TopicContext, aim: UtteranceAim | None) -> TaskCall:
    """Return the call that reads the answer, worded for the aim that an answer would lead to."""
    offered = ctx.state.exploration.phase is Phase.DEEP_OFFER
    data = _reply_input(ctx, aim, offered=offered)
    return TaskCall(REPLY_KEY, tasks.OFFER_REPLY if offered else tasks.REPLY, data)


def wording_call(ctx: TopicContext, aim: UtteranceAim, key: str) -> TaskCall:
    return TaskCall(key, tasks.REPLY, _reply_input(ctx, aim, read=True))


def repair_call(ctx: TopicContext, aim: UtteranceAim, key: str, why: str) -> TaskCall:
    data = _reply_input(ctx, aim, read=True, rejected_because=why)
    return TaskCall(key, tasks.AGAIN, data)


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
        dialogue=recent_dialogue(ctx),
        answer=ctx.answer or "(nothing was said)",
    )


def recent_dialogue(ctx: TopicContext) -> Sequence[Utterance]:
    """Return the last turns, with the introduction always before them."""
    lines = [line for line in ctx.transcript[-DIALOGUE_ENTRIES:] if line.kind != EntryKind.INTRO]
    intro = Utterance(role="interviewer", text=fallback_texts.intro(ctx))
    return (
        intro,
        *(
            Utterance(
                role="interviewer" if line.role == SpeakerRole.INTERVIEWER else "participant",
                text=_cut(line.text),
            )
            for line in lines
            if line.text
        ),
    )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_ENTRY_LENGTH else f"{text[:MAX_ENTRY_LENGTH]} …"
