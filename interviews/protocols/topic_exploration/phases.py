"""The table of phases as one pure function: where the interview goes after an answer.

| from | when | to |
| EXPLORE | a wish to stop | data |
| EXPLORE, last topic | nothing open anywhere | data |
| EXPLORE | time is out | offer |
| EXPLORE | LOW, minimum used | next topic |
| EXPLORE | HIGH, a bonus can be paid | same topic |
| EXPLORE | effective base used, nothing left to ask, or others need the time | next topic |
| EXPLORE | else | same topic |
| next topic, after the last | something open, time left | DEEPEN |
| next topic, after the last | something open, no time left | offer |
| DEEP_OFFER | accepted | DEEPEN |
| DEEP_OFFER | refused, or neutral for the second time | data |
| DEEPEN | the topic's turns are used | next of DEEPEN, after the last: data |
| DATA_COLLECTION | done | END |

"data" is DATA_COLLECTION where the bot has fields, else END. The first row that matches wins.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from interviews.engine.signal import Band
from interviews.protocols.topic_exploration.budget import (
    another_turn,
    deepen_order,
    may_have_bonus,
    time_for_more,
    with_bonus,
)
from interviews.protocols.topic_exploration.exploration import Exploration, Phase, TopicState

Offer = Literal["ACCEPT", "REFUSE", "NEUTRAL"]
MOST_OFFERS = 2


class PhaseRow(StrEnum):
    """Which row of the table was taken."""

    STOP = "stop"
    ALL_COVERED = "all_covered"
    TIME_OUT = "time_out"
    LOW = "low"
    BONUS = "bonus"
    BASE_USED = "base_used"
    STAY = "stay"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    ASKED_AGAIN = "asked_again"
    DEEPEN_STAY = "deepen_stay"
    DEEPEN_NEXT = "deepen_next"
    DEEPEN_DONE = "deepen_done"
    DATA_STAY = "data_stay"
    DATA_DONE = "data_done"
    ENDED = "ended"


@dataclass(frozen=True)
class TopicAnswer:
    """What an answer comes to, as far as the table asks."""

    band: Band = Band.MEDIUM
    seconds_left: float = 0.0
    stop: bool = False
    offer: Offer = "NEUTRAL"
    data_done: bool = False  # complete, refused or exhausted
    score: float = 0.0


def after(now: Exploration, heard: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    """The exploration after an answer, and the row that led there."""
    match now.phase:
        case Phase.EXPLORE:
            return _explored(_counted(now, heard), heard)
        case Phase.DEEP_OFFER:
            return _offered(now, heard)
        case Phase.DEEPEN:
            return _deepened(_counted(now, heard), heard)
        case Phase.DATA_COLLECTION:
            if heard.data_done:
                return _to(now, Phase.END), PhaseRow.DATA_DONE
            return now, PhaseRow.DATA_STAY
        case Phase.END:
            return now, PhaseRow.ENDED


def _counted(now: Exploration, heard: TopicAnswer) -> Exploration:
    """The answered turn is used, and the sub-goal or angle that it aimed at with it."""
    return _with_here(now, counted(now.here, heard, now.phase is Phase.DEEPEN))


def counted(topic: TopicState, heard: TopicAnswer, deepening: bool) -> TopicState:
    """The topic after one more of its turns was answered. DEEPEN has a budget of its own."""
    aimed = topic.uncovered[:1]
    turns = topic.used + topic.deepened + 1
    return topic.model_copy(
        update={
            "used": topic.used + (not deepening),
            "deepened": topic.deepened + deepening,
            "covered": topic.covered | set(aimed),
            "angles_used": topic.angles_used + (not aimed),
            "engagement": topic.engagement + (heard.score - topic.engagement) / turns,
        }
    )


def _explored(now: Exploration, heard: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    here = now.here
    if heard.stop:
        return _stopped(now), PhaseRow.STOP
    if now.is_last and not now.anything_open:
        return _to_data(now), PhaseRow.ALL_COVERED
    if heard.seconds_left <= 0:
        return _to_offer(now), PhaseRow.TIME_OUT
    if heard.band is Band.LOW and here.used >= here.min:
        return _next_topic(now), PhaseRow.LOW
    if _exhausted(here) or not time_for_more(now, heard.seconds_left):
        return _next_topic(now), PhaseRow.BASE_USED
    if heard.band is Band.HIGH and may_have_bonus(now):
        return with_bonus(now), PhaseRow.BONUS
    if here.used >= here.effective_base:
        return _next_topic(now), PhaseRow.BASE_USED
    return now, PhaseRow.STAY


def _exhausted(topic: TopicState) -> bool:
    """Nothing is left to ask: no sub-goal, no probe angle."""
    return not topic.uncovered and topic.angles_used >= topic.angles


def _next_topic(now: Exploration) -> Exploration:
    """The topic after this one; after the last, DEEPEN for what is open."""
    if not now.is_last:
        return now.model_copy(update={"topic": now.topic + 1})
    return _to_deepen(now) if now.anything_open else _to_data(now)


def _offered(now: Exploration, heard: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    if heard.stop or heard.offer == "REFUSE":
        return _to_data(now), PhaseRow.REFUSED
    if heard.offer == "ACCEPT":
        return _to_deepen(now.model_copy(update={"extended": True})), PhaseRow.ACCEPTED
    if now.offers >= MOST_OFFERS:
        return _to_data(now), PhaseRow.REFUSED
    return now.model_copy(update={"offers": now.offers + 1}), PhaseRow.ASKED_AGAIN


def _deepened(now: Exploration, heard: TopicAnswer) -> tuple[Exploration, PhaseRow]:
    used = now.deepen_used + 1
    now = now.model_copy(update={"deepen_used": used})
    if heard.stop:
        return _stopped(now), PhaseRow.STOP
    if another_turn(now.here, used):
        return now, PhaseRow.DEEPEN_STAY
    rest = now.deepen[1:]
    if not rest:
        return _to_data(now.model_copy(update={"deepen": ()})), PhaseRow.DEEPEN_DONE
    moved = {"deepen": rest, "topic": rest[0], "deepen_used": 0}
    return now.model_copy(update=moved), PhaseRow.DEEPEN_NEXT


def _to_deepen(now: Exploration) -> Exploration:
    order = deepen_order(now.topics)
    if not order:
        return _to_data(now)
    moved = {"phase": Phase.DEEPEN, "deepen": order, "topic": order[0], "deepen_used": 0}
    return now.model_copy(update=moved)


def _to_offer(now: Exploration) -> Exploration:
    return now.model_copy(update={"phase": Phase.DEEP_OFFER, "offers": 1})


def _to_data(now: Exploration) -> Exploration:
    return _to(now, Phase.DATA_COLLECTION if now.has_fields else Phase.END)


def _stopped(now: Exploration) -> Exploration:
    return _to_data(now.model_copy(update={"closed_early": True}))


def _to(now: Exploration, phase: Phase) -> Exploration:
    return now.model_copy(update={"phase": phase})


def _with_here(now: Exploration, topic: TopicState) -> Exploration:
    topics = (*now.topics[: now.topic], topic, *now.topics[now.topic + 1 :])
    return now.model_copy(update={"topics": topics})
