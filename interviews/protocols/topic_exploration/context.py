"""Looks at where a topic exploration stands that several files need."""

from datetime import datetime

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.types import TurnContext
from interviews.protocols.topic_exploration.exploration import Exploration
from interviews.protocols.topic_exploration.state import TopicExplorationState, seconds_left
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

Here = TurnContext[TopicExplorationState, TopicExplorationMaterial]
ASKING = (EntryKind.TOPIC_QUESTION, EntryKind.FOLLOW_UP, EntryKind.DEEP_OFFER)


def topic_of(now: Here, exploration: Exploration) -> TopicMaterial:
    """The topic that the exploration is at."""
    return now.material.topics[exploration.topic]


def time_left(now: Here) -> float:
    """Seconds left when the answer was received."""
    return seconds_left(now.state, now.material.total_seconds, now.received.at)


def gap(now: Here) -> float:
    """Seconds between the question and the answer, pauses out."""
    asked: datetime | None = now.state.asked_at
    if asked is None:
        return 0.0
    return max(0.0, (now.received.at - asked).total_seconds() - now.received.away_seconds)


def asked(now: Here) -> tuple[str, ...]:
    """The questions asked so far, as far as the transcript was read."""
    return tuple(line.text for line in now.transcript if line.kind in ASKING)


def last_said(now: Here) -> str:
    """The interviewer's last words."""
    said = [line.text for line in now.transcript if line.role == SpeakerRole.INTERVIEWER]
    return said[-1] if said else ""


def said(now: Here) -> tuple[str, ...]:
    """What the interviewer said lately."""
    return tuple(line.text for line in now.transcript if line.role == SpeakerRole.INTERVIEWER)
