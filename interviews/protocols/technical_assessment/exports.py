from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.registry import register
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, keys
from interviews.exports.utterances import OpenQuestionTracker, TranscriptUtterance, conversations
from interviews.models import Session
from interviews.protocols.technical_assessment.context import script_in
from interviews.protocols.technical_assessment.observations import RIGHT
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.protocols.technical_assessment.state import Observed, TechnicalAssessmentState
from interviews.turns.store import plan_content, stored_state

STATUSES = {
    "confirmed": "the answer shows that it is known",
    "gap": "it shows that it is not",
    "hallucination_suspect": "it claims a thing that does not exist",
    "not_judged": "no model judged it, or it does not answer the question",
}
ACTIONS = {"increase": "the next question is to be harder", "same": "as hard", "decrease": "easier"}
SHOWN_FLAGS = ("hallucination", "off_topic", "role_reversal", "stop_intent")
LENGTHS = dict.fromkeys(("short", "medium", "long"), "")


class ObservationRow(NamedTuple):
    session: ExportedSession
    position: Annotated[int, "Place of the answer in the transcript."]
    turn: Annotated[int, "The turn in which it was given."]
    topic: Annotated[str, "The topic's key."]
    level: Annotated[int, "How hard the question was, from 1 to 5."]
    question: Annotated[str, "The question as it was asked."]
    expected: Annotated[
        str, "What a good answer holds, for questions of the list; empty for others."
    ]
    scored: Annotated[
        bool,
        "Whether it counts: judged, not about experience, not put again afterwards, and not the "
        "answer to the closing question.",
    ]
    correctness: Annotated[float | None, "How right it is, from 0 to 1; empty if not judged."]
    confidence: Annotated[float | None, "How sure it sounds, from 0 to 1; empty if not judged."]
    judged_as: Annotated[str, "What it shows.", STATUSES]
    action: Annotated[str, "What it means for what follows.", ACTIONS]
    notes: Annotated[str, "The observer's note."]
    correct_answer: Annotated[str, "What would have been right, where something was missed."]
    hallucination: Annotated[bool, "Whether it claims a thing that does not exist."]
    off_topic: Annotated[bool, "Whether it strays."]
    role_reversal: Annotated[bool, "Whether it asks back."]
    stop_intent: Annotated[bool, "Whether it wishes to stop."]
    flags: Annotated[
        str,
        "All flags, with their reasons if known; left_out: skipped or refused; closing: the answer "
        "to the closing question.",
    ]
    verbosity: Annotated[str, "How long it is.", LENGTHS]
    examples: Annotated[bool, "Whether it uses an example."]
    observer_thoughts: Annotated[str, "What the observer thought."]
    interviewer_thoughts: Annotated[str, "Why the interviewer had asked that question."]
    judged_by: Annotated[str, "Who read it: a model, or rules, which never judge."]


SAME = set(ObservationRow._fields) & set(Observed.__dataclass_fields__) - {"flags"}


def rows(chosen: Selection) -> Iterator[ObservationRow]:
    for batch in batches(chosen.with_content().filter(plan__protocol=PROTOCOL.name)):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session, said, _ in conversations(batch):
            state = stored_state(PROTOCOL, session.session.plan_id, states[session.session.pk])
            if state:
                asked = _asked_keys(said, state)
                for one in state.observations:
                    yield _row(session, one, asked.get(one.position, ""))


def _asked_keys(
    said: Sequence[TranscriptUtterance], state: TechnicalAssessmentState
) -> dict[int, str]:
    """Return the key in the list of what each answer answers; its words may be adapted."""
    tracker, found = OpenQuestionTracker(), dict[int, str]()
    for one in said:
        tracker.update(one.role, one.kind, one.question, one.number)
        if tracker.number:
            found[one.position] = state.asked[tracker.number - 1].key
    return found


def _row(session: ExportedSession, one: Observed, asked: str) -> ObservationRow:
    same: dict[str, Any] = {name: getattr(one, name) for name in SAME}
    shown: dict[str, Any] = {name: name in one.flags for name in SHOWN_FLAGS}
    expected = _expected(session.session.plan_id, session.language)
    return ObservationRow(
        session=session,
        **same,
        expected=expected.get((one.topic, asked)) or expected.get((one.topic, one.question), ""),
        judged_as=one.status,
        **shown,
        flags="\n".join(
            f"{flag}: {one.flags[flag]}".strip(": ") for flag in sorted(one.flags, key=_place)
        ),
        observer_thoughts=one.thoughts.get("observer", ""),
        interviewer_thoughts=one.thoughts.get("interviewer", ""),
        judged_by=one.source,
    )


def _place(flag: str) -> tuple[bool, str]:
    """Return a flag's place: those with a column of their own first; databases keep no order."""
    return flag not in SHOWN_FLAGS, flag


@lru_cache(maxsize=256)
def _expected(plan_id: int, language: str) -> dict[tuple[str, str], str]:
    """Return what good answers hold, by topic and key, and by topic and text."""
    script = script_in(plan_content(plan_id).material, language)
    named = ((one, name) for one in script.questions for name in (one.key, one.text))
    return {(one.topic, name): one.expected for one, name in named}


OBSERVATIONS = Table(
    "observations",
    "One row an answer that was judged, with scores, reasons, thoughts and what was expected. For "
    "reviewers and researchers; participants never see any of it.",
    columns_of(ObservationRow),
    rows,
    right=RIGHT,
)

register(OBSERVATIONS, position=80)
