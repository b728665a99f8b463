"""Differences, history, duplicates, checklist and the rest that helps people read and write."""

from datetime import timedelta

import pytest
from django.utils import timezone

from plans.bots.checklist import checklist, gaps, set_status
from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history, script_as_of, script_history
from plans.models import Bot
from plans.models.copies import copy_name
from plans.portability.differences import differences, word_runs
from plans.portability.keys import make_key
from plans.portability.reader import read_script
from plans.portability.scripts import apply_script, script_document
from plans.scripts import duplicate_script, preview, script_summary, spoken_time
from tests.each import each
from tests.plans.study_files import SHORT


@each(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": "x"}, {"a": "y"}, [("changed", "a", "x", "y")]),
        ({}, {"a": "y"}, [("added", "a", "", "y")]),
        ({}, {"a": [], "b": {}, "c": "", "d": None}, []),
        ({}, {"a": False, "b": 0}, [("added", "a", "", "no"), ("added", "b", "", "0")]),
        ({"a": ["x"]}, {"a": []}, [("removed", "a", "x", "")]),
        ({"a": True}, {"a": False}, [("changed", "a", "yes", "no")]),
        (
            [{"key": "p", "text": "P"}, {"key": "q", "text": "Q"}],
            [{"key": "q", "text": "Q"}, {"key": "p", "text": "P!"}],
            [("changed", "p › text", "P", "P!"), ("moved", "order", "p, q", "q, p")],
        ),
        ([{"key": "p", "text": "P"}], [], [("removed", "p", "P", "")]),
        (
            [{"section": "s", "key": "p", "n": 1}],
            [{"section": "s", "key": "p", "n": 2}, {"section": "t", "key": "p", "n": 3}],
            [("changed", "s › p › n", "1", "2"), ("added", "t › p", "", "3")],
        ),
    ],
)
def test_differences(before, after, expected):
    found = [(d.kind, d.place, d.before, d.after) for d in differences(before, after)]

    assert found == expected


def test_words_that_stay_go_and_come():
    assert word_runs("one two three", "one 2 three four") == [
        ("same", "one "),
        ("gone", "two"),
        ("new", "2"),
        ("same", " three"),
        ("new", " four"),
    ]
    assert word_runs("", "all new") == [("new", "all new")]


@each(
    ("text", "taken", "key"),
    [
        ("Where were you born?", [], "where-were-you-born"),
        ("Where were you born?", ["where-were-you-born"], "where-were-you-born-2"),
        ("Щука, ёж и юг", [], "shchuka-ezh-i-yug"),
        ("你好", [], "q-001"),
        ("你好", ["q-001"], "q-002"),
        ("word " * 40, [], "word-word-word-word-word-word-word-word"),
    ],
)
def test_keys(text, taken, key):
    assert make_key(text, taken) == key


@each(
    ("name", "taken", "copy"),
    [("A", ["A"], "A copy"), ("A", ["A", "A copy"], "A copy 2"), ("B", [], "B copy")],
)
def test_copy_names(name, taken, copy):
    assert copy_name(name, taken) == copy


@each(
    ("seconds", "words"), [(300, "5 min"), (301, "6 min"), (3600, "1 h"), (95 * 60, "1 h 35 min")]
)
def test_time_in_words(seconds, words):
    assert spoken_time(seconds) == words


def test_a_duplicate_is_deep_and_apart(script):
    copy = duplicate_script(script)

    assert copy.name == "Short copy"
    assert script_document(copy).sections == script_document(script).sections
    copy.sections.first().questions.all().delete()
    assert script.sections.first().questions.count() == 2


def test_a_duplicated_bot_is_a_draft_with_the_same_texts(bot):
    bot.texts.create(language="en", summary="About.")
    copy = duplicate_bot(bot)

    assert (copy.title, copy.slug, copy.status) == ("A test copy", "a-test-copy", "draft")
    assert not (copy.is_default or copy.public)
    assert list(copy.scripts.all()) == list(bot.scripts.all())
    assert copy.texts.get().summary == "About."
    assert duplicate_bot(bot, "A test copy").slug == "a-test-copy-2"
    assert duplicate_bot(bot, "Дорога на работу").slug == "doroga-na-rabotu"


def test_history_tells_what_changed_and_brings_it_back(script):
    before = script_document(script)
    then = timezone.now()
    changed = SHORT.replace("Where did you grow up?", "Where were you a child?").replace(
        "  - key: work", "  - key: job"
    )
    apply_script(read_script(changed), script)

    latest = script_history(script)[0]
    told = {(e.kind, e.subject) for e in latest.entries}
    assert ("changed", "Question “Where were you a child?”") in told
    assert ("removed", "Section “Work”") in told
    assert script_as_of(script, then) == before
    assert script_as_of(script, script.created_at - timedelta(days=1)) is None


def test_one_drag_is_told_once(script):
    section = script.sections.first()
    for place, question in enumerate(reversed(section.questions.all())):
        question.position = place
        question.save()

    moves = [e for save in script_history(script) for e in save.entries if e.kind == "moved"]
    assert len(moves) == 1


def test_history_of_a_bot_holds_its_scripts_and_texts(bot):
    bot.save()
    bot.texts.create(language="en", care="Help.")
    bot.scripts.first().delete()
    bot.minutes = 7
    bot.save()

    told = [e for save in bot_history(bot) for e in save.entries]
    assert {e.subject for e in told} == {"Bot “A test”", "Texts “en”"}
    places = {change.place for e in told for change in e.changes}
    assert {"minutes", "scripts"} <= places


def test_a_preview_numbers_what_is_asked(script):
    seen = preview(script, excluded=["home"])

    assert seen["intro"].startswith("Hello, Alex.")
    asked = [(number, question.key) for p in seen["parts"] for number, question, _ in p["asked"]]
    assert asked == [(1, "first-job")]
    assert (seen["questions"], seen["time"]) == (1, "5 min")


def test_questions_that_are_alike_are_found(script):
    text = "Which was the first paid work that you had?"
    section = script.sections.get(key="home")
    section.questions.create(key="again", text=text, objective="x", position=9)

    assert [(q.key, e.key) for q, e in script_summary(script)["alike"]] == [("first-job", "again")]


def test_a_bot_goes_live_only_when_nothing_is_missing(bot):
    bot.status = Bot.Status.DRAFT
    bot.save()

    assert gaps(checklist(bot)) == [
        "Write the texts in English under Words: what it's about, what participants agree to, "
        "who runs it and how data is used, what to say to somebody in distress."
    ]
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    assert gaps(checklist(bot)) == []
    assert set_status(bot, Bot.Status.CLOSED).status == Bot.Status.CLOSED


@pytest.mark.parametrize(
    ("spoil", "gap"),
    [
        (lambda bot: bot.scripts.clear(), "Choose a script under Interview."),
        (lambda bot: setattr(bot, "options", {"excluded_sections": ["life"]}), "has no question"),
        (lambda bot: setattr(bot, "options", {"followup_ceiling": -1}), "can't be prepared"),
        (
            lambda bot: bot.scripts.add(apply_script(read_script(SHORT))),
            "Two scripts are in English. Keep one.",
        ),
        (
            lambda bot: (setattr(bot, "opens_at", NOW), setattr(bot, "closes_at", NOW)),
            "It would close before it opens",
        ),
    ],
)
def test_the_checklist_names_what_is_missing(bot, spoil, gap):
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    assert gaps(checklist(bot)) == []

    spoil(bot)

    assert any(gap in found for found in gaps(checklist(bot)))


def test_advice_does_not_stand_in_the_way(bot):
    advised = [item for item in checklist(bot) if not item.needed]

    assert {item.label: item.done for item in advised} == {
        "Persona": False,
        "Safety contact": False,
    }


NOW = timezone.now()
