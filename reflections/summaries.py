"""The summary that needs no model: the questions with all that was answered to each."""

from typing import Any

from django.db.models import Q, QuerySet

from interviews.exports.reasons import NO_ANSWER
from interviews.models import Session, TranscriptEntry
from interviews.words import Kind, Role

ASKING = {Kind.SCRIPTED_QUESTION, Kind.TOPIC_QUESTION, Kind.QUESTION}


def plain_summary(session: Session) -> dict[str, Any]:
    """{items: [{question, asked, answers: [{text, position}]}]} in the order of the interview."""
    items: list[dict[str, Any]] = []
    for entry in told(session).order_by("position").iterator():
        if entry.kind in ASKING and entry.question:
            items.append({"question": entry.question, "asked": entry.text, "answers": []})
        elif entry.role == Role.PARTICIPANT and entry.text and items:
            items[-1]["answers"].append({"text": entry.text, "position": entry.position})
    return {"items": [item for item in items if item["answers"]], "made_by": "rules"}


def told(session: Session) -> QuerySet[TranscriptEntry]:
    """What was said, without what answers nothing: questions back, words about skipping and
    stopping."""
    nothing = Q(role=Role.PARTICIPANT, turn__decision__reason__in=sorted(NO_ANSWER))
    back = Q(kind=Kind.CANDIDATE_QUESTION)
    return TranscriptEntry.objects.filter(session=session).exclude(nothing | back)
