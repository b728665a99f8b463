"""After-work whose worker is killed, or that is handed out twice, is stored exactly once."""

import asyncio
import json
import time
from typing import Any

from celery import Celery

from tests.services.client import ENDED, Client
from tests.services.processes import wait_until
from tests.services.worlds import Production

TASK = "reflections.tasks.make_reflection"
ROW = (
    "SELECT id, status, attempts, finished_at, content::text FROM reflections_reflection "
    "WHERE session_id = ? AND name = ?"
)
TIME_PASSES = (
    "UPDATE reflections_reflection SET claimed_until = now() - interval '1 second' "
    "WHERE id = ? AND status = 'running'"
)


async def test_a_killed_worker_and_a_second_delivery_leave_one_product(
    production: Production, production_client: Client
):
    talk = await production_client.start()
    production.holds.ask(talk.session_id, "making-summary")
    assert await talk.to_the_end() in ENDED
    await asyncio.to_thread(production.holds.wait, talk.session_id, "making-summary")
    production.worker.kill()
    row = _row(production, talk.session_id)
    assert row[1] == "running"
    production.holds.clear()
    await asyncio.to_thread(production.worker.start)
    assert production.database.change(TIME_PASSES, row[0]) == 1
    made = await _made(production, talk.session_id)
    assert made[2] == 2
    await asyncio.to_thread(_deliver_again, production, made[0])
    assert _row(production, talk.session_id) == made


async def test_a_report_whose_worker_is_killed_is_made_by_the_next(
    production: Production, production_client: Client
):
    talk = await production_client.start("technical-backend-en")
    for _ in range(3):  # the first one isn't judged
        assert (await talk.say()).status == 200
    production.holds.ask(talk.session_id, "making-report")
    await talk.client.post(f"{talk.path}/end", {}, talk.headers)
    await asyncio.to_thread(production.holds.wait, talk.session_id, "making-report")
    production.worker.kill()
    production.holds.clear()
    await asyncio.to_thread(production.worker.start)
    report = _row(production, talk.session_id, "report")
    assert production.database.change(TIME_PASSES, report[0]) == 1
    made = await _made(production, talk.session_id, "report")
    written = json.loads(made[4])
    assert written["report"]["verdict"]["recommendation"] in ("Strong Hire", "Hire", "No Hire")
    assert written["made_by"] in ("model", "rules")


async def _made(production: Production, session_id: str, name: str = "summary") -> tuple[Any, ...]:
    until = time.monotonic() + 30
    while (row := _row(production, session_id, name))[1] != "ready":
        assert time.monotonic() < until, (row, production.worker.log()[-3000:])
        await asyncio.sleep(0.1)
    return row


def _row(production: Production, session_id: str, name: str = "summary") -> tuple[Any, ...]:
    (row,) = production.database.rows(ROW, session_id, name)
    return row


def _deliver_again(production: Production, reflection_id: int) -> None:
    """Twice more, and waits until the worker is through with both."""
    before = _done(production)
    app = Celery(broker=production.redis.url)
    app.conf.broker_transport_options = {"global_keyprefix": "services:"}
    with app.connection_for_write() as connection:
        for _ in range(2):
            app.send_task(TASK, [reflection_id], connection=connection)
    wait_until(lambda: _done(production) >= before + 2, 20)


def _done(production: Production) -> int:
    return sum(
        "make_reflection" in line and "succeeded" in line
        for line in production.worker.log().splitlines()
    )
