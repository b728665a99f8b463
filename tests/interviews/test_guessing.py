"""Guessing costs the same, whatever is guessed: as many queries for wrong, foreign and expired."""

import uuid

import pytest
from django.test import AsyncClient

from interviews.models import AccessKey
from llm.concurrency.threads import in_database
from tests.interviews.talk import Talk, begin
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
PARTS = ("/s/{}/", "/api/chat/session/{}", "/api/chat/session/{}/transcript")


@pytest.mark.parametrize("part", PARTS)
async def test_wrong_foreign_expired_and_unknown_cost_the_same_queries(bot, part: str):
    mine, other, old = [await begin(bot) for _ in range(3)]
    await in_database(_expire, old)
    tries = [
        (mine.session_id, ""),
        (mine.session_id, "wrong"),
        (mine.session_id, other.cookie),
        (old.session_id, old.cookie),
        (uuid.uuid4(), mine.cookie),
    ]
    costs = [await _cost(part.format(session_id), cookie) for session_id, cookie in tries]
    assert costs == [costs[0]] * len(tries)
    assert costs[0] == 1


async def _cost(path: str, cookie: str) -> int:
    client = AsyncClient()
    client.cookies["interviewsite"] = cookie
    with counted() as queries:
        response = await client.get(path)
    assert response.status_code == 404
    return len(queries)


def _expire(talk: Talk) -> None:
    keys = AccessKey.objects.filter(participant__sessions=talk.session_id)
    keys.update(expires_at="2020-01-01T00:00Z")
