"""What the project ships to begin with."""

import io
import re

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from plans.bots.checklist import checklist
from plans.bots.compile import compile_bot
from plans.documents import reader as documents_reader
from plans.models import (
    Bot,
    BotText,
    Intelligence,
    LadderConcept,
    LadderMethodology,
    Question,
    RewardCode,
    Script,
    SubGoal,
)
from plans.protocols import PROTOCOLS
from plans.protocols.topic_exploration.content import turn_budget
from plans.scripts import script_summary
from tests.ladder_files import concepts, methodologies
from tests.plans.conftest import parse_here

pytestmark = pytest.mark.django_db


def load(*arguments: str) -> str:
    out = io.StringIO()
    call_command("load_demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def loaded_once(django_db_setup, django_db_blocker):
    """Load the demo for all tests of this file; what each of them changes is rolled back."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "close", lambda: None)  # as Django does after each test
        patch.setattr(documents_reader, "_run_worker", parse_here)
        with transaction.atomic():
            load()
            yield
            transaction.set_rollback(True)


@pytest.fixture
def loaded(loaded_once, db):
    """The demo, as shipped."""


def test_no_consent_denies_what_its_last_lines_say_of_reading_along(loaded):
    denials = ("No person reads", "Nessuna persona legge", "ни один человек")
    consents = BotText.objects.values_list("consent", flat=True)
    assert not [text for text in consents if any(words in text for words in denials)]


SHIPPED = {
    "life-story": ("live", True, True, {"en", "ru"}),
    "life-story-short": ("live", True, False, {"en", "ru"}),
    "product-research": ("live", True, False, {"en"}),
    "vita-in-quartiere": ("live", True, False, {"it"}),
    "technical-backend-en": ("live", True, False, {"en"}),
    "technical-backend-ru": ("live", True, False, {"ru"}),
    "print-shop-handover": ("live", True, False, {"en"}),
    "evening-reading": ("live", True, False, {"en", "it", "ru"}),
}


def test_bots_are_live_and_lack_nothing(loaded):
    for bot in Bot.objects.all():
        lacks = [item.label for item in checklist(bot) if not item.done]
        assert lacks == ["Safety contact"]  # an address that only its admin knows
        content = compile_bot(bot)
        assert set(content.texts) == set(content.languages)
        state = (bot.status, bot.public, bot.is_default, set(content.languages))
        assert SHIPPED[bot.slug] == state
    assert Bot.objects.count() == len(SHIPPED)


def test_the_handover_brings_its_documents_and_a_backlog_that_names_places_in_them(loaded):
    bot = Bot.objects.get(slug="print-shop-handover")
    kinds = dict(bot.documents.values_list("name", "kind"))
    assert kinds == {
        "prices.xlsx": "xlsx",
        "order_process.md": "markdown",
        "reorder_paper.py": "code",
    }
    assert all(document.parts.exists() for document in bot.documents.all())
    material = compile_bot(bot).material
    assert len(material.questions) >= 12
    assert {question.priority for question in material.questions} == {"P0", "P1", "P2"}
    for question in material.questions:
        assert question.why
        assert all(source.place and source.text for source in question.sources), question
        assert {source.document for source in question.sources} <= set(kinds)
    assert all(document.dive.purpose and document.dive.gaps for document in material.documents)


def test_loading_again_leaves_documents_and_backlog_as_people_left_them(loaded):
    bot = Bot.objects.get(slug="print-shop-handover")
    bot.documents.get(name="prices.xlsx").delete()
    bot.backlog.get(key="safety").delete()
    load()
    assert bot.documents.count() == 2
    assert not bot.backlog.filter(key="safety").exists()
    load("--reset")
    assert bot.documents.count() == 3
    assert bot.backlog.filter(key="safety").exists()


def test_the_laddering_has_a_concept_and_a_methodology_in_its_three_languages(loaded):
    assert set(LadderMethodology.objects.values_list("key", flat=True)) == set(methodologies())
    assert set(LadderConcept.objects.values_list("key", flat=True)) == set(concepts())
    bot = Bot.objects.get(slug="evening-reading")
    material = compile_bot(bot).material
    assert material.concept == concepts()["reading_lamp"]
    assert material.methodology == methodologies()["means_end_chain"]
    assert all(material.concept.speaks(language) for language in material.options.languages)


def test_loading_again_leaves_concepts_and_methodologies_as_people_left_them(loaded):
    LadderConcept.objects.get(key="bicycle_repair").delete()
    mine = LadderConcept.objects.get(key="reading_lamp")
    mine.source, mine.name = mine.source.replace("A lamp for", "My lamp for"), "My lamp"
    mine.save()

    assert load() == ""
    assert not LadderConcept.objects.filter(key="bicycle_repair").exists()
    assert Bot.objects.get(slug="evening-reading").concept.name == "My lamp"

    load("--reset")
    assert LadderConcept.objects.filter(key="bicycle_repair").exists()
    assert Bot.objects.get(slug="evening-reading").concept.name.startswith("A lamp for")


def explorations():
    return Bot.objects.filter(slug__in=["product-research", "vita-in-quartiere"])


def test_topic_explorations_are_whole(loaded):
    for bot in explorations():
        material = compile_bot(bot).material
        assert 5 <= len(material.topics) <= 6
        assert all(3 <= len(topic.sub_goals) <= 5 for topic in material.topics)
        assert [field.kind for field in material.fields] == ["name", "email", "role"]
        goals = [goal for topic in material.topics for goal in topic.sub_goals]
        assert len(set(goals)) == len(goals)
        assert not [goal for goal in goals if goal.endswith(("?", ".")) or goal[0].isupper()]
        assert not turn_budget(bot.minutes, len(material.topics)).over
        assert bot.intelligence.get().status == "pending"
    rewards = {bot.slug: compile_bot(bot).material.options.reward.kind for bot in explorations()}
    assert rewards == {"product-research": "fixed", "vita-in-quartiere": "pool"}
    assert RewardCode.objects.filter(bot__slug="vita-in-quartiere").count() == 50


def test_assessments_ask_the_same_in_both_languages(loaded):
    bots = Bot.objects.filter(protocol="technical_assessment")
    scripts = [compile_bot(bot).material.scripts for bot in bots]
    levels = [[(q.topic, q.key, q.level) for q in s.questions] for m in scripts for s in m.values()]
    assert len(levels) == 2
    assert levels[0] == levels[1]
    assert all(sum(level == wanted for *_, level in levels[0]) >= 5 for wanted in (1, 3, 5))


def test_bots_of_an_unknown_kind_are_skipped_with_a_word(loaded, monkeypatch):
    explorations().delete()
    monkeypatch.delitem(PROTOCOLS, "topic_exploration")

    said = load("--reset")

    assert "Skipped: Vita in quartiere" in said
    assert not explorations().exists()


def test_loading_again_leaves_the_codes_also_with_reset(loaded):
    codes = list(RewardCode.objects.values_list("code", flat=True))

    load()
    load("--reset")

    assert list(RewardCode.objects.values_list("code", flat=True)) == codes


def test_no_text_raises_its_voice(loaded):
    for bot in Bot.objects.all():
        for text in bot.texts.all():
            assert "!" not in text.summary + text.consent + text.about + text.care + bot.persona


def test_no_two_questions_of_a_script_are_alike(loaded):
    for script in Script.objects.all():
        assert script_summary(script)["alike"] == []


def test_loading_twice_changes_nothing(loaded):
    before = everything()

    assert load() == ""
    assert everything() == before


def everything():
    rows = (Question.objects, SubGoal.objects, Bot.objects, Intelligence.objects)
    return [list(manager.values()) for manager in rows]


def test_what_people_changed_renamed_or_deleted_stays_so(loaded):
    Question.objects.filter(key="yesterday").update(text="Mine?")
    renamed = Script.objects.get(name="Life story")
    renamed.name = "Ours"
    renamed.save()
    Bot.objects.get(slug="life-story").delete()

    load()

    assert Question.objects.filter(text="Mine?").count() == 2
    assert not Script.objects.filter(name="Life story").exists()
    assert not Bot.objects.filter(slug="life-story").exists()


def test_reset_makes_everything_as_shipped(loaded):
    Question.objects.all().update(text="Mine?")
    Bot.objects.filter(slug="life-story").delete()
    other = Bot.objects.create(slug="other", title="Other", is_default=True)

    load("--reset")

    assert not Question.objects.filter(text="Mine?").exists()
    assert Bot.objects.get(is_default=True) == other
    assert Bot.objects.get(slug="life-story").scripts.count() == 2


def test_each_language_of_a_bot_has_a_title_of_its_own(loaded):
    for bot in Bot.objects.all():
        titles = {bot.title_in(text.language) for text in bot.texts.all()}
        assert len(titles) == bot.texts.count(), bot.slug


def test_no_summary_tells_the_time_which_letters_and_pages_tell_themselves(loaded):
    summaries = [text.summary for text in BotText.objects.exclude(summary="")]
    assert len(summaries) >= 8
    assert [said for said in summaries if re.search(r"\d.{0,3}(min|мин)", said)] == []
