"""Every fault of a provider, on both wires, by the real SDKs: who answers, after which calls."""

from dataclasses import replace
from typing import Any

import pytest

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, PLAIN, SENTENCE, VERDICT, Question, outcomes

RETRIED = [
    ("rate_limit", "error"),
    ("rate_limit:0.05", "error"),
    ("overloaded", "error"),
    ("status:500", "error"),
    ("status:502", "error"),
    ("status:503", "error"),
    ("close", "error"),
    ("error_event:0", "error"),
    ("error_event:3", "error"),
    ("garbage:3", "error"),
    ("cut:0", "error"),
    ("cut:5", "error"),
    ("cut_bytes:40", "error"),
    ("silent", "timeout"),
    ("stall:0", "timeout"),
    ("stall:5", "timeout"),
    ("drip:1", "timeout"),
]
PERMANENT = [
    *(f"status:{status}" for status in (400, 401, 402, 403, 404, 409, 413, 422)),
    "spend_limit",
    "credit",
]
REPLIES = [
    (["broken"], ["invalid", "repaired"], Source.MODEL),
    (["wrong"], ["invalid", "repaired"], Source.MODEL),
    (["truncate:12"], ["truncated", "repaired"], Source.MODEL),
    (["empty"], ["empty", "repaired"], Source.MODEL),
    (["fenced"], ["ok"], Source.MODEL),
    (["refusal"], ["refused"], Source.FALLBACK),
    (["broken", "wrong"], ["invalid", "invalid"], Source.FALLBACK),
    (["broken", "refusal"], ["invalid", "refused"], Source.FALLBACK),
    (["truncate:12", "truncate:20"], ["truncated", "truncated"], Source.FALLBACK),
    (["broken", "overloaded"], ["invalid", "error", "repaired"], Source.MODEL),
]


@pytest.fixture(autouse=True)
def _good_replies(fake: FakeProvider) -> None:
    fake.reply("Verdict", *[GOOD] * 8)


@pytest.mark.parametrize(("fault", "outcome"), RETRIED)
async def test_a_passing_fault_is_tried_again(
    wire: str,
    fault: str,
    outcome: str,
    fake: FakeProvider,
    subject: CallContext,
    records: list[Any],
    settings: Any,
) -> None:
    def be_patient(record: Any) -> None:
        records.append(record)
        settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_IDLE_TIMEOUT = 60

    if outcome == "timeout":
        settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_IDLE_TIMEOUT = 0.3
    fake.queue(fault)
    answer = await ask(VERDICT, Question(), replace(subject, record=be_patient))
    assert (answer.source, answer.reason) == (Source.MODEL, "")
    assert answer.value.model_dump() == GOOD
    assert outcomes(records) == [outcome, "ok"]
    assert len(fake.requests) == 2


@pytest.mark.parametrize("fault", PERMANENT)
async def test_what_asking_again_cannot_mend_is_asked_once(
    wire: str, fault: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.queue(fault)
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.source, answer.value) == (Source.FALLBACK, PLAIN)
    assert answer.reason.startswith(wire)
    assert outcomes(records) == ["error"]
    assert len(fake.requests) == 1
    assert "sk-secret" not in records[0].error


@pytest.mark.parametrize(("faults", "expected", "source"), REPLIES)
async def test_an_unusable_reply_is_repaired_once(
    wire: str,
    faults: list[str],
    expected: list[str],
    source: Source,
    fake: FakeProvider,
    subject: CallContext,
    records: list[CallRecord],
) -> None:
    fake.queue(*faults)
    answer = await ask(VERDICT, Question(), subject)
    assert answer.source == source
    assert outcomes(records) == expected


async def test_attempts_are_bounded(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.queue(*["overloaded"] * 9)
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK, f"{wire}: overloaded")
    assert [record.attempt for record in records] == [1, 2, 3]


async def test_a_text_is_not_asked_as_json(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.reply("", "A sentence.")
    answer = await ask(SENTENCE, Question(), subject)
    assert (answer.value, answer.source) == ("A sentence.", Source.MODEL)
    fake.queue("truncate:4")
    fake.reply("", "A long sentence.", "A short one.")
    assert (await ask(SENTENCE, Question(), subject)).value == "A short one."
    assert outcomes(records) == ["ok", "truncated", "repaired"]


async def test_markup_comes_through_as_text_and_nul_as_a_space(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    fake.queue("html", "nul")
    marked = await ask(VERDICT, Question(), subject)
    assert marked.value.text.startswith('<div id="chat" hx-get')
    clean = await ask(VERDICT, Question(), subject)
    assert clean.value.text == GOOD["text"] + " end"


async def test_a_server_without_structured_output_is_remembered(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    fake.queue("no_schema")
    for _ in range(2):
        assert (await ask(VERDICT, Question(), subject)).value.model_dump() == GOOD
    assert outcomes(records) == ["ok", "ok"]
    first, second, third = fake.requests
    assert first.body.keys() & {"output_config", "response_format"}
    for later in (second, third):
        assert not later.body.keys() & {"output_config", "response_format"}
        assert later.schema == "Verdict"  # it is in the prompt now


async def test_nobody_listens(wire: str, settings: Any, subject: CallContext) -> None:
    settings.ANTHROPIC_BASE_URL = settings.OPENAI_BASE_URL = "http://127.0.0.1:9"
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.source, answer.reason) == (Source.FALLBACK, f"{wire}: connection error")
