from enum import StrEnum
from typing import Literal, Self

from interviews.engine.context import FrozenState
from plans.protocols.topic_exploration.content import SECONDS_A_TURN, TopicMaterial


class Phase(StrEnum):
    EXPLORE = "EXPLORE"
    DEEP_OFFER = "DEEP_OFFER"
    DEEPEN = "DEEPEN"
    LAST = "LAST"
    DATA_COLLECTION = "DATA_COLLECTION"
    END = "END"


class TopicState(FrozenState):
    sub_goals: int  # how many there are
    angles: int = 0  # probe angles, asked about once no sub-goal is left
    min: int = 1
    base: int
    max: int  # one lower for every bonus turn that this topic has paid for
    used: int = 0  # turns in EXPLORE
    deepened: int = 0  # turns in DEEPEN
    bonus: int = 0  # bonus turns granted
    asked: frozenset[int] = frozenset()  # sub-goals and, after them, angles
    covered: frozenset[int] = frozenset()  # sub-goals that an answer has met
    answered: bool = False
    closed: bool = False  # the participant doesn't want to talk about it
    engagement: float = 0.0  # mean signal score of its answers
    key_insight: str = ""
    insight_score: float = 0.0

    @property
    def effective_base(self) -> int:
        """Turns without a bonus: less than the base where the topic has paid for others."""
        return min(self.base, self.max)

    @property
    def started(self) -> bool:
        return self.used + self.deepened > 0

    @property
    def left(self) -> tuple[int, ...]:
        """Sub-goals still to be asked about; one that was skipped isn't asked about again."""
        if self.closed:
            return ()
        return tuple(i for i in range(self.sub_goals) if i not in self.covered | self.asked)

    @property
    def angles_left(self) -> tuple[int, ...]:
        """Angles still to be asked about, in order, counted on from the sub-goals."""
        if self.closed:
            return ()
        angles = range(self.sub_goals, self.sub_goals + self.angles)
        return tuple(one for one in angles if one not in self.asked)

    @property
    def due(self) -> int | None:
        """What is to be asked about next: a sub-goal, else an angle; None for the topic itself."""
        return next(iter((*self.left, *self.angles_left)), None)

    @property
    def waits(self) -> bool:
        """Whether it is still to be begun; not if it was told on the way, or can't apply."""
        told = self.sub_goals > 0 and len(self.covered) == self.sub_goals
        return not (self.started or self.closed or told)

    @property
    def open(self) -> bool:
        """Whether DEEPEN should visit the topic: a sub-goal is left, or it was never started."""
        return bool(self.left) or self.waits

    @property
    def coverage(self) -> Literal["none", "partial", "full"]:
        """How far answers have met the sub-goals. A topic without any is full once answered."""
        if len(self.covered) == self.sub_goals:
            return "full" if self.covered or self.answered else "none"
        return "partial" if self.covered else "none"

    @property
    def spare_turns(self) -> int:
        return self.max - self.min


class Exploration(FrozenState):
    """The part of the state that the table of phases works on."""

    phase: Phase = Phase.EXPLORE
    topic: int = 0  # index of the current one
    aim: int | None = None  # the sub-goal or angle of it that the open question puts
    topics: tuple[TopicState, ...]
    deepen: tuple[int, ...] = ()  # topics left for DEEPEN, the current one first, see phases.py
    deepen_used: int = 0  # turns in the current topic of DEEPEN
    offers: int = 0
    extended: bool = False  # the offer was accepted
    closed_early: bool = False  # by the participant
    has_fields: bool = False  # the bot collects data

    @property
    def current(self) -> TopicState:
        return self.topics[self.topic]

    @property
    def ahead(self) -> tuple[int, ...]:
        """The topics still to be begun, by index."""
        topics = enumerate(self.topics)
        return tuple(i for i, topic in topics if i != self.topic and topic.waits)

    @property
    def is_last(self) -> bool:
        return not self.ahead

    @property
    def any_open(self) -> bool:
        return any(topic.open for topic in self.topics)

    @property
    def extra_turns(self) -> int:
        """What an extension would take."""
        return sum(deepen_turns(self.topics[i]) for i in deepen_order(self.topics))

    def with_topic(self, index: int, topic: TopicState) -> Self:
        topics = (*self.topics[:index], topic, *self.topics[index + 1 :])
        return self.but(topics=topics)


MAX_BONUSES = 2
MAX_DEEPEN_TURNS = 2
ENGAGING = 0.3  # from here on a topic gets a second turn in DEEPEN


def begun_topic(topic: TopicMaterial) -> TopicState:
    return TopicState(
        sub_goals=len(topic.sub_goals),
        angles=len(topic.intelligence.probe_angles),
        min=topic.min_turns,
        base=topic.base_turns,
        max=topic.max_turns,
    )


def _bonus_payer(exploration: Exploration) -> int | None:
    topics = exploration.topics
    payers = [i for i in exploration.ahead if topics[i].spare_turns > 0]
    return max(payers, key=lambda i: topics[i].spare_turns, default=None)


def can_have_bonus(exploration: Exploration) -> bool:
    current = exploration.current
    spent = current.used >= current.effective_base and current.used < current.max
    return spent and current.bonus < MAX_BONUSES and _bonus_payer(exploration) is not None


def grant_bonus(exploration: Exploration) -> Exploration:
    payer = _bonus_payer(exploration)
    if payer is None:
        return exploration
    current, paying = exploration.current, exploration.topics[payer]
    bonus = current.but(bonus=current.bonus + 1)
    paid = paying.but(max=paying.max - 1)
    return exploration.with_topic(exploration.topic, bonus).with_topic(payer, paid)


def has_time_for_turn(exploration: Exploration, seconds_left: float) -> bool:
    """Return whether one more turn leaves every topic to come time for its minimum."""
    if exploration.current.used < exploration.current.min:
        return True
    return seconds_left >= SECONDS_A_TURN * len(exploration.ahead)


def deepen_turns(topic: TopicState) -> int:
    """Return how many turns DEEPEN gives an open topic: at most two, if it is engaging."""
    wanted = max(1, min(MAX_DEEPEN_TURNS, len(topic.left)))
    return wanted if topic.engagement >= ENGAGING else 1


def deepens_again(topic: TopicState, used: int) -> bool:
    return used < MAX_DEEPEN_TURNS and bool(topic.left) and topic.engagement >= ENGAGING


def deepen_order(topics: tuple[TopicState, ...]) -> tuple[int, ...]:
    """Return the indexes of open topics: those never started first, else in plan order."""
    open_topics = (i for i, topic in enumerate(topics) if topic.open)
    return tuple(sorted(open_topics, key=lambda i: topics[i].started))
