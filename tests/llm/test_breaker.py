"""A provider that keeps failing is left alone, then tried once."""

import asyncio
from typing import Any

import pytest

from llm.gateway import ask
from llm.providers.base import Fault, ProviderError
from llm.routing import breaker
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from tests.llm.samples import GOOD, SENTENCE, VERDICT, Question, Verdict
from tests.scripted import Reply, scripted

DOWN = ProviderError(Fault.OVERLOADED)
GOOD_VERDICT = Verdict.model_validate(GOOD)


class Clock:
    """The breakers' time."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time that passes when told to."""
    clock = Clock()
    monkeypatch.setattr(breaker, "monotonic", clock)
    return clock


@pytest.fixture
async def open_breaker(subject: CallContext) -> None:
    """The main tier's breaker, opened by two questions of three and two failures."""
    scripted.reply(VERDICT.name, *[DOWN] * 5)
    for _ in range(2):
        await ask(VERDICT, Question(), subject)


async def test_it_opens_after_failures_in_a_row(
    open_breaker: None, clock: Clock, subject: CallContext
) -> None:
    assert len(scripted.requests) == 5
    answer = await ask(VERDICT, Question(), subject)
    assert answer.reason == "scripted: resting after failures"
    clock.now += 29
    await ask(VERDICT, Question(), subject)
    assert len(scripted.requests) == 5
    assert breaker.breaker("scripted", "scripted-main").is_open
    assert not breaker.breaker("scripted", "scripted-fast").is_open


async def test_the_other_tier_goes_on(open_breaker: None, subject: CallContext) -> None:
    scripted.reply(SENTENCE.name, "Yes.")
    assert (await ask(SENTENCE, Question(), subject)).source == Source.MODEL


async def test_after_the_rest_one_call_tries_for_all(
    open_breaker: None, clock: Clock, subject: CallContext
) -> None:
    clock.now += 31
    scripted.reply(VERDICT.name, Reply(GOOD_VERDICT, delay=0.05), GOOD_VERDICT)
    answers = await asyncio.gather(*(ask(VERDICT, Question(), subject) for _ in range(4)))
    assert [answer.source for answer in answers].count(Source.MODEL) == 1
    assert (await ask(VERDICT, Question(), subject)).source == Source.MODEL
    assert not breaker.breaker("scripted", "scripted-main").is_open


async def test_a_failed_trial_opens_it_again(
    open_breaker: None, clock: Clock, subject: CallContext
) -> None:
    clock.now += 31
    scripted.reply(VERDICT.name, DOWN)
    assert (await ask(VERDICT, Question(), subject)).source == Source.FALLBACK
    clock.now += 29
    await ask(VERDICT, Question(), subject)
    assert len(scripted.requests) == 6


async def test_a_cancelled_trial_leaves_the_trial_to_the_next(
    open_breaker: None, clock: Clock, subject: CallContext
) -> None:
    clock.now += 31
    scripted.reply(VERDICT.name, Reply(GOOD_VERDICT, delay=60), GOOD_VERDICT)
    trial = asyncio.create_task(ask(VERDICT, Question(), subject))
    await asyncio.sleep(0.02)
    trial.cancel()
    await asyncio.wait([trial])
    assert (await ask(VERDICT, Question(), subject)).source == Source.MODEL


async def test_success_counts_from_the_start(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, *[DOWN, DOWN, GOOD_VERDICT] * 4)
    for _ in range(4):
        assert (await ask(VERDICT, Question(), subject)).source == Source.MODEL


async def test_a_wrong_request_says_nothing_about_the_provider(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, *[ProviderError(Fault.BAD_REQUEST)] * 7)
    for _ in range(7):
        await ask(VERDICT, Question(), subject)
    assert len(scripted.requests) == 7


async def test_no_key_does(settings: Any, subject: CallContext) -> None:
    settings.LLM_BREAKER_FAILURES = 2
    scripted.reply(VERDICT.name, *[ProviderError(Fault.ACCESS)] * 3)
    for _ in range(3):
        await ask(VERDICT, Question(), subject)
    assert len(scripted.requests) == 2
