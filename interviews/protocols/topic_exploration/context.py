from datetime import datetime

from interviews.engine.context import TurnContext
from interviews.protocols.topic_exploration.exploration import Exploration
from interviews.protocols.topic_exploration.state import TopicExplorationState
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

TopicContext = TurnContext[TopicExplorationState, TopicExplorationMaterial]


def topic_of(ctx: TopicContext, exploration: Exploration) -> TopicMaterial:
    return ctx.material.topics[exploration.topic]


def item_id(topic: int, goal: int) -> str:
    """Return the id by which a model names a sub-goal, or an angle after them, by its indexes."""
    return f"t{topic + 1}.{goal + 1}"


def time_left(ctx: TopicContext) -> float:
    return ctx.state.seconds_left(ctx.material.total_seconds, ctx.received.at)


def answer_delay(ctx: TopicContext) -> float:
    """Return the seconds between question and answer, without pauses."""
    asked_at: datetime | None = ctx.state.asked_at
    if asked_at is None:
        return 0.0
    return max(0.0, (ctx.received.at - asked_at).total_seconds() - ctx.received.away_seconds)
