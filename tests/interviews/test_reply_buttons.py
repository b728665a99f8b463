"""The buttons below the care text and below "shall we stop?": what they say, and when they show."""

import json
import re
from html import unescape
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import AsyncClient
from django.utils import translation

from interviews.choices import EntryKind, SessionStatus
from interviews.models import Session
from interviews.participant.rendering import BUTTONS, label
from interviews.security import access
from llm.concurrency.threads import in_database
from tests.conftest import make_topic_bot
from tests.interviews.talk import Talk, begin, in_confidence, same_again
from tests.pages import markup

pytestmark = pytest.mark.django_db(transaction=True)
CRY = "I want to die."
ENDS = {"care": "stop", "stop": "end"}  # what is awaited -> the button that ends the interview
LANGUAGES = [code for code, _name in settings.LANGUAGES]
BUTTON = re.compile(r'<button class="button" id="reply-(\w+)"[^>]*>(.*?)</button>')


class Visitor:
    """A browser without scripts, with an interview."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.http = AsyncClient()
        self.http.cookies[access.PARTICIPANT_COOKIE] = talk.cookie

    async def press(self, button: str, answering: int | None = None, status: int = 303):
        if answering is None:
            answering = (await self.talk.session()).length
        fields = {"button": button, "answering": str(answering)}
        response = await self.http.post(f"/s/{self.talk.session_id}/reply/", fields)
        assert response.status_code == status
        return response

    async def buttons(self) -> dict[str, str]:
        page = markup(await self.http.get(f"/s/{self.talk.session_id}/"))
        return {name: unescape(words) for name, words in BUTTON.findall(page)}

    async def said(self) -> list[str]:
        return [entry.text for entry in await self.talk.entries() if entry.role == "participant"]


@pytest.fixture
async def ann(bot) -> Visitor:
    return Visitor(await begin(bot))


def _stands_at(session_id, language: str, awaiting: str) -> None:
    session = Session.objects.get(pk=session_id)
    session.language, session.state = language, {**session.state, "awaiting": awaiting}
    session.save(update_fields=["language", "state"])


async def test_after_the_care_text_two_buttons_show_until_one_is_pressed(ann):
    assert await ann.buttons() == {}
    await ann.talk.say(CRY)
    two = {"continue": "Continue", "stop": "Stop here"}
    assert await ann.buttons() == await ann.buttons() == two
    await ann.talk.say("It began in the spring.")  # neither yes nor no: they are asked again
    assert await ann.buttons() == two
    await ann.press("continue")
    assert await ann.buttons() == {}
    assert (await ann.said())[-1] == "Continue"
    session = await ann.talk.session()
    assert session.status == SessionStatus.WAITING_ANSWER
    assert (await ann.talk.turns())[-1].decision["reason"] == "goes_on"
    assert await same_again(ann.talk) == ""


async def test_stop_here_ends_the_interview(ann):
    await ann.talk.say(CRY)
    await ann.press("stop")
    assert (await ann.talk.session()).status == SessionStatus.STOPPED
    assert (await ann.talk.entries())[-1].kind == EntryKind.OUTRO
    assert await ann.buttons() == {}
    assert await same_again(ann.talk) == ""


@pytest.mark.parametrize(
    ("button", "status"), [("continue", "WAITING_ANSWER"), ("end", SessionStatus.STOPPED)]
)
async def test_a_wish_to_stop_is_confirmed_by_buttons(ann, button, status):
    await ann.talk.say("Please stop the interview.")
    assert await ann.buttons() == {"end": "End the interview", "continue": "Continue"}
    await ann.press(button)
    assert (await ann.talk.session()).status == status


@pytest.mark.parametrize("awaiting", BUTTONS)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_buttons_say_is_understood_in_every_language(bot, language, awaiting):
    for button in BUTTONS[awaiting]:
        ann = Visitor(await begin(bot))
        await in_database(_stands_at, ann.talk.session_id, language, awaiting)
        with translation.override(language):
            words = label(button)
        assert (await ann.buttons())[button] == words
        await ann.press(button)
        ended = (await ann.talk.session()).status == SessionStatus.STOPPED
        assert ended == (button == ENDS[awaiting]), words
        assert (await ann.said())[-1] == words


async def test_a_button_pressed_twice_is_taken_once(ann):
    await ann.talk.say(CRY)
    shown = (await ann.talk.session()).length
    for _ in range(2):
        await ann.press("continue", shown)
    assert (await ann.said()).count("Continue") == 1


async def test_the_other_button_of_an_old_page_is_refused(ann):
    await ann.talk.say(CRY)
    shown = (await ann.talk.session()).length
    await ann.press("continue", shown)
    page = await ann.press("stop", shown, status=409)
    assert 'data-code="outdated"' in page.content.decode()
    assert (await ann.talk.session()).is_active


@pytest.mark.parametrize(
    "fields", [{}, {"button": "continue"}, {"button": "x" * 999, "answering": "2"}]
)
async def test_odd_presses_are_refused(ann, fields):
    response = await ann.http.post(f"/s/{ann.talk.session_id}/reply/", fields)
    assert response.status_code in (409, 422)
    assert await ann.said() == []


async def test_news_for_a_script_hold_the_buttons(ann):
    await ann.talk.say(CRY)
    address = f"/s/{ann.talk.session_id}/state/?after=2&sequence=0"
    news = await ann.http.get(address, headers={"HX-Request": "true"})
    assert dict(BUTTON.findall(markup(news))) == {"continue": "Continue", "stop": "Stop here"}


async def test_a_pause_puts_the_buttons_aside(ann):
    await ann.talk.say(CRY)
    await ann.http.post(f"/s/{ann.talk.session_id}/pause/")
    assert await ann.buttons() == {}
    await ann.http.post(f"/s/{ann.talk.session_id}/resume/")
    assert len(await ann.buttons()) == 2


async def test_in_confidence_a_press_stays_readable():
    ann = Visitor(await begin(await in_database(make_topic_bot)))
    await ann.talk.say(CRY)
    await in_confidence(ann.talk)
    await ann.press("continue")
    assert (await ann.said())[-1] == "Continue"


# -- by the API


async def _asked(talk: Talk, path: str = "", **data):
    headers = {"Authorization": f"Bearer {talk.token}"}
    if not data:
        return (
            await AsyncClient().get(f"/api/chat/session/{talk.session_id}{path}", headers=headers)
        ).json()
    body = json.dumps({"session_id": str(talk.session_id), **data})
    reply = await AsyncClient().post(
        "/api/chat", body, content_type="application/json", headers=headers
    )
    return reply.json()


async def test_the_api_says_what_is_awaited(ann):
    talk = ann.talk
    assert (await _asked(talk))["awaiting"] == ""
    first = uuid4().hex
    assert (await _asked(talk, answer=CRY, message_id=first))["awaiting"] == "care"
    assert (await _asked(talk))["awaiting"] == (await _asked(talk, "/resume"))["awaiting"] == "care"
    assert (await _asked(talk, answer="Continue"))["awaiting"] == ""
    assert (await _asked(talk, answer="Stop the interview."))["awaiting"] == "stop"
    again = await _asked(talk, answer=CRY, message_id=first)  # the reply of an earlier turn
    assert (again["kind"], again["awaiting"]) == ("care", "")
    assert (await _asked(talk, answer="yes"))["awaiting"] == ""


@pytest.mark.parametrize("button", ["skip", "end"])
def test_openapi_says_that_a_body_is_an_object_or_missing(client, button):
    paths = client.get("/api/openapi.json").json()["paths"]
    body = paths[f"/api/chat/session/{{session_id}}/{button}"]["post"]["requestBody"]
    assert not body.get("required")
    [schema] = [one["schema"] for one in body["content"].values()]
    assert "null" not in str(schema)


def test_openapi_describes_it(client):
    schemas = client.get("/api/openapi.json").json()["components"]["schemas"]
    for name in ("ReplyOut", "SessionOut", "StartOut", "ResumeOut"):
        field = schemas[name]["properties"]["awaiting"]
        assert field["enum"] == ["", "care", "stop"]
        assert "two buttons" in field["description"]
