"""The supervisor's status and figures, stored with each turn for researchers."""

from typing import Any

from interviews.engine.signal import band, score
from interviews.protocols.topic_exploration.context import Here, time_left
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.phases import PhaseRow
from interviews.protocols.topic_exploration.reading import UnderstoodAnswer


def status(now: Here, moved: Exploration, row: PhaseRow | None) -> str:
    """The supervisor's status of the turn."""
    match moved.phase:
        case Phase.EXPLORE if row is PhaseRow.BONUS:
            return "EXPLORING_DEEP"
        case Phase.EXPLORE if moved.topic != now.state.exploration.topic:
            return "TRANSITION"
        case Phase.EXPLORE:
            return "EXPLORING"
        case Phase.DEEP_OFFER:
            return "DEEP_OFFER_ASK"
        case Phase.DEEPEN:
            return "DEEPENING"
        case Phase.DATA_COLLECTION if (
            now.state.data.consent == "" and row is not PhaseRow.DATA_STAY
        ):
            return "DATA_COLLECTION_CONSENT"
        case Phase.DATA_COLLECTION:
            return "DATA_COLLECTION"
    given = now.state.data.given or now.state.data.consent == "yes"
    return "FINAL_GOODBYE" if given else "COMPLETE_WITHOUT_DATA"


def details(
    now: Here, moved: Exploration, row: PhaseRow | None, understood: UnderstoodAnswer | None
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
