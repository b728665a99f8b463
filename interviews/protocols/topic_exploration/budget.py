"""Turns by topic: how many at first, and how a bonus is paid for.

Sum of max + bonuses granted is constant; min ≤ effective base ≤ max; used ≤ max.
"""

from interviews.protocols.topic_exploration.exploration import Exploration, TopicState

SECONDS_A_TURN = 45
LEAST = 1
MOST_BONUSES = 2
DEEPEN_MOST = 2
ENGAGED = 0.3  # engagement from which a topic gets a second turn in DEEPEN


def topics_of(shapes: list[tuple[int, int]], total_seconds: int) -> tuple[TopicState, ...]:
    """Topics with their budgets. In: (sub-goals, probe angles) of each, and the interview's time.

    base = max(2, turns in all ÷ topics), max = base + 2.
    """
    base = max(2, total_seconds // SECONDS_A_TURN // len(shapes))
    return tuple(
        TopicState(sub_goals=goals, angles=angles, min=LEAST, base=base, max=base + 2)
        for goals, angles in shapes
    )


def payer(now: Exploration) -> int | None:
    """The topic that would pay for a bonus turn: of those to come, the one with most to give."""
    coming = range(now.topic + 1, len(now.topics))
    able = [i for i in coming if not now.topics[i].begun and now.topics[i].can_pay > 0]
    return max(able, key=lambda i: now.topics[i].can_pay, default=None)


def may_have_bonus(now: Exploration) -> bool:
    """Whether the current topic, its effective base used up, can buy one more turn."""
    here = now.here
    spent = here.used >= here.effective_base and here.used < here.max
    return spent and here.bonus < MOST_BONUSES and payer(now) is not None


def with_bonus(now: Exploration) -> Exploration:
    """One more turn for the current topic, one less for who pays."""
    pays = payer(now)
    if pays is None:
        return now
    topics = list(now.topics)
    topics[now.topic] = now.here.model_copy(update={"bonus": now.here.bonus + 1})
    topics[pays] = topics[pays].model_copy(update={"max": topics[pays].max - 1})
    return now.model_copy(update={"topics": tuple(topics)})


def time_for_more(now: Exploration, seconds_left: float) -> bool:
    """Whether a turn beyond the minimum leaves every topic to come its own minimum."""
    if now.here.used < now.here.min:
        return True
    return seconds_left >= SECONDS_A_TURN * now.not_begun


def deepen_turns(topic: TopicState) -> int:
    """Turns that an open topic gets in DEEPEN: one, or two if it is engaging and leaves enough."""
    wanted = max(1, min(DEEPEN_MOST, len(topic.uncovered)))
    return wanted if topic.engagement >= ENGAGED else 1


def another_turn(topic: TopicState, used: int) -> bool:
    """Whether DEEPEN stays with a topic after so many turns of its own there."""
    return used < DEEPEN_MOST and bool(topic.uncovered) and topic.engagement >= ENGAGED


def deepen_order(topics: tuple[TopicState, ...]) -> tuple[int, ...]:
    """Open topics: those never begun first, each group in the interview's order."""
    return tuple(
        sorted((i for i, topic in enumerate(topics) if topic.open), key=lambda i: topics[i].begun)
    )
