"""What goes over the wire: prompts, cache marks, schemas, temperature, thinking, tokens counted."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.records import CallRecord
from llm.tasks.task import Spoken, Task, Tier, Utterance
from tests.fake_provider import FakeProvider
from tests.llm.samples import SENTENCE, TEMPLATE, VERDICT, Question, Verdict

COOL = replace(VERDICT, temperature=0.2)


async def body(fake: FakeProvider, subject: CallContext, task: Any = COOL, **models: str) -> Any:
    """The request that a question makes."""
    answer = await ask(task, Question(), replace(subject, models=models))
    assert answer.source == "model"
    return fake.requests[-1].body


@pytest.fixture
def anthropic(fake: FakeProvider, settings: Any) -> FakeProvider:
    """The Messages API."""
    settings.LLM_PROVIDER = "anthropic"
    return fake


@pytest.fixture
def openai(fake: FakeProvider, settings: Any) -> FakeProvider:
    """Chat completions."""
    settings.LLM_PROVIDER = "openai"
    return fake


async def test_the_stable_part_is_marked_for_the_cache(
    anthropic: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    sent = await body(anthropic, subject)
    assert sent["system"] == [
        {
            "type": "text",
            "text": "You read answers in English. Prices are in $.",
            "cache_control": {"type": "ephemeral"},
        }
    ]
    assert "cache_control" not in str(sent["messages"])
    await body(anthropic, subject)
    first, second = records
    assert (first.cache_write_tokens > 0, first.cache_read_tokens) == (True, 0)
    assert (second.cache_write_tokens, second.cache_read_tokens > 0) == (0, True)


class Talk(Question):
    dialogue: tuple[Utterance, ...] = ()


TALK = replace(COOL, name="tests.talk", input=Talk)


async def test_a_conversation_is_cached_up_to_what_is_new(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    long = "We lived by the river, and in spring the water came up to the door. " * 20
    said: tuple[Utterance, ...] = ()
    for _ in range(3):
        await ask(TALK, Talk(answer="And then?", dialogue=said), subject)
        said = (
            *said,
            Utterance(role="participant", text=long),
            Utterance(role="interviewer", text="What was the river like?"),
        )
    read = [record.cache_read_tokens for record in records]
    assert read[0] == 0
    assert read[2] > len(long) // 4  # the whole first exchange
    assert records[2].input_tokens < 20


async def test_tokens_are_counted_alike(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    await body(fake, subject, VERDICT)
    await body(fake, subject, VERDICT)
    counted = records[1]
    assert (counted.input_tokens, counted.cache_read_tokens) == (11, 12)
    assert counted.output_tokens > 5
    assert counted.first_token_ms is not None
    assert counted.total_ms >= counted.first_token_ms


@pytest.mark.parametrize(
    ("model", "temperature", "thinking", "effort", "max_tokens"),
    [
        ("claude-sonnet-5-5", None, {"type": "between_tools"}, None, 700),
        ("claude-haiku-5-5", None, {"type": "disabled"}, None, 700),
        ("claude-sonnet-5", None, {"type": "disabled"}, None, 700),
        ("claude-opus-5", None, {"type": "disabled"}, None, 700),
        ("claude-opus-5-5", None, None, "low", 2700),
        ("claude-fable-5-1", None, None, "low", 2700),
        ("claude-opus-4-8", None, None, None, 700),
        ("claude-sonnet-4-6", 0.2, None, None, 700),
        ("claude-haiku-4-5-20251001", 0.2, None, None, 700),
        ("some-later-model", None, None, None, 700),
    ],
)
async def test_claude_models_are_asked_as_they_want(
    anthropic: FakeProvider,
    subject: CallContext,
    model: str,
    temperature: float | None,
    thinking: Any,
    effort: str | None,
    max_tokens: int,
) -> None:
    sent = await body(anthropic, subject, main=model)
    assert sent.get("temperature") == temperature
    assert sent.get("thinking") == thinking
    assert sent["output_config"].get("effort") == effort
    assert sent["max_tokens"] == max_tokens


@pytest.mark.parametrize(
    ("model", "temperature", "effort", "max_tokens"),
    [
        ("gpt-6.1-terra", None, "none", 700),
        ("gpt-6-luna", None, "none", 700),
        ("gpt-6.1-sol", None, "low", 2700),
        ("gpt-6-astra", None, "low", 2700),
        ("gpt-5-mini", None, "minimal", 2700),
        ("o4-mini", None, "low", 2700),
        ("gpt-4.1", 0.2, None, 700),
        ("meta-llama/Llama-3.3-70B-Instruct-Turbo", 0.2, None, 700),
        ("openai/gpt-oss-20b", 0.2, None, 700),
    ],
)
async def test_other_models_too(
    openai: FakeProvider,
    subject: CallContext,
    model: str,
    temperature: float | None,
    effort: str | None,
    max_tokens: int,
) -> None:
    sent = await body(openai, subject, main=model)
    assert sent.get("temperature") == temperature
    assert sent.get("reasoning_effort") == effort
    assert sent["max_tokens"] == max_tokens
    assert sent["stream_options"] == {"include_usage": True}


async def test_no_temperature_unless_the_task_has_one(
    anthropic: FakeProvider, subject: CallContext
) -> None:
    assert "temperature" not in await body(anthropic, subject, VERDICT, main="claude-haiku-4-5")


async def test_the_schema_goes_as_each_wants_it(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    sent = await body(fake, subject)
    if wire == "anthropic":
        wanted = sent["output_config"]["format"]
        schema = wanted["schema"]
        assert wanted["type"] == "json_schema"
    else:
        wanted = sent["response_format"]["json_schema"]
        schema = wanted["schema"]
        assert (wanted["name"], wanted["strict"]) == ("Verdict", True)
    assert schema["title"] == "Verdict"
    assert list(schema["properties"]) == schema["required"] == ["action", "text", "score"]
    assert schema["additionalProperties"] is False


async def test_text_has_none(wire: str, fake: FakeProvider, subject: CallContext) -> None:
    sent = await body(fake, subject, SENTENCE)
    assert not sent.keys() & {"output_config", "response_format"}


async def test_a_map_goes_in_words(wire: str, fake: FakeProvider, subject: CallContext) -> None:
    class Pairs(BaseModel):
        pairs: dict[str, int]

    task = replace(VERDICT, output=Pairs, fallback=lambda question: Pairs(pairs={}))
    fake.reply("Pairs", {"pairs": {"a": 1}})
    answer = await ask(task, Question(), subject)
    assert answer.value == Pairs(pairs={"a": 1})
    sent = fake.requests[-1].body
    assert not sent.keys() & {"output_config", "response_format"}
    assert "must fit this JSON schema" in str(sent)


async def test_the_dialogue_goes_as_alternating_messages(
    wire: str, fake: FakeProvider, subject: CallContext, tmp_path: Path
) -> None:
    class Talk(BaseModel):
        dialogue: tuple[Utterance, ...]
        language: str
        answer: Spoken

    task = Task("tests.talk", Tier.MAIN, TEMPLATE, Talk, Verdict, lambda talk: None)  # type: ignore[arg-type,return-value]
    talk = Talk(
        dialogue=(
            Utterance(role="interviewer", text="Where did you live?"),
            Utterance(role="participant", text="By the <river>."),
        ),
        language="English",
        answer="Yes.",
    )
    assert (await ask(task, talk, subject)).source == "model"
    messages = [one for one in fake.requests[-1].body["messages"] if one["role"] != "system"]
    assert [one["role"] for one in messages] == ["user", "assistant", "user"]
    assert "By the <river>." in str(messages[-1]["content"])
    assert "<answer>\\nYes.\\n</answer>" in json.dumps(messages[-1]["content"])


async def test_connections_are_used_again(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    for _ in range(5):
        await ask(VERDICT, Question(), subject)
    assert len({request.peer for request in fake.requests}) == 1


async def test_no_key_is_ever_in_a_record(
    wire: str, fake: FakeProvider, settings: Any, subject: CallContext, records: list[CallRecord]
) -> None:
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = "sk-very-secret-key"
    fake.queue("status:401")
    await ask(VERDICT, Question(), subject)
    assert "sk-very-secret-key" in str(fake.requests[-1].headers)
    assert "secret" not in str(records)
