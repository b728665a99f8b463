"""From a bot to its plan."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from pydantic import ValidationError

from plans.bots.compile import NotReady, compile_bot, content_of, plan_for, signature
from plans.models import Bot, Plan, Question
from plans.portability.reader import read_script
from plans.portability.scripts import apply_script
from tests.conftest import make_bot
from tests.plans.study_files import SHORT

pytestmark = pytest.mark.django_db


def test_the_same_bot_gives_the_same_plan(bot):
    first, second = plan_for(bot), plan_for(Bot.objects.get(pk=bot.pk))

    assert first == second
    assert (first.number, Plan.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    "edit",
    [
        lambda bot: Question.objects.filter(key="q1").update(text="Something else?"),
        lambda bot: Question.objects.filter(key="q1").update(position=99),
        lambda bot: Question.objects.filter(key="q1").update(block_seconds=60),
        lambda bot: Question.objects.filter(key="q1").update(probes="Who else?"),
        lambda bot: bot.texts.create(language="en", care="There is help."),
        lambda bot: setattr(bot, "persona", "Warm."),
        lambda bot: setattr(bot, "options", {"followup_ceiling": 1}),
        lambda bot: setattr(bot, "model_overrides", {"main": "other"}),
        lambda bot: bot.scripts.add(apply_script(read_script(SHORT.replace(": en", ": it")))),
    ],
)
def test_an_edit_gives_a_new_plan_and_leaves_the_old_one(bot, edit):
    first = plan_for(bot)
    before = first.content

    edit(bot)
    second = plan_for(bot)

    assert (second.number, second.signature != first.signature) == (2, True)
    first.refresh_from_db()
    assert first.content == before


@pytest.mark.parametrize("field", ["status", "public", "is_default"])
def test_what_an_interview_does_not_run_on_makes_no_plan(bot, field):
    first = plan_for(bot)
    bot.status, bot.public, bot.is_default = "closed", False, False

    assert plan_for(bot) == first


def test_an_edit_undone_gives_the_first_plan_again(bot):
    first = plan_for(bot)
    bot.title = "Other"
    plan_for(bot)
    bot.title = "A test"

    assert plan_for(bot) == first


def test_stored_content_is_what_was_compiled(bot):
    compiled = compile_bot(bot)
    stored = content_of(plan_for(bot))

    assert stored == compiled
    assert signature(stored) == signature(compiled)


def test_content_cannot_be_changed(bot):
    content = compile_bot(bot)
    with pytest.raises(ValidationError, match="frozen"):
        content.title = "Other"
    with pytest.raises(ValidationError, match="frozen"):
        content.material.scripts["en"].questions[0].text = "Other"


def test_sections_left_out_are_not_asked(bot):
    bot.scripts.set([apply_script(read_script(SHORT))])
    bot.options = {"excluded_sections": ["home"]}

    script = compile_bot(bot).material.scripts["en"]

    assert [question.key for question in script.questions] == ["first-job"]


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda bot: bot.scripts.clear(), "scripts"),
        (lambda bot: Question.objects.all().delete(), "questions"),
        (lambda bot: setattr(bot, "protocol", "seance"), "no protocol"),
        (lambda bot: setattr(bot, "options", {"followup_ceiling": 99}), "followup_ceiling"),
        (lambda bot: setattr(bot, "options", {"unknown": 1}), "unknown"),
    ],
)
def test_what_is_missing_is_said(bot, spoil, what):
    spoil(bot)
    with pytest.raises(NotReady, match=what):
        plan_for(bot)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_store_one_plan():
    bot = make_bot()
    together = Barrier(8)

    def compile_it(_: int) -> int:
        together.wait()
        try:
            return plan_for(Bot.objects.get(pk=bot.pk)).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(compile_it, range(8)))

    assert len(found) == Plan.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_different_plans_at_once_are_numbered_apart():
    bot = make_bot()
    together = Barrier(4)

    def compile_it(minutes: int) -> int:
        mine = Bot.objects.get(pk=bot.pk)
        mine.minutes = minutes
        together.wait()
        try:
            return plan_for(mine).number
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        numbers = sorted(pool.map(compile_it, range(1, 5)))

    assert numbers == [1, 2, 3, 4]


def test_each_line_of_a_question_becomes_a_probe(bot):
    Question.objects.update(probes="")
    Question.objects.filter(key="q1").update(probes=" Who else?\n\nHow long? ")

    (first, second, *_) = next(iter(compile_bot(bot).material.scripts.values())).questions

    assert (first.probes, second.probes) == (("Who else?", "How long?"), ())
