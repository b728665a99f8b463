"""The aim of the next utterance, and the model request that words it."""

from collections.abc import Sequence
from functools import cache, partial

from interviews.choices import SpeakerRole
from interviews.engine.signal import Band, band
from interviews.protocols.topic_exploration import blocks, fallback_texts, guards, tasks
from interviews.protocols.topic_exploration.blocks import NonAnswer, UtteranceAim
from interviews.protocols.topic_exploration.budget import deepen_order, deepen_turns
from interviews.protocols.topic_exploration.context import (
    TopicContext,
    asked_questions,
    time_left,
    topic_of,
)
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.utterance import Guard, UtteranceRequest
from llm.tasks.task import Utterance

DIALOGUE_ENTRIES = 12  # the last six turns
MAX_ENTRY_LENGTH = 600  # characters


def next_aim(
    ctx: TopicContext, after: Exploration, non_answer: NonAnswer | None = None
) -> UtteranceAim:
    """Return the aim of the next utterance, once the exploration has moved on to `after`."""
    topic = topic_of(ctx, after)
    before = ctx.state.exploration
    opens = not after.current.started and (
        after.topic != before.topic or not before.current.started
    )
    moves_on = (after.phase, after.topic) != (before.phase, before.topic)
    goal, question = _target(ctx, after)
    return UtteranceAim(
        exploration=after,
        topic=topic,
        goal=goal,
        question=question,
        opens_topic=opens and non_answer is None,
        returns=after.phase is Phase.DEEPEN and moves_on and after.current.started,
        answered_topic=topic_of(ctx, before) if ctx.received.trigger == "user_answer" else None,
        extra_turns=sum(deepen_turns(after.topics[i]) for i in deepen_order(after.topics)),
        non_answer=non_answer,
    )


def _target(ctx: TopicContext, exploration: Exploration) -> tuple[str, str]:
    """Return the next uncovered sub-goal, else an unused probe angle, else the topic itself.

    The second value is the question written for the sub-goal, or ''.
    """
    topic, material = exploration.current, topic_of(ctx, exploration)
    if topic.uncovered:
        index = topic.uncovered[0]
        return material.sub_goals[index], material.question_for(index)
    angles = material.intelligence.probe_angles
    return (angles[topic.angles_used] if topic.angles_used < len(angles) else material.label), ""


def utterance_request(ctx: TopicContext, aim: UtteranceAim) -> UtteranceRequest:
    return UtteranceRequest(
        data=partial(_reply_input, ctx, aim),
        guards=_guards(ctx, aim),
        fallback=lambda: fallback_texts.utterance(aim, ctx.language, ctx.answer, ctx.turn),
    )


def _guards(ctx: TopicContext, aim: UtteranceAim) -> Sequence[tuple[str, Guard]]:
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return [("deep_offer", lambda text: guards.deep_offer(text, aim.extra_turns))]
    private = (ctx.plan.persona, _reply_prompt())
    earlier = asked_questions(ctx)[-guards.MAX_COMPARED :]
    if aim.non_answer is NonAnswer.CLARIFICATION:
        earlier = earlier[:-1]  # a rephrased question is meant to be like the last one
    return [
        ("closure", lambda text: guards.closure(text, ctx.language, private)),
        ("duplicate", lambda text: guards.duplicate(text, earlier)),
    ]


@cache
def _reply_prompt() -> str:
    return (tasks.PROMPTS / "reply.md").read_text(encoding="utf-8")


def _reply_input(ctx: TopicContext, aim: UtteranceAim, rejected_because: str) -> tasks.ReplyInput:
    state = ctx.state
    signal = band(ctx.answer, ctx.language) if ctx.answer else Band.MEDIUM
    return tasks.ReplyInput(
        persona=ctx.plan.persona[:1_200],
        language=ctx.language,
        context=blocks.context(ctx.material),
        focus=blocks.focus(aim, time_left(ctx) / 60, rejected_because),
        memory=blocks.memory(aim, ctx.material, state.facts, state.manner),
        knowledge=blocks.knowledge(ctx.material, aim.topic),
        guidance=blocks.guidance(aim, signal, ctx.turn, state.stems),
        guards=blocks.guards(aim),
        dialogue=recent_dialogue(ctx),
        answer=ctx.answer or "(nothing was said)",
    )


def recent_dialogue(ctx: TopicContext) -> tuple[Utterance, ...]:
    return tuple(
        Utterance(
            role="interviewer" if line.role == SpeakerRole.INTERVIEWER else "participant",
            text=line.text[:MAX_ENTRY_LENGTH],
        )
        for line in ctx.transcript[-DIALOGUE_ENTRIES:]
        if line.text
    )
