"""Turns per topic, and how a bonus turn is paid for by a topic to come.

The sum of max and bonus over all topics is constant; min ≤ effective base ≤ max; used ≤ max.
"""

from interviews.protocols.topic_exploration.exploration import Exploration, TopicState

SECONDS_PER_TURN = 45
MIN_TURNS = 1
MAX_BONUSES = 2
MAX_DEEPEN_TURNS = 2
ENGAGING = 0.3  # from here on a topic gets a second turn in DEEPEN


def budgeted_topics(shapes: list[tuple[int, int]], total_seconds: int) -> tuple[TopicState, ...]:
    """Return topics with their budgets: base = max(2, turns in all ÷ topics), max = base + 2.

    `shapes` holds the number of sub-goals and of probe angles of each topic.
    """
    base = max(2, total_seconds // SECONDS_PER_TURN // len(shapes))
    return tuple(
        TopicState(sub_goals=goals, angles=angles, min=MIN_TURNS, base=base, max=base + 2)
        for goals, angles in shapes
    )


def _bonus_payer(exploration: Exploration) -> int | None:
    topics = exploration.topics
    ahead = range(exploration.topic + 1, len(topics))
    payers = [i for i in ahead if not topics[i].started and topics[i].spare_turns > 0]
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
    bonus = current.model_copy(update={"bonus": current.bonus + 1})
    paid = paying.model_copy(update={"max": paying.max - 1})
    return exploration.with_topic(exploration.topic, bonus).with_topic(payer, paid)


def has_time_for_turn(exploration: Exploration, seconds_left: float) -> bool:
    """Return whether one more turn leaves every topic to come time for its minimum."""
    if exploration.current.used < exploration.current.min:
        return True
    return seconds_left >= SECONDS_PER_TURN * exploration.topics_ahead


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
