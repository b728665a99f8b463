from typing import Literal

from interviews.engine.context import FrozenState
from interviews.engine.moves import LedState
from interviews.protocols.topic_exploration.exploration import Exploration
from interviews.protocols.topic_exploration.memory import RememberedFact


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


class TopicExplorationState(LedState):
    exploration: Exploration
    facts: tuple[RememberedFact, ...] = ()
    data: DataState = DataState()
