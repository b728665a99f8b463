"""A model that falls silent: what it has written is used, and the next turn doesn't wait for it."""

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from llm.gateway import ask
from llm.routing.breaker import breaker
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from tests.llm.samples import GOOD, SENTENCE, VERDICT, Question, Verdict, outcomes
from tests.scripted import Reply, scripted


class Lenient(Verdict):
    score: int = 0


NEEDS_TEXT = replace(VERDICT, output=Lenient, needed="text")
SILENT = Reply("{", delay=60)


def silent_after(text: str) -> Reply:
    return Reply(text + " " * 9, chunk=len(text), pause=60)


@pytest.fixture(autouse=True)
def _impatient(settings: Any) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_IDLE_TIMEOUT = 0.3
    settings.LLM_ATTEMPTS = 1


@pytest.mark.parametrize(
    "written",
    [
        '{"action": "stay", "text": "Tell me more?"',
        '{"action": "stay", "text": "Tell me more?", "sco',
        'Well: {"action": "stay", "text": "Tell me more?", "score": 0}',
    ],
)
async def test_a_reply_that_is_whole_as_far_as_needed_is_used(
    written: str, subject: CallContext, records: list[CallRecord]
) -> None:
    scripted.reply(VERDICT.name, silent_after(written))
    answer = await ask(NEEDS_TEXT, Question(), subject)
    assert (answer.source, answer.value.text) == (Source.MODEL, "Tell me more?")
    assert outcomes(records) == ["timeout"]


@pytest.mark.parametrize(
    "written", ['{"action": "stay", "text": "Tell me', '{"action": "stay"', '{"text": "So?"', "So?"]
)
async def test_less_is_not(written: str, subject: CallContext) -> None:
    scripted.reply(VERDICT.name, silent_after(written))
    assert (await ask(NEEDS_TEXT, Question(), subject)).source == Source.FALLBACK


@pytest.mark.parametrize(("written", "used"), [("And then?", True), ("And then", False)])
async def test_a_text_is_whole_once_it_asks(written: str, used: bool, subject: CallContext) -> None:
    scripted.reply(SENTENCE.name, silent_after(written))
    answer = await ask(SENTENCE, Question(), subject)
    assert (answer.source == Source.MODEL) is used


@pytest.fixture
def waiting(subject: CallContext) -> CallContext:
    """Somebody who waits for a reply."""
    return replace(subject, deadline=time.monotonic() + 60)


async def test_after_silence_nobody_waits_again(waiting: CallContext) -> None:
    scripted.always(VERDICT.name, SILENT)
    first = await ask(VERDICT, Question(), waiting)
    assert first.reason == "scripted: timeout"
    again = await ask(VERDICT, Question(), waiting)
    assert again.reason == "scripted: resting after failures"
    assert len(scripted.requests) == 1


async def test_at_the_deadline_as_well(waiting: CallContext, settings: Any) -> None:
    settings.LLM_FIRST_TOKEN_TIMEOUT = 60
    scripted.always(VERDICT.name, SILENT)
    await ask(VERDICT, Question(), replace(waiting, deadline=time.monotonic() + 0.3))
    assert breaker("scripted", "scripted-main").is_open


async def test_one_silence_among_replies_is_nothing(waiting: CallContext) -> None:
    scripted.reply(VERDICT.name, SILENT)
    silent = asyncio.create_task(ask(VERDICT, Question(), waiting))
    while not scripted.requests:  # noqa: ASYNC110
        await asyncio.sleep(0)
    scripted.reply(VERDICT.name, Verdict.model_validate(GOOD))
    assert (await ask(VERDICT, Question(), waiting)).source == Source.MODEL
    assert (await silent).source == Source.FALLBACK
    assert not breaker("scripted", "scripted-main").is_open


async def test_none_opens_where_breakers_are_off(waiting: CallContext, settings: Any) -> None:
    settings.LLM_BREAKER_FAILURES = 0
    scripted.always(VERDICT.name, SILENT)
    for _ in range(2):
        assert (await ask(VERDICT, Question(), waiting)).reason == "scripted: timeout"


async def test_nor_where_nobody_waits(subject: CallContext) -> None:
    scripted.always(VERDICT.name, SILENT)
    for _ in range(2):
        assert (await ask(VERDICT, Question(), subject)).reason == "scripted: timeout"
