"""What goes out comes in again as it was, in every format."""

from itertools import product
from typing import get_args

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from plans.bots.compile import compile_bot
from plans.demo.loader import load_demo
from plans.models import Bot, Script
from plans.portability import bots
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.formats import Format, detect, write
from plans.portability.reader import read_bot, read_script
from plans.portability.scripts import (
    add_missing_parts,
    apply_script,
    known_keys,
    script_changes,
    script_document,
)
from tests.each import each
from tests.examples import examples
from tests.plans.study_files import SHORT, scripts

HEAD = ("name", "language", "intro", "outro")
ROUNDS = settings(
    max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("form", get_args(Format))
@ROUNDS
@given(document=scripts())
def test_script_text(form, document):
    head = {name: getattr(document, name) for name in HEAD} if form == "csv" else None

    again = read_script(write(document, form), form, head)

    assert again == document


@pytest.mark.django_db
@pytest.mark.parametrize("form", get_args(Format))
def test_probes_travel_line_by_line(form):
    document = read_script(SHORT)
    document.questions[0].probes = "How long?\nWith whom?"
    head = {name: getattr(document, name) for name in HEAD} if form == "csv" else None

    script = apply_script(read_script(write(document, form), form, head))

    probes = list(script.sections.first().questions.values_list("probes", flat=True))
    assert probes == ["How long?\nWith whom?", ""]
    again = read_script(write(script_document(script), form), form, head)
    assert script_changes(script, again) == []
    again.questions[0].probes = "How long?"
    (change,) = script_changes(script, again)
    assert (change.path[-1], change.after) == ("probes", "How long?")


def test_a_file_without_probes_has_none():
    columns = "section_key,section_title,question_key,text,objective,guidance,block_seconds"
    head = {"name": "n", "language": "en", "intro": "i", "outro": "o"}

    script = read_script(f"{columns}\nhome,Home,rooms,Which room?,One room.,,60\n", "csv", head)

    assert [question.probes for question in script.questions] == [""]


@pytest.mark.django_db
def test_a_file_with_the_former_neutral_probes_loads():
    document = bot_document(_bot())
    document.options["neutral_probes"] = {"en": ["Go on."]}
    Bot.objects.all().delete()

    bot = apply_bot(read_bot(write(document, "yaml")))

    assert compile_bot(bot).material.options.followup_ceiling == 2


@each("form", get_args(Format))
def test_format_is_recognised_by_the_content_and_by_the_name(form):
    text = write(read_script(SHORT), form)

    assert detect(text) == form
    assert detect("anything", f"script.{form}") == form


@pytest.mark.django_db
@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(document=scripts())
def test_script_rows(document):
    Script.objects.all().delete()

    script = apply_script(document)

    assert script_document(script) == document
    assert script_changes(script, document) == []


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_bot(form):
    bot = _bot()
    document = bot_document(bot)
    text = write(document, form)
    assert bot_changes(bot, read_bot(text)) == []

    bot.delete()
    Script.objects.all().delete()
    again = apply_bot(read_bot(text))

    assert bot_document(again) == document
    assert again.status == Bot.Status.DRAFT


def _bot() -> Bot:
    bot = Bot.objects.create(
        slug="life",
        title="Life: a story",
        persona="Warm.\nSlow.",
        minutes=90,
        opens_at="2030-01-01T10:00:00Z",
        options={"followup_ceiling": 2, "excluded_sections": ["home"]},
        model_overrides={"main": "big-one"},
    )
    bot.refresh_from_db()
    bot.scripts.add(apply_script(read_script(SHORT)))
    bot.texts.create(language="en", summary="What it is.", care="Call 112.")
    return bot


def _bots() -> list[Bot]:
    load_demo()
    return list(Bot.objects.order_by("slug"))


@pytest.mark.django_db
def test_rows_that_belong_to_no_protocol_of_the_site_stay_out_of_a_file(monkeypatch):
    monkeypatch.setattr(bots, "OWN_PARTS", ())
    bot = Bot.objects.create(slug="a", title="A")
    assert read_bot(write(bot_document(bot), "json")).backlog == []


@pytest.mark.django_db
def test_every_shipped_bot_comes_back_as_it_was():
    for bot, form in product(_bots(), ("yaml", "json")):
        before = bot_document(bot)
        text = write(before, form)
        apply_bot(read_bot(text), bot)
        assert bot_document(Bot.objects.get(pk=bot.pk)) == before
        assert bot_changes(bot, read_bot(text)) == []
        assert write(bot_document(bot), form) == text


@pytest.mark.django_db
def test_an_option_that_says_what_is_usual_anyway_is_no_change():
    bot = next(bot for bot in _bots() if bot.protocol == "topic_exploration")
    bot.options |= {"languages": ["en"]}
    bot.save()
    assert bot_changes(bot, read_bot(write(bot_document(bot), "yaml"))) == []


@pytest.mark.django_db
@pytest.mark.parametrize("form", get_args(Format))
def test_a_question_without_an_objective_travels(form):
    script = apply_script(read_script(SHORT))
    script.sections.first().questions.update(objective="")
    document = script_document(script)
    head = {name: getattr(document, name) for name in HEAD} if form == "csv" else None
    again = read_script(write(document, form), form, head)
    assert {question.objective for question in again.sections[0].questions} == {""}


@pytest.mark.django_db
def test_rows_without_a_key_are_found_by_their_words():
    script = apply_script(read_script(SHORT))
    stored = script_document(script)
    document = stored.model_dump(mode="json")
    for section in document["sections"]:
        del section["key"]
        for question in section["questions"]:
            del question["key"]
    again = read_script(yaml.safe_dump(document), known=known_keys(script))
    assert script_changes(script, again) == []


@pytest.mark.django_db
def test_what_a_file_does_not_hold_stays_unless_it_replaces():
    script = apply_script(read_script(SHORT))
    stored = script_document(script)
    first = stored.sections[0]
    text = first.questions[0].model_copy(update={"text": "What else?"})
    part = stored.model_copy(update={"sections": [first.model_copy(update={"questions": [text]})]})
    kept = add_missing_parts(script, part)
    keys = [question.key for question in kept.questions]
    assert sorted(keys) == sorted(question.key for question in stored.questions)
    (change,) = script_changes(script, kept)
    assert change.after == "What else?"


@pytest.mark.django_db
def test_a_question_that_the_file_has_elsewhere_has_moved():
    script = apply_script(read_script(SHORT))
    stored = script_document(script)
    question = stored.sections[0].questions[0]
    last = stored.sections[-1].model_copy(update={"key": "new", "questions": [question]})
    kept = add_missing_parts(script, stored.model_copy(update={"sections": [last]}))
    assert [q.key for q in kept.questions].count(question.key) == 1
    apply_script(kept, script)
    assert script.sections.get(key="new").questions.get().key == question.key
