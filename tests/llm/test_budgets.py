"""Budgets: what is charged, what is refused, and by how much it may be overshot."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from decimal import ROUND_UP, Decimal

import pytest
from django.db import OperationalError
from django.utils import timezone

from llm.calls.log import save
from llm.concurrency.threads import in_database
from llm.costs import budgets, prices
from llm.gateway import ask
from llm.models import LLMCall, LLMPrice, Spending
from llm.providers.base import Fault, ProviderError
from llm.routing.breaker import breaker
from llm.tasks.call_context import Budget, CallContext, CallLimit
from llm.tasks.outcome import Source
from llm.tasks.records import CallOutcome, CallRecord
from tests.forgetting import forget_spending
from tests.llm.samples import GOOD, VERDICT, Question, Verdict
from tests.scripted import Reply, scripted

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = Verdict.model_validate(GOOD)
DOLLAR = Decimal(1)


@pytest.fixture(autouse=True)
def a_dollar_a_call() -> None:
    """Whatever is written costs a dollar in all, reading nothing."""
    tokens = len(ANSWER.model_dump_json()) // 4
    price = (Decimal(1_000_000) / tokens).quantize(Decimal("0.0001"), ROUND_UP)
    LLMPrice.objects.create(provider="scripted", model_prefix="scripted", input=0, output=price)
    prices.clear_cache()
    scripted.always(VERDICT.name, ANSWER)


def record(**fields) -> CallRecord:
    """A call that has ended."""
    usual = dict.fromkeys(("session", "bot", "task", "template_version"), "x")
    usual |= dict.fromkeys(("input_tokens", "output_tokens"), 0)
    usual |= dict.fromkeys(("cache_read_tokens", "cache_write_tokens"), 0)
    usual |= {"provider": "scripted", "model": "scripted-main", "tier": "main", "turn": 1}
    usual |= {"request": {}, "response": "", "first_token_ms": None, "total_ms": 1, "attempt": 1}
    return CallRecord(**{**usual, "outcome": CallOutcome.OK, **fields})


async def spent(account: str = "") -> Decimal:
    return round(await in_database(budgets.spent_today, account), 4)


async def asked(budget: Budget | None, times: int = 1) -> list[Source]:
    subject = CallContext(session="s", bot="b", budget=budget, record=lambda record: None)
    return [(await ask(VERDICT, Question(), subject)).source for _ in range(times)]


# -- what is charged


async def test_each_call_is_charged_to_its_account_and_the_site():
    await asked(Budget("1"), 2)
    await asked(Budget("2"))
    assert [await spent("1"), await spent("2"), await spent()] == [2, 1, 3]
    assert await in_database(Spending.objects.count) == 2  # an hour and account each


async def test_without_a_purse_nobody_is_charged():
    await asked(None, 3)
    assert await spent() == 0


async def test_answers_that_can_t_be_used_cost_as_well():
    scripted.reply(VERDICT.name, "x" * len(ANSWER.model_dump_json()), ANSWER)
    await asked(Budget("1"))
    assert await spent("1") == 2


async def test_a_refused_call_costs_nothing():
    scripted.reply(VERDICT.name, ProviderError(Fault.RATE_LIMIT), ANSWER)
    await asked(Budget("1"))
    assert len(scripted.requests) == 2
    assert await spent("1") == 1


async def test_what_was_cut_short_is_reckoned_from_the_words():
    said = ANSWER.model_dump_json()
    cut = Reply(said, after=ProviderError(Fault.BROKEN_STREAM))
    scripted.reply(VERDICT.name, cut, ANSWER)
    await asked(Budget("1"))
    assert await spent("1") == 2


async def test_a_model_without_a_price_counts_as_the_dearest():
    unknown = record(model="a new one", output_tokens=1_000_000)
    known = record(output_tokens=1_000_000)
    dear = await in_database(budgets.price_of, known)
    assert await in_database(budgets.price_of, unknown) == dear > 1_000


async def test_without_any_price_something_is_counted():
    await in_database(LLMPrice.objects.all().delete)
    prices.clear_cache()
    unknown = record(input_tokens=500_000, cache_read_tokens=500_000, output_tokens=1_000_000)
    assert await in_database(budgets.price_of, unknown) == 30


async def test_a_free_model_is_free():
    await in_database(LLMPrice.objects.create, provider="x", model_prefix="m", input=0, output=0)
    prices.clear_cache()
    assert (
        await in_database(budgets.price_of, record(provider="x", model="m", output_tokens=9)) == 0
    )


async def test_what_was_spent_yesterday_is_over():
    at = timezone.now() - timedelta(hours=24, minutes=1)
    await in_database(Spending.objects.create, account="1", hour=at, cost=500)
    await asked(Budget("1"))
    assert [await spent("1"), await spent()] == [1, 1]


async def test_parallel_charges_are_all_counted():
    subject = CallContext(budget=Budget("1"), record=lambda record: None)
    await asyncio.gather(*(ask(VERDICT, Question(), subject) for _ in range(30)))
    assert [await spent("1"), await spent()] == [30, 30]


# -- what is refused


async def test_a_purse_of_its_own_is_spent_and_then_rules_answer():
    budget = Budget("1", left=2 * DOLLAR)
    sources = await asked(budget, 4)
    assert sources == [Source.MODEL] * 2 + [Source.FALLBACK] * 2
    assert len(scripted.requests) == 2
    answer = await ask(VERDICT, Question(), CallContext(budget=budget, record=lambda record: None))
    assert answer.reason == budgets.OF_INTERVIEW


async def test_a_budget_of_nothing_asks_nobody():
    assert await asked(Budget("1", left=Decimal(0))) == [Source.FALLBACK]
    assert await asked(Budget("1", day_most=Decimal(0))) == [Source.FALLBACK]
    assert scripted.requests == []


async def test_one_account_s_day_is_no_other_s():
    assert await asked(Budget("1", day_most=DOLLAR), 2) == [Source.MODEL, Source.FALLBACK]
    assert await asked(Budget("2", day_most=DOLLAR)) == [Source.MODEL]


async def test_the_site_s_day_holds_for_all(settings):
    settings.LLM_DAILY_BUDGET = "2"
    await asked(Budget("1"))
    await asked(Budget("2"))
    for budget in (Budget("1"), Budget("3", day_most=5 * DOLLAR)):
        subject = CallContext(budget=budget, record=lambda record: None)
        assert (await ask(VERDICT, Question(), subject)).reason == budgets.OF_SITE
    assert "site" in await in_database(budgets.blocked_reason)


async def test_what_other_processes_spent_counts_within_seconds(monkeypatch):
    budget = Budget("1", day_most=3 * DOLLAR)
    assert await asked(budget) == [Source.MODEL]
    other = Spending.objects.filter(account="1")
    await in_database(other.update, cost=3)
    assert await asked(budget) == [Source.MODEL]  # as last read, with what was spent here
    monkeypatch.setattr(budgets, "FRESH", 0.0)
    assert await asked(budget) == [Source.FALLBACK]


async def test_calls_deleted_give_no_money_back():
    budget = Budget("1", day_most=DOLLAR)
    await ask(VERDICT, Question(), CallContext(session="s", budget=budget))
    await in_database(LLMCall.objects.all().delete)
    forget_spending()
    assert await asked(budget) == [Source.FALLBACK]


async def test_fifty_at_once_overshoot_by_what_was_under_way_and_no_more(settings):
    settings.LLM_CONCURRENCY = 8
    scripted.always(VERDICT.name, Reply(ANSWER, delay=0.02))
    budget = Budget("1", day_most=10 * DOLLAR)
    subject = CallContext(budget=budget, record=lambda record: None)
    found = await asyncio.gather(*(ask(VERDICT, Question(), subject) for _ in range(50)))
    by_model = sum(answer.source is Source.MODEL for answer in found)
    assert 10 <= by_model <= 10 + 8 - 1
    assert len(scripted.requests) == by_model
    assert await spent("1") == by_model


async def test_a_spent_budget_says_nothing_about_the_provider():
    await asked(Budget("1", left=Decimal(0)), 20)
    assert breaker("scripted", "scripted-main").failures == 0


async def test_a_turn_without_calls_left_keeps_no_provider_resting(settings):
    settings.LLM_BREAKER_FAILURES, settings.LLM_BREAKER_REST = 1, 0.0
    guard = breaker("scripted", "scripted-main")
    guard.record_failure()
    subject = CallContext(limit=CallLimit(0), record=lambda record: None)
    assert (await ask(VERDICT, Question(), subject)).source is Source.FALLBACK
    freed = replace(subject, limit=None)
    assert (await ask(VERDICT, Question(), freed)).source is Source.MODEL


async def test_a_database_that_is_away_stops_no_answer(monkeypatch, settings):
    settings.LLM_DAILY_BUDGET = "5"

    def away(*given):
        raise OperationalError("gone")

    monkeypatch.setattr(budgets, "spent_today", away)
    monkeypatch.setattr(budgets, "_charge", away)
    assert await asked(Budget("1")) == [Source.MODEL]


async def test_it_is_logged_once_an_hour(caplog):
    await asked(Budget("1", day_most=Decimal(0)), 5)
    told = [one for one in caplog.records if one.name == "llm.costs.budgets"]
    assert len(told) == 1
    assert "budget of the day is spent" in told[0].getMessage()


# -- how things stand


async def test_what_an_interview_has_cost_counts_calls_without_a_price_too():
    at = timezone.now()
    for cost, tokens in ((Decimal("0.5"), 0), (None, 1_000_000)):
        fields = {"task": "t", "created_at": at, "output_tokens": tokens, "turn": 1}
        await in_database(LLMCall.objects.create, session="s", cost=cost, **fields)
    await in_database(LLMPrice.objects.all().delete)
    prices.clear_cache()
    assert await in_database(budgets.session_cost, "s") == Decimal("25.5")
    assert await in_database(budgets.session_cost, "another") == 0


@pytest.mark.parametrize("model", ["scripted", "another"])
async def test_what_was_cut_short_costs_the_interview_as_much_as_the_day(model):
    ours = LLMPrice.objects.filter(provider="scripted")
    await in_database(ours.update, model_prefix=model)
    prices.clear_cache()
    cut = Reply(ANSWER.model_dump_json(), after=ProviderError(Fault.BROKEN_STREAM))
    scripted.reply(VERDICT.name, cut, ANSWER)
    records: list[CallRecord] = []
    subject = CallContext(session="s", turn=1, budget=Budget("1"), record=records.append)
    await ask(VERDICT, Question(), subject)
    await in_database(save, records)
    assert await spent("1") >= 2
    assert round(await in_database(budgets.session_cost, "s"), 4) == await spent("1")


@pytest.mark.parametrize("words", ["x", "-1", "NaN", "Infinity", "1,50"])
def test_amounts_that_are_none(settings, words):
    settings.LLM_DAILY_BUDGET = words
    with pytest.raises(ValueError, match="no amount"):
        budgets.site_budget()


def test_an_empty_budget_is_none_and_nought_is_nought(settings):
    settings.LLM_DAILY_BUDGET = " "
    assert budgets.site_budget() is None
    settings.LLM_DAILY_BUDGET = "0"
    assert budgets.site_budget() == 0
