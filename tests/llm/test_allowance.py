"""A bound on calls holds for retries and repairs too, and for all questions that share it."""

from dataclasses import replace

from llm.gateway import ask
from llm.tasks.call_context import CallContext, CallLimit
from llm.tasks.outcome import Source
from tests.llm.samples import GOOD, VERDICT, Question, Verdict
from tests.scripted import scripted


async def test_a_repair_is_not_made_when_no_call_is_left(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, "{}", Verdict.model_validate(GOOD))
    answer = await ask(VERDICT, Question(), replace(subject, limit=CallLimit(1)))
    assert answer.source == Source.FALLBACK
    assert "no calls are left" in answer.reason
    assert len(scripted.requests) == 1


async def test_questions_of_one_turn_share_it(subject: CallContext) -> None:
    scripted.always(VERDICT.name, Verdict.model_validate(GOOD))
    limited = replace(subject, limit=CallLimit(2))
    sources = [(await ask(VERDICT, Question(), limited)).source for _ in range(3)]
    assert sources == [Source.MODEL, Source.MODEL, Source.FALLBACK]
