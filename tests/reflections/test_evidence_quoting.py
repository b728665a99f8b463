"""A quote is what was said, where it was said, or nothing."""

import random

from hypothesis import assume, example, given
from hypothesis import strategies as st

from reflections.evidence.quotes import QuoteFinder, find_quote
from reflections.evidence.types import Quote
from tests.each import each

ANSWERS = {
    2: "We lived over a bakery in Riga, the five of us — in two rooms.\nI was «seven».",
    5: "Yes.",
    8: "I don't know; it’s all the same to me.",
    11: "Мы жили в подъезде, и всё было просто. Ещё был брат.",
    13: "私はリガで育ちました。",
    15: "Perché no? All'inizio c'era solo <mare>.",
    17: "They were late, they were late, they were tired.",
}
TEXTS = st.text(max_size=300)
MANY = st.dictionaries(st.integers(1, 400), TEXTS, max_size=6)
SPEECH = st.lists(
    st.sampled_from(["the", "house", "Ёлка", "città", "was", "cold,", "— and", "we’d", "left."]),
    min_size=3,
    max_size=40,
).map(" ".join)


def found_whole(quote, answers, near=None):
    return QuoteFinder(answers).find_parts(quote, near)


@each(
    ("quote", "position", "words"),
    [
        ("lived over a bakery in Riga", 2, "lived over a bakery in Riga"),
        ("“WE LIVED over a   bakery…”", 2, "We lived over a bakery"),
        ("... the five of us - in two rooms", 2, "the five of us — in two rooms"),
        ("in two rooms. I was seven", 2, "in two rooms.\nI was «seven"),
        ("[2] Participant: We lived over a bakery", 2, "We lived over a bakery"),
        ("yes", 5, "Yes"),
        ("I don’t know", 8, "I don't know"),
        ("it's all the same", 8, "it’s all the same"),
        ("все было просто. Еще был", 11, "всё было просто. Ещё был"),
        ("リガで育ちました", 13, "リガで育ちました"),
        ("c'era solo <mare>", 15, "c'era solo <mare>"),
        ("Perche\u0301 no? All'inizio", 15, "Perché no? All'inizio"),
    ],
)
def test_how_it_is_written_is_forgiven_and_what_was_said_is_given(quote, position, words):
    assert find_quote(quote, ANSWERS) == Quote(position=position, text=words)


@each(
    "quote",
    [
        "We lived over a bakery in Paris",
        "lived over a bak",  # half a word
        "ived over a bakery",
        "a bakery",  # too little to be a quote
        "the same",
        "yes and no and yes",
        "same to me. Мы жили в подъезде",  # across two answers
        "five of us. I was seven",  # something left out, and not said so
        "",
        "   ",
        "…",
        "“”",
    ],
)
def test_what_nobody_said_is_not_found(quote):
    assert find_quote(quote, ANSWERS) is None
    assert found_whole(quote, ANSWERS) == ()


def test_the_nearest_of_several_is_meant():
    said = {3: "I went home.", 9: "Then I went home.", 40: "So I went home again."}
    assert [find_quote("I went home", said, near).position for near in (3, 9, 30, 999)] == [
        3,
        9,
        40,
        40,
    ]
    assert find_quote("I went home", said).position == 3
    assert find_quote("I went home again", said, 3).position == 40


def test_where_something_was_left_out_each_part_is_found():
    parts = found_whole("We lived over a bakery [...] in two rooms … I was seven", ANSWERS, 2)
    assert [one.text for one in parts] == ["We lived over a bakery", "in two rooms", "I was «seven"]
    assert found_whole("We lived over a bakery … and we were happy there", ANSWERS, 2) == ()


@given(TEXTS, MANY, st.none() | st.integers(-5, 500))
def test_whatever_is_sought_only_what_stands_there_is_given(quote, answers, near):
    for one in found_whole(quote, answers, near):
        assert one.text
        assert one.text in answers[one.position]


@given(SPEECH, st.data())
@example("Straße ist — lang, sehr lang", None)
def test_a_run_of_whole_words_is_always_found(answer, data):
    words = answer.split()
    size = data.draw(st.integers(3, len(words))) if data else len(words)
    start = data.draw(st.integers(0, len(words) - size)) if data else 0
    part = " ".join(words[start : start + size])
    assume(sum(any(map(str.isalnum, word)) for word in part.split()) >= 3)
    quote = find_quote(part.upper().replace("’", "'"), {7: answer})
    assert quote is not None
    assert quote.text in answer


@given(SPEECH, st.integers(0, 10_000))
def test_words_that_nobody_used_are_never_found(answer, seed):
    chance = random.Random(seed)
    garbage = " ".join("".join(chance.choices("qxzjvw", k=6)) for _ in range(4))
    assert find_quote(garbage, {1: answer}) is None
    words = answer.split()
    words[chance.randrange(len(words))] = "qxzjvw"
    assert find_quote(" ".join(words), {1: answer}) is None


def test_long_answers_are_searched_too():
    said = dict.fromkeys(range(40), "a winter by the sea and " * 600)
    assert find_quote("a winter by the lake and", said) is None
