"""Where a topic exploration stands."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Phase(StrEnum):
    """The interview's phases, in their order."""

    EXPLORE = "EXPLORE"
    DEEP_OFFER = "DEEP_OFFER"
    DEEPEN = "DEEPEN"
    DATA_COLLECTION = "DATA_COLLECTION"
    END = "END"


class Coverage(StrEnum):
    """How much of a topic's sub-goals was talked about."""

    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


class TopicState(BaseModel):
    """One topic: its budget of turns, what was covered, what it gave."""

    model_config = ConfigDict(frozen=True)

    sub_goals: int  # how many there are
    angles: int = 0  # probe angles that can be asked once the sub-goals are covered
    min: int = 1
    base: int
    max: int  # lowered by one for every bonus turn that this topic pays for
    used: int = 0  # turns in EXPLORE
    deepened: int = 0  # turns in DEEPEN
    bonus: int = 0  # bonus turns granted
    covered: frozenset[int] = frozenset()  # sub-goals, by their place
    angles_used: int = 0
    engagement: float = 0.0  # mean signal score of its answers
    key_insight: str = ""
    insight_score: float = 0.0
    clarifications: int = 0

    @property
    def effective_base(self) -> int:
        """Turns without a bonus; less than the base where the topic has paid for others."""
        return min(self.base, self.max)

    @property
    def begun(self) -> bool:
        """Whether anything was asked on it."""
        return self.used + self.deepened > 0

    @property
    def uncovered(self) -> tuple[int, ...]:
        """Sub-goals that nothing was asked about, in their order."""
        return tuple(i for i in range(self.sub_goals) if i not in self.covered)

    @property
    def open(self) -> bool:
        """Whether it belongs into DEEPEN: a sub-goal is left, or it was never begun."""
        return bool(self.uncovered) or not self.begun

    @property
    def coverage(self) -> Coverage:
        """None, part or all of its sub-goals; a topic without any is full once begun."""
        if not self.open:
            return Coverage.FULL
        return Coverage.PARTIAL if self.covered else Coverage.NONE

    @property
    def can_pay(self) -> int:
        """Turns that it could give away before it is down to its minimum."""
        return self.max - self.min


class Exploration(BaseModel):
    """The part of the state that the table of phases is about."""

    model_config = ConfigDict(frozen=True)

    phase: Phase = Phase.EXPLORE
    topic: int = 0  # the current one, by its place
    topics: tuple[TopicState, ...]
    deepen: tuple[int, ...] = ()  # topics that DEEPEN has still to come to, the current one first
    deepen_used: int = 0  # turns in the current topic of DEEPEN
    offers: int = 0
    extended: bool = False  # the offer was accepted
    closed_early: bool = False  # by the participant
    has_fields: bool = False  # whether the bot collects data

    @property
    def here(self) -> TopicState:
        return self.topics[self.topic]

    @property
    def is_last(self) -> bool:
        """Whether no topic follows the current one."""
        return self.topic == len(self.topics) - 1

    @property
    def anything_open(self) -> bool:
        """Whether any topic belongs into DEEPEN."""
        return any(topic.open for topic in self.topics)

    @property
    def not_begun(self) -> int:
        """Topics after the current one that nothing was asked on."""
        return sum(not topic.begun for topic in self.topics[self.topic + 1 :])
