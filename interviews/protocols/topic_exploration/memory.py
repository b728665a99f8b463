"""Facts, insights, fatigue and manner of speaking; all computed without a model."""

import re
from collections.abc import Sequence
from typing import Literal

from interviews.engine.context import FrozenState
from interviews.engine.language.wishes import plain
from interviews.engine.signal import INSIGHT_FROM, score, snippet, word_count
from interviews.protocols.topic_exploration.exploration import TopicState

MIN_CONFIDENCE = 0.6
MAX_FACTS = 40
RECENT_ANSWERS = 4  # for fatigue and style
LONG_GAP = 180.0  # seconds
REPETITION = re.compile(
    r"\b(?:as i (?:already )?(?:said|told)|i (?:already|just) (?:said|told)|same as before|"
    r"come (?:ho )?(?:già )?dett[oa]|l'ho già detto|как я (?:уже )?(?:говорил|сказал)а?|"
    r"я (?:уже|же) (?:говорил|сказал)а?)\b"
)
FORMAL = re.compile(
    r"\b(?:therefore|however|furthermore|moreover|regarding|pertinent|tuttavia|pertanto|inoltre|"
    r"riguardo|однако|следовательно|кроме того|относительно|касательно)\b"
)
CASUAL = re.compile(
    r"\b(?:yeah|gonna|kinda|wanna|stuff|cool|lol|boh|vabbè|tipo|cioè|ок|ага|типа|короче|прикольно)\b"
)
Style = Literal["", "formal", "casual", "brief", "verbose"]
BRIEF, VERBOSE = 12, 60  # words on average


class RememberedFact(FrozenState):
    text: str
    confidence: float
    position: int  # of the entry that it comes from
    topic: str = ""  # label of the topic that it was told on


class SpeakingStyle(FrozenState):
    lengths: tuple[int, ...] = ()  # words of the last answers
    gaps: tuple[float, ...] = ()  # seconds before each of them
    repeats: int = 0  # "as I said"
    formal: int = 0
    casual: int = 0

    def after_answer(self, answer: str, language: str, gap: float) -> "SpeakingStyle":
        text = plain(answer)
        return SpeakingStyle(
            lengths=(*self.lengths, word_count(answer, language))[-2 * RECENT_ANSWERS :],
            gaps=(*self.gaps, gap)[-2 * RECENT_ANSWERS :],
            repeats=self.repeats + bool(REPETITION.search(text)),
            formal=self.formal + len(FORMAL.findall(text)),
            casual=self.casual + len(CASUAL.findall(text)),
        )

    def fatigue_signs(self) -> list[str]:
        signs = (
            ("answers get shorter", self._shrinking()),
            ("says that it was said before", self.repeats > 0),
            ("long gaps", sum(gap > LONG_GAP for gap in self.gaps[-RECENT_ANSWERS:]) >= 2),
        )
        return [sign for sign, there in signs if there]

    def _shrinking(self) -> bool:
        before, lately = self.lengths[:-RECENT_ANSWERS], self.lengths[-RECENT_ANSWERS:]
        if len(before) < RECENT_ANSWERS:
            return False
        return 2 * sum(lately) / RECENT_ANSWERS < sum(before) / len(before)

    def style(self) -> Style:
        """Return how they write; empty if in no particular way, and before anything was said."""
        if not self.lengths:
            return ""
        if self.formal > self.casual and self.formal >= 2:
            return "formal"
        if self.casual >= 2:
            return "casual"
        mean = sum(self.lengths) / len(self.lengths)
        if mean > VERBOSE:
            return "verbose"
        return "brief" if mean < BRIEF else ""


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
