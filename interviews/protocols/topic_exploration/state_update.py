"""What a turn leaves behind in the state, besides where it goes."""

from interviews.engine.protocol import TopicCoverage
from interviews.engine.result import CallResults
from interviews.engine.signal import score
from interviews.protocols.topic_exploration.context import TopicContext, gap
from interviews.protocols.topic_exploration.exploration import Exploration, TopicState
from interviews.protocols.topic_exploration.memory import facts_with, with_insight
from interviews.protocols.topic_exploration.state import TopicExplorationState
from interviews.protocols.topic_exploration.utterance import REPLY_KEY
from plans.protocols.topic_exploration.content import TopicMaterial


def learned(
    ctx: TopicContext, state: TopicExplorationState, results: CallResults, moved: Exploration
) -> TopicExplorationState:
    """The state at the new place, with facts, insight and manner of this answer."""
    if ctx.received.trigger != "user_answer":
        return state.model_copy(update={"exploration": moved})
    reading = results.get(REPLY_KEY)
    told = [(f.text, f.confidence) for f in reading.value.facts] if reading else []
    met = frozenset(reading.value.met) if reading else frozenset()
    return state.model_copy(
        update={
            "exploration": _with_met(ctx, _with_insight(ctx, moved), met),
            "facts": facts_with(state.facts, told, ctx.received.position),
            "manner": state.manner.heard(ctx.answer, ctx.language, gap(ctx)),
            "last_score": score(ctx.answer, ctx.language),
        }
    )


def covered(told: TopicMaterial, topic: TopicState) -> TopicCoverage:
    """One topic's coverage, for exports and reports."""
    return TopicCoverage(
        topic=told.key,
        label=told.label,
        turns=topic.used,
        bonus_turns=topic.bonus,
        deepening_turns=topic.deepened,
        sub_goals=topic.sub_goals,
        covered=len(topic.covered),
        coverage=str(topic.coverage),
        engagement=round(topic.engagement, 3),
        key_insight=topic.key_insight,
    )


def _with_insight(ctx: TopicContext, moved: Exploration) -> Exploration:
    """The insight belongs to the topic that was answered, wherever the interview is now."""
    place = ctx.state.exploration.topic
    topic = with_insight(moved.topics[place], ctx.answer, ctx.language)
    topics = (*moved.topics[:place], topic, *moved.topics[place + 1 :])
    return moved.model_copy(update={"topics": topics})


def _with_met(ctx: TopicContext, moved: Exploration, met: frozenset[int]) -> Exploration:
    """Sub-goals that the answer met besides its own need not be asked about.

    The one that the coming question aims at stays open: it is used up when that is answered.
    """
    place = ctx.state.exploration.topic
    topic = moved.topics[place]
    aimed = set(topic.uncovered[:1]) if moved.topic == place else set()
    covered = topic.covered | ({i for i in met if 0 <= i < topic.sub_goals} - aimed)
    changed = topic.model_copy(update={"covered": covered})
    return moved.model_copy(
        update={"topics": (*moved.topics[:place], changed, *moved.topics[place + 1 :])}
    )
