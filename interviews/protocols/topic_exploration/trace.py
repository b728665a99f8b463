from typing import Any

from interviews.engine.signal import band, score
from interviews.protocols.topic_exploration.context import TopicContext, time_left
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.phases import PhaseRow


def _supervisor_status(ctx: TopicContext, moved: Exploration, row: PhaseRow | None) -> str:
    match moved.phase:
        case Phase.EXPLORE if row is PhaseRow.BONUS:
            return "EXPLORING_DEEP"
        case Phase.EXPLORE if moved.topic != ctx.state.exploration.topic:
            return "TRANSITION"
        case Phase.EXPLORE:
            return "EXPLORING"
        case Phase.DEEP_OFFER:
            return "DEEP_OFFER_ASK"
        case Phase.DEEPEN:
            return "DEEPENING"
        case Phase.LAST:
            return "CLOSING_QUESTION"
        case Phase.DATA_COLLECTION:
            asks_consent = not ctx.state.data.consent and row is not PhaseRow.DATA_STAY
            return "DATA_COLLECTION_CONSENT" if asks_consent else "DATA_COLLECTION"
    given = ctx.state.data.given or ctx.state.data.consent == "yes"
    return "FINAL_GOODBYE" if given else "COMPLETE_WITHOUT_DATA"


def details(ctx: TopicContext, moved: Exploration, row: PhaseRow | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "supervisor": _supervisor_status(ctx, moved, row),
        "phase": str(moved.phase),
        "topic": ctx.material.topics[moved.topic].key,
        "row": str(row) if row else "",
    }
    if _is_answer(ctx, row):
        shown |= {
            "answered_topic": ctx.material.topics[ctx.state.exploration.topic].key,
            "seconds_left": round(time_left(ctx)),
        }
        if ctx.reading.intent == "answer":
            shown["signal_score"] = score(ctx.answer, ctx.language)
            shown["signal_band"] = str(band(ctx.answer, ctx.language))
    return shown


def _is_answer(ctx: TopicContext, row: PhaseRow | None) -> bool:
    """Return whether something was said to a topic's question, if only that it is skipped."""
    on_topic = ctx.state.exploration.phase in (Phase.EXPLORE, Phase.DEEPEN)
    said = ctx.received.trigger == "user_answer"
    return said and on_topic and row not in (None, PhaseRow.STOP)
