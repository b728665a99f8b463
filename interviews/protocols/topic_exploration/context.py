"""Looks at where a topic exploration stands that several files need."""

from datetime import datetime

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.context import TurnContext
from interviews.protocols.topic_exploration.exploration import Exploration
from interviews.protocols.topic_exploration.state import TopicExplorationState, seconds_left
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

TopicContext = TurnContext[TopicExplorationState, TopicExplorationMaterial]
ASKING = (EntryKind.TOPIC_QUESTION, EntryKind.FOLLOW_UP, EntryKind.DEEP_OFFER)


def topic_of(ctx: TopicContext, exploration: Exploration) -> TopicMaterial:
    """The topic that the exploration is at."""
    return ctx.material.topics[exploration.topic]


def time_left(ctx: TopicContext) -> float:
    """Seconds left when the answer was received."""
    return seconds_left(ctx.state, ctx.material.total_seconds, ctx.received.at)


def gap(ctx: TopicContext) -> float:
    """Seconds between the question and the answer, pauses out."""
    asked: datetime | None = ctx.state.asked_at
    if asked is None:
        return 0.0
    return max(0.0, (ctx.received.at - asked).total_seconds() - ctx.received.away_seconds)


def asked(ctx: TopicContext) -> tuple[str, ...]:
    """The questions asked so far, as far as the transcript was read."""
    return tuple(line.text for line in ctx.transcript if line.kind in ASKING)


def last_said(ctx: TopicContext) -> str:
    """The interviewer's last words."""
    said = [line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER]
    return said[-1] if said else ""


def said(ctx: TopicContext) -> tuple[str, ...]:
    """What the interviewer said lately."""
    return tuple(line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER)
