"""The supervisor's status and figures, stored with each turn for researchers."""

from typing import Any

from interviews.engine.signal import band, score
from interviews.protocols.topic_exploration.hearing import Understood
from interviews.protocols.topic_exploration.here import Here, time_left
from interviews.protocols.topic_exploration.phases import Row
from interviews.protocols.topic_exploration.state import Exploration, Phase


def status(now: Here, moved: Exploration, row: Row | None) -> str:
    """The supervisor's status of the turn."""
    match moved.phase:
        case Phase.EXPLORE if row is Row.BONUS:
            return "EXPLORING_DEEP"
        case Phase.EXPLORE if moved.topic != now.state.exploration.topic:
            return "TRANSITION"
        case Phase.EXPLORE:
            return "EXPLORING"
        case Phase.DEEP_OFFER:
            return "DEEP_OFFER_ASK"
        case Phase.DEEPEN:
            return "DEEPENING"
        case Phase.DATA_COLLECTION if now.state.data.consent == "" and row is not Row.DATA_STAY:
            return "DATA_COLLECTION_CONSENT"
        case Phase.DATA_COLLECTION:
            return "DATA_COLLECTION"
    given = now.state.data.given or now.state.data.consent == "yes"
    return "FINAL_GOODBYE" if given else "COMPLETE_WITHOUT_DATA"


def details(
    now: Here, moved: Exploration, row: Row | None, understood: Understood | None
) -> dict[str, Any]:
    """What the trace and the exports show of a turn."""
    found: dict[str, Any] = {
        "supervisor": status(now, moved, row),
        "phase": str(moved.phase),
        "topic": now.material.topics[moved.topic].key,
        "row": str(row) if row else "",
    }
    if understood is not None and now.received.trigger == "user_answer":
        found |= {
            "signal_score": score(now.answer, now.language),
            "signal_band": str(band(now.answer, now.language)),
            "answered_topic": now.material.topics[now.state.exploration.topic].key,
            "seconds_left": round(time_left(now)),
        }
    return found
