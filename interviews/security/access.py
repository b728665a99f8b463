"""Secrets that open sessions; only their hashes are stored.

A browser keeps a participant's secret in an HttpOnly cookie; API clients and personal links hold a
session's. Wrong and expired secrets look alike: the same exception after the same query.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone

from interviews.choices import ACTIVE
from interviews.measures.paradata import with_question
from interviews.models import AccessKey, Participant, Session
from llm.concurrency.threads import in_database

PARTICIPANT_COOKIE = f"{settings.COOKIE_PREFIX}interviewsite"
COOKIE_AGE = timedelta(days=400)
SECRET_BYTES = 16


class AccessDenied(Exception):
    pass


class OtherInterviewOpen(Exception):
    """This browser's participant has an interview open, and the link is somebody else's."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session


def digest(secret: str) -> str:
    """Hash a secret. It is random, so one round of SHA-256 is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_key(participant: Participant, session: Session | None = None) -> str:
    secret = secrets.token_urlsafe(SECRET_BYTES)
    AccessKey.objects.create(digest=digest(secret), participant=participant, session=session)
    return secret


def open_session(cookies: Mapping[str, str], session_id: UUID, bearer: str = "") -> Session:
    """Return the session if the bearer token or the cookie opens it. Raises AccessDenied."""
    sessions = with_question(Session.objects.select_related("participant", "bot"))
    return _find_session(sessions, session_id, _digests(cookies, bearer))


def look_at_session(cookies: Mapping[str, str], session_id: UUID) -> Session:
    """Return the session alone, for its newest words. Raises AccessDenied."""
    return _find_session(Session.objects.all(), session_id, _digests(cookies, ""))


async def session_for(cookies: Mapping[str, str], session_id: UUID, bearer: str = "") -> Session:
    return await in_database(open_session, cookies, session_id, bearer)


async def participant_for(cookies: Mapping[str, str], bearer: str = "") -> Participant | None:
    return await in_database(_find_participant, _digests(cookies, bearer))


async def new_link(session: Session) -> str:
    if session.participant is None:
        raise AccessDenied
    return await in_database(new_key, session.participant, session)


async def enter(session_id: UUID, token: str, known: Participant | None = None) -> str:
    """Exchange a link's token for a new cookie value.

    `known` is the participant whom the cookie would replace; None if that is agreed to. Raises
    AccessDenied, and OtherInterviewOpen.
    """
    session = await session_for({}, session_id, token)
    if session.participant is None:
        raise AccessDenied
    await in_database(refuse_swap, known, session.participant)
    return await in_database(new_key, session.participant)


def refuse_swap(known: Participant | None, entering: Participant) -> None:
    """Raise OtherInterviewOpen if `known` is somebody else with an active interview."""
    session = None if known == entering else active_session(known)
    if session is not None:
        raise OtherInterviewOpen(session)


def active_session(
    participant: Participant | None, bot: str = "", experiment: str = ""
) -> Session | None:
    """Return the participant's latest active session, of a bot or an experiment if one is named."""
    if participant is None:
        return None
    sessions = Session.objects.filter(participant=participant, status__in=ACTIVE)
    sessions = sessions.filter(bot__slug=bot) if bot else sessions
    if experiment:
        sessions = sessions.filter(assignment__arm__experiment__slug=experiment)
    return sessions.select_related("participant", "bot").order_by("-started_at").first()


def remember(response: HttpResponse, cookie: str) -> None:
    response.set_cookie(
        PARTICIPANT_COOKIE,
        cookie,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def _digests(cookies: Mapping[str, str], bearer: str) -> list[str]:
    return [digest(secret) for secret in (bearer, cookies.get(PARTICIPANT_COOKIE, "")) if secret]


def _find_session(sessions: QuerySet[Session], session_id: UUID, digests: list[str]) -> Session:
    opened = sessions.filter(
        _not_expired("participant__keys__"),
        Q(participant__keys__session=None) | Q(participant__keys__session=session_id),
        participant__keys__digest__in=digests or [""],
        pk=session_id,
    )
    if session := next(iter(opened[:1]), None):  # two keys may open one
        return session
    raise AccessDenied


def _find_participant(digests: list[str]) -> Participant | None:
    keys = AccessKey.objects.select_related("participant").filter(_not_expired())
    key = keys.filter(digest__in=digests or [""]).first()
    return key.participant if key else None


def _not_expired(key: str = "") -> Q:
    never, later = {f"{key}expires_at": None}, {f"{key}expires_at__gt": timezone.now()}
    return Q(**never) | Q(**later)
