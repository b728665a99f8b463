"""What is made after interviews waits for a day with money left, and doesn't fail for it."""

from decimal import Decimal

import pytest

from llm.costs import budgets
from plans import jobs
from reflections import jobs as work
from reflections.jobs import interview_ended
from reflections.models import Reflection
from tests.llm.conftest import QUICK, fake, server  # noqa: F401  (fixtures)
from tests.reflections.telling import told_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def a_model(settings, monkeypatch, fake):  # noqa: F811  (the fixture)
    """There is one, and nothing is made but by the test itself."""
    for name, value in QUICK.items():
        setattr(settings, name, value)
    settings.LLM_PROVIDER, settings.ANTHROPIC_API_KEY = "anthropic", "test"
    settings.ANTHROPIC_BASE_URL = fake.url
    monkeypatch.setattr(jobs, "_serving", False)
    return fake


def summary_of(bot_changes: dict) -> Reflection:
    session = told_session()
    type(session.bot).objects.filter(pk=session.bot.pk).update(**bot_changes)
    interview_ended(session)
    return session.reflections.get(name="summary")


def test_it_waits_says_why_and_loses_no_attempt(a_model):
    row = summary_of({"day_budget": Decimal(0)})
    for _ in range(jobs.MOST_ATTEMPTS + 2):
        Reflection.objects.filter(pk=row.pk).update(claimed_until=None)
        work.make(row.pk)
    row.refresh_from_db()
    assert (row.status, row.attempts, row.claim) == ("pending", 0, None)
    assert row.reason == f"Waiting: {budgets.OF_BOT}."
    assert not a_model.requests
    assert work.sweep() >= 0
    row.refresh_from_db()
    assert row.reason  # still so after a sweep


def test_it_is_made_when_there_is_money_again(a_model):
    row = summary_of({"day_budget": Decimal(0)})
    work.make(row.pk)
    type(row.session.bot).objects.update(day_budget=None)
    Reflection.objects.filter(pk=row.pk).update(claimed_until=None)
    work.make(row.pk)
    row.refresh_from_db()
    assert (row.status, row.reason) == ("ready", "")
    assert a_model.requests


def test_the_interview_s_own_budget_is_not_that_of_what_follows(a_model):
    row = summary_of({"session_budget": Decimal(0)})
    work.make(row.pk)
    row.refresh_from_db()
    assert row.status == "ready"
    assert a_model.requests


def test_without_a_model_nothing_waits_for_money(settings):
    settings.LLM_PROVIDER = "offline"
    row = summary_of({"day_budget": Decimal(0)})
    work.make(row.pk)
    row.refresh_from_db()
    assert row.status == "ready"


def test_a_spent_day_of_the_site_holds_all_experts(settings, a_model):
    settings.LLM_DAILY_BUDGET = "0"
    row = summary_of({})
    work.sweep()
    experts = row.session.reflections.filter(name__startswith="expert:")
    assert set(experts.values_list("status", "reason")) == {("pending", budgets.OF_SITE)}


def test_what_needs_no_model_waits_for_no_money(a_model):
    row = summary_of({"day_budget": Decimal(0)}).session.reflections.get(name="coverage")
    work.make(row.pk)
    row.refresh_from_db()
    assert (row.status, row.reason) == ("ready", "")
    assert not a_model.requests
