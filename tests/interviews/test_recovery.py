"""A turn whose process has died: whoever comes back to the interview brings its reply."""

import asyncio
import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import AsyncClient, RequestFactory, override_settings
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Turn
from interviews.participant.views.replies import message_id
from interviews.turns import actions, store, turn_runner
from interviewsite.processes import background, tasks
from llm.concurrency.threads import in_database
from llm.tasks.outcome import Outcome
from tests.interviews.talk import Talk, begin, reply_text
from tests.interviews.test_consumers import socket
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
STORY = "We lived over a bakery in Riga, and my grandmother told stories every evening."
LEFT = 1.2  # seconds that the dead process's lease still runs
WITHIN = 4.0  # seconds from then on
ID = "cut"


async def orphaned(bot, left: float = LEFT, message_id: str = ID) -> Talk:
    """An interview whose process has died with an answer in its hands."""
    talk = await begin(bot)
    session = await talk.session()
    await in_database(_record, session, left, message_id)
    return talk


def _record(session, left: float, message_id: str) -> None:
    claimed = store.record(session, Turn.Trigger.ANSWER, STORY, message_id, timezone.now())
    until = timezone.now() + timedelta(seconds=left)
    Turn.objects.filter(pk=claimed.turn.pk).update(lease_until=until)


async def answered(talk: Talk) -> Turn:
    """The turn, once there is a reply to it."""
    async with asyncio.timeout(LEFT + WITHIN):
        while (await talk.session()).status != SessionStatus.WAITING_ANSWER:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    entries = await talk.entries()
    assert [entry.text for entry in entries].count(STORY) == 1
    assert entries[-1].role == "interviewer"
    return (await talk.turns())[-1]


# -- every contact


def bearer(talk: Talk) -> dict[str, str]:
    return {"Authorization": f"Bearer {talk.token}"}


async def post_again(talk: Talk, **headers: str):
    body = {"session_id": str(talk.session_id), "answer": STORY, "message_id": ID}
    return await AsyncClient().post(
        "/api/chat",
        json.dumps(body),
        content_type="application/json",
        headers=bearer(talk) | headers,
    )


async def _answer_again(talk: Talk) -> None:
    response = await post_again(talk)
    assert response.status_code == 200
    turn = (await talk.turns())[-1]
    assert response.json()["message"] == await in_database(reply_text, turn.pk) != ""


async def _stream_again(talk: Talk) -> None:
    response = await post_again(talk, Accept="text/event-stream")
    said = b"".join([part async for part in response.streaming_content]).decode()
    assert "event: done" in said


FORM = {"text": STORY, "message_id": ID, "answering": "2"}


async def _form_again(talk: Talk, **headers: str) -> None:
    response = await talk.browser().post(f"/s/{talk.session_id}/answer/", FORM, headers=headers)
    assert response.status_code in (200, 303)  # without a script it is led to the page


async def _script_again(talk: Talk) -> None:
    await _form_again(talk, **{"HX-Request": "true"})


def _get_page(rest: str):
    async def get(talk: Talk) -> None:
        script = {"HX-Request": "true"} if "state" in rest else {}
        response = await talk.browser().get(f"/s/{talk.session_id}/{rest}", headers=script)
        assert response.status_code == 200

    return get


def _get_api(path: str):
    async def get(talk: Talk) -> None:
        url = f"/api/chat/{path.format(talk.session_id)}"
        response = await AsyncClient().get(url, headers=bearer(talk))
        assert response.status_code == 200

    return get


async def _open_socket(talk: Talk) -> None:
    page = socket(talk)
    assert (await page.connect())[0]
    await page.receive_from(5)
    await page.disconnect()


CONTACTS = {
    "the same answer": _answer_again,
    "the same answer, streamed": _stream_again,
    "the same form": _form_again,
    "the same form by script": _script_again,
    "page": _get_page(""),
    "page's question for news": _get_page("state/?sequence=1"),
    "page's transcript": _get_page("transcript/"),
    "state": _get_api("session/{}"),
    "resume": _get_api("session/{}/resume"),
    "transcript": _get_api("session/{}/transcript"),
    "my session": _get_api("my-session"),
    "websocket": _open_socket,
}


@pytest.mark.parametrize("contact", CONTACTS)
async def test_one_contact_brings_the_reply_as_soon_as_the_lease_has_run_out(bot, contact):
    sent = message_id(RequestFactory().post("/", FORM)) if contact == "the same form" else ID
    talk = await orphaned(bot, message_id=sent)
    await CONTACTS[contact](talk)
    assert (await answered(talk)).attempts == 2


async def test_many_contacts_look_at_the_turn_once(bot):
    talk = await orphaned(bot, left=60)
    session = await talk.session()
    with counted() as seen:
        for _ in range(20):
            actions.recover(session)
            await asyncio.sleep(0.01)
    assert len(seen) == 1


async def test_a_turn_that_runs_here_is_not_taken_over_however_late_its_lease_is(bot, monkeypatch):
    talk, gate = await begin(bot), asyncio.Event()

    async def ask(task, data, subject, on_partial=None):
        await gate.wait()
        return Outcome(task.fallback(data), "fallback", "held")

    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)
    turn = await actions.receive(await talk.session(), STORY, ID)
    past = timezone.now() - timedelta(seconds=1)
    await in_database(Turn.objects.filter(pk=turn).update, lease_until=past)
    assert await actions.sweep() == 0
    actions.recover(await talk.session())
    await asyncio.sleep(0.1)
    gate.set()
    assert await actions.finished(turn)
    assert (await talk.turns())[-1].attempts == 1


# -- leases


@override_settings(TURN_LEASE=1.6)
async def test_turns_under_way_keep_their_leases_by_one_query(bot, monkeypatch):
    gate = asyncio.Event()

    async def ask(task, data, subject, on_partial=None):
        await gate.wait()
        return Outcome(task.fallback(data), "fallback", "held")

    talks = [await begin(bot) for _ in range(5)]
    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)
    turns = [await actions.receive(await talk.session(), STORY, ID) for talk in talks]
    with counted() as seen:
        await asyncio.sleep(2)
    renewals = [sql for sql in seen if sql.startswith("UPDATE") and "lease_until" in sql]
    assert 2 <= len(renewals) <= 5
    assert await in_database(store.reclaim) == []
    gate.set()
    for turn in turns:
        assert await actions.finished(turn)


async def test_a_lost_lease_is_noticed_and_a_finished_turn_is_none(bot):
    talks = [await orphaned(bot, left=60) for _ in range(3)]
    kept, lost, done = [(await talk.turns())[-1] for talk in talks]
    await in_database(Turn.objects.filter(pk=lost.pk).update, lease_owner="1" * 32)
    await in_database(Turn.objects.filter(pk=done.pk).update, status="done")
    held = {turn.lease_owner: turn.pk for turn in (kept, lost, done)}
    assert await in_database(store.renew, held) == {lost.lease_owner}
    await in_database(store.release, lost)
    assert (await talks[1].turns())[-1].lease_until == lost.lease_until  # its new owner's
    renewed = (await talks[0].turns())[-1].lease_until
    assert renewed < timezone.now() + timedelta(seconds=30) < kept.lease_until


@override_settings(TURN_LEASE=0.4)
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
async def test_leases_are_renewed_again_after_the_database_was_away(bot, monkeypatch, error):
    tried = []

    def renew(held):
        tried.append(held)
        raise error("away")

    monkeypatch.setattr(turn_runner.store, "renew", renew)
    talk = await orphaned(bot, left=60)
    turn = (await talk.turns())[-1]
    with turn_runner._leases.get().hold(turn):
        await asyncio.sleep(0.6)
    assert len(tried) > 1


@override_settings(TURN_LEASE=0.4)
async def test_who_has_lost_the_lease_asks_nobody_any_more(bot, monkeypatch):
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def ask(task, data, subject, on_partial=None):
        asked.set()
        try:
            await asyncio.sleep(30)
        finally:
            stopped.set()

    talk = await begin(bot)
    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)
    turn = await actions.receive(await talk.session(), STORY, ID)
    async with asyncio.timeout(10):
        await asked.wait()
        await in_database(Turn.objects.filter(pk=turn).update, lease_owner="1" * 32)
        await stopped.wait()


# -- sweeping where no worker does


class _Sweeps:
    def __init__(self, monkeypatch) -> None:
        self.count = 0
        monkeypatch.setattr(background.actions, "sweep", self.sweep)

    async def sweep(self) -> int:
        self.count += 1
        return 0


@override_settings(SWEEP_EVERY=0.2)
async def test_of_many_processes_one_sweeps_where_no_worker_does(monkeypatch):
    sweeps = _Sweeps(monkeypatch)
    running = [asyncio.create_task(background._sweep_unless_others_do()) for _ in range(10)]
    await asyncio.sleep(2.2)
    for task in running:
        task.cancel()
    assert 2 <= sweeps.count <= 6


@override_settings(SWEEP_EVERY=0.2)
async def test_nobody_else_sweeps_while_a_worker_does(monkeypatch):
    sweeps = _Sweeps(monkeypatch)
    task = asyncio.create_task(background._sweep_unless_others_do())
    for _ in range(8):
        background.mark_swept()
        await asyncio.sleep(0.2)
    task.cancel()
    assert sweeps.count == 0


@override_settings(SWEEP_EVERY=0.1)
async def test_without_an_answer_from_redis_each_process_sweeps(monkeypatch):
    def fail(*args, **kwargs):
        raise ConnectionError("Redis is away")

    sweeps = _Sweeps(monkeypatch)
    monkeypatch.setattr(cache, "add", fail)
    task = asyncio.create_task(background._sweep_unless_others_do())
    await asyncio.sleep(1)
    task.cancel()
    assert sweeps.count >= 2


# -- jobs


def broken(at_once: bool) -> int:
    raise OSError(30, "Read-only file system")


def sweeping(monkeypatch, swept: list) -> None:
    """Three kinds of jobs; the second can't be looked through."""

    def note(at_once: bool) -> int:
        swept.append(at_once)
        return 0

    monkeypatch.setattr(background, "SWEEPS", [note, broken, note])


def test_a_worker_sweeps_on_when_one_kind_of_job_fails(monkeypatch):
    turns, jobs = _Sweeps(monkeypatch), []
    sweeping(monkeypatch, jobs)
    tasks.sweep()
    assert (jobs, turns.count) == ([False, False], 1)


@override_settings(SWEEP_EVERY=0.05)
@pytest.mark.parametrize("away", [False, True])
async def test_one_process_takes_all_jobs_of_the_last_one(monkeypatch, away):
    """Also if the database comes back only after it has started, and if one kind fails."""
    asked, jobs = [], []

    async def sweep(at_once: bool) -> int:
        asked.append(at_once)
        if away and len(asked) == 1:
            raise DatabaseError("away")
        return 0

    monkeypatch.setattr(background.actions, "sweep", sweep)
    sweeping(monkeypatch, jobs)
    task = asyncio.create_task(background._sweep_for_ever())
    async with asyncio.timeout(5):
        while len(jobs) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    task.cancel()
    assert jobs[:4] == [True, True, False, False]
    assert asked[:2] == [True, away]
