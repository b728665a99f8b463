"""Difficult people are played against every protocol, and nothing they say is lost on the way."""

import pytest

from interviews.engine.language.writing_systems import in_another_language
from interviews.engine.reading import READING, Heard, ReadingInput
from interviews.engine.result import TaskCall
from tests.readings import heard
from tests.transcripts import files
from tests.transcripts.model import ScriptedModel
from tests.transcripts.people import Line, in_words_of, people, played_in, read_words, words_of
from tests.transcripts.play import NO, REPLIES, YES

pytestmark = pytest.mark.django_db  # of the plans
WHO = {"floor": "stopping", "model": "refusing", "bad": "grieving"}


@pytest.fixture(scope="module")
def plans(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        return files.plans()[files.ENGLISH]


@pytest.mark.parametrize("protocol", files.BOTS)
@pytest.mark.parametrize("mode", files.MODES)
def test_every_answer_stands_once_in_its_transcript(plans, tmp_path, protocol, mode):
    played = files.play(plans[protocol], people()[WHO[mode]], mode)
    path = files.save(tmp_path, plans[protocol], mode, [played])

    assert path.name == f"{protocol}-{mode}.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    said = [f"> {files.escaped(line.say)}" for line, _ in played.exchanges if line.say]
    assert len(said) > 8
    assert [line for line in lines if line.startswith("> ") and "*[" not in line] == said
    assert lines[-1].startswith("**End:** ")


def test_a_scripted_model_says_the_same_again(plans):
    plan, person = plans["laddering"], people()["rambling"]
    once, again = (files.document(plan, "model", [files.play(plan, person, "model")]) for _ in "ab")
    assert once == again


def test_a_scripted_model_reads_a_line_as_it_is_meant(plans):
    model = ScriptedModel(plans["life_story"], "any")
    model.hear(Line("Leave him out.", "refuse", "heavy", closed="my brother"))
    data = ReadingInput(language="en", question="Who brought you up?", answer="Leave him out.")
    found = model(TaskCall("reading", READING, data)).value
    assert found == Heard(**heard(intent="refuse", care="heavy", closed_subject="my brother"))


TALKS = [(language, name) for language, bots in files.BY_LANGUAGE.items() for name in bots]


@pytest.mark.parametrize(("language", "protocol"), TALKS)
def test_everybody_has_enough_to_say(language, protocol):
    for person in played_in(language):
        words = words_of(person, protocol, language)
        wanted = person.lines.count("own")
        assert len(words.own) >= min(wanted, 3), person.name
        assert 10 <= len(person.lines) <= 16, person.name


@pytest.mark.parametrize("language", ["it", "ru"])
def test_another_language_has_words_for_all_that_is_said_in_every_interview(language):
    said = [line for person in played_in(language) for line in all_lines(person)]
    spoken = [in_words_of(language, line).say for line in said if line.say]
    assert len(spoken) > 60
    assert all(spoken)
    own, other = (read_words(one, "model").keys() for one in (language, "en"))
    assert own == other


def all_lines(person):
    lines = [step for step in person.lines if not isinstance(step, str)]
    replies = [*REPLIES.values(), YES, NO]
    confirmed = [line.confirm for line in lines if line.confirm]
    return [*lines, *confirmed, *person.care_replies, *replies]


@pytest.mark.parametrize(("language", "protocol"), [one for one in TALKS if one[0] != "en"])
@pytest.mark.parametrize("mode", ["floor", "model"])
def test_an_interview_in_another_language_is_all_in_it(language, protocol, mode):
    plan = files.plans()[language][protocol]
    played = files.play(plan, people()["grieving"], mode, language=language)
    said = " ".join(one.text for move in played.run.moves for one in move.utterances)
    assert not in_another_language(said, language)
    assert " the " not in said


@pytest.mark.parametrize("protocol", ["life_story", "topic_exploration"])
def test_whatever_is_chosen_among_the_moves_offered_is_done(plans, protocol):
    played = files.play(plans[protocol], people()["rambling"], "model")
    chosen = [
        outcomes["lead"].value.heard.split()[1]
        for _, outcomes in played.run.turns
        if "lead" in outcomes
    ]
    done = [move.details["move"] for move in played.run.moves]
    assert chosen == done[-len(chosen) :]


@pytest.mark.parametrize("protocol", ["life_story", "topic_exploration"])
def test_something_hard_is_met_by_an_open_door_whatever_a_model_says(plans, protocol):
    played = files.play(plans[protocol], people()["grieving"], "bad")
    met = next(result for line, result in played.exchanges if line.care == "heavy")
    said = " ".join(one.text for one in met.utterances)
    assert "item" in [firing.guard for firing in met.firings]
    assert said.endswith(("leave it?", "leave it there?"))
    assert "next question" not in said


@pytest.mark.parametrize("protocol", ["life_story", "topic_exploration"])
def test_after_the_care_text_nobody_is_led_back_to_what_was_hard(plans, protocol):
    played = files.play(plans[protocol], people()["grieving"], "bad")
    went_on = next(result for _, result in played.exchanges if result.reason == "goes_on")
    assert not went_on.utterances[-1].text.endswith(("leave it?", "leave it there?"))


def test_each_topic_is_begun_once(plans):
    played = files.play(plans["topic_exploration"], people()["rambling"], "floor")
    said = [one.text for move in played.run.moves for one in move.utterances]
    begun = [text.split(".")[0] for text in said if text.startswith(("Let's begin", "Let's turn"))]
    assert len(begun) == len(set(begun)) > 1
    assert begun[0].startswith("Let's begin")
    assert not begun[1].startswith("Let's begin")
