"""A flood of answers stops at the budget, and interviews end well all the same."""

import asyncio
from decimal import Decimal

import pytest

from interviews.choices import SessionStatus
from interviews.models import Session, Turn
from interviews.turns import actions
from llm.concurrency.threads import in_database
from llm.costs import budgets, prices
from llm.models import LLMCall, LLMPrice, Spending
from plans.models import Bot
from tests.conftest import make_bot
from tests.fake_provider import FakeProvider
from tests.forgetting import forget_spending
from tests.interviews.talk import Talk, begin
from tests.llm.conftest import QUICK, fake, server  # noqa: F401  (fixtures)
from tests.pages import markup
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor was "
    "warm under our feet on winter mornings when the ovens below had been lit at three."
)


@pytest.fixture(autouse=True)
def dear(settings, fake: FakeProvider) -> FakeProvider:  # noqa: F811  (the fixture)
    """A model of which each token written costs a cent."""
    for name, value in QUICK.items():
        setattr(settings, name, value)
    settings.LLM_PROVIDER, settings.ANTHROPIC_API_KEY = "anthropic", "test"
    settings.ANTHROPIC_BASE_URL = fake.url
    LLMPrice.objects.all().delete()
    LLMPrice.objects.create(provider="anthropic", model_prefix="claude", input=0, output=10_000)
    prices.clear_cache()
    return fake


def bot_of(**fields) -> Bot:
    return make_bot(questions=3, **fields)


async def to_the_end(talk: Talk) -> Session:
    """Answers until the interview ends."""
    for _ in range(40):
        session = await talk.session()
        if not session.is_active:
            return session
        await talk.say(STORY)
    raise AssertionError("it didn't end")


async def answered(talk: Talk) -> None:
    """An answer and its reply, however long that takes where fifty are made at once."""
    turn = await actions.receive(await talk.session(), STORY, "m1")
    assert await actions.finished(turn, 100)


async def reasons(talk: Talk) -> set[str]:
    """Why models weren't asked, of all turns."""
    return {
        reading["reason"]
        for turn in await talk.turns()
        for reading in turn.readings.values()
        if reading["source"] == "fallback"
    }


async def test_without_budgets_models_are_asked_to_the_end(dear):
    talk = await begin(await in_database(bot_of))
    assert (await to_the_end(talk)).status == SessionStatus.COMPLETED
    assert await reasons(talk) == set()
    assert await in_database(budgets.spent_today) > 0


async def test_an_interview_that_has_spent_its_own_goes_on_by_rules_and_ends_well(dear):
    bot = await in_database(lambda: bot_of(session_budget=Decimal("0.01")))
    talk = await begin(bot)
    await talk.say(STORY)
    asked = len(dear.requests)
    assert asked > 0
    assert (await to_the_end(talk)).status == SessionStatus.COMPLETED
    assert len(dear.requests) == asked
    assert await reasons(talk) == {budgets.OF_INTERVIEW}
    other = await begin(bot, name="Bo")
    await other.say(STORY)
    assert len(dear.requests) > asked


async def test_a_bot_that_has_spent_its_day_goes_on_by_rules_for_all(dear):
    bot = await in_database(lambda: bot_of(day_budget=Decimal("0.01")))
    first = await begin(bot)
    await first.say(STORY)
    asked = len(dear.requests)
    for number in range(3):
        talk = await begin(bot, name=str(number))
        assert (await to_the_end(talk)).status == SessionStatus.COMPLETED
        assert await reasons(talk) == {budgets.OF_BOT}
    assert len(dear.requests) == asked


async def test_a_budget_that_is_raised_holds_from_the_next_turn_on(dear):
    bot = await in_database(lambda: bot_of(day_budget=Decimal(0), session_budget=Decimal(0)))
    talk = await begin(bot)
    await talk.say(STORY)
    assert not dear.requests
    await in_database(Bot.objects.filter(pk=bot.pk).update, day_budget=None, session_budget=None)
    await talk.say(STORY)
    assert dear.requests


async def test_fifty_answers_at_once_overshoot_by_what_was_under_way_and_no_more(dear, settings):
    settings.LLM_CONCURRENCY, settings.TURN_DEADLINE = 4, 60.0
    bot = await in_database(lambda: bot_of(day_budget=Decimal(1)))
    talks = [await begin(bot, name=str(number)) for number in range(50)]
    await asyncio.gather(*(answered(talk) for talk in talks))
    costs = await in_database(lambda: list(LLMCall.objects.values_list("cost", flat=True)))
    spent = await in_database(budgets.spent_today, str(bot.pk))
    assert 1 <= spent <= 1 + settings.LLM_CONCURRENCY * max(costs)
    assert len(dear.requests) < 50
    assert await in_database(Turn.objects.exclude(status="done").count) == 0
    assert {(await talk.session()).status for talk in talks} == {SessionStatus.WAITING_ANSWER}


async def test_withdrawing_gives_no_money_back(dear):
    bot = await in_database(lambda: bot_of(day_budget=Decimal("0.01")))
    talk = await begin(bot)
    await talk.say(STORY)
    asked = len(dear.requests)
    await actions.withdraw(await talk.session())
    assert not await in_database(LLMCall.objects.exists)
    assert await in_database(Spending.objects.exists)
    forget_spending()
    await (await begin(bot, name="Bo")).say(STORY)
    assert len(dear.requests) == asked


async def test_an_interview_of_very_many_turns_goes_on_without_a_model(dear, settings):
    settings.SESSION_TURNS = 1
    talk = await begin(await in_database(bot_of))
    await talk.say(STORY)
    asked = len(dear.requests)
    assert asked > 0
    assert (await to_the_end(talk)).status == SessionStatus.COMPLETED
    assert len(dear.requests) == asked
    assert await reasons(talk) == {"the interview has had 1 turns"}


async def test_budgets_cost_few_queries(dear):
    bot = await in_database(lambda: bot_of(session_budget=Decimal(500), day_budget=Decimal(500)))
    talk = await begin(bot)
    await talk.say(STORY)
    with counted() as seen:
        await talk.say(STORY)
    about = [sql for sql in seen if "llm_spending" in sql or 'SUM("llm_llmcall"' in sql]
    assert len(about) <= 5, about


def test_the_bot_s_page_and_the_list_say_when_its_day_is_spent(settings, admin_client):
    bot = bot_of()
    page, listed = f"/admin/plans/bot/{bot.pk}/change/", "/admin/plans/bot/"
    assert "model budget" not in admin_client.get(page).content.decode()
    Bot.objects.update(day_budget=Decimal(5))
    asyncio.run(_spend(str(bot.pk), Decimal("4.25")))
    shown = admin_client.get(page).content.decode()
    assert "4.25 of 5.00" in shown
    assert "continue without a model" not in shown
    assert "budget spent" not in admin_client.get(listed).content.decode()
    asyncio.run(_spend(str(bot.pk), Decimal(1)))
    shown = admin_client.get(page).content.decode()
    assert "5.25 of 5.00" in shown
    assert "continue without a model" in shown
    forget_spending()
    assert "Live, budget spent" in admin_client.get(listed).content.decode()
    Bot.objects.update(day_budget=None)
    settings.LLM_DAILY_BUDGET = "3"
    shown = markup(admin_client.get(page))
    assert "5.25 of 3.00</b> US dollars of the site’s model budget" in shown


async def _spend(account: str, amount: Decimal) -> None:
    await in_database(budgets._store, account, amount)
