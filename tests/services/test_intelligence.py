"""Intelligence whose maker is killed while a model writes is made by the next one, once."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.fake_provider import FakeProvider
from tests.services import worlds
from tests.services.databases import Database
from tests.services.processes import eventually
from tests.services.worlds import Production

PREPARED = {
    "topics": [
        {
            "key": "choosing",
            "interpretation_cues": ["a cue"],
            "significance_signals": ["a sign"],
            "probe_angles": ["an angle " + "and more " * 40],
        }
    ]
}
ROW = (
    "SELECT i.id, i.status, i.attempts, CAST(i.content AS text) FROM plans_intelligence i "
    "JOIN plans_bot b ON b.id = i.bot_id WHERE b.slug = 'product-research'"
)
WISH = (
    "UPDATE plans_intelligence SET status = 'pending', attempts = 0, claim = NULL, "
    "claimed_until = NULL, content = '{}' WHERE id = ?"
)
TIME_PASSES = (
    "UPDATE plans_intelligence SET claimed_until = now() - interval '1 second' "
    "WHERE id = ? AND status = 'running'"
)


async def test_a_worker_killed_in_mid_generation(production: Production, provider: FakeProvider):
    database = production.database
    await _under_way(database, provider)
    production.worker.kill()
    assert _row(database)[1:3] == ("running", 1)

    await asyncio.to_thread(production.worker.start)
    assert database.change(TIME_PASSES, _row(database)[0]) == 1

    await _made_by_the_second(database)


async def test_a_site_of_one_process_killed_in_mid_generation(
    template: Path, tmp_path: Path, provider: FakeProvider
):
    with worlds.embedded(template, tmp_path / "data", **worlds.asking(provider)) as world:
        await _under_way(world.database, provider)
        world.site.kill()
        assert _row(world.database)[1:3] == ("running", 1)

        await asyncio.to_thread(world.site.start)

        await _made_by_the_second(world.database)


async def _under_way(database: Database, provider: FakeProvider) -> None:
    """A row as if nobody had begun with it is found by the sweeper, and the model falls silent."""
    provider.reply("Prepared", PREPARED, PREPARED)  # for who is killed, and for the next one
    provider.queue("stall:40@Prepared")
    database.change(WISH, _row(database)[0])
    await eventually(lambda: _is(database, "running"))


async def _made_by_the_second(database: Database) -> None:
    await eventually(lambda: _is(database, "ready"), 60)
    _, _, attempts, content = _row(database)
    assert attempts == 2
    assert json.loads(content)["choosing"]["interpretation_cues"] == ["a cue"]


async def _is(database: Database, status: str) -> bool:
    return bool(_row(database)[1] == status)


def _row(database: Database) -> tuple[Any, ...]:
    (row,) = database.rows(ROW)
    return row
