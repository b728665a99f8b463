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
    given = argparse.Namespace(kills=4, people=6, seed=1)
    told, wrong = asyncio.run(storm.play(*site, given))
    assert wrong == []
    assert sum(map(len, told.blows.values())) == 4
    assert told.answered
    assert max(told.recoveries(), default=0.0) < WITHIN


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
