"""Whom the gateway asks: provider by settings, models by bot, the second route, or nobody."""

from dataclasses import replace
from typing import Any

import pytest

from llm.gateway import ask
from llm.providers.base import Fault, ProviderError
from llm.routing.routes import provider_name
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, PLAIN, SENTENCE, VERDICT, Question, Verdict, outcomes
from tests.scripted import scripted

DOWN = ProviderError(Fault.OVERLOADED)
GOOD_VERDICT = Verdict.model_validate(GOOD)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "offline"),
        ({"ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"ANTHROPIC_BASE_URL": "http://localhost:1"}, "anthropic"),
        ({"OPENAI_BASE_URL": "http://localhost:1"}, "openai"),
        ({"OPENAI_API_KEY": "k"}, "openai"),
        ({"TOGETHER_API_KEY": "k"}, "together"),
        ({"OPENAI_API_KEY": "k", "TOGETHER_API_KEY": "k"}, "openai"),
        ({"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"ANTHROPIC_API_KEY": "k", "LLM_PROVIDER": "offline"}, "offline"),
    ],
)
def test_the_provider_by_settings(given: dict[str, str], expected: str, settings: Any) -> None:
    settings.LLM_PROVIDER = ""
    for name, value in given.items():
        setattr(settings, name, value)
    assert provider_name() == expected


async def test_offline_asks_and_logs_nothing(
    settings: Any, subject: CallContext, records: list[CallRecord]
) -> None:
    settings.LLM_PROVIDER = "offline"
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.value, answer.source, answer.reason) == (PLAIN, Source.FALLBACK, "offline")
    assert records == []


async def test_silenced_asks_and_logs_nothing(
    subject: CallContext, records: list[CallRecord]
) -> None:
    answer = await ask(VERDICT, Question(), replace(subject, disabled_reason="budget spent"))
    assert (answer.source, answer.reason) == (Source.FALLBACK, "budget spent")
    assert records == [] == scripted.requests


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ({}, "scripted-main"),
        ({"main": "big", "fast": "small"}, "big"),
        ({"main": "big", VERDICT.name: "own"}, "own"),
    ],
)
async def test_a_bot_chooses_its_models(
    models: dict[str, str], expected: str, subject: CallContext
) -> None:
    scripted.reply(VERDICT.name, GOOD_VERDICT)
    await ask(VERDICT, Question(), replace(subject, models=models))
    assert [request.model for request in scripted.requests] == [expected]


async def test_the_second_model_takes_over(
    settings: Any, subject: CallContext, records: list[CallRecord]
) -> None:
    settings.LLM_MAIN_FALLBACK = "scripted:second:7b"
    scripted.reply(VERDICT.name, DOWN, DOWN, DOWN, GOOD_VERDICT)
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK_MODEL, "scripted: overloaded")
    assert outcomes(records) == ["error"] * 3 + ["ok"]
    assert records[-1].model == "second:7b"
    assert [record.attempt for record in records] == [1, 2, 3, 4]


async def test_it_also_takes_over_from_a_refusal(settings: Any, subject: CallContext) -> None:
    settings.LLM_MAIN_FALLBACK = "scripted:second"
    scripted.reply(VERDICT.name, "no", "no", GOOD_VERDICT)
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK_MODEL, "scripted: invalid")


async def test_the_tier_has_its_own_second_model(settings: Any, subject: CallContext) -> None:
    settings.LLM_MAIN_FALLBACK = "scripted:second"
    scripted.reply(SENTENCE.name, DOWN, DOWN, DOWN)
    assert (await ask(SENTENCE, Question(), subject)).source == Source.FALLBACK


async def test_from_one_wire_to_the_other(
    fake: FakeProvider, settings: Any, subject: CallContext
) -> None:
    settings.LLM_PROVIDER = "anthropic"
    settings.LLM_MAIN_FALLBACK = "together:meta-llama/Llama-3.3-70B-Instruct-Turbo"
    fake.reply("Verdict", *[GOOD] * 2)
    fake.queue("status:401")
    answer = await ask(VERDICT, Question(), subject)
    assert answer.source == Source.FALLBACK_MODEL
    assert [request.wire for request in fake.requests] == ["anthropic", "openai"]


async def test_an_unknown_provider_is_nobody(settings: Any, subject: CallContext) -> None:
    settings.LLM_PROVIDER = "oracle"
    assert (await ask(VERDICT, Question(), subject)).reason == "offline"
