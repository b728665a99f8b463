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
