"""The short form of `make storm`."""

import argparse
import asyncio
from pathlib import Path

import pytest

from tests.fake_provider import FakeProvider
from tests.load import storm
from tests.requirements import need_postgresql, need_redis

WITHIN = 60.0  # seconds to the reply of whoever met a blow


def _weathered(site: storm.Site) -> None:
    given = argparse.Namespace(kills=4, people=3, seed=1)
    told, wrong = asyncio.run(storm.play(*site, given))
    assert wrong == []
    assert sum(map(len, told.blows.values())) == 4
    assert len(told.answered) >= given.people
    assert max(told.recoveries(), default=0.0) < WITHIN


class Swift:
    """A site that replies at once."""

    session_id = "s"

    def __init__(self) -> None:
        self.given: dict[str, str] = {}

    async def start(self, bot: str, name: str) -> "Swift":
        return self

    async def say(self, text: str, key: str) -> "Reply":
        self.given[key] = text
        return Reply(status="WAITING_ANSWER")


class Reply(dict[str, str]):
    status = 200


async def test_everybody_answers_once_even_if_the_storm_is_over_before() -> None:
    told = storm.Storm(over=True)
    await storm._answer(told, Swift(), 1, seed=1)
    assert len(told.answered) == len(told.talks) == 1


@pytest.mark.long  # test_killed.py kills it at each step of a turn
def test_kills_of_the_one_process_lose_and_double_nothing(tmp_path: Path, provider: FakeProvider):
    with storm.embedded(tmp_path, provider, seed=1) as site:
        _weathered(site)


@pytest.mark.postgresql
@pytest.mark.redis
def test_kills_and_cuts_of_several_processes_lose_and_double_nothing(
    tmp_path: Path, provider: FakeProvider
):
    need_postgresql()
    need_redis()
    with storm.production(tmp_path, provider, seed=1) as site:
        _weathered(site)
