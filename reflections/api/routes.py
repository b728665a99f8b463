from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from ninja.security import SessionAuth

from interviews.admin.access_log import record_seen
from interviews.api.router import open_session, problems
from interviews.models import Session
from interviews.security.access import AccessDenied
from llm.concurrency.threads import in_database
from plans.bots.teams import visible
from reflections.exports.statements import loaded_review
from reflections.models import Judgement, Reflection, Review
from reflections.products import PRODUCTS
from reflections.reviews import final

FOR_THE_SITE = ("findings", "reason", "condensed")  # never shown to participants
RIGHT = "reflections.view_reflection"
SEEN = "Read the reflections by the API."

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


class ReviewOut(Schema):
    """How a product is judged now."""

    state: str
    reviewer: str
    reviewed_at: datetime | None
    comment: str
    amended: dict[str, Any] | None  # the content as amended

    @staticmethod
    def resolve_amended(review: Review) -> dict[str, Any] | None:
        return review.content or None


class ReviewedOut(ReflectionOut):
    """One product with its review."""

    title: str
    review: ReviewOut
    final: bool  # whether a person has let it pass

    @staticmethod
    def resolve_review(row: Reflection) -> Review:
        return loaded_review(row)

    @staticmethod
    def resolve_final(row: Reflection) -> bool:
        return final(row, loaded_review(row)) is not None


class AllReflectionsOut(Schema):
    """All products of one session."""

    session_id: UUID
    reflections: list[ReviewedOut]


class Reader(SessionAuth):
    """Somebody logged in who may read reflections. To anybody else there is nothing here."""

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        if not request.user.has_perm(RIGHT):
            raise AccessDenied
        return request.user


@router.get("/chat/session/{session_id}/reflections", response={200: ReflectionsOut, **problems})
async def reflections(request: HttpRequest, session_id: UUID) -> Any:
    """The participant's products of a session with their state; what others read is not here."""
    session = await open_session(request, session_id)
    names = [name for name, product in PRODUCTS.items() if product.for_participants]
    found = Reflection.objects.filter(session=session, name__in=names)
    ordered = found.select_related("review").order_by("id")
    rows = await in_database(lambda: [_participant_view(row) for row in ordered])
    return {"session_id": session.pk, "reflections": rows}


def _participant_view(row: Reflection) -> Reflection:
    row.reason = ""  # failures are only for the people who run the site
    row.content = for_participants(row.content, getattr(row, "review", None))
    return row


def for_participants(content: Mapping[str, Any], review: Review | None) -> dict[str, Any]:
    """Return content as participants get it: amended, without findings and rejected sections."""
    current = review.content or content if review else content
    visible = {name: value for name, value in current.items() if name not in FOR_THE_SITE}
    if review and review.state == Judgement.State.REJECTED and "sections" in visible:
        visible["sections"] = []
    return visible


@router.get(
    "/sessions/{session_id}/reflections",
    response={200: AllReflectionsOut, **problems},
    auth=Reader(),
)
async def all_reflections(request: HttpRequest, response: HttpResponse, session_id: UUID) -> Any:
    """All products of a session with their reviews, for who may read reflections in the admin."""
    response.headers["Cache-Control"] = "no-store"
    return await in_database(_all_reflections, request.user, session_id)


def _all_reflections(reader: Any, session_id: UUID) -> dict[str, Any]:
    session = visible(Session.objects.all(), reader).filter(pk=session_id).first()
    if session is None:
        raise AccessDenied
    rows = session.reflections.select_related("review").order_by("id")
    record_seen(reader, session, SEEN)
    return {"session_id": session.pk, "reflections": list(rows)}
