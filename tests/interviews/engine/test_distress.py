"""Distress by rules: what people say in it, and what only looks like it.

`python -m tests.interviews.engine.measure_distress` prints how much is heard.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.language.distress import in_distress
from tests.each import each
from tests.growth import growth
from tests.interviews.engine.measure_distress import LANGUAGES, figures, phrases


@each("language", LANGUAGES)
def test_it_is_heard_and_what_only_looks_like_it_is_not(language):
    assert [text for text in phrases(language, "now") if not in_distress(text)] == []
    assert [text for text in phrases(language, "not_now") if in_distress(text)] == []


@each("language", LANGUAGES)
def test_there_are_enough_of_each_to_say_so(language):
    assert min(len(set(phrases(language, kind))) for kind in ("now", "not_now")) >= 60


@each("language", LANGUAGES)
def test_what_is_measured_is_what_was_heard(language):
    heard, said, alarms = figures(language)
    assert (heard, alarms) == (said, said)


STORY = """My grandmother took her own life in the winter of 1952. My mother was eleven. At home we
never spoke of it; there was a photograph turned to the wall, and once a year a candle. When I was
nineteen I thought about killing myself too, I was so unhappy in that town. I didn't, as you see.
I went to sea instead. My father had beaten us, and I hated him, and when he lay dying I held his
hand all the same. People died in that storm in 1978. I thought that I would die as well."""


def test_a_life_with_death_and_violence_in_it_is_heard_to_the_end():
    assert not in_distress(STORY)


def test_one_sentence_in_a_long_calm_story_is_heard():
    assert in_distress(f"{STORY} And since the funeral I don't want to live any more. {STORY}")


@each("text", ["I WANT TO DIE", "i want to die", "…I want to die…", "I  want\nto"])
def test_case_and_marks_make_no_difference(text):
    assert in_distress(text) is (text != "I  want\nto")


@each(
    ("text", "heard"),
    [
        ("She said: “I want to die.” I was twelve.", False),
        ("“I want to die,” she said. I was twelve.", False),
        ("“I want to die”, that is what I think every morning.", True),
        ("My mother loved the song “I want to die” and I hum it now, for I want to die.", True),
    ],
)
def test_what_others_are_quoted_as_saying_is_theirs(text, heard):
    assert in_distress(text) is heard


THEIRS = "She said “I want to die” "


@each(("before", "heard"), [(0, False), (49, False), (50, True)])
def test_so_many_quotations_are_looked_at_and_the_rest_are_own_words(before, heard):
    assert in_distress(f"{'“So it was.” ' * before}\n{THEIRS}") is heard


@given(st.text(max_size=300))
def test_no_text_breaks_the_rules(text):
    assert in_distress(text) in (True, False)


@pytest.mark.parametrize(
    "word", ["a", "i ", "my ", "“", "i just really ", "я ", "я больше ", "ho ", "mi ", "he said “"]
)
def test_a_word_without_end_is_read_at_once(word):
    assert growth(in_distress, word, 16_000) < 8
