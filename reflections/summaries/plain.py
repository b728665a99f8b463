"""The summary that needs no model: the questions with their answers."""

from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.models import Session
from reflections.evidence.material import material

ASKING = {EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION}


def plain_summary(session: Session) -> dict[str, Any]:
    """Return {items: [{question, asked, answers: [{text, position}]}]} in the interview's order."""
    items: list[dict[str, Any]] = []
    for entry in material(session).order_by("position").iterator():
        if entry.kind in ASKING and entry.question:
            items.append({"question": entry.question, "asked": entry.text, "answers": []})
        elif entry.role == SpeakerRole.PARTICIPANT and entry.text and items:
            items[-1]["answers"].append({"text": entry.text, "position": entry.position})
    return {"items": [item for item in items if item["answers"]], "made_by": "rules"}
