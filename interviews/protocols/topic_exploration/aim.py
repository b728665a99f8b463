"""What the interviewer is to do next, and the prompt, guards and reserve for it."""

from collections.abc import Sequence
from functools import cache, partial

from interviews.choices import SpeakerRole
from interviews.engine.signal import Band, band
from interviews.protocols.topic_exploration import blocks, fallback_texts, guards, tasks
from interviews.protocols.topic_exploration.blocks import NonAnswer, UtteranceAim
from interviews.protocols.topic_exploration.budget import deepen_order, deepen_turns
from interviews.protocols.topic_exploration.context import TopicContext, asked, time_left, topic_of
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.utterance import Check, UtteranceRequest
from llm.tasks.task import Utterance

DIALOGUE = 12  # entries: the last six turns
LONGEST_LINE = 600  # characters of one entry that are shown again


def aim(ctx: TopicContext, after: Exploration, trouble: NonAnswer | None = None) -> UtteranceAim:
    """The aim of the coming utterance, the exploration having moved on to `after`."""
    topic = topic_of(ctx, after)
    before = ctx.state.exploration
    opens = not after.here.begun and (after.topic != before.topic or not before.here.begun)
    return UtteranceAim(
        exploration=after,
        topic=topic,
        goal=_goal(ctx, after),
        opens=opens and trouble is None,
        answered=topic_of(ctx, before) if ctx.received.trigger == "user_answer" else None,
        offer=sum(deepen_turns(after.topics[i]) for i in deepen_order(after.topics)),
        trouble=trouble,
    )


def _goal(ctx: TopicContext, after: Exploration) -> str:
    """The next uncovered sub-goal, else an unused probe angle, else the topic itself."""
    topic, told = after.here, topic_of(ctx, after)
    if topic.uncovered:
        return told.sub_goals[topic.uncovered[0]]
    angles = told.intelligence.probe_angles
    return angles[topic.angles_used] if topic.angles_used < len(angles) else told.label


def wanted(ctx: TopicContext, aimed: UtteranceAim) -> UtteranceRequest:
    """Prompt, guards and reserve for an aim."""
    return UtteranceRequest(
        data=partial(_data, ctx, aimed),
        checks=_checks(ctx, aimed),
        reserve=lambda: fallback_texts.utterance(
            aimed, ctx.language, ctx.answer, ctx.turn, asked(ctx)
        ),
    )


def _earlier(ctx: TopicContext, aimed: UtteranceAim) -> tuple[str, ...]:
    """The questions that may not be asked again."""
    if aimed.exploration.phase is Phase.DEEP_OFFER:
        return ()
    past = asked(ctx)[-guards.REMEMBERED :]
    # a question put in other words is meant to be like the one before
    return past[:-1] if aimed.trouble is NonAnswer.CLARIFICATION else past


def _checks(ctx: TopicContext, aimed: UtteranceAim) -> Sequence[tuple[str, Check]]:
    """The guards of the phase, in their order."""
    if aimed.exploration.phase is Phase.DEEP_OFFER:
        return [("deep_offer", guards.deep_offer)]
    private = (ctx.plan.persona, _rules())
    past = _earlier(ctx, aimed)
    return [
        ("closure", lambda text: guards.closure(text, ctx.language, private)),
        ("duplicate", lambda text: guards.duplicate(text, past)),
    ]


@cache
def _rules() -> str:
    return (tasks.PROMPTS / "reply.md").read_text(encoding="utf-8")


def _data(ctx: TopicContext, aimed: UtteranceAim, why: str) -> tasks.ReplyInput:
    state = ctx.state
    heard = band(ctx.answer, ctx.language) if ctx.answer else Band.MEDIUM
    return tasks.ReplyInput(
        persona=ctx.plan.persona[:1_200],
        language=ctx.language,
        context=blocks.context(ctx.material),
        focus=blocks.focus(aimed, time_left(ctx) / 60, why),
        memory=blocks.memory(aimed, ctx.material, state.facts, state.manner),
        knowledge=blocks.knowledge(ctx.material, aimed.topic),
        guidance=blocks.guidance(aimed, heard, ctx.turn, state.stems),
        guards=blocks.guards(aimed),
        dialogue=dialogue(ctx),
        answer=ctx.answer or "(nothing was said)",
    )


def dialogue(ctx: TopicContext) -> tuple[Utterance, ...]:
    """The last six turns, as messages."""
    lines = [line for line in ctx.transcript[-DIALOGUE:] if line.text]
    return tuple(
        Utterance(
            role="interviewer" if line.role == SpeakerRole.INTERVIEWER else "participant",
            text=line.text[:LONGEST_LINE],
        )
        for line in lines
    )
