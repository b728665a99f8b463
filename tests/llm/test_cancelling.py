"""A question that nobody waits for any more: the request ends, and the log has it."""

import asyncio
from typing import Any

import pytest

from llm.concurrency.threads import in_database
from llm.gateway import ask
from llm.models import LLMCall
from llm.tasks.call_context import CallContext
from llm.tasks.records import CallRecord
from tests.fake_provider import FakeProvider
from tests.llm.samples import VERDICT, Question, outcomes


async def cancelled(subject: CallContext, when: asyncio.Event | None = None) -> None:
    """Ask, and cancel once something has been read, or at `when`."""
    read = asyncio.Event()
    asking = asyncio.create_task(ask(VERDICT, Question(), subject, lambda partial: read.set()))
    await asyncio.wait_for((when or read).wait(), 10)
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


def at_once() -> asyncio.Event:
    """An event that has happened."""
    event = asyncio.Event()
    event.set()
    return event


async def test_the_request_is_dropped_and_recorded(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.queue("stall:8")
    await cancelled(subject)
    assert outcomes(records) == ["cancelled"]
    assert records[0].response.startswith('{"act')
    for _ in range(200):
        if fake.requests[0].aborted and not fake.open:
            break
        await asyncio.sleep(0.02)
    assert fake.requests[0].aborted
    assert fake.open == 0


async def test_tokens_counted_so_far_are_kept(
    fake: FakeProvider, settings: Any, subject: CallContext, records: list[CallRecord]
) -> None:
    settings.LLM_PROVIDER = "anthropic"
    fake.queue("stall:8")
    await cancelled(subject)
    assert records[0].input_tokens + records[0].cache_write_tokens > 0


@pytest.mark.django_db(transaction=True)
async def test_the_row_is_written_even_then(wire: str, fake: FakeProvider) -> None:
    fake.queue("stall:8")
    await cancelled(CallContext(session="s-9"))
    row = await in_database(LLMCall.objects.get)
    assert (row.session, row.outcome, row.provider) == ("s-9", "cancelled", wire)


async def test_cancelled_while_waiting_for_a_slot(
    fake: FakeProvider, settings: Any, subject: CallContext, records: list[CallRecord]
) -> None:
    settings.LLM_PROVIDER, settings.LLM_CONCURRENCY = "openai", 1
    fake.queue("stall:8", "ok")
    read = asyncio.Event()
    first = asyncio.create_task(ask(VERDICT, Question(), subject, lambda partial: read.set()))
    await read.wait()
    await cancelled(subject, at_once())
    first.cancel()
    await asyncio.wait([first])
    assert (await ask(VERDICT, Question(), subject)).source == "model"  # the slot is free again
    assert outcomes(records) == ["cancelled", "ok"]
