from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.engine.leading import KEY
from interviews.exports.columns import Table, columns_of
from interviews.exports.reasons import reason_text
from interviews.exports.refi_qda.codes import CodableInterview, Coding, below, register_codes
from interviews.exports.registry import register
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import FinishedTurn, conversations
from interviews.models import Turn
from interviews.protocols.topic_exploration.context import item_id
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import PhaseRow
from interviews.turns.store import plan_content
from plans.protocols.topic_exploration.content import TopicExplorationMaterial

MET = f"readings__{KEY}__value__met"  # ids of sub-goals that a model found an answer to meet

BANDS = {
    "LOW": "signal score below 0.3",
    "MEDIUM": "signal score from 0.3 to 0.6",
    "HIGH": "signal score above 0.6",
}
STATUSES = {
    "EXPLORING": "a turn on a topic",
    "EXPLORING_DEEP": "a bonus turn on a topic",
    "TRANSITION": "the next topic was begun",
    "DEEPENING": "a turn on what was left open",
    "DEEP_OFFER_ASK": "an extension was offered",
    "CLOSING_QUESTION": "what else there is to say was asked",
    "DATA_COLLECTION_CONSENT": "consent was asked for",
    "DATA_COLLECTION": "data were asked for",
    "COMPLETE_WITHOUT_DATA": "the end, no data given",
    "FINAL_GOODBYE": "the end, data given",
}


RULES = {str(row): reason_text(row) for row in PhaseRow}
PHASES = {
    str(Phase.EXPLORE): "each topic in turn",
    str(Phase.DEEP_OFFER): "an extension is offered",
    str(Phase.DEEPEN): "what was left open",
    str(Phase.LAST): "the closing question",
    str(Phase.DATA_COLLECTION): "contact data, with consent",
    str(Phase.END): "the end",
}


class SignalRow(NamedTuple):
    session: ExportedSession
    turn: Annotated[int, "Number of the turn."]
    at: Annotated[datetime, "When the reply was given."]
    answered_topic: Annotated[str | None, "Topic of the answer."]
    signal_score: Annotated[float | None, "How much the answer gave, from 0 to 1."]
    signal_band: Annotated[str | None, "The band of the score.", BANDS]
    seconds_left: Annotated[
        int | None, "Seconds left of the planned time when the answer came; below zero after it."
    ]
    rule: Annotated[
        str | None, "The rule that led there; empty where a model led elsewhere.", RULES
    ]
    supervisor: Annotated[str | None, "What the reply did.", STATUSES]
    phase: Annotated[str | None, "The phase after it.", PHASES]
    topic: Annotated[str | None, "The topic after it."]


def rows(chosen: Selection) -> Iterator[SignalRow]:
    for batch in batches(chosen.with_content()):
        for session, _, turns in conversations(batch):
            for turn in turns:
                details = turn.decision.get("details", {})
                if "supervisor" in details:
                    yield _signal_row(session, turn, details)


def _signal_row(session: ExportedSession, turn: FinishedTurn, details: dict[str, Any]) -> SignalRow:
    return SignalRow(
        session,
        turn.number,
        turn.spoken_at,
        answered_topic=details.get("answered_topic") or None,
        signal_score=details.get("signal_score"),
        signal_band=details.get("signal_band") or None,
        seconds_left=details.get("seconds_left"),
        rule=details.get("row") or None,
        supervisor=details["supervisor"] or None,
        phase=details.get("phase") or None,
        topic=details.get("topic") or None,
    )


SIGNALS = Table(
    "signals",
    "One row a turn of interviews that score answers: how much the answer gave, and where it led.",
    columns_of(SignalRow),
    rows,
)


def topics(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    """Code answers with their topic, and with the sub-goals that they were asked for or met."""
    keys = [one.key for one in interviews if _material(one)]
    stored = Turn.objects.filter(session__in=keys).values_list("session", "number", MET)
    met = {(session, number): goals or [] for session, number, goals in stored}
    for one in interviews:
        material = _material(one)
        asked = {topic.key: topic for topic in material.topics} if material else {}
        for answer in one.answers:
            if topic := asked.get(answer.question):
                code = below(one.root("Topics"), topic.key, topic.label)
                yield Coding(one.key, answer.said.position, code)
                for number, goal in enumerate(topic.sub_goals):
                    question = topic.question_for(number)
                    put = bool(question) and question in answer.asked
                    if put or item_id(topic.order - 1, number) in met[one.key, answer.said.turn]:
                        yield Coding(one.key, answer.said.position, below(code, goal, goal))


def _material(interview: CodableInterview) -> TopicExplorationMaterial | None:
    material = plan_content(interview.session.session.plan_id).material
    return material if isinstance(material, TopicExplorationMaterial) else None


register(SIGNALS, position=40)
register_codes(topics)
