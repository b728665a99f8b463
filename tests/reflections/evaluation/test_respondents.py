"""What a simulated participant tells, by what is asked and when."""

import asyncio

from interviews.choices import EntryKind
from interviews.models import TranscriptEntry
from reflections.evaluation.personas import HiddenFact
from reflections.evaluation.respondents import (
    Heard,
    RespondentByRules,
    chosen,
    follows,
    given_away,
    typing_seconds,
)
from tests.each import each
from tests.reflections.evaluation.cast import DENT, KETTLE, LEAVER, SISTER, TALKER, fact, person

ABOUT_SISTER = "Who had a say in it?"
TRUSTED = fact("grief", "He died in May.", "died in May", "winter", "trusted")
UNASKED = fact("news", "I have just moved house.", "moved house", "moving", "volunteered")


def heard(text, turn=1, key="", kind=EntryKind.QUESTION, awaiting="") -> Heard:
    return Heard((TranscriptEntry(text=text, question=key, kind=kind),), turn, awaiting)


def answers(persona, *asked, seed=1):
    respondent = RespondentByRules(persona, seed)
    given = [one if isinstance(one, Heard) else heard(one, n) for n, one in enumerate(asked, 1)]
    return [asyncio.run(respondent.answer(one)) for one in given]


def told(persona, *asked):
    return [answer.facts for answer in answers(persona, *asked)]


def test_a_fact_is_told_once_when_its_words_or_its_key_are_asked():
    assert told(person("a", KETTLE), "What set it off?", "What set it off?") == [
        ("old_kettle",),
        (),
    ]
    assert told(person("a", KETTLE), heard("And then?", key="choosing")) == [("old_kettle",)]
    assert told(person("a", KETTLE), "Where do you live?") == [()]


def test_what_a_question_is_about_may_stand_before_it():
    about = "Let's turn to what set it off. What was that like?"
    assert told(person("a", KETTLE), about) == [("old_kettle",)]


def test_some_facts_need_a_second_question_or_trust_or_none():
    assert told(person("a", SISTER), ABOUT_SISTER, ABOUT_SISTER) == [(), ("sister",)]
    early = [heard("I see. What about that winter?", n) for n in (1, 2, 4, 5)]
    assert told(person("a", TRUSTED), *early) == [(), (), (), ("grief",)]
    assert told(person("a", TRUSTED), heard("What about that winter?", 6)) == [()]
    assert told(person("a", UNASKED), "Where do you live?") == [("news",)]


HINTS = [
    DENT | {"key": key, "hint": f"It has a {key}.", "about": [key]} for key in ("dent", "leak")
]


def test_hints_are_dropped_one_by_one_and_told_once_a_question_takes_them_up():
    asked = ("Where do you live?", "And then?", "A dent. And the weather?", "And the dent?")
    given = answers(person("a", *HINTS), *asked)
    assert [one.hinted for one in given] == ["dent", "", "leak", ""]
    assert given[0].text.endswith("It has a dent.")
    assert [one.act for one in given] == ["small", "small", "small", "tell"]
    assert given[3].text == DENT["text"]
    (unheard,) = answers(person("a", *HINTS), "What of the leak?")
    assert unheard.act == "small"


def test_no_hint_comes_with_a_refusal():
    (refuses,) = answers(person("a", *LEAVER.model_dump()["facts"], *HINTS), "About caring?")
    assert (refuses.act, refuses.hinted) == ("refuse", "")


@each(
    ("said", "is_followed"),
    [
        ("What about the dent?", True),
        ("The dent. What was that like?", True),
        ("The dent sounds like a story. What would you tell a friend?", False),
        ("You have a dent there.", False),
    ],
)
def test_a_question_takes_up_a_hint(said, is_followed):
    assert follows(HiddenFact.model_validate(HINTS[0]), said, "en") is is_followed


def test_what_is_never_told_is_refused_each_time():
    first, second = answers(LEAVER, heard("About caring?"), heard("And caring, once more?", 2))
    assert (first.act, first.refused, second.act) == ("refuse", ("money",), "refuse")


def test_somebody_who_leaves_stops_and_confirms():
    stop = answers(LEAVER, heard("Anything?", 6), heard("Shall we stop?", 7, awaiting="stop"))
    assert [one.act for one in stop] == ["stop", "agree"]
    (stays,) = answers(TALKER, heard("Shall we stop?", 7, awaiting="stop"))
    assert stays.text == "No, let's continue."


def test_the_same_seed_gives_the_same_words():
    forgetful = person("a", KETTLE, traits={**TALKER.model_dump()["traits"], "memory": "low"})
    asked = ["What set it off?"] * 4
    assert answers(forgetful, *asked, seed=3) == answers(forgetful, *asked, seed=3)
    first = {answers(forgetful, *asked, seed=seed)[0].act for seed in range(9)}
    assert first == {"small", "tell"}


def test_what_was_given_away_is_read_from_the_answer():
    assert given_away(TALKER.facts, "It broke in  January, you know.") == ("old_kettle",)
    assert given_away(TALKER.facts, "What set it off was choosing.") == ()


def test_writing_takes_the_time_that_such_a_person_takes():
    manners = ("rambling", "plain", "grieving", "brief")
    seconds = [typing_seconds(person("a", manner=one), "How?", "word " * 30) for one in manners]
    assert seconds == [40, 54, 67, 76]
    assert typing_seconds(TALKER, "", "") == 4


def test_those_held_back_come_last_and_languages_count():
    italian = person("x", language="it")
    assert [one.key for one in chosen([LEAVER, italian, TALKER], ["en"])] == ["talker", "leaver"]
