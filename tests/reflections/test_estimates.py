"""What work on interviews is expected to take: the mean of past calls, else a plain default."""

from dataclasses import replace
from decimal import Decimal

import pytest

from interviews.models import Session
from interviews.turns.store import plan_content
from llm.costs import prices
from llm.models import LLMPrice
from llm.tasks.records import CallOutcome
from llm.tasks.task import all_tasks
from plans.bots.compile import plan_for
from reflections.batches.estimates import CLASSES, INSTRUCTIONS, WRITTEN, estimate_batch, tasks_of
from reflections.batches.offers import BatchChoice, offer_of
from reflections.evidence.condensation import PIECE
from reflections.experts.llm_tasks import REFLECT
from reflections.models import EXPERT, Expert, Reflection
from reflections.products import PRODUCTS
from tests.conftest import make_bot
from tests.factories import CallFactory, SessionFactory, talk
from tests.reflections.held import held_session
from tests.reflections.transferred import held_transfer

pytestmark = pytest.mark.django_db
GARDENER = f"{EXPERT}gardener"
SENTENCE = (
    "We lived above the bakery then, and in winter the whole stairwell smelled of rye, so that I "
    "still think of my grandmother, who carried coal up four floors and never once complained."
)


@pytest.fixture(autouse=True)
def uncounted(monkeypatch, request):
    """Of an expert's calls only the reading counts, so that sums are plain."""
    if "checked" not in request.node.name:
        monkeypatch.setitem(PRODUCTS, EXPERT, replace(PRODUCTS[EXPERT], tasks=(REFLECT,)))


@pytest.fixture
def gardener(db):
    """An expert of whom 400 tokens are told."""
    told = "x" * (1600 - len("Gardener") - 1)
    return Expert.objects.create(
        key="gardener", name="Gardener", looks_for="x", instructions=told, position=9
    )


@pytest.fixture
def priced(settings):
    """A model at 2 for a million tokens in and 10 for a million out."""
    settings.LLM_PROVIDER, settings.ANTHROPIC_CHAT_MODEL = "anthropic", "measured-1"
    LLMPrice.objects.create(
        provider="anthropic", model_prefix="measured", input=2, output=10, currency="EUR"
    )
    prices.clear_cache()
    yield
    prices.clear_cache()


def story(bot=None, sentences=3, **fields) -> Session:
    """A finished interview with an answer of so many sentences to each question."""
    session = SessionFactory(bot=bot or make_bot(12), **fields)
    return talk(session, [f"{i}. " + " ".join([SENTENCE] * sentences) for i in range(12)])


def characters(session) -> int:
    return sum(map(len, session.entries.values_list("text", flat=True)))


def call(session, task="reflections.expert", model="measured-1", **fields):
    """A past call: 900 tokens read, 300 of them from a cache, and 200 written."""
    tokens = {"input_tokens": 600, "cache_read_tokens": 300, "output_tokens": 200}
    return CallFactory(
        session=str(session.pk),
        task=task,
        **{**tokens, "model": model, "cost": Decimal("0.5"), **fields},
    )


def line_of(session, name):
    [line] = estimate_batch(offer_of(session.bot), BatchChoice((name,))).lines
    return line


# -- where nothing was logged yet


def test_a_call_reads_the_whole_transcript(priced, gardener):
    session = story()
    line = line_of(session, GARDENER)
    read = characters(session) / 4 + INSTRUCTIONS
    assert (line.interviews, line.calls, line.read, line.written) == (1, 1, round(read), WRITTEN)
    assert line.cost == (Decimal(read) * 2 + WRITTEN * 10) / 1_000_000


def test_what_is_too_long_is_condensed_before(priced, gardener, settings):
    settings.REFLECTION_CHARACTERS = 2_000
    line = line_of(story(), GARDENER)
    condensed = PIECE / 4 + INSTRUCTIONS
    assert (line.calls, line.read) == (2, round(condensed + 2_000 / 4 + INSTRUCTIONS))


# -- the mean of past calls


def test_the_mean_of_past_calls(priced, gardener):
    session = story()
    call(session)
    call(session, input_tokens=1_000, output_tokens=400, cost=Decimal("0.7"))
    line = line_of(session, GARDENER)
    assert (line.calls, line.read, line.written, line.cost) == (1, 1_100, 300, Decimal("0.6"))


@pytest.mark.parametrize("served", ["measured-1-20260115", "measured-1-2026-01-15"])
def test_calls_count_whose_model_the_provider_names_with_its_date(priced, gardener, served):
    session = story()
    call(session, model=served)
    call(session, model="measured-1-mini-20260115", output_tokens=900)
    assert line_of(session, GARDENER).written == 200


@pytest.mark.parametrize(
    "other",
    [{"model": "elsewhere-2"}, {"task": "reflections.facts"}, {"outcome": CallOutcome.INVALID}],
)
def test_other_calls_dont_count(priced, gardener, other):
    session = story()
    call(session, **other)
    assert line_of(session, GARDENER).written == WRITTEN


def test_nor_those_for_much_shorter_interviews(priced, gardener):
    bot = make_bot(12)
    short, long = story(bot, sentences=1), story(bot, sentences=4)
    assert characters(short) < CLASSES[0] < characters(long)
    call(short)
    told = line_of(short, GARDENER)
    assert told.written == 200 + WRITTEN
    assert told.interviews == 2


def test_calls_without_a_price_then_cost_what_the_table_says_now(priced, gardener):
    session = story()
    call(session, cost=None)
    assert line_of(session, GARDENER).cost == Decimal(900 * 2 + 200 * 10) / 1_000_000


def test_calls_of_interviews_that_are_gone_dont_count(priced, gardener):
    session = story()
    call(gone := story(session.bot))
    Session.objects.filter(pk=gone.pk).delete()
    assert line_of(session, GARDENER).written == WRITTEN


# -- which calls a product takes


@pytest.mark.parametrize(
    ("make", "name", "calls"),
    [
        (story, "summary", 2),  # and the check of its quotes
        (story, "facts", 2),
        (story, "coverage", 0),
        (held_session, "summary", 0),
        (held_session, "report", 1),
        (held_transfer, "summary", 0),
        (held_transfer, "facts", 0),
        (held_transfer, "transfer_summary", 2),  # and the package that follows
    ],
)
def test_the_calls_of_a_product(priced, make, name, calls):
    assert line_of(make(), name).calls == calls


def test_every_task_of_after_work_is_known():
    known = {task for name in (*PRODUCTS, GARDENER) for task in tasks_of(name)}
    after = {task.name for task in all_tasks() if task.name.startswith("reflections.")}
    assert after <= known


# -- many interviews


def test_summed_up(priced, gardener):
    bot = make_bot(12)
    call(story(bot))
    story(bot)
    Expert.objects.exclude(pk=gardener.pk).delete()
    told = estimate_batch(offer_of(bot), BatchChoice((GARDENER, "coverage")))
    assert (told.products, told.calls, told.read, told.written) == (4, 2, 1_800, 400)
    assert (told.cost, told.models, told.unpriced, told.currency) == (1, ["measured-1"], [], "EUR")
    assert [(line.interviews, line.calls) for line in told.lines] == [(2, 2), (2, 0)]


def test_without_a_price_it_says_for_which_model(priced, gardener, settings):
    story(bot := make_bot(12))
    settings.ANTHROPIC_CHAT_MODEL = "nobody-knows"
    told = estimate_batch(offer_of(bot), BatchChoice((GARDENER, "coverage")))
    assert (told.cost, told.unpriced) == (None, ["nobody-knows"])
    assert told.calls == 1


def test_without_a_model_nobody_knows(gardener, settings):
    settings.LLM_PROVIDER = "offline"
    story(bot := make_bot(12))
    told = estimate_batch(offer_of(bot), BatchChoice((GARDENER,)))
    assert (told.cost, told.models, told.products) == (None, [], 1)


def test_each_interview_with_the_model_of_its_plan(priced, gardener):
    bot = make_bot(12)
    story(bot)
    bot.model_overrides = {"main": "elsewhere-2"}
    bot.save()
    session = story(bot, plan=plan_for(bot))
    assert plan_content(session.plan_id).models["main"] == "elsewhere-2"
    told = estimate_batch(offer_of(bot), BatchChoice((GARDENER,)))
    assert told.models == ["elsewhere-2", "measured-1"]
    assert (told.cost, told.unpriced) == (None, ["elsewhere-2"])


def test_that_it_is_checked_counts_as_a_call_of_the_fast_model(priced, gardener, settings):
    settings.ANTHROPIC_FAST_MODEL = "measured-fast"
    session = story()
    call(session)
    call(session, task="reflections.support", model="measured-fast", cost=Decimal("0.1"))
    line = line_of(session, GARDENER)
    assert (line.calls, line.cost) == (2, Decimal("0.6"))


def test_nothing_lacking_costs_nothing(priced):
    story(bot := make_bot(12))
    Reflection.objects.create(session=Session.objects.get(), name="summary")
    told = estimate_batch(offer_of(bot), BatchChoice(("summary",)))
    assert (told.products, told.calls, told.cost) == (0, 0, 0)
