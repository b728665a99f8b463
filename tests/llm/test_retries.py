"""A task may bring its own attempts, pauses and rest; the others keep to the settings."""

import time
from dataclasses import replace
from typing import Any

import pytest

from llm import gateway
from llm.gateway import ask
from llm.providers.base import Fault, ProviderError
from llm.routing import breaker
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from llm.tasks.task import Retries
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, VERDICT, Question, Verdict, outcomes
from tests.scripted import Reply, scripted

DOWN = ProviderError(Fault.OVERLOADED)
GOOD_VERDICT = Verdict.model_validate(GOOD)
PATIENT = replace(VERDICT, retries=Retries(pauses=(0.05, 0.1), in_all=60.0, rest=30.0))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses made between attempts; nobody waits for them."""
    made: list[float] = []

    async def sleep(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr(gateway.asyncio, "sleep", sleep)
    return made


async def test_it_pauses_as_the_task_says(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.queue("overloaded", "close")
    began = time.monotonic()
    answer = await ask(PATIENT, Question(), subject)
    assert answer.source == Source.MODEL
    assert time.monotonic() - began >= 0.15
    assert outcomes(records) == ["error", "error", "ok"]


async def test_without_jitter(subject: CallContext, pauses: list[float]) -> None:
    scripted.reply(VERDICT.name, DOWN, DOWN, GOOD_VERDICT)
    task = replace(VERDICT, retries=Retries(pauses=(1.0, 2.0), in_all=60.0, rest=30.0))
    assert (await ask(task, Question(), subject)).source == Source.MODEL
    assert [pause for pause in pauses if pause] == [1.0, 2.0]


async def test_it_tries_as_often_as_it_has_pauses_and_once_more(
    subject: CallContext, settings: Any
) -> None:
    settings.LLM_ATTEMPTS = 9
    scripted.always(VERDICT.name, DOWN)
    answer = await ask(PATIENT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK, "scripted: overloaded")
    assert len(scripted.requests) == 3


async def test_after_that_it_rests_and_answers_at_once(
    subject: CallContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.always(VERDICT.name, DOWN)
    await ask(PATIENT, Question(), subject)
    scripted.always(VERDICT.name, GOOD_VERDICT)
    answer = await ask(PATIENT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK, "resting after failures")
    assert len(scripted.requests) == 3
    later = time.monotonic() + 31
    monkeypatch.setattr(breaker, "monotonic", lambda: later)
    assert (await ask(PATIENT, Question(), subject)).source == Source.MODEL


async def test_another_model_of_the_same_task_goes_on(subject: CallContext) -> None:
    scripted.always(VERDICT.name, DOWN)
    await ask(PATIENT, Question(), subject)
    scripted.always(VERDICT.name, GOOD_VERDICT)
    other = replace(subject, models={VERDICT.name: "another"})
    assert (await ask(PATIENT, Question(), other)).source == Source.MODEL


async def test_a_task_without_retries_never_rests(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, DOWN, DOWN, DOWN)
    await ask(VERDICT, Question(), subject)
    scripted.reply(VERDICT.name, GOOD_VERDICT)
    assert (await ask(VERDICT, Question(), subject)).source == Source.MODEL


async def test_a_wrong_request_or_reply_is_no_reason_to_rest(subject: CallContext) -> None:
    wrong = ProviderError(Fault.BAD_REQUEST)
    scripted.reply(VERDICT.name, wrong, "no JSON", "no JSON again", GOOD_VERDICT)
    sources = [(await ask(PATIENT, Question(), subject)).source for _ in range(3)]
    assert sources == [Source.FALLBACK, Source.FALLBACK, Source.MODEL]


async def test_attempts_and_pauses_end_together(
    subject: CallContext, records: list[CallRecord]
) -> None:
    scripted.always(VERDICT.name, Reply("{", delay=9))
    task = replace(PATIENT, timeout=1.0, retries=replace(PATIENT.retries, in_all=2.0))
    answer = await ask(task, Question(), subject)
    assert answer.source == Source.FALLBACK
    assert outcomes(records) == ["timeout", "timeout"]


async def test_never_beyond_the_deadline_of_the_turn(subject: CallContext) -> None:
    scripted.always(VERDICT.name, Reply("{", delay=60))
    began = time.monotonic()
    answer = await ask(PATIENT, Question(), replace(subject, deadline=began + 0.3))
    assert answer.source == Source.FALLBACK
    assert time.monotonic() - began < 30
    scripted.always(VERDICT.name, GOOD_VERDICT)
    assert (await ask(PATIENT, Question(), subject)).reason == "resting after failures"
