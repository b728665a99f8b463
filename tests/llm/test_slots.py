"""How many requests are under way at once, and who is next."""

import asyncio
from typing import Any

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, VERDICT, Question, Verdict
from tests.scripted import Reply, scripted


async def test_no_more_than_allowed(
    wire: str, fake: FakeProvider, settings: Any, subject: CallContext
) -> None:
    settings.LLM_CONCURRENCY = 3
    fake.ttft = 0.02
    answers = await asyncio.gather(*(ask(VERDICT, Question(), subject) for _ in range(12)))
    assert {answer.source for answer in answers} == {"model"}
    assert fake.most_open == 3


async def test_first_come_first_served(settings: Any, subject: CallContext) -> None:
    settings.LLM_CONCURRENCY = 1
    scripted.always(VERDICT.name, Reply(Verdict.model_validate(GOOD), delay=0.005))
    said = [f"answer {number}" for number in range(8)]
    await asyncio.gather(*(ask(VERDICT, Question(answer=one), subject) for one in said))
    order = [request.messages[-1].text for request in scripted.requests]
    assert [text.splitlines()[1] for text in order] == said


async def test_a_pause_between_attempts_holds_no_slot(
    fake: FakeProvider, settings: Any, subject: CallContext
) -> None:
    settings.LLM_PROVIDER, settings.LLM_CONCURRENCY = "anthropic", 1
    fake.queue("rate_limit:0.8", "ok")
    first = asyncio.create_task(ask(VERDICT, Question(), subject))
    await asyncio.sleep(0.1)
    await ask(VERDICT, Question(), subject)
    assert not first.done()
    assert (await first).source == "model"
