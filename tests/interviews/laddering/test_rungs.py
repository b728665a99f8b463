"""On which rung a phrase stands: by what it says, else by its place, and then never far."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interviews.protocols.laddering.rules.extraction import Question, extract
from interviews.protocols.laddering.rules.phrases import Phrase
from interviews.protocols.laddering.rules.rungs import STEPS, cue_rung
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.shipped import concepts, methodologies

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


@pytest.mark.parametrize(
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


def test_things_in_a_list_have_rungs_of_their_own():
    assert put("The price and the freedom", ways=WAYS) == [0, 4]


def test_how_a_list_begins_counts_for_all_of_it():
    assert put("So I can cook and bake", 0, ways=WAYS) == [1, 1]


def test_what_says_where_it_stands_isnt_moved_for_the_sake_of_a_tie():
    assert put("The price", 2, ways=WAYS) == [0]
    assert ties("The price", 2) == []  # the talk has moved on


def test_what_the_talk_has_left_hands_nothing_on():
    asked = Question("ladder_up", FOCUS, WAYS.types[2], ("warm_light",))
    price, *_ = extract("The price", asked, WAYS, LAMP, "en").concepts

    assert "warm_light" not in price.elements


# -- by its place


@pytest.mark.parametrize(
    ("focus", "technique", "rung"),
    [
        (None, "open", 0),
        (0, "ladder_up", 1),
        (2, "ladder_up", 3),
        (3, "ladder_up", 4),
        (3, "connect", 4),
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


def test_a_reason_without_being_asked_for_the_rung_above_never_reaches_the_top():
    assert put("Because of it there are long walks", 3, "elaborate") != [TOP]
    assert put("So long walks", 3, "elaborate") == [3]


def test_a_long_answer_doesnt_climb_with_every_word():
    steps = "Long walks, so old friends, so full rooms, so short nights, so red cheeks"

    assert put(steps, 0) == [1, 1, 1, 1, 1]
    assert put(steps) == [0, 1, 1, 1, 1]


def test_where_no_rung_may_lead_to_itself_it_climbs_two_at_most():
    pairs = [
        {"source": low, "targets": MEANS.types[place + 1 :]}
        for place, low in enumerate(MEANS.types[:-1])
    ]
    strict = MEANS.relations[0].model_copy(
        update={"between": tuple(map(type(MEANS.relations[0].between[0]).model_validate, pairs))}
    )
    ways = MEANS.model_copy(update={"relations": (strict,)})

    assert put("Long walks, so old friends, so full rooms, so short nights", ways=ways) == [
        0,
        1,
        2,
        2,
    ]


def test_what_leads_to_a_marked_thing_stands_no_higher():
    assert put("Long walks, so I can read", 2, ways=WAYS) == [1, 1]


@pytest.mark.parametrize(
    ("technique", "pairs"),
    [
        ("ladder_up", [(FOCUS, "my sister")]),
        ("ladder_down", [("my sister", FOCUS)]),
    ],
)
def test_who_begins_with_a_reason_answers_the_question(technique, pairs):
    assert ties("Because of my sister", 1, technique) == pairs


@pytest.mark.parametrize(
    "answer",
    [
        "I can take it along because it has a battery",
        "I like it that I can take it along because it has a battery",
    ],
)
def test_a_reason_leads_the_way_that_the_ladder_allows(answer):
    asked = Question("open")
    (tie,) = extract(answer, asked, WAYS, LAMP, "en").relations

    assert tie.source == "battery"
    assert tie.target.endswith("take it along")


WORDS = ["long walks", "old friends", "full rooms", "so", "because", "so that", "thanks to", ". "]
ANSWERS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
TECHNIQUES = st.sampled_from(
    ["open", "ladder_up", "ladder_down", "connect", "return", "elaborate", "contrast", "close"]
)


@example("so old friends because long walks", "open", 4, "critical_incident")
@given(ANSWERS, TECHNIQUES, st.none() | st.integers(0, 4), st.sampled_from(sorted(BARE)))
def test_without_a_cue_an_answer_stays_near_its_question(answer, technique, focus, name):
    ways = BARE[name]
    top = len(ways.ladder) - 1
    asked_there = focus == top - 1 and technique in ("ladder_up", "connect", "return")

    for rung in put(answer, focus, technique, ways):
        assert rung <= (focus or 0) + STEPS
        assert rung < top or asked_there


@given(st.text(max_size=60), st.text(max_size=20), st.sampled_from(["en", "it", "ru", "xx"]))
def test_any_words_are_marked_with_a_rung_or_none(text, before, language):
    rung = cue_rung(Phrase(text, before), WAYS, language)

    assert rung is None or 0 <= rung <= TOP
