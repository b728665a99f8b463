"""The signal score on answers made by hand."""

from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.language.distress import is_heavy
from interviews.engine.signal import Band, band, score, word_count
from tests.each import each

FORTY = " ".join(["word"] * 40)


@each(
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


@each(
    ("words", "expected"), [(29, Band.LOW), (30, Band.MEDIUM), (31, Band.MEDIUM), (40, Band.MEDIUM)]
)
def test_bands_have_exact_edges(words, expected):
    assert band(" ".join(["word"] * words), "en") is expected


def test_high_is_above_six_tenths():
    assert band(f"{FORTY} 7", "en") is Band.HIGH
    assert band(" ".join(["word"] * 44) + " in 7", "en") is Band.HIGH


@each(
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
    assert is_heavy(text, language) is expected


MILD = {
    "en": (
        "I lost my keys and later my phone, and found both.",
        "We beat Leeds two nil, and my uncle beat the drum.",
        "I killed the engine and sat there a while.",
        "It was a dead end, and a stroke of luck that I turned round.",
        "I worked in a hospital kitchen and later in a prison library.",
        "We moved there after the war, when I was two.",
        "I was dying to see it, and lost her number.",
    ),
    "it": (
        "Ho perso le chiavi e poi il treno.",
        "Abbiamo battuto la Juve, che perdita di tempo gli altri.",
        "Lavoravo in ospedale, in cucina, e poi in una droghiera.",
        "Siamo arrivati dopo la guerra, con una valigia.",
        "Il parcheggio era abusivo e la batteria scarica.",
    ),
    "ru": (
        "Я потерял ключи, а потом и зонт.",
        "Наши били рекорды, а мы пили чай и убили время.",
        "Она работала в больнице, а дом стоял на горе.",
        "Мы переехали туда после войны. Зимы там умеренные.",
        "Бабушка развела кур, а дед развёл огонь.",
    ),
}
HARD = {
    "en": (
        "We lost our little girl.",
        "I lost my father when I was nine.",
        "He used to beat me.",
        "My father hit us, my mother too.",
        "She had a stroke at the table.",
        "My brother was killed in the war.",
        "I was diagnosed with leukaemia.",
        "Mum was in hospital for months.",
        "My uncle raped me.",
    ),
    "it": (
        "Ho perso mio padre a nove anni.",
        "Mio padre ci picchiava.",
        "È mancato mio marito.",
        "Mi hanno trovato un tumore.",
        "Mio nonno è stato ucciso in guerra.",
        "Mia madre era ricoverata da mesi.",
    ),
    "ru": (
        "Я потеряла маму в девять лет.",
        "Отец бил нас с братом.",
        "Папы не стало в мае.",
        "Деда убили на войне.",
        "У меня нашли рак.",
        "Отчим пил и бил мать.",
        "Она год лежала в больнице.",
    ),
}


@each(("text", "language"), [(text, language) for language in MILD for text in MILD[language]])
def test_mild_words_are_not_is_heavy(text, language):
    assert not is_heavy(text, language)


@each(("text", "language"), [(text, language) for language in HARD for text in HARD[language]])
def test_grief_violence_and_illness_are_is_heavy(text, language):
    assert is_heavy(text, language)


def test_words_of_languages_without_spaces_are_characters_by_two():
    assert word_count("我们住在里加。", "zh") == 3


@given(st.text(max_size=500), st.sampled_from(["en", "it", "ru", "de", "zh", "es", "xx"]))
def test_a_score_is_between_nothing_and_one(text, language):
    assert 0 <= score(text, language) <= 1
