"""What calls cost, and the rows of the log."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, transaction

from llm.calls import log
from llm.concurrency.threads import in_database
from llm.costs import prices
from llm.gateway import ask
from llm.models import LLMCall, LLMPrice
from llm.tasks.call_context import CallContext
from llm.tasks.records import CallOutcome, CallRecord
from tests.llm.samples import GOOD, VERDICT, Question, Verdict
from tests.scripted import scripted

RECORD = CallRecord(
    session="s-1",
    turn=2,
    bot="b-1",
    task="tests.verdict",
    template_version="7",
    provider="anthropic",
    model="claude-sonnet-5-5",
    tier="main",
    request={"system": "…", "messages": []},
    response="{}",
    input_tokens=1_000,
    output_tokens=100,
    cache_read_tokens=2_000,
    cache_write_tokens=400,
    first_token_ms=400,
    total_ms=1_200,
    attempt=1,
    outcome=CallOutcome.OK,
)


@pytest.mark.django_db
def test_rows_have_their_cost(django_assert_num_queries: object) -> None:
    unknown = replace(RECORD, provider="openai", model="my-own-llama")
    with django_assert_num_queries(2):  # type: ignore[operator]
        log.save([RECORD, unknown, RECORD])
    with django_assert_num_queries(1):  # type: ignore[operator]
        log.save([RECORD])
    first, second = LLMCall.objects.order_by("id")[:2]
    assert first.cost == Decimal("0.0044")  # 2.00 + 1.00 + 0.40 + 1.00 thousandths
    assert second.cost is None
    assert (first.session, first.turn, first.outcome) == ("s-1", 2, "ok")
    assert first.created_at == RECORD.created_at


@pytest.mark.django_db
def test_the_longest_prefix_wins() -> None:
    def prefix(model: str) -> str:
        found = prices.price("anthropic", model)
        return found.model_prefix if found else ""

    assert prefix("claude-opus-5-20270101") == "claude-opus-5"
    assert prefix("claude-opus-5-5") == "claude-opus-5-5"
    assert prefix("gpt-6-luna") == ""
    LLMPrice.objects.create(
        provider="anthropic", model_prefix="claude-opus-5-5-fast", input=9, output=9
    )
    assert prefix("claude-opus-5-5-fast") == "claude-opus-5-5"
    prices.clear_cache()
    assert prefix("claude-opus-5-5-fast") == "claude-opus-5-5-fast"


@pytest.mark.django_db
def test_a_prefix_has_one_price() -> None:
    twin = LLMPrice(provider="anthropic", model_prefix="claude-opus-5", input=1, output=1)
    with pytest.raises(ValidationError):
        twin.full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


@pytest.mark.django_db
def test_the_default_models_have_prices(settings: object) -> None:
    for provider in ("anthropic", "openai", "together"):
        for tier in ("CHAT", "FAST"):
            model = getattr(settings, f"{provider.upper()}_{tier}_MODEL")
            found = prices.price(provider, model)
            assert found is not None, model
            assert "Estimate" in found.note


@pytest.mark.django_db(transaction=True)
async def test_without_a_sink_a_row_is_written_at_once() -> None:
    scripted.reply(VERDICT.name, "{}", Verdict.model_validate(GOOD))
    await ask(VERDICT, Question(answer="a\0b"), CallContext(session="s-2", turn=4, bot="b-2"))
    rows = await in_database(lambda: list(LLMCall.objects.order_by("id")))
    assert [(row.outcome, row.attempt) for row in rows] == [("invalid", 1), ("repaired", 2)]
    row = rows[1]
    assert (row.session, row.turn, row.bot, row.tier) == ("s-2", 4, "b-2", "main")
    assert (row.task, row.template_version) == (VERDICT.name, "7")
    assert row.request["messages"][0]["text"] == "<answer>\na b\n</answer>"


async def test_a_log_that_cannot_be_written_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(record: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(log, "_save_unless_gone", fails)
    scripted.reply(VERDICT.name, Verdict.model_validate(GOOD))
    assert (await ask(VERDICT, Question(), CallContext())).source == "model"
