"""What work on interviews will cost: worked out by hand, and held against what was counted."""

from decimal import Decimal

import pytest

from interviews.models import Session
from interviews.store import plan_content
from llm import prices
from llm.models import LLMCall, LLMPrice
from llm.task import all_tasks
from plans.compiling import plan_for
from plans.jobs import Job
from reflections import sizing, work
from reflections.batches import Choice, offer_of
from reflections.estimating import estimated
from reflections.models import EXPERT, Expert, Reflection
from reflections.products import MAKERS
from reflections.sizing import Size, tasks_of, uses
from tests.conftest import make_bot
from tests.factories import SessionFactory, talk
from tests.llm.conftest import fake, server  # noqa: F401  (fixtures)
from tests.reflections.asked import ask
from tests.reflections.held import held_session
from tests.reflections.transferred import held_transfer

pytestmark = pytest.mark.django_db(transaction=True)
GARDENER = f"{EXPERT}gardener"
SENTENCE = (
    "We lived above the bakery then, and in winter the whole stairwell smelled of rye, so that I "
    "still think of my grandmother, who carried coal up four floors and never once complained."
)


@pytest.fixture
def gardener(db):
    """An expert of whom 400 tokens are told."""
    told = "x" * (1600 - len("Gardener") - 1)
    return Expert.objects.create(
        key="gardener", name="Gardener", looks_for="x", instructions=told, position=9
    )


@pytest.fixture
def prompts_of_1000(monkeypatch):
    monkeypatch.setattr(sizing, "_prompt", lambda task: 1_000)


@pytest.fixture
def priced(settings):
    """A model at 2 for a million tokens in and 10 for a million out."""
    settings.LLM_PROVIDER, settings.ANTHROPIC_CHAT_MODEL = "anthropic", "measured-1"
    LLMPrice.objects.create(
        provider="anthropic", model_prefix="measured", input=2, output=10, currency="EUR"
    )
    prices.forget()
    yield
    prices.forget()


def story(bot=None, sentences=3, **fields) -> Session:
    """A finished interview with an answer of so many sentences to each question."""
    session = SessionFactory(bot=bot or make_bot(12), **fields)
    return talk(session, [f"{i}. " + " ".join([SENTENCE] * sentences) for i in range(12)])


def figures(name, size, instructions=0) -> list[tuple[str, int, int, int]]:
    found = uses(name, size, instructions)
    return [(use.task.name, use.calls, use.read, use.written) for use in found]


# -- one product, by hand


def test_an_expert_reads_all_of_it_once(prompts_of_1000):
    size = Size(characters=40_000, utterances=100)  # with labels 42 000, which are 10 500 tokens
    assert figures(GARDENER, size, 300) == [("reflections.expert", 1, 11_800, 2_500)]
    short = Size(characters=3_600, utterances=20)  # 1 000 tokens
    assert figures(GARDENER, short, 300) == [("reflections.expert", 1, 2_300, 600)]


def test_russian_takes_more_tokens(prompts_of_1000):
    size = Size(characters=40_000, utterances=100, language="ru")
    assert figures(GARDENER, size)[0][2] == 1_000 + 16_800


def test_summary_and_facts(prompts_of_1000):
    size = Size(characters=3_600, utterances=20)
    assert figures("summary", size) == [("reflections.summary", 1, 2_000, 600)]
    assert figures("facts", size) == [("reflections.facts", 1, 2_000, 700)]
    assert figures("summary", Size(3_600, 20, retold=False)) == []
    assert figures("facts", Size(3_600, 20, facts=4)) == []


def test_what_is_too_long_is_condensed_before(prompts_of_1000, settings):
    settings.REFLECTION_CHARACTERS = 100_000
    size = Size(characters=138_000, utterances=500)  # 148 000: 48 000 too many
    condense, read = figures("summary", size)
    # 96 000 are halved, in four pieces; 52 000 stay
    assert condense == ("reflections.condense", 4, 4_000 + 24_000, 12_000)
    assert read == ("reflections.summary", 1, 1_000 + 12_000 + 13_000, 4_000)


def test_never_more_is_condensed_than_there_is(prompts_of_1000, settings):
    settings.REFLECTION_CHARACTERS = 10_000
    size = Size(characters=98_000, utterances=100)
    [(_, calls, read, written), _] = figures("summary", size)
    assert (calls, read, written) == (20, 20_000 + 25_000, 12_500)


def test_a_report_reads_observations_and_the_last_words(prompts_of_1000):
    size = Size(characters=18_000, utterances=100, answers=48)  # 5 000 tokens, a quarter is read
    assert figures("report", size) == [
        ("technical_assessment.report", 1, 1_000 + 48 * 150 + 1_250, 1_800)
    ]


def test_a_handover_and_the_package_that_follows(prompts_of_1000):
    size = Size(characters=18_000, utterances=100, facts=20)
    assert figures("transfer_summary", size) == [
        ("knowledge_transfer.summary", 1, 1_000 + 5_000 + 800, 800),
        ("knowledge_transfer.onboarding", 1, 1_800, 500),
    ]
    without = Size(characters=18_000, utterances=100)
    assert figures("transfer_summary", without) == [
        ("knowledge_transfer.onboarding", 1, 1_000, 500)
    ]


@pytest.mark.parametrize("name", ["coverage", "ladders", "own_summary", "qa_context"])
def test_what_rules_make_takes_no_call(name):
    assert uses(name, Size(40_000, 100)) == []


def test_every_task_of_after_work_is_reckoned_with():
    reckoned = {task for name in (*MAKERS, GARDENER) for task in tasks_of(name)}
    after = {task.name for task in all_tasks() if task.name.startswith("reflections.")}
    assert after <= reckoned


# -- many interviews


def test_summed_up_by_the_price_table(prompts_of_1000, priced, gardener):
    bot = make_bot(12)
    first, second = story(bot), story(bot, sentences=6)
    Expert.objects.exclude(pk=gardener.pk).delete()
    told = estimated(offer_of(bot), Choice((GARDENER, "coverage")))
    tokens = [
        -(-sum(len(text) + 20 for text in s.entries.values_list("text", flat=True)) // 4)
        for s in (first, second)
    ]
    read = sum(tokens) + 2 * 1_400
    written = sum(min(2_500, -(-count // 2) + 100) for count in tokens)
    assert (told.products, told.calls, told.read, told.written) == (4, 2, read, written)
    assert told.cost == Decimal(2 * read + 10 * written) / 1_000_000
    assert (told.models, told.unpriced, told.currency) == (["measured-1"], [], "EUR")
    assert [(line.interviews, line.calls) for line in told.lines] == [(2, 2), (2, 0)]


def test_without_a_price_it_says_for_which_model(priced, gardener, settings):
    story(bot := make_bot(12))
    settings.ANTHROPIC_CHAT_MODEL = "nobody-knows"
    told = estimated(offer_of(bot), Choice((GARDENER, "coverage")))
    assert (told.cost, told.unpriced) == (None, ["nobody-knows"])
    assert told.calls == 1


def test_without_a_model_nobody_knows(gardener, settings):
    settings.LLM_PROVIDER = "offline"
    story(bot := make_bot(12))
    told = estimated(offer_of(bot), Choice((GARDENER,)))
    assert (told.cost, told.models, told.products) == (None, [], 1)


def test_each_interview_with_the_model_of_its_plan(priced, gardener):
    bot = make_bot(12)
    story(bot)
    bot.model_overrides = {"main": "elsewhere-2"}
    bot.save()
    session = story(bot, plan=plan_for(bot))
    assert plan_content(session.plan_id).models["main"] == "elsewhere-2"
    told = estimated(offer_of(bot), Choice((GARDENER,)))
    assert told.models == ["elsewhere-2", "measured-1"]
    assert (told.cost, told.unpriced) == (None, ["elsewhere-2"])


def test_nothing_lacking_costs_nothing(priced):
    story(bot := make_bot(12))
    Reflection.objects.create(session=Session.objects.get(), name="summary")
    told = estimated(offer_of(bot), Choice(("summary",)))
    assert (told.products, told.calls, told.cost) == (0, 0, 0)


# -- what is counted


@pytest.fixture
def counting(settings, fake):  # noqa: F811
    """A model's server that counts tokens."""
    return ask(settings, fake, "anthropic")


def counted(session, *names) -> tuple[int, int, int]:
    """Makes these; calls, tokens in and tokens out of all that came of it."""
    before = set(LLMCall.objects.values_list("pk", flat=True))
    for name in names:
        row = Reflection.objects.create(session=session, name=name)
        work.make(row.pk)
        for follower in session.reflections.filter(status=Job.Status.PENDING):
            work.make(follower.pk)
        row.refresh_from_db()
        assert row.status == Job.Status.READY, row.reason
    calls = LLMCall.objects.exclude(pk__in=before)
    read = sum(c.input_tokens + c.cache_read_tokens + c.cache_write_tokens for c in calls)
    return len(calls), read, sum(call.output_tokens for call in calls)


@pytest.mark.parametrize("name", ["summary", "facts", GARDENER])
def test_close_to_what_a_server_counts(counting, gardener, name):
    session = story()
    [line] = estimated(offer_of(session.bot), Choice((name,))).lines
    calls, read, written = counted(session, name)
    assert line.calls == calls == 1
    assert line.read == pytest.approx(read, rel=0.3)
    assert line.read + line.written == pytest.approx(read + written, rel=0.3)


def test_close_where_it_is_condensed(counting, gardener, settings):
    settings.REFLECTION_CHARACTERS = 9_000
    session = story(sentences=6)
    [line] = estimated(offer_of(session.bot), Choice((GARDENER,))).lines
    calls, read, _ = counted(session, GARDENER)
    assert line.calls == pytest.approx(calls, abs=1)
    assert line.read == pytest.approx(read, rel=0.3)


def test_close_for_a_report(counting):
    session = held_session()
    [line] = estimated(offer_of(session.bot), Choice(("report",))).lines
    calls, read, _ = counted(session, "report")
    assert line.calls == calls == 1
    assert line.read == pytest.approx(read, rel=0.3)


def test_close_for_a_handover(counting):
    session = held_transfer()
    [line] = estimated(offer_of(session.bot), Choice(("transfer_summary",))).lines
    calls, read, _ = counted(session, "transfer_summary")
    assert line.calls == calls == 2
    assert line.read == pytest.approx(read, rel=0.3)
