"""What each protocol counts: turns that were used, and what counts as covered."""

from collections.abc import Callable
from typing import Any, NamedTuple

from interviews.protocols.laddering.state import LadderingState


class Counts(NamedTuple):
    turns: Callable[[Any], int]
    covered: Callable[[Any], int]


def _life_turns(state: Any) -> int:
    return state.current_question_index * 100 + state.stays


def _topic_turns(state: Any) -> int:
    return sum(topic.used for topic in state.exploration.topics)


def _topic_covered(state: Any) -> int:
    return sum(len(topic.covered) for topic in state.exploration.topics)


def _observed(state: Any) -> int:
    return sum(one.status == "confirmed" for one in state.observations)


def _answered(state: Any) -> int:
    return sum(item.status == "ANSWERED_BY_INTERVIEW" for item in state.items)


def _nodes(state: LadderingState) -> int:
    return len(state.graph.nodes)


COUNTS = {
    "life_story": Counts(_life_turns, lambda state: 0),
    "topic_exploration": Counts(_topic_turns, _topic_covered),
    "technical_assessment": Counts(lambda state: state.answered, _observed),
    "knowledge_transfer": Counts(lambda state: state.round, _answered),
    "laddering": Counts(lambda state: state.talk.turn, _nodes),
}
