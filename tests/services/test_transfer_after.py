"""What follows from a handover is made once, though the worker is killed between its products."""

import asyncio
import time
from typing import Any

from tests.services.client import Client
from tests.services.worlds import Production

BOT = "print-shop-handover"
WITHIN = 60.0  # seconds
TOLD = (
    "The rush factor covers the second shift: somebody stays until ten at night and is paid half "
    "as much again, and the small press has to be cleaned before it can take the rush order."
)
AT_ONCE = ["coverage", "facts", "summary", "transfer_summary"]
NAMES = sorted([*AT_ONCE, "onboarding_package", "qa_context"])
ROWS = "SELECT name, status FROM reflections_reflection WHERE session_id = ? ORDER BY name"
TIME_PASSES = (
    "UPDATE reflections_reflection SET claimed_until = now() - interval '1 second' "
    "WHERE session_id = ? AND status = 'running'"
)


async def test_package_and_context_outlive_the_worker(
    production: Production, production_client: Client
):
    talk = await production_client.start(BOT)
    assert (await talk.say(TOLD)).status == 200
    production.holds.ask(talk.session_id, "making-transfer_summary")
    await talk.client.post(f"{talk.path}/end", {}, talk.headers)
    await asyncio.to_thread(production.holds.wait, talk.session_id, "making-transfer_summary")
    production.worker.kill()
    assert {name for name, _ in _rows(production, talk.session_id)} <= set(AT_ONCE)
    production.holds.clear()
    await asyncio.to_thread(production.worker.start)
    assert production.database.change(TIME_PASSES, talk.session_id) >= 1
    await _all_made(production, talk.session_id)


async def _all_made(production: Production, session_id: str) -> None:
    until = time.monotonic() + WITHIN
    wanted = [(name, "ready") for name in NAMES]
    while (found := _rows(production, session_id)) != wanted:
        assert time.monotonic() < until, found
        await asyncio.sleep(0.2)


def _rows(production: Production, session_id: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in production.database.rows(ROWS, session_id)]
