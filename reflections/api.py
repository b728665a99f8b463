"""What is made of an interview, over the JSON API."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from interviews.api import opened, problems
from llm.threads import in_database
from reflections.models import Reflection
from reflections.reports import OWN_SUMMARY

FOR_PARTICIPANTS = ("summary", OWN_SUMMARY)  # all else is about them, for those who ask

router = Router(tags=["reflections"])


class ReflectionOut(Schema):
    """One product and how far it is."""

    name: str
    status: str
    reason: str
    content: dict[str, Any]
    finished_at: datetime | None


class ReflectionsOut(Schema):
    """The participant's products of one session."""

    session_id: UUID
    reflections: list[ReflectionOut]


@router.get("/chat/session/{session_id}/reflections", response={200: ReflectionsOut, **problems})
async def reflections(request: HttpRequest, session_id: UUID) -> Any:
    """The participant's products of a session with their state; what others read is not here."""
    session = await opened(request, session_id)
    mine = Reflection.objects.filter(session=session, name__in=FOR_PARTICIPANTS)
    rows = await in_database(lambda: list(mine))
    return {"session_id": session.pk, "reflections": rows}
