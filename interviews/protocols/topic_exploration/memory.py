"""What the interviewer remembers: facts, insights, how tired and in what manner somebody speaks.

All of it is computed; none of it costs a call.
"""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from interviews.engine.language.wishes import plain
from interviews.engine.signal import INSIGHT_FROM, score, snippet, word_count
from interviews.protocols.topic_exploration.exploration import TopicState

SURE = 0.6  # confidence from which a fact is kept
MOST_FACTS = 40
LATELY = 4  # answers that fatigue and style look at
LONG_GAP = 180.0  # seconds
TIRED = re.compile(
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
Style = Literal["formal", "casual", "brief", "verbose"]


class RememberedFact(BaseModel):
    """One thing that the participant has told."""

    model_config = ConfigDict(frozen=True)

    text: str
    confidence: float
    position: int  # of the entry that it comes from


class SpeakingStyle(BaseModel):
    """How the participant has been answering lately."""

    model_config = ConfigDict(frozen=True)

    lengths: tuple[int, ...] = ()  # words of the last answers
    gaps: tuple[float, ...] = ()  # seconds before each of them
    repeats: int = 0  # "as I said"
    formal: int = 0
    casual: int = 0

    def heard(self, answer: str, language: str, gap: float) -> "SpeakingStyle":
        text = plain(answer)
        return SpeakingStyle(
            lengths=(*self.lengths, word_count(answer, language))[-2 * LATELY :],
            gaps=(*self.gaps, gap)[-2 * LATELY :],
            repeats=self.repeats + bool(TIRED.search(text)),
            formal=self.formal + len(FORMAL.findall(text)),
            casual=self.casual + len(CASUAL.findall(text)),
        )

    def fatigue(self) -> tuple[float, tuple[str, ...]]:
        """0 to 1 in thirds, with the signs that it rests on."""
        signs = tuple(
            sign
            for sign, there in (
                ("answers get shorter", self._shrinking()),
                ("says that it was said before", self.repeats > 0),
                ("long gaps", sum(gap > LONG_GAP for gap in self.gaps[-LATELY:]) >= 2),
            )
            if there
        )
        return round(len(signs) / 3, 2), signs

    def _shrinking(self) -> bool:
        """The last answers have less than half the words of those before."""
        before, lately = self.lengths[:-LATELY], self.lengths[-LATELY:]
        return len(before) >= LATELY and 2 * sum(lately) / LATELY < sum(before) / len(before)

    def style(self) -> Style:
        """The manner that stands out most."""
        if self.formal > self.casual and self.formal >= 2:
            return "formal"
        if self.casual >= 2:
            return "casual"
        mean = sum(self.lengths) / len(self.lengths) if self.lengths else 0
        return "verbose" if mean > 60 else "brief"


def facts_with(
    known: Sequence[RememberedFact], told: Sequence[tuple[str, float]], position: int
) -> tuple[RememberedFact, ...]:
    """The facts with those that are sure enough and not known yet; bounded, the newest stay."""
    have = {plain(fact.text) for fact in known}
    new = [
        RememberedFact(text=" ".join(text.split())[:200], confidence=sure, position=position)
        for text, sure in told
        if sure >= SURE and text.strip() and plain(text) not in have
    ]
    return (*known, *new)[-MOST_FACTS:]


def with_insight(topic: TopicState, answer: str, language: str) -> TopicState:
    """The topic with this answer's best snippet, if no earlier answer gave more."""
    points = score(answer, language)
    if points < INSIGHT_FROM or points <= topic.insight_score:
        return topic
    return topic.model_copy(
        update={"key_insight": snippet(answer, language), "insight_score": points}
    )
