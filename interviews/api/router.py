"""The JSON API of the chat. The endpoints' docstrings are their descriptions in OpenAPI."""

import uuid
from collections.abc import Awaitable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Router

from interviews.api import queries, schemas
from interviews.api.authentication import bearer_token, cookies
from interviews.api.stream import stream_reply
from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.recruitment.consent import ConsentChoice
from interviews.security import access, client_ip
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from interviews.turns.snapshot import Snapshot, snapshot
from llm.concurrency.threads import in_database
from plans.text import normalised
from plans.text.languages import accepted_languages

router = Router(tags=["chat"])
problems = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429), schemas.Problem)
PRESS = schemas.ButtonIn()  # of a request without a body


@router.get("/bots", response=list[schemas.BotOut], exclude_none=True)
async def bots(request: HttpRequest) -> list[dict[str, Any]]:
    """The public bots that are open now."""
    return await in_database(queries.open_bots)


@router.post("/chat/start", response={200: schemas.StartOut, **problems})
async def start(request: HttpRequest, response: HttpResponse, data: schemas.StartIn) -> Any:
    """Begins an interview; the caller's earlier active one with this bot is closed.

    It stays where the parameters name another person: then somebody new begins.
    """
    caller = await access.participant_for(cookies(request), bearer_token(request))
    params = {key: str(value) for key, value in data.params.items()}
    bot = normalised(data.bot) if data.bot else None
    person = await in_database(queries.person_to_start, bot, caller, params)
    consent = None if data.consent is None else ConsentChoice(data.consent)
    asked = StartRequest(
        bot,
        data.participant_name,
        data.language,
        params,
        data.given,
        consent=consent,
        accepted_languages=accepted_languages(request.headers.get("Accept-Language", "")),
    )
    started = await actions.start(asked, person, client_ip.of_request(request))
    if started.cookie and not bearer_token(request):  # a token may come from any site
        access.remember(response, started.cookie)
    return {
        **schemas.reply(started.snapshot),
        "session_id": started.session_id,
        "token": started.token,
        "intro": schemas.intro_of(started.snapshot),
    }


@router.post("/chat", response={200: schemas.ReplyOut, **problems})
async def chat(request: HttpRequest, data: schemas.AnswerIn) -> Any:
    """An answer, and what the interviewer says to it.

    With `Accept: text/event-stream` the words come as they are made: `delta` and `replace` events
    with a text, then `done` with the reply, or `error`.
    """
    session = await open_session(request, data.session_id)
    message_id = data.message_id if data.message_id is not None else uuid.uuid4().hex
    receiving = actions.receive(
        session, data.answer, message_id, answering=data.answering, measures=data.measures
    )
    if "text/event-stream" in request.headers.get("Accept", ""):
        events = await stream_reply(session.pk, receiving)
        return StreamingHttpResponse(events, content_type="text/event-stream")
    return await _reply_to(receiving)


@router.get("/chat/my-session", response={200: schemas.SessionOut, **problems})
async def my_session(request: HttpRequest, bot: str = "") -> Any:
    """The caller's active session with that bot, or the latest with any."""
    person = await access.participant_for(cookies(request), bearer_token(request))
    session = await in_database(access.active_session, person, normalised(bot))
    if session is None:
        raise access.AccessDenied
    actions.recover(session)
    return schemas.state(await take_snapshot(session))


@router.get("/chat/session/{session_id}", response={200: schemas.SessionOut, **problems})
async def session_state(request: HttpRequest, session_id: UUID) -> Any:
    """A session as it stands."""
    return schemas.state(await take_snapshot(await open_session(request, session_id)))


@router.get("/chat/session/{session_id}/resume", response={200: schemas.ResumeOut, **problems})
async def resume(request: HttpRequest, session_id: UUID) -> Any:
    """A session with all that was said."""
    session = await open_session(request, session_id)
    snap = await in_database(snapshot, session, limit=None)
    return {**schemas.state(snap), "entries": snap.entries}


@router.get(
    "/chat/session/{session_id}/transcript", response={200: schemas.TranscriptOut, **problems}
)
async def transcript(request: HttpRequest, session_id: UUID) -> Any:
    """Everything that was said."""
    session = await open_session(request, session_id)
    snap = await in_database(snapshot, session, limit=None)
    return {"session_id": snap.id, "status": snap.status, "entries": snap.entries}


@router.post("/chat/session/{session_id}/skip", response={200: schemas.ReplyOut, **problems})
async def skip(request: HttpRequest, session_id: UUID, data: schemas.ButtonIn = PRESS) -> Any:
    """Leaves the open question out; the reply is the next one."""
    session = await open_session(request, session_id)
    return await _reply_to(actions.receive(session, "", _message_id(data), "skip", data.answering))


@router.post("/chat/session/{session_id}/pause", response={200: schemas.SessionOut, **problems})
async def pause(request: HttpRequest, session_id: UUID) -> Any:
    """Keeps the place; the next answer goes on from there."""
    session = await open_session(request, session_id)
    await actions.pause(session)
    return schemas.state(await take_snapshot(await actions.fresh(session.pk)))


@router.post("/chat/session/{session_id}/end", response={200: schemas.ReplyOut, **problems})
async def end(request: HttpRequest, session_id: UUID, data: schemas.ButtonIn = PRESS) -> Any:
    """Ends the interview; the reply is the goodbye."""
    session = await open_session(request, session_id)
    await actions.end(session, _message_id(data))
    return schemas.reply(await take_snapshot(await actions.fresh(session.pk)))


@router.post("/chat/session/{session_id}/rating", response={200: schemas.SessionOut, **problems})
async def rating(request: HttpRequest, session_id: UUID, data: schemas.RatingIn) -> Any:
    """How the interview was for them, once it has ended. May be changed later."""
    session = await open_session(request, session_id)
    await actions.rate(session, data.model_dump(exclude_unset=True))
    return schemas.state(await take_snapshot(await actions.fresh(session.pk)))


@router.post(
    "/chat/session/{session_id}/withdraw", response={200: schemas.WithdrawnOut, **problems}
)
async def withdraw(request: HttpRequest, session_id: UUID) -> Any:
    """Deletes all that was said, and all that came of it. Its secrets open nothing any more."""
    session = await open_session(request, session_id)
    erased = await actions.withdraw(session)
    return {"session_id": session.pk, "status": SessionStatus.WITHDRAWN, "erased": erased}


async def _reply_to(receiving: Awaitable[int]) -> dict[str, Any]:
    turn = await receiving
    await actions.finished(turn)
    return await in_database(queries.reply_of, turn)


def _message_id(data: schemas.ButtonIn) -> str:
    return data.message_id or uuid.uuid4().hex


async def open_session(request: HttpRequest, session_id: UUID) -> Session:
    """Return the session if the caller's secret opens it. Raises access.AccessDenied."""
    session = await access.session_for(cookies(request), session_id, bearer_token(request))
    actions.recover(session)
    return session


async def take_snapshot(session: Session) -> Snapshot:
    return await in_database(snapshot, session)
