"""The table of phases as one pure function: where the interview goes after an answer.

| from | when | to |
| EXPLORE | a wish to stop | data |
| EXPLORE, last topic | nothing open anywhere | last |
| EXPLORE | time is out | offer |
| EXPLORE | LOW, minimum used | next topic |
| EXPLORE | HIGH, a bonus can be paid | same topic |
| EXPLORE | effective base used, nothing left to ask, or others need the time | next topic |
| EXPLORE | else | same topic |
| next topic, after the last | something open, time left | DEEPEN |
| next topic, after the last | something open, no time left | offer |
| DEEP_OFFER | accepted | DEEPEN |
| DEEP_OFFER | a wish to stop | data |
| DEEP_OFFER | refused, or neutral for the second time | last |
| DEEPEN | the topic's turns are used | next of DEEPEN, after the last: last |
| LAST | the closing question is answered | data |
| DATA_COLLECTION | done | END |

"last" is the closing question; "data" is DATA_COLLECTION where the bot has fields, else END. The
first row that matches wins. This is where the interview goes without a model; what a model may
choose beside it is offered in protocol.py.
After an accepted offer, DEEPEN has as many turns as were offered, at most. DEEPEN is not cut by the
clock; EXPLORE is, whatever is answered. A skip, a refusal and not knowing count as LOW; something
heavy earns no further turn. A closed topic is left and not begun.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from interviews.engine.signal import Band
from interviews.protocols.topic_exploration.exploration import (
    Exploration,
    Phase,
    can_have_bonus,
    deepen_order,
    deepen_turns,
    deepens_again,
    grant_bonus,
    has_time_for_turn,
)

Offer = Literal["ACCEPT", "REFUSE", "NEUTRAL"]
MAX_OFFERS = 2


class PhaseRow(StrEnum):
    STOP = "stop"
    ALL_COVERED = "all_covered"
    TIME_OUT = "time_out"
    LOW = "low"
    BONUS = "bonus"
    BASE_USED = "base_used"
    STAY = "next_goal"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    ASKED_AGAIN = "asked_again"
    DEEPEN_STAY = "deepen_stay"
    DEEPEN_NEXT = "deepen_next"
    DEEPEN_DONE = "deepen_done"
    LAST_ANSWERED = "last_answered"
    DATA_STAY = "data_stay"
    DATA_DONE = "data_done"
    ENDED = "ended"


@dataclass(frozen=True)
class TopicAnswer:
    """An answer, as far as the table of phases depends on it.

    `closed_goals` are pairs of a topic and a sub-goal, both by index; a topic's angles count on
    from its sub-goals.
    """

    band: Band = Band.MEDIUM
    seconds_left: float = 0.0
    stop: bool = False
    offer: Offer = "NEUTRAL"
    data_done: bool = False  # complete, refused or exhausted
    score: float = 0.0
    covers: bool = True  # it answers the question that was put
    judged: bool = True  # false where the model that says so has failed
    heavy: bool = False
    closed_topics: frozenset[int] = frozenset()
    closed_goals: frozenset[tuple[int, int]] = frozenset()


def advance(exploration: Exploration, answer: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    """Return the exploration after an answer, and the row of the table that applied."""
    moved, row = _advance(exploration, answer)
    return moved.but(aim=moved.current.due), row


def _advance(exploration: Exploration, answer: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    match exploration.phase:
        case Phase.EXPLORE | Phase.DEEPEN | Phase.LAST if answer.stop:  # which uses no turn
            return _to_data(exploration.but(closed_early=True)), PhaseRow.STOP
        case Phase.EXPLORE:
            return _after_explore(count_turn(exploration, answer), answer)
        case Phase.DEEP_OFFER:
            return _after_offer(_close(exploration, answer), answer)
        case Phase.DEEPEN:
            return _after_deepen(count_turn(exploration, answer), answer)
        case Phase.LAST:
            return _to_data(exploration), PhaseRow.LAST_ANSWERED
        case Phase.DATA_COLLECTION:
            if answer.data_done:
                return exploration.but(phase=Phase.END), PhaseRow.DATA_DONE
            return exploration, PhaseRow.DATA_STAY
        case Phase.END:
            return exploration, PhaseRow.ENDED


def count_turn(exploration: Exploration, answer: TopicAnswer) -> Exploration:
    """Use up the answered turn and its sub-goal or angle. DEEPEN has a budget of its own.

    Where something hard was stayed with, that has cost no turn beyond the topic's last.
    """
    topic, deepening = exploration.current, exploration.phase is Phase.DEEPEN
    aimed_at = () if exploration.aim is None else (exploration.aim,)
    goals = {aim for aim in aimed_at if aim < topic.sub_goals}
    turns = topic.used + topic.deepened + 1
    score = topic.engagement if answer.heavy else answer.score
    counted = topic.but(
        used=topic.used if deepening else min(topic.used + 1, topic.max),
        deepened=topic.deepened + deepening,
        asked=topic.asked | set(aimed_at),
        covered=topic.covered | (goals if answer.covers else set()),
        answered=topic.answered or answer.covers or not answer.judged,
        engagement=topic.engagement + (score - topic.engagement) / turns,
    )
    return _close(exploration.with_topic(exploration.topic, counted), answer)


def _close(exploration: Exploration, answer: TopicAnswer) -> Exploration:
    for index in answer.closed_topics:
        exploration = exploration.with_topic(index, exploration.topics[index].but(closed=True))
    for index, goal in answer.closed_goals:
        topic = exploration.topics[index]
        exploration = exploration.with_topic(index, topic.but(asked=topic.asked | {goal}))
    return exploration


def use_turn(exploration: Exploration) -> Exploration:
    """Use a turn of the topic for an answer off topic, if it has one to spare."""
    topic = exploration.current
    if exploration.phase is Phase.DEEPEN:
        return exploration.but(deepen_used=exploration.deepen_used + 1)
    if exploration.phase is not Phase.EXPLORE or topic.used + 1 >= topic.max:
        return exploration
    return exploration.with_topic(exploration.topic, topic.but(used=topic.used + 1))


def _after_explore(exploration: Exploration, answer: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    topic = exploration.current
    if exploration.is_last and not exploration.any_open:
        return _to_last(exploration), PhaseRow.ALL_COVERED
    if answer.seconds_left <= 0:
        return exploration.but(phase=Phase.DEEP_OFFER, offers=1), PhaseRow.TIME_OUT
    if answer.band is Band.LOW and topic.used >= topic.min:
        return _next_topic(exploration), PhaseRow.LOW
    asked_all = not topic.left and (not topic.angles_left or answer.heavy)
    if topic.closed or asked_all or not has_time_for_turn(exploration, answer.seconds_left):
        return _next_topic(exploration), PhaseRow.BASE_USED
    if answer.band is Band.HIGH and can_have_bonus(exploration):
        return grant_bonus(exploration), PhaseRow.BONUS
    if topic.used >= topic.effective_base:
        return _next_topic(exploration), PhaseRow.BASE_USED
    return exploration, PhaseRow.STAY


def _next_topic(exploration: Exploration) -> Exploration:
    if exploration.is_last:
        return _to_deepen(exploration)
    return exploration.but(topic=exploration.ahead[0])


def _after_offer(exploration: Exploration, answer: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    if answer.stop:
        return _to_data(exploration), PhaseRow.REFUSED
    if answer.offer == "REFUSE":
        return _to_last(exploration), PhaseRow.REFUSED
    if answer.offer == "ACCEPT":
        return _to_deepen(exploration.but(extended=True)), PhaseRow.ACCEPTED
    if exploration.offers >= MAX_OFFERS:
        return _to_last(exploration), PhaseRow.REFUSED
    return exploration.but(offers=exploration.offers + 1), PhaseRow.ASKED_AGAIN


def _after_deepen(exploration: Exploration, answer: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    used = exploration.deepen_used + 1
    exploration = exploration.but(deepen_used=used)
    offered, rest = exploration.deepen[1:], _next_topics(exploration)
    if deepens_again(exploration.current, used) and not answer.heavy:
        if not exploration.extended:
            return exploration, PhaseRow.DEEPEN_STAY
        if len(offered) > len(rest):
            return exploration.but(deepen=offered), PhaseRow.DEEPEN_STAY
    if not rest:
        return _to_last(exploration.but(deepen=())), PhaseRow.DEEPEN_DONE
    return exploration.but(deepen=rest, topic=rest[0], deepen_used=0), PhaseRow.DEEPEN_NEXT


def _next_topics(exploration: Exploration) -> tuple[int, ...]:
    topics = exploration.topics
    others = (index for index in exploration.deepen if index != exploration.topic)
    return tuple(index for index in others if topics[index].open)


def _to_deepen(exploration: Exploration) -> Exploration:
    """Begin DEEPEN. After an offer, `deepen` names a topic once for each question offered on it."""
    topics = exploration.topics
    order = deepen_order(topics)
    if not order:
        return _to_last(exploration)
    if exploration.extended:
        order = tuple(index for index in order for _ in range(deepen_turns(topics[index])))
    return exploration.but(phase=Phase.DEEPEN, deepen=order, topic=order[0], deepen_used=0)


def _to_data(exploration: Exploration) -> Exploration:
    return exploration.but(phase=Phase.DATA_COLLECTION if exploration.has_fields else Phase.END)


def _to_last(exploration: Exploration) -> Exploration:
    return exploration.but(phase=Phase.LAST)
