"""Who may change something by the API: tokens from anywhere, cookies on our own pages."""

import json
from uuid import uuid4

import pytest
from django.test import AsyncClient

from interviews.models import Session
from interviewsite.http.api import api
from llm.concurrency.threads import in_database
from tests.interviews.talk import Talk, begin

pytestmark = pytest.mark.django_db(transaction=True)
JSON = "application/json"
OWN = {"Origin": "http://testserver"}
FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "http://blog.testserver"},
    {"Origin": "http://testserver:8001"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "same-site", **OWN},
]
POSTS = {  # but those of programs, whose tokens no page of others can send
    f"/api{path}": methods["post"]
    for path, methods in api.get_openapi_schema(path_prefix="")["paths"].items()
    if "post" in methods and "security" not in methods["post"]
}
READ = {path: post["requestBody"] for path, post in POSTS.items() if "requestBody" in post}


@pytest.fixture
async def talk(bot) -> Talk:
    return await begin(bot)


def body(path: str, talk: Talk) -> dict:
    if path.endswith("/start"):
        return {"participant_name": "Ann"}
    if path.endswith("/rating"):
        return {"heard": 5}
    return {"session_id": str(talk.session_id), "answer": "We lived by the river."}


async def post(client: AsyncClient, path: str, talk: Talk, kind: str = JSON, **headers):
    url = path.replace("{session_id}", str(talk.session_id))
    return await client.post(url, json.dumps(body(path, talk)), kind, headers=headers)


def rows() -> list[tuple]:
    return list(Session.objects.order_by("pk").values_list("pk", "status", "sequence"))


def test_the_api_changes_things_in_these_ways():
    assert len(POSTS) == 7
    assert sum(body["required"] for body in READ.values()) == 3  # start, answer, rating


@pytest.mark.parametrize("path", POSTS)
async def test_a_foreign_page_changes_nothing(talk, path):
    before = await in_database(rows)
    for headers in FOREIGN:
        for kind in (JSON, "text/plain"):
            reply = await post(talk.browser(), path, talk, kind, **headers)
            assert (reply.status_code, reply.json()["error"]) == (403, "foreign_origin"), headers
            assert not reply.cookies
    assert await in_database(rows) == before


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_is_no_json_changes_nothing(talk, path, kind):
    before = await in_database(rows)
    for headers in (OWN, {"Sec-Fetch-Site": "same-origin"}, {}):
        reply = await post(talk.browser(), path, talk, kind, **headers)
        assert (reply.status_code, reply.json()["error"]) == (415, "not_json")
        assert set(reply.json()) == {"error", "message", "details"}
        assert not reply.cookies
    assert await in_database(rows) == before


@pytest.mark.parametrize("headers", [OWN, {"Sec-Fetch-Site": "same-origin"}])
async def test_a_page_of_our_own_acts_by_its_cookie(talk, headers):
    client = talk.browser()
    assert (await post(client, "/api/chat", talk, **headers)).status_code == 200
    spelled = await post(client, "/api/chat", talk, f"{JSON}; charset=utf-8", **headers)
    assert spelled.status_code == 200
    url = f"/api/chat/session/{talk.session_id}/pause"
    assert (await client.post(url, b"", JSON, headers=headers)).json()["status"] == "PAUSED"
    assert (await post(client, "/api/chat/start", talk, **headers)).status_code == 200
    assert (await talk.session()).status == "ARCHIVED"


async def test_a_program_changes_nothing_by_a_cookie_alone(talk):
    client = talk.browser()
    before = await in_database(rows)
    for path in POSTS:
        if path != "/api/chat/start":
            reply = await post(client, path, talk)
            assert (reply.status_code, reply.json()["error"]) == (404, "not_found"), path
    assert await in_database(rows) == before
    assert (await client.get(f"/api/chat/session/{talk.session_id}")).status_code == 200
    started = await post(client, "/api/chat/start", talk)
    assert started.status_code == 200
    assert (await talk.session()).status == "WAITING_ANSWER"


async def test_a_token_works_from_anywhere_and_no_cookie_comes_back(bot):
    for headers in FOREIGN:
        talk = await begin(bot)
        token = {"Authorization": f"Bearer {talk.token}"}
        reply = await post(AsyncClient(), "/api/chat", talk, "text/plain", **headers, **token)
        assert reply.status_code == 200
        assert not reply.cookies
    unknown = {"Authorization": "Bearer unknown", **FOREIGN[0]}
    started = await post(AsyncClient(), "/api/chat/start", talk, **unknown)
    assert started.status_code == 200
    assert not started.cookies


async def test_a_cookie_does_not_help_a_wrong_token(talk):
    wrong = {"Authorization": "Bearer wrong", **OWN}
    assert (await post(talk.browser(), "/api/chat", talk, **wrong)).status_code == 404
    state = await talk.browser().get(f"/api/chat/session/{talk.session_id}", headers=wrong)
    assert state.status_code == 404


@pytest.mark.parametrize("sent", ["null", "5", "[null,null]", '"x"', "true", "[]", "{", ""])
@pytest.mark.parametrize("path", READ)
async def test_a_body_is_an_object(talk, path, sent):
    before = await in_database(rows)
    url = path.replace("{session_id}", str(talk.session_id))
    optional = not READ[path]["required"]
    status = 400 if sent else 200 if optional else 422
    reply = await talk.browser().post(url, sent.encode(), JSON, headers=OWN)
    assert reply.status_code == status, reply.content
    if status != 200:
        assert set(reply.json()) == {"error", "message", "details"}
        assert not reply.cookies
        assert await in_database(rows) == before


async def test_who_says_nothing_of_an_interview_learns_nothing_of_it(talk):
    replies = [
        await AsyncClient().post(f"/api/chat/session/{one}/pause", b"", JSON)
        for one in (talk.session_id, uuid4())
    ]
    assert {reply.status_code for reply in replies} == {404}
    assert replies[0].content == replies[1].content
