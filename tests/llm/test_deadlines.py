"""However silent a provider is, the answer is there in time."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from llm.calls.call import Call
from llm.gateway import ask
from llm.providers.base import Event, Fault, Finished, ModelRequest, ProviderError, Stop, TextDelta
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from llm.tasks.task import Tier
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, VERDICT, Question, Verdict, outcomes
from tests.scripted import Reply, scripted


async def timed(subject: CallContext, task: Any = VERDICT) -> tuple[Any, float]:
    """The outcome and the seconds it took."""
    began = time.monotonic()
    return await ask(task, Question(), subject), time.monotonic() - began


def within(subject: CallContext, seconds: float) -> CallContext:
    """The same, with that much time left."""
    return replace(subject, deadline=time.monotonic() + seconds)


@pytest.mark.parametrize("fault", ["silent", "stall:6", "drip:20"])
async def test_silence_ends_at_the_deadline(
    wire: str, fault: str, fake: FakeProvider, subject: CallContext, settings: Any
) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_IDLE_TIMEOUT = 60
    fake.queue(*[fault] * 5)
    answer, took = await timed(within(subject, 0.3))
    assert answer.source == Source.FALLBACK
    assert answer.reason in ("deadline", f"{wire}: timeout")
    assert 0.2 < took < 20


async def test_patience_multiplies_the_time_of_a_task(
    subject: CallContext, records: list[CallRecord], settings: Any
) -> None:
    settings.LLM_PATIENCE = 100.0
    scripted.reply(VERDICT.name, Reply(json.dumps(GOOD), delay=0.2))
    answer, _ = await timed(subject, replace(VERDICT, timeout=0.01))
    assert answer.source == Source.MODEL
    assert outcomes(records) == ["ok"]


async def test_after_the_deadline_nobody_is_asked(subject: CallContext) -> None:
    answer, _ = await timed(within(subject, -1))
    assert (answer.source, answer.reason) == (Source.FALLBACK, "deadline")
    assert not scripted.requests


async def test_the_timeout_holds_for_one_attempt(
    subject: CallContext, records: list[CallRecord]
) -> None:
    scripted.reply(VERDICT.name, Reply("{", delay=60), Verdict.model_validate(GOOD))
    answer, took = await timed(subject, replace(VERDICT, timeout=1.0))
    assert answer.source == Source.MODEL
    assert outcomes(records) == ["timeout", "ok"]
    assert took < 20


async def test_silence_with_another_model_at_hand_is_not_tried_twice(
    subject: CallContext, settings: Any, records: list[CallRecord]
) -> None:
    settings.LLM_MAIN_FALLBACK, settings.LLM_FIRST_TOKEN_TIMEOUT = "scripted:second", 1.0
    scripted.reply(VERDICT.name, Reply("{", delay=60), Verdict.model_validate(GOOD))
    answer, _ = await timed(subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK_MODEL, "scripted: timeout")
    assert [record.model for record in records] == ["scripted-main", "second"]


async def test_retry_after_is_honoured(wire: str, fake: FakeProvider, subject: CallContext) -> None:
    fake.queue("rate_limit:0.3")
    answer, took = await timed(within(subject, 60))
    assert answer.source == Source.MODEL
    assert took > 0.29


async def test_it_may_be_a_date(fake: FakeProvider, settings: Any, subject: CallContext) -> None:
    settings.LLM_PROVIDER = "openai"
    fake.queue("rate_limit:date:1.5")
    answer, took = await timed(within(subject, 60))
    assert answer.source == Source.MODEL
    assert took > 0.2


async def test_a_retry_after_beyond_the_deadline_is_not_waited_for(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    fake.queue("rate_limit:30")
    answer, took = await timed(within(subject, 20))
    assert answer.reason == f"{wire}: rate limit"
    assert took < 20


async def test_nor_a_long_one_while_another_model_is_left(
    subject: CallContext, settings: Any
) -> None:
    settings.LLM_MAIN_FALLBACK = "scripted:second"
    busy = ProviderError(Fault.RATE_LIMIT, retry_after=30.0)
    scripted.reply(VERDICT.name, busy, Verdict.model_validate(GOOD))
    answer, took = await timed(subject)
    assert answer.source == Source.FALLBACK_MODEL
    assert took < 20


async def test_waiting_for_a_slot_ends_at_the_deadline(subject: CallContext, settings: Any) -> None:
    settings.LLM_CONCURRENCY = 1
    scripted.always(VERDICT.name, Reply(Verdict.model_validate(GOOD), delay=3.0))
    first = asyncio.create_task(timed(subject))
    await asyncio.sleep(0)
    second, took = await timed(within(subject, 0.15))
    assert second.reason == "scripted: all slots taken"
    assert took < 3.0
    assert (await first)[0].source == Source.MODEL


# -- one call, and how long its stream may say nothing


class Paced:
    """A provider that sends these, and sleeps so many seconds where a number stands."""

    def __init__(self, *steps: Event | ProviderError | float) -> None:
        self.steps = steps

    def model(self, tier: Tier) -> str:
        return "paced"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        for step in self.steps:
            if isinstance(step, float):
                await asyncio.sleep(step)
            elif isinstance(step, ProviderError):
                raise step
            else:
                yield step


async def ran(*steps: Event | ProviderError | float) -> tuple[Call, str, float]:
    """The call, why it failed (empty: it didn't), and the seconds it took."""
    call, began = Call(ModelRequest("a task", "paced", "", ()), 1), time.monotonic()
    failed = ""
    try:
        await call.run(Paced(*steps), 20.0, lambda text: None)
    except ProviderError as error:
        failed = str(error)
    return call, failed, time.monotonic() - began


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ((60.0, TextDelta("Late.")), "nothing after"),
        ((TextDelta("It be"), 60.0, TextDelta("gan.")), "stalled in mid-reply"),
        ((*[TextDelta("On "), 0.2] * 4, 60.0), "stalled in mid-reply"),
    ],
)
async def test_silence_ends_long_before_the_deadline(settings: Any, steps: Any, why: str) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT, settings.LLM_IDLE_TIMEOUT = 0.5, 0.6
    _call, failed, took = await ran(*steps)
    assert why in failed
    assert took < 15


async def test_a_slow_reply_is_no_silence(settings: Any) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_IDLE_TIMEOUT = 1.2
    call, failed, took = await ran(*[TextDelta("On "), 0.3] * 5, Finished())
    assert (failed, call.text) == ("", "On " * 5)
    assert took > 1.2


@pytest.mark.parametrize("after", [60.0, ProviderError(Fault.BROKEN_STREAM)])
async def test_what_comes_after_the_end_takes_no_reply_back(after: Any) -> None:
    call, failed, took = await ran(TextDelta("All of it."), Finished(Stop.END), after)
    assert (failed, call.text, call.stop) == ("", "All of it.", Stop.END)
    assert took < 15
