"""What participants get of all this: their own, and never what is said about them."""

import json

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from interviews.models import Session
from interviews.participant.routing import websockets
from interviews.security.access import PARTICIPANT_COOKIE, new_key
from interviews.turns.deletion import deletion_lines
from llm.concurrency.threads import in_database
from reflections import jobs
from reflections.models import Reflection
from tests.reflections.held import NOTE, RIGHT, THOUGHT, held_session, wished

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ("", "summary/", "state/", "earlier/", "transcript/", "transcript.txt", "link/", "end/")
API = ("", "/resume", "/transcript", "/reflections")
SECRET = (NOTE, THOUGHT, RIGHT, "EXPECTED-", "No Hire", "Strong Hire", "correctness", "verdict")


@pytest.fixture
def held(settings):
    """An assessment that has ended, with all that is made of it, and its candidate's secret."""
    settings.LLM_PROVIDER = ""
    session = held_session(own_summary=True)
    for name in ("summary", "report", "own_summary"):
        jobs.make(wished(session, name).pk)
    return session, new_key(session.participant)


@pytest.fixture
def candidate(held) -> Client:
    """Their browser."""
    client = Client()
    client.cookies[PARTICIPANT_COOKIE] = held[1]
    return client


def leaks(content: str) -> list[str]:
    return [secret for secret in SECRET if secret in content]


@pytest.mark.parametrize("suffix", PAGES)
def test_no_page_tells_what_was_judged(held, candidate, suffix):
    response = candidate.get(f"/s/{held[0].pk}/{suffix}")
    assert response.status_code in (200, 302, 303, 405)
    assert leaks(response.content.decode()) == []


@pytest.mark.parametrize("path", API)
def test_no_reply_tells_what_was_judged(held, candidate, path):
    response = candidate.get(f"/api/chat/session/{held[0].pk}{path}")
    assert response.status_code == 200
    assert leaks(response.content.decode()) == []


def test_the_api_gives_the_participants_own(held, candidate):
    told = candidate.get(f"/api/chat/session/{held[0].pk}/reflections").json()
    found = {one["name"]: one["content"] for one in told["reflections"]}
    assert found.keys() == {"summary", "own_summary"}
    assert found["own_summary"]["confirmed"] == ["Python", "Databases"]
    assert found["own_summary"]["to_learn"][0].keys() == {"topic", "questions"}


async def test_no_socket_tells_what_was_judged(held):
    session, cookie = held
    headers = [
        (b"origin", b"http://testserver"),
        (b"host", b"testserver"),
        (b"cookie", f"{PARTICIPANT_COOKIE}={cookie}".encode()),
    ]
    page = WebsocketCommunicator(websockets, f"/ws/s/{session.pk}/?after=0", headers=headers)
    assert (await page.connect())[0]
    assert leaks(await page.receive_from(5)) == []
    await page.disconnect()
    assert await in_database(session.reflections.count) == 3


def test_participants_have_no_way_into_the_admin(held, candidate):
    report = held[0].reflections.get(name="report")
    for suffix in ("change", "download"):
        response = candidate.get(f"/admin/reflections/reflection/{report.pk}/{suffix}/")
        assert response.status_code in (302, 403, 404)
        assert leaks(response.content.decode()) == []


def test_the_end_leads_to_the_candidates_own_summary(held, candidate):
    session = held[0]
    address = f"/s/{session.pk}/summary/"
    assert address in candidate.get(f"/s/{session.pk}/").content.decode()
    shown = candidate.get(address).content.decode()
    for words in ("Python", "Databases", "What do you know of databases?"):
        assert words in shown
    assert Client().get(address).status_code == 404
    session.reflections.all().delete()
    assert "nothing to show" in candidate.get(address).content.decode()
    wished(session, "own_summary")
    assert "preparing your summary" in candidate.get(address).content.decode()


def test_without_the_option_there_is_none(settings):
    settings.LLM_PROVIDER = ""
    session = held_session()
    client = Client()
    client.cookies[PARTICIPANT_COOKIE] = new_key(session.participant)
    address = f"/s/{session.pk}/summary/"
    assert address not in client.get(f"/s/{session.pk}/").content.decode()
    assert client.get(address).status_code == 404


def test_why_something_failed_is_for_those_who_run_the_site(held, candidate):
    Reflection.objects.filter(session=held[0]).update(
        status="failed", reason="ConnectionError: db.internal (10.0.0.7)"
    )
    told = candidate.get(f"/api/chat/session/{held[0].pk}/reflections").json()
    assert {one["status"] for one in told["reflections"]} == {"failed"}
    assert "10.0.0.7" not in json.dumps(told)


def test_who_deletes_an_interview_is_told_that_what_was_made_of_it_goes_too(held):
    made = Reflection.objects.filter(session=held[0]).count()
    lines = deletion_lines(Session.objects.filter(pk=held[0].pk))
    assert f"{made} reflection{'' if made == 1 else 's'}" in lines
