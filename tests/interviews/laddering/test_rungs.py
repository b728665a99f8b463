"""On which rung a phrase stands: by what it says, else by its place, and then never far."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.protocols.laddering.rules.extraction import Question, extract
from interviews.protocols.laddering.rules.phrases import Phrase, cue_rung
from plans.protocols.laddering.schema.methodology import Methodology
from tests.each import each
from tests.ladder_files import concepts, methodologies

LAMP = concepts()["reading_lamp"]
WAYS = methodologies()["means_end_chain"]
FOCUS = "what was asked about"


def without_cues(ways: Methodology) -> Methodology:
    """The same, so that all is read by its place."""
    bare = tuple(rung.model_copy(update={"cues": {}, "words": {}}) for rung in ways.ladder)
    return ways.model_copy(update={"ladder": bare})


BARE = {name: without_cues(ways) for name, ways in methodologies().items()}
MEANS = BARE["means_end_chain"]
TOP = len(MEANS.ladder) - 1


def put(
    answer: str, focus: int | None = None, technique: str = "ladder_up", ways: Methodology = MEANS
) -> list[int]:
    """The rungs of what an answer speaks of, counted from 0."""
    asked = Question("open") if focus is None else Question(technique, FOCUS, ways.types[focus])
    found = extract(answer, asked, ways, LAMP, "en").concepts
    return [ways.types.index(one.type) for one in found]


def ties(answer: str, focus: int, technique: str = "ladder_up", ways: Methodology = WAYS):
    """What leads to what."""
    made = extract(answer, Question(technique, FOCUS, ways.types[focus]), ways, LAMP, "en")
    return [(one.source, one.target) for one in made.relations]


# -- by what it says


@each(
    ("language", "before", "text", "rung"),
    [
        ("en", "", "price", 0),
        ("en", "so that i can", "get through the week", 1),
        ("en", "which makes me feel", "at home", 2),
        ("en", "which makes me feel", "independent", 3),  # its own words come first
        ("en", "", "feel calm about my freedom", 2),  # what it begins with is what it is
        ("en", "then i'm", "free", 4),
        ("en", "", "freezer", None),
        ("en", "", "peaceful", None),  # a word counts only as it stands
        ("en", "", "peace", 4),
        ("en", "", "don't have to worry", 2),  # the longest of cues that begin together
        ("en", "", "don't have to wait", 1),
        ("it", "il che mi fa sentire", "meglio", 2),
        ("it", "così posso", "andare", 1),
        ("ru", "", "ДЕШЁВАЯ", 0),
        ("ru", "", "дешевая", 0),
        ("ru", "", "весь вечер", None),
        ("ru", "потому что могу", "поехать", 1),
        ("de", "", "price", None),
        ("en-GB", "", "price", 0),
        ("en", "", "", None),
    ],
)
def test_the_first_cue_in_its_own_words_else_in_those_before(language, before, text, rung):
    assert cue_rung(Phrase(text, before), WAYS, language) == rung


def test_what_says_where_it_stands_isnt_moved_for_the_sake_of_a_tie():
    assert put("The price", 2, ways=WAYS) == [0]
    assert ties("The price", 2) == []  # the talk has moved on


def test_what_the_talk_has_left_hands_nothing_on():
    asked = Question("ladder_up", FOCUS, WAYS.types[2], ("warm_light",))
    price, *_ = extract("The price", asked, WAYS, LAMP, "en").concepts

    assert "warm_light" not in price.elements


# -- by its place


@each(
    ("focus", "technique", "rung"),
    [
        (None, "open", 0),
        (0, "ladder_up", 1),
        (2, "ladder_up", 3),
        (3, "ladder_up", 4),
        (3, "return", 4),
        (3, "connect", 3),
        (4, "ladder_up", 0),  # above the top there is nothing: something else came up
        (2, "ladder_down", 1),
        (0, "ladder_down", 0),
        (1, "elaborate", 1),
        (4, "elaborate", 0),
        (2, "contrast", 2),
        (2, "close", 0),
    ],
)
def test_an_answer_without_a_cue_stands_where_the_question_asks(focus, technique, rung):
    assert put("Long walks", focus, technique) == [rung]


@pytest.mark.parametrize(
    ("technique", "pairs"),
    [("ladder_up", [(FOCUS, "my sister")]), ("ladder_down", [("my sister", FOCUS)])],
)
def test_who_begins_with_a_reason_answers_the_question(technique, pairs):
    assert ties("Because of my sister", 1, technique) == pairs


WORDS = ["long walks", "old friends", "full rooms", "so", "because", "so that", "thanks to", ". "]
ANSWERS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
TECHNIQUES = st.sampled_from(
    ["open", "ladder_up", "ladder_down", "connect", "return", "elaborate", "contrast", "close"]
)


@given(ANSWERS, TECHNIQUES, st.none() | st.integers(0, 4), st.sampled_from(sorted(BARE)))
def test_without_a_cue_an_answer_stays_near_its_question(answer, technique, focus, name):
    ways = BARE[name]
    top = len(ways.ladder) - 1
    asked_there = focus == top - 1 and technique in ("ladder_up", "return")

    for rung in put(answer, focus, technique, ways):
        assert rung <= (focus or 0) + 1
        assert rung < top or asked_there


@given(st.text(max_size=60), st.text(max_size=20), st.sampled_from(["en", "it", "ru", "xx"]))
def test_any_words_are_marked_with_a_rung_or_none(text, before, language):
    rung = cue_rung(Phrase(text, before), WAYS, language)

    assert rung is None or 0 <= rung <= TOP
