"""What needs no model: the questions with all that was answered to each."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from interviews.exports.reasons import NO_ANSWER
from interviews.models import Session, TranscriptEntry
from interviews.words import Kind, Role
from reflections.models import Judgement

FOR_THE_SITE = ("findings", "reason", "condensed")  # what checks found, why models failed
DISTRESS = Q(role=Role.PARTICIPANT, turn__decision__reason__in=("distress", "care_choice"))
ASKING = {Kind.SCRIPTED_QUESTION, Kind.TOPIC_QUESTION, Kind.QUESTION}


def plain_summary(session: Session) -> dict[str, Any]:
    """{items: [{question, asked, answers: [{text, position}]}]} in the order of the interview."""
    items: list[dict[str, Any]] = []
    for entry in material(session).order_by("position").iterator():
        if entry.kind in ASKING and entry.question:
            items.append({"question": entry.question, "asked": entry.text, "answers": []})
        elif entry.role == Role.PARTICIPANT and entry.text and items:
            items[-1]["answers"].append({"text": entry.text, "position": entry.position})
    return {"items": [item for item in items if item["answers"]], "made_by": "rules"}


def for_participants(content: Mapping[str, Any], review: Judgement | None) -> dict[str, Any]:
    """A product of theirs as they get it: as amended, without a model's words that a reviewer has
    rejected, and without what code found in its draft."""
    stands = review.content or content if review else content
    shown = {name: value for name, value in stands.items() if name not in FOR_THE_SITE}
    if review and review.state == Judgement.State.REJECTED and "sections" in shown:
        shown["sections"] = []
    return shown


def material(session: Session) -> QuerySet[TranscriptEntry]:
    """What products are made of: a cry for help is for those who lead the interview alone."""
    return told(session).exclude(DISTRESS)


def told(session: Session) -> QuerySet[TranscriptEntry]:
    """What was said, without what answers nothing: questions back, words about skipping and
    stopping."""
    nothing = Q(role=Role.PARTICIPANT, turn__decision__reason__in=sorted(NO_ANSWER))
    back = Q(kind=Kind.CANDIDATE_QUESTION)
    return TranscriptEntry.objects.filter(session=session).exclude(nothing | back)
