"""A stream cut at every event, a reply truncated at every character."""

import json

from llm.costs.prices import with_tokens
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, PLAIN, VERDICT, Question, outcomes

EVENTS = 30


async def test_cut_at_every_event_one_clean_reply_comes_back(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    for place in range(EVENTS):
        records.clear()
        fake.reset()
        fake.reply("Verdict", *[GOOD] * 3)
        fake.queue(f"cut:{place}")
        answer = await ask(VERDICT, Question(), subject)
        assert answer.value.model_dump() == GOOD, place
        assert outcomes(records) in (["error", "ok"], ["ok"]), place


async def test_cut_at_bytes(wire: str, fake: FakeProvider, subject: CallContext) -> None:
    for size in range(0, 3000, 83):
        fake.reset()
        fake.reply("Verdict", *[GOOD] * 3)
        fake.queue(f"cut_bytes:{size}")
        answer = await ask(VERDICT, Question(), subject)
        assert answer.value.model_dump() == GOOD, size


async def test_truncated_at_every_character_a_value_comes_back(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    for size in range(len(json.dumps(GOOD)) + 1):
        fake.reset()
        fake.reply("Verdict", *[GOOD] * 3)
        fake.queue(f"truncate:{size}", f"truncate:{size}")
        answer = await ask(VERDICT, Question(), subject)
        whole = size == len(json.dumps(GOOD))
        assert answer.value == (PLAIN if not whole else answer.value), size
        assert answer.source == (Source.MODEL if whole else Source.FALLBACK), size


async def test_what_was_written_before_a_cut_is_counted(
    wire: str, fake: FakeProvider, subject: CallContext, records: list[CallRecord]
) -> None:
    for place in range(EVENTS):
        fake.reset()
        fake.reply("Verdict", *[GOOD] * 3)
        fake.queue(f"cut:{place}")
        await ask(VERDICT, Question(), subject)
    cut = [one for one in records if one.outcome == "error" and len(one.response) >= 8]
    assert cut
    for one in cut:
        assert with_tokens(one).output_tokens >= len(one.response) // 4
