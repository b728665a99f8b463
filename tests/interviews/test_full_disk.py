"""A database that takes nothing more: people are told so, and keep their words."""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from html import unescape
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.test import AsyncClient

from interviews.choices import SessionStatus
from interviews.security import access
from interviews.turns import actions
from llm.concurrency import threads
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "We lived over a bakery in Riga, and the ovens warmed the floor under our feet. " * 150
PLAIN = "Please try again in a moment."


@pytest.fixture
def fill_disk(monkeypatch):
    """Call it, and SQLite finds no room for another page; call what it gives, and there is room."""
    monkeypatch.setattr(threads, "_run", _run_anew)
    options = connection.settings_dict["OPTIONS"]
    name, usual = connection.settings_dict["NAME"], options["init_command"]

    def free() -> None:
        options["init_command"] = usual

    def fill():
        with closing(sqlite3.connect(name)) as database:
            database.execute("VACUUM")  # free pages would be filled first
        options["init_command"] = f"{usual} PRAGMA max_page_count=1;"  # as many as there are
        return free

    yield fill
    free()


def _run_anew(fn, *args, **kwargs):
    connection.close()  # each connection begins with the pragma, and no other test gets one
    try:
        return fn(*args, **kwargs)
    finally:
        connection.close()


def text_box(page: str) -> str:
    """What stands in a page's text box."""
    return unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)[1]).strip()


def browser(talk) -> AsyncClient:
    client = AsyncClient(raise_request_exception=False)
    client.cookies[access.PARTICIPANT_COOKIE] = talk.cookie
    return client


async def test_the_form_without_a_script_comes_back_with_the_words(bot, fill_disk):
    talk = await begin(bot)
    form = {"text": LONG, "message_id": uuid4().hex, "answering": "2"}
    free = fill_disk()
    full = await browser(talk).post(f"/s/{talk.session_id}/answer/", form)
    page = full.content.decode()
    assert full.status_code == 503
    assert full["Retry-After"]
    assert text_box(page) == LONG.strip()
    assert PLAIN in page
    assert f"/s/{talk.session_id}/answer/" in page  # the interview's own page, to send it from
    free()
    again = await browser(talk).post(f"/s/{talk.session_id}/answer/", form)
    assert again.status_code == 303
    assert [e.text for e in await talk.entries() if e.role == "participant"] == [LONG.strip()]


async def test_the_same_by_script_and_by_api(bot, fill_disk):
    talk = await begin(bot)
    fill_disk()
    form = {"text": LONG, "message_id": "one", "answering": "2"}
    path, script = f"/s/{talk.session_id}/answer/", {"HX-Request": "true"}
    full = await browser(talk).post(path, form, headers=script)
    assert full.status_code == 503, full.content.decode()
    body = {"session_id": str(talk.session_id), "answer": LONG, "message_id": "one"}
    for accept in ("application/json", "text/event-stream"):
        headers = {"Authorization": f"Bearer {talk.token}", "Accept": accept}
        reply = await AsyncClient().post(
            "/api/chat", json.dumps(body), content_type="application/json", headers=headers
        )
        assert (reply.status_code, reply.json()["error"]) == (503, "unavailable")
        assert reply["Retry-After"]
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER


async def test_a_start_comes_back_with_the_name(bot, monkeypatch):
    def full(*args):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(actions, "open_session", full)
    page = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Marguerite"})
    assert page.status_code == 503
    assert 'value="Marguerite"' in page.content.decode()
    assert PLAIN in page.content.decode()


async def test_the_page_of_an_error_gives_the_words_back(bot, monkeypatch):
    async def away(*args, **kwargs):
        raise OperationalError("the connection is closed")

    talk = await begin(bot)
    monkeypatch.setattr(access, "session_for", away)
    form = {"text": "My own words, <b>typed</b> at length.", "message_id": "one"}
    page = await browser(talk).post(f"/s/{talk.session_id}/answer/", form)
    assert (page.status_code, page["Retry-After"]) == (503, "1")
    assert text_box(page.content.decode()) == form["text"]
    looked = await browser(talk).get(f"/s/{talk.session_id}/")
    assert (looked.status_code, looked["Retry-After"]) == (503, "1")
    assert PLAIN in looked.content.decode()
    assert "<textarea" not in looked.content.decode()


async def test_readiness_says_that_the_disk_is_full(monkeypatch):
    ready = await AsyncClient().get("/readyz")
    assert (ready.status_code, ready.json()["disk"]) == (200, "ok")
    usage = shutil.disk_usage("/")._replace(free=3 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    ready = await AsyncClient().get("/readyz")
    assert ready.status_code == 503
    assert ready.json() == {"database": "ok", "disk": "full", "model": "none"}
