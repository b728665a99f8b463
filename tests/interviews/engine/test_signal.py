"""The signal score on answers made by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.signal import Band, band, hard, score, word_count

FORTY = " ".join(["word"] * 40)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("", "en", 0.0),
        ("fine", "en", 0.01),
        ("It was in 1951", "en", 0.19),  # four words, a digit
        ("We lived in Riga then", "en", 0.20),  # five words, a name
        ("Riga was home", "en", 0.03),  # a capital only at the start
        ("It was a big problem", "en", 0.20),  # impact
        ("I was so sad", "en", 0.19),  # emotion
        (FORTY, "en", 0.55),  # forty words and more than thirty
        (f"{FORTY} In 1951 we had a problem and were sad", "en", 1.0),
        ("Era un problema", "it", 0.18),
        ("Ero molto felice", "it", 0.18),
        ("Это была проблема", "ru", 0.18),
        ("Мне было грустно в Риге", "ru", 0.35),
        (FORTY, "pt", 0.78),  # 0.55 of the 0.7 that need no list
        ("Vivíamos em Riga", "pt", 0.25),  # 0.18 of 0.7
        ("我们住在里加", "zh", 0.04),  # six characters are three words; 0.03 of 0.7
        ("Mir hunn zu Riga gelieft", "lb", 0.07),  # nouns have capitals: no detail
        ("Wir lebten in Riga", "de", 0.04),
        ("Das war ein großes Problem", "de", 0.20),
        ("Estaba muy triste", "es", 0.18),
        ("C’était un grand bonheur", "fr", 0.19),
        ("كنت حزينة جدًا حينها", "ar", 0.19),
    ],
)
def test_score(text, language, expected):
    assert score(text, language) == expected


@pytest.mark.parametrize(
    ("words", "expected"), [(29, Band.LOW), (30, Band.MEDIUM), (31, Band.MEDIUM), (40, Band.MEDIUM)]
)
def test_bands_have_exact_edges(words, expected):
    assert band(" ".join(["word"] * words), "en") is expected


def test_high_is_above_six_tenths():
    assert band(f"{FORTY} 7", "en") is Band.HIGH
    assert band(" ".join(["word"] * 44) + " in 7", "en") is Band.HIGH


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("My mother died", "en", True),
        ("We went to the sea", "en", False),
        ("Mio padre è morto", "it", True),
        ("Отец погиб на войне", "ru", True),
        ("Ich war krank", "de", True),
        ("Wir fuhren ans Meer", "de", False),
        ("Mi padre murió en invierno", "es", True),
        ("Mon père est mort", "fr", True),
        ("مات أبي في الشتاء", "ar", True),
        ("ذهبنا إلى البحر", "ar", False),
    ],
)
def test_hard(text, language, expected):
    assert hard(text, language) is expected


def test_words_of_languages_without_spaces_are_characters_by_two():
    assert word_count("我们住在里加。", "zh") == 3


@given(st.text(max_size=500), st.sampled_from(["en", "it", "ru", "de", "zh", "es", "xx"]))
def test_a_score_is_between_nothing_and_one(text, language):
    assert 0 <= score(text, language) <= 1
