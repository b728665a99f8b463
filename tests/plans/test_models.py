"""What the tables refuse, and the little that rows know."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from plans.models import Bot, BotText, Plan, Question, Script, Section
from plans.text.languages import match_language

pytestmark = pytest.mark.django_db
NOW = datetime(2030, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_a_script_has_its_name_once_a_language(script):
    Script.objects.create(name="Short", language="ru", intro="x", outro="x")
    with pytest.raises(IntegrityError, match="script"):
        Script.objects.create(name="Short", language="en", intro="x", outro="x")


def test_a_section_has_its_key_once_a_script(script):
    with pytest.raises(IntegrityError, match="section"):
        Section.objects.create(script=script, key="home", title="x")


def test_a_question_has_its_key_once_a_section(script):
    section = script.sections.get(key="home")
    with pytest.raises(IntegrityError, match="question"):
        Question.objects.create(section=section, key="rooms", text="x", objective="x")


def test_a_question_gets_half_a_minute_at_least(script):
    section = script.sections.get(key="home")
    with pytest.raises(IntegrityError, match="question_block_of_30_seconds_or_more"):
        Question.objects.create(section=section, key="q", text="x", objective="x", block_seconds=29)


def test_one_bot_is_the_default(bot):
    with pytest.raises(IntegrityError):
        Bot.objects.create(slug="another", title="x", is_default=True)


def test_a_bot_has_one_text_a_language(bot):
    BotText.objects.create(bot=bot, language="en")
    with pytest.raises(IntegrityError):
        BotText.objects.create(bot=bot, language="en")


@pytest.mark.parametrize("repeated", [{"number": 1}, {"signature": "a"}])
def test_a_plan_has_its_number_and_signature_once_a_bot(bot, repeated):
    fields = {"bot": bot, "protocol": "life_story", "content": {}}
    Plan.objects.create(number=1, signature="a", **fields)
    with pytest.raises(IntegrityError):
        Plan.objects.create(**{"number": 2, "signature": "b", **fields, **repeated})


def test_plans_outlive_their_bot(bot):
    plan = Plan.objects.create(bot=bot, number=1, signature="a", protocol="x", content={})

    bot.delete()

    plan.refresh_from_db()
    assert plan.bot is None


@pytest.mark.parametrize(
    ("tag", "fits"),
    [
        ("en", True),
        ("pt-BR", True),
        ("zh-Hant", True),
        ("English", False),
        ("", False),
        ("e", False),
    ],
)
def test_languages_are_tags(tag, fits):
    script = Script(name="x", language=tag, intro="x", outro="x")
    if fits:
        script.full_clean()
        return
    with pytest.raises(ValidationError, match="language"):
        script.full_clean()


@pytest.mark.parametrize(
    ("status", "opens", "closes", "is_open"),
    [
        ("live", None, None, True),
        ("live", NOW, None, True),
        ("live", NOW + HOUR, None, False),
        ("live", None, NOW + HOUR, True),
        ("live", None, NOW, False),
        ("draft", None, None, False),
        ("closed", None, None, False),
    ],
)
def test_when_a_bot_is_open(status, opens, closes, is_open):
    bot = Bot(slug="b", title="b", status=status, opens_at=opens, closes_at=closes)

    assert bot.is_open(NOW) is is_open


@pytest.mark.parametrize(
    ("tag", "known", "fits"),
    [
        ("pt", ["en", "pt-BR"], "pt-BR"),
        ("pt-br", ["pt", "pt-BR"], "pt-BR"),
        ("pt-PT", ["pt-BR", "pt"], "pt"),
        ("es", ["en"], ""),
        ("", ["en"], ""),
    ],
)
def test_which_language_a_tag_means(tag, known, fits):
    assert match_language(tag, known) == fits
