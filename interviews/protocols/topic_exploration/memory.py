"""Facts, and the insight that a topic leaves."""

from collections.abc import Sequence

from interviews.engine.context import FrozenState
from interviews.engine.language.wishes import plain
from interviews.engine.signal import INSIGHT_FROM, score, snippet
from interviews.protocols.topic_exploration.exploration import TopicState

MIN_CONFIDENCE = 0.6
MAX_FACTS = 40


class RememberedFact(FrozenState):
    text: str
    confidence: float
    position: int  # of the entry that it comes from
    topic: str = ""  # label of the topic that it was told on


def add_facts(
    known: Sequence[RememberedFact],
    reported: Sequence[tuple[str, float]],
    position: int,
    topic: str,
) -> tuple[RememberedFact, ...]:
    """Add facts that are confident and new; beyond the limit the oldest are dropped."""
    known_texts = {plain(fact.text) for fact in known}
    new = [
        RememberedFact(
            text=" ".join(text.split())[:200], confidence=confidence, position=position, topic=topic
        )
        for text, confidence in reported
        if confidence >= MIN_CONFIDENCE and text.strip() and plain(text) not in known_texts
    ]
    return (*known, *new)[-MAX_FACTS:]


def add_insight(topic: TopicState, answer: str, language: str) -> TopicState:
    points = score(answer, language)
    if points < INSIGHT_FROM or points <= topic.insight_score:
        return topic
    return topic.but(key_insight=snippet(answer, language), insight_score=points)
