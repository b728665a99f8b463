"""Each path of the JSON API: what it gives, and what it refuses."""

import json
import uuid

import pytest
from django.test import AsyncClient

from interviews.models import AccessKey, Session
from interviews.security.access import PARTICIPANT_COOKIE
from interviews.turns import actions
from llm.concurrency.threads import in_database
from tests.conftest import make_bot

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = (
    "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor was "
    "warm under our feet on winter mornings when the ovens below had been lit at three."
)


class Api:
    """An API client with the token of one session."""

    def __init__(self) -> None:
        self.http = AsyncClient()
        self.token = ""
        self.id = ""

    async def start(self, **fields) -> dict:
        data = await self.post("/api/chat/start", {"participant_name": "Ann", **fields})
        self.http.cookies.clear()
        self.token, self.id = data["token"], data["session_id"]
        return data

    async def post(self, path: str, data: dict | None = None, status: int = 200, **headers):
        response = await self.http.post(
            path,
            json.dumps(data or {}),
            content_type="application/json",
            headers=self._headers(headers),
        )
        assert response.status_code == status, response.content
        return response.json()

    async def get(self, path: str, status: int = 200):
        response = await self.http.get(path, headers=self._headers({}))
        assert response.status_code == status, response.content
        return response.json()

    async def say(self, text: str, status: int = 200, **fields):
        data = {"session_id": self.id, "answer": text, **fields}
        return await self.post("/api/chat", data, status)

    def _headers(self, more: dict) -> dict:
        return ({"Authorization": f"Bearer {self.token}"} if self.token else {}) | more


@pytest.fixture
def api(bot) -> Api:
    return Api()


async def test_bots_are_listed_when_public_and_open(api, bot):
    await in_database(make_bot, 2, slug="hidden", public=False)
    await in_database(make_bot, 2, slug="closed", status="closed")
    await in_database(make_bot, 0, slug="empty")
    assert await api.get("/api/bots") == [
        {
            "slug": bot.slug,
            "title": "A test",
            "protocol": "life_story",
            "languages": ["en"],
            "questions": 4,
            "minutes": 20,
            "asks": [],
        }
    ]


async def test_start_gives_intro_first_question_and_token(api):
    data = await api.start()
    assert data["status"] == "WAITING_ANSWER"
    assert data["intro"].startswith("Hello, Ann.")
    assert data["kind"] == "scripted_question"
    assert data["message"].endswith("?")
    assert data["progress"] == {
        "current": 1,
        "total": 4,
        "unit": "questions",
        "label": "Question 1 of 4",
        "remaining": None,
    }
    assert data["question"] == "q1"


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"bot": "nobody"}, 404, "unknown_bot"),
        ({"bot": "no\u0000body"}, 404, "unknown_bot"),
        ({"params": "x"}, 422, "invalid"),
        ({"participant_name": 7}, 422, "invalid"),
    ],
)
async def test_start_refuses(api, fields, status, error):
    data = await api.post("/api/chat/start", {"participant_name": "Ann", **fields}, status)
    assert data["error"] == error
    assert data["message"]


async def test_start_with_a_closed_bot(api, bot):
    bot.status = "closed"
    await bot.asave()
    assert (await api.post("/api/chat/start", {}, 403))["error"] == "not_open"


async def test_params_are_kept(api):
    await api.start(params={"PROLIFIC_PID": "abc", "n": 5})
    session = await in_database(Session.objects.get)
    assert session.params == {"PROLIFIC_PID": "abc", "n": "5"}


async def test_an_answer_gets_the_next_question(api):
    await api.start()
    data = await api.say(ANSWER)
    assert data["kind"] == "scripted_question"
    assert data["progress"]["current"] == 2
    assert data["transition"] is None


async def test_a_bridge_is_part_of_the_message(api):
    await api.start()
    loss = (
        "My brother died that winter and my mother did not speak for a year, and the house was so "
        "quiet that we children played outside until it was dark, whatever the weather was like."
    )
    assert (await api.say(loss))["kind"] == "follow_up"  # as much as they want to say
    data = await api.say(loss)
    assert data["transition"]
    assert data["message"].startswith(data["transition"])
    assert data["message"].endswith("?")


async def test_an_answer_to_what_is_no_longer_open_is_refused(api):
    asked = await api.start()
    first = await api.say(ANSWER, answering=asked["position"])
    assert first["position"] == asked["position"] + 2
    late = await api.say("meant for the first question", 409, answering=asked["position"])
    assert late["error"] == "outdated"
    skip = f"/api/chat/session/{api.id}/skip"
    assert (await api.post(skip, {"answering": asked["position"]}, 409))["error"] == "outdated"
    await api.post(skip, {"answering": first["position"]})


async def test_an_answer_sent_again_is_never_outdated(api):
    asked = await api.start()
    answer = {"answering": asked["position"], "message_id": "one"}
    assert await api.say(ANSWER, **answer) == await api.say(ANSWER, **answer)


async def test_the_same_message_id_gives_the_same_reply_even_later(api):
    await api.start()
    first = await api.say(ANSWER, message_id="one")
    await api.say(ANSWER, message_id="two")
    again = await api.say("other words", message_id="one")
    assert again["message"] == first["message"]
    transcript = await api.get(f"/api/chat/session/{api.id}/transcript")
    assert [e["text"] for e in transcript["entries"] if e["role"] == "participant"] == [
        ANSWER,
        ANSWER,
    ]


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"answer": ""}, 422, "empty"),
        ({"answer": " \n\t "}, 422, "empty"),
        ({"answer": "\u200b\u3164\ufe0f"}, 422, "empty"),
        ({"answer": "x" * 16_001}, 413, "too_long"),
        ({"answer": "x" * 1_000_000}, 413, "too_long"),
        ({"answer": None}, 422, "invalid"),
        ({"answer": "x", "message_id": ""}, 422, "bad_message_id"),
        ({"answer": "x", "message_id": "i" * 65}, 422, "bad_message_id"),
        ({"answer": "x", "session_id": "7"}, 422, "invalid"),
        ({"answer": "x", "session_id": str(uuid.uuid4())}, 404, "not_found"),
    ],
)
async def test_answers_that_are_refused(api, fields, status, error):
    await api.start()
    data = await api.post("/api/chat", {"session_id": api.id, **fields}, status)
    assert data["error"] == error
    session = await in_database(Session.objects.get)
    assert session.status == "WAITING_ANSWER"


async def test_a_body_that_is_not_json(api):
    await api.start()
    response = await api.http.post("/api/chat", b"{\xff", content_type="application/json")
    assert response.status_code == 400
    assert response.json()["error"] == "bad_request"


async def test_a_body_that_is_far_too_long(api):
    response = await api.http.post("/api/chat", b"x" * 3_000_000, content_type="application/json")
    assert response.status_code == 413
    assert response.json()["error"] == "too_long"


@pytest.mark.parametrize("path", ["/api/nothing", "/api/chat/session/x", "/api/"])
async def test_unknown_paths_are_json_too(api, path):
    assert (await api.get(path, 404 if path != "/api/chat/session/x" else 422))["error"]


async def test_a_wrong_method_is_json_too(api):
    assert (await api.get("/api/chat/start", 405))["error"] == "method_not_allowed"


async def test_state_resume_and_transcript(api):
    started = await api.start()
    await api.say(ANSWER)
    state = await api.get(f"/api/chat/session/{api.id}")
    assert state["status"] == "WAITING_ANSWER"
    assert state["language"] == "en"
    resumed = await api.get(f"/api/chat/session/{api.id}/resume")
    assert [e["role"] for e in resumed["entries"]] == [
        "interviewer",
        "interviewer",
        "participant",
        "interviewer",
    ]
    assert resumed["entries"][1]["text"] == started["message"]
    assert resumed["entries"][1]["label"] == "Question 1"
    transcript = await api.get(f"/api/chat/session/{api.id}/transcript")
    assert transcript["entries"] == resumed["entries"]
    assert [e["position"] for e in transcript["entries"]] == [1, 2, 3, 4]


async def test_skip_pause_and_end(api):
    await api.start()
    skipped = await api.post(f"/api/chat/session/{api.id}/skip")
    assert skipped["progress"]["current"] == 2
    paused = await api.post(f"/api/chat/session/{api.id}/pause")
    assert paused["status"] == "PAUSED"
    assert (await api.say(ANSWER))["status"] == "WAITING_ANSWER"
    ended = await api.post(f"/api/chat/session/{api.id}/end")
    assert ended["status"] == "STOPPED"
    assert ended["kind"] == "outro"
    assert "?" not in ended["message"]
    assert (await api.say(ANSWER, 409))["error"] == "ended"
    again = await api.post(f"/api/chat/session/{api.id}/end")
    assert again["status"] == "STOPPED"


async def test_my_session_by_cookie_and_by_token(api, bot):
    api.http.cookies.clear()
    data = await api.post("/api/chat/start", {"participant_name": "Ann"})
    assert api.http.cookies[PARTICIPANT_COOKIE]["httponly"]
    mine = await api.get("/api/chat/my-session")
    assert mine["session_id"] == data["session_id"]
    assert (await api.get(f"/api/chat/my-session?bot={bot.slug}"))["session_id"]
    await api.get("/api/chat/my-session?bot=other", 404)
    api.http.cookies.clear()
    await api.get("/api/chat/my-session", 404)
    api.token = data["token"]
    assert (await api.get("/api/chat/my-session"))["session_id"] == data["session_id"]
    await AccessKey.objects.aupdate(expires_at="2020-01-01T00:00Z")
    await api.get("/api/chat/my-session", 404)


@pytest.mark.parametrize("by", ["cookie", "token"])
async def test_starting_again_puts_the_earlier_one_aside(api, by):
    first = await api.post("/api/chat/start", {"participant_name": "Ann"})
    api.token = first["token"] if by == "token" else ""
    await api.post("/api/chat/start", {"participant_name": "Ann"}, Origin="http://testserver")
    statuses = await in_database(lambda: sorted(Session.objects.values_list("status", flat=True)))
    assert statuses == ["ARCHIVED", "WAITING_ANSWER"]


PATHS = ["", "/resume", "/transcript", "/reflections"]


@pytest.mark.parametrize("path", PATHS)
async def test_wrong_foreign_and_expired_secrets_look_alike(api, path):
    await api.start()
    foreign = Api()
    await foreign.start()
    answers = []
    for token in ("", "wrong", foreign.token):
        answers.append(await _refused(api, path, token))
    await AccessKey.objects.filter(session=api.id).aupdate(expires_at="2020-01-01T00:00Z")
    answers.append(await _refused(api, path, api.token))
    assert len({response.content for response in answers}) == 1
    assert {response.status_code for response in answers} == {404}


async def test_a_token_opens_its_own_interview_and_no_other_of_the_person(api):
    await in_database(make_bot, slug="other")
    first = await api.start()
    second = await api.start(bot="other")  # by the first one's token
    people = await in_database(set, Session.objects.values_list("participant", flat=True))
    assert len(people) == 1
    opened = f"/api/chat/session/{second['session_id']}"
    assert (await api.get(opened))["status"] == "WAITING_ANSWER"
    api.token = first["token"]
    await api.get(opened, 404)
    await api.say(ANSWER, 404)
    entered = await api.http.post(f"/s/{second['session_id']}/enter/", {"key": first["token"]})
    assert entered.status_code == 404


async def test_no_cache_keeps_what_was_said(api):
    await api.start()
    url = f"/api/chat/session/{api.id}/transcript"
    reply = await api.http.get(url, headers=api._headers({}))
    assert (reply["Cache-Control"], reply["Referrer-Policy"]) == ("no-store", "no-referrer")


async def _refused(api, path, token):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return await AsyncClient().get(f"/api/chat/session/{api.id}{path}", headers=headers)


async def test_only_hashes_of_secrets_are_stored(api):
    await api.start()
    digests = await in_database(lambda: list(AccessKey.objects.values_list("digest", flat=True)))
    assert len(digests) == 2
    assert all(len(digest) == 64 and api.token not in digest for digest in digests)


async def test_the_stream_gives_the_words_and_then_the_reply(api):
    await api.start()
    response = await api.http.post(
        "/api/chat",
        json.dumps({"session_id": api.id, "answer": ANSWER}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {api.token}", "Accept": "text/event-stream"},
    )
    assert response["Content-Type"] == "text/event-stream"
    events = _events(b"".join([piece async for piece in response.streaming_content]).decode())
    said = ""
    for name, data in events[:-1]:
        said = data["text"] if name == "replace" else said + data["text"]
    name, reply = events[-1]
    assert name == "done"
    assert reply["message"] == said


def _events(text: str) -> list[tuple[str, dict]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(b[0].removeprefix("event: "), json.loads(b[1].removeprefix("data: "))) for b in blocks]


async def test_a_stream_that_is_refused_is_a_plain_error(api):
    await api.start()
    data = await api.post(
        "/api/chat", {"session_id": api.id, "answer": ""}, 422, Accept="text/event-stream"
    )
    assert data["error"] == "empty"


async def test_reflections_come_with_their_state(api):
    await api.start()
    await api.say(ANSWER)
    assert (await api.get(f"/api/chat/session/{api.id}/reflections"))["reflections"] == []
    await api.post(f"/api/chat/session/{api.id}/end")
    found = await api.get(f"/api/chat/session/{api.id}/reflections")
    assert [
        (r["name"], r["status"] in ("pending", "running", "ready")) for r in (found["reflections"])
    ] == [("summary", True)]


async def test_the_document_describes_every_path(api):
    document = await api.get("/api/openapi.json")
    assert {
        "/api/bots",
        "/api/chat/start",
        "/api/chat",
        "/api/chat/my-session",
        "/api/chat/session/{session_id}",
        "/api/chat/session/{session_id}/resume",
        "/api/chat/session/{session_id}/transcript",
        "/api/chat/session/{session_id}/end",
        "/api/chat/session/{session_id}/pause",
        "/api/chat/session/{session_id}/skip",
        "/api/chat/session/{session_id}/reflections",
    } <= set(document["paths"])


async def test_the_document_is_a_page_too_that_needs_no_other_site(api):
    page = (await api.http.get("/api/docs")).content.decode()
    assert '"url": "/api/openapi.json"' in page
    assert '"validatorUrl": null' in page
    assert "://" not in page


async def test_an_interview_goes_on_in_the_chosen_language(api, bot):
    from plans.models import Question, Script, Section

    def russian():
        script = Script.objects.create(name="ru", language="ru", intro="Привет.", outro="Пока.")
        section = Section.objects.create(script=script, key="s", title="s")
        Question.objects.create(section=section, key="q", text="Как дела?", objective="-")
        bot.scripts.add(script)

    await in_database(russian)
    assert (await api.start(language="ru"))["message"] == "Как дела?"
    assert (await api.start(language="ru-RU"))["intro"] == "Привет."
    assert (await api.start(language="fr"))["message"] != "Как дела?"
    session = await actions.fresh(uuid.UUID(api.id))
    assert session.language == "en"
