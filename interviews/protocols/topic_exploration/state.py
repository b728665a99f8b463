from datetime import datetime
from typing import Literal, Self

from interviews.engine.clock import time_away
from interviews.engine.context import FrozenState, ProtocolState
from interviews.protocols.topic_exploration.exploration import Exploration
from interviews.protocols.topic_exploration.memory import RememberedFact, SpeakingStyle


class DataState(FrozenState):
    """Progress of data collection. Collected values are never stored here."""

    consent: Literal["", "yes", "no"] = ""
    asked: int = 0  # times that consent was asked for
    field: int = 0  # index of the one that is due
    attempts: int = 0  # at that field
    requests: int = 0  # for fields, in all
    given: tuple[str, ...] = ()  # keys of fields with a value
    refused: tuple[str, ...] = ()  # keys of fields left out
    over: bool = False


class TopicExplorationState(ProtocolState):
    exploration: Exploration
    clock_started_at: datetime | None = None  # moved on by time away
    facts: tuple[RememberedFact, ...] = ()
    manner: SpeakingStyle = SpeakingStyle()
    last_score: float = 0.0
    open_question: str = ""  # as it was put
    stems: tuple[str, ...] = ()  # how the last utterances began
    closures: int = 0  # times that a model tried to close the interview
    data: DataState = DataState()

    def mark_spoken(self, at: datetime) -> Self:
        """The clock starts when the first question is shown."""
        state = super().mark_spoken(at)
        return state.model_copy(update={"clock_started_at": self.clock_started_at or at})


def after_time_away(
    state: TopicExplorationState, at: datetime, paused: float
) -> TopicExplorationState:
    """Move the clock on by a pause (seconds) or a long silence."""
    if state.clock_started_at is None:
        return state
    moved = state.clock_started_at + time_away(state.asked_at, at, paused)
    return state.model_copy(update={"clock_started_at": moved})


def seconds_left(state: TopicExplorationState, total_seconds: int, at: datetime) -> float:
    """Return what is left of the planned time; negative once it is over."""
    if state.clock_started_at is None:
        return float(total_seconds)
    return total_seconds - (at - state.clock_started_at).total_seconds()
