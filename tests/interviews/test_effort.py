"""The rating of answers that look hurried: bounded, the same each time, and right often enough."""

import random
import re
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.language import wishes
from interviews.measures.effort import efforts
from interviews.measures.response_quality import HURRIED, Sign, signs
from interviews.measures.response_quality.score import Answer, combine, rate_answers, rate_latest
from interviews.measures.response_quality.signs import WEIGHTS
from tests.each import each
from tests.interviews.effort_measure import SETS, figures, judged

ROOT = Path(__file__).parents[2]
ASKED = "What comes to mind when you think of the house that you grew up in?"
TOLD = "A narrow house by the canal, with stairs so steep that the cat took the window instead."
STRENGTHS = st.dictionaries(st.sampled_from(Sign), st.floats(0, 1))
TEXTS = st.text(max_size=200) | st.sampled_from([TOLD, ASKED, "ok", "asdfgh", "...", "нет", "boh"])
ANSWERS = st.builds(
    Answer,
    text=TEXTS,
    question=TEXTS,
    language=st.sampled_from(["en", "it", "ru", "ar", "ja", "xx"]),
    seconds=st.none() | st.floats(0, 1e9),
    pasted=st.none() | st.integers(0, 2**31),
)


def only(text: str, asked: str = ASKED, language: str = "en", **more):
    return rate_answers([Answer(text, asked, language, **more)])[0]


# -- what always holds


@given(st.lists(ANSWERS, max_size=6))
def test_any_interview_can_be_rated_and_always_the_same(answers):
    found = rate_answers(answers)
    assert len(found) == len(answers)
    assert all(0 <= one.score <= 1 for one in found)
    assert all(bool(one.signs) == (one.score > 0) for one in found)
    assert rate_answers(answers) == found


@given(STRENGTHS, st.sampled_from(Sign), st.floats(0, 1))
def test_a_stronger_sign_never_lowers_the_score(strengths, sign, more):
    before = combine(strengths)
    after = combine({**strengths, sign: max(more, strengths.get(sign, 0))})
    assert after.score >= before.score
    assert 0 <= before.score <= 1


@given(TEXTS, st.floats(0, 100), st.floats(0, 100))
def test_who_took_longer_is_never_rated_as_more_hurried(text, one, other):
    sooner, later = sorted((one, other))
    assert only(text, seconds=sooner).score >= only(text, seconds=later).score


@given(TEXTS, st.integers(0, 300), st.integers(0, 300))
def test_more_pasted_never_lowers_the_score(text, one, other):
    less, more = sorted((one, other))
    assert only(text, pasted=more).score >= only(text, pasted=less).score


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0, 200))
def test_a_longer_answer_is_never_shorter_for_anybody(one, other, usual):
    few, many = sorted((one, other))
    strength = [signs.short("word " * words, ASKED, "en", usual) for words in (few, many)]
    assert 1 >= strength[0] >= strength[1] >= 0


def test_every_sign_has_a_weight_and_words_for_people():
    assert set(WEIGHTS) == set(Sign) and all(sign.label for sign in Sign)


def test_what_was_said_before_is_not_read_anew_after_drafts_of_others(monkeypatch):
    answers = [Answer(f"{TOLD} {TOLD} {year}", f"{ASKED} {year}") for year in range(1940, 1970)]
    found, read, normalize = rate_latest(answers), [], unicodedata.normalize

    def reading(form, text):
        read.append(text)
        return normalize(form, text)

    for number in range(5_000):
        wishes.plain(f"draft {number}")
    monkeypatch.setattr(wishes, "unicodedata", SimpleNamespace(normalize=reading))
    assert rate_latest(answers) == found
    assert set(read) <= {answers[-1].text}


# -- each sign


@each(
    "text", ["asdfgh", "qwertyuiop", "sdfsdfsdf", "ффффф", "йцукен", "...", "?!", "hjkl hjkl", ""]
)
def test_no_words(text):
    assert signs.no_words(text) >= 0.5


@each(
    "text",
    [
        *("property", "liberty", "пролог", "mamma", "murmur", "rhythm", "Krk", "1999", "12345"),
        *("strengths", "взгляд", "hmm", "бабушка", "couscous", "שלום", "東京", "https"),
    ],
)
def test_words_that_look_odd_are_words(text):
    assert signs.no_words(text) == 0


@each("language", ["en", "it", "ru", "es", "de", "fr"])
def test_random_letters_are_no_words_and_sentences_are(language):
    dice, known = random.Random(7), sorted(signs._letters(language))
    letters = [one for one in known if one.isascii() or language == "ru"]
    mashed = [
        " ".join("".join(dice.choices(letters, k=dice.randint(4, 9))) for _ in range(words))
        for words in (4, 5, 8)
        for _ in range(50)
    ]
    assert sum(signs.no_words(one, language) > 0 for one in mashed) >= 0.75 * len(mashed)
    if language == "en":
        po, field = ROOT / "locale/it/LC_MESSAGES/django.po", "msgid"
    else:
        po, field = ROOT / f"locale/{language}/LC_MESSAGES/django.po", "msgstr"
    said = re.findall(rf'^{field} "(.+)"$', po.read_text(), re.MULTILINE)
    assert len(said) > 200
    assert [one for one in said if signs.no_words(one, language)] == []


@each("text", ["Vladivostok", "Przemyśl", "Szczecin, then Wrocław", "Wojciech", "Hvar"])
def test_a_foreign_name_is_a_word(text):
    assert signs.no_words(text, "en") == 0


def test_a_question_copied_now_or_later():
    first, second = "Where did the stairs of that house lead to?", ASKED
    assert signs.copy(ASKED.upper(), [ASKED]) == 1
    assert signs.copy(first, [first, second]) == 1
    assert signs.copy("the house that you grew up in", [ASKED]) == 1
    assert signs.copy("The house that I grew up in had stairs, steep ones.", [ASKED]) == 0
    assert rate_answers([Answer(TOLD, first), Answer(first, second)])[1].signs[0] == Sign.COPY


def test_the_same_words_again():
    said = [Answer(text, ASKED) for text in (TOLD, TOLD, "Never.", "Never.", "Never.", "Never.")]
    found = [Sign.REPEATED in effort.signs for effort in rate_answers(said)]
    assert found == [False, True, False, False, True, True]
    assert signs.repeated("Yes.", 9) == 0


def test_pasting_counts_where_it_is_nearly_all_of_a_longer_answer():
    assert signs.pasted(TOLD, len(TOLD)) == 1
    assert signs.pasted(TOLD, len(TOLD) // 2) == 0
    assert signs.pasted(TOLD, None) == 0
    assert signs.pasted("anna@site.test", 14) == 0


def test_sooner_than_it_can_be_read():
    reading = 15 / signs.READING  # the question has fifteen words
    assert signs.hurried(reading, ASKED, "en") == pytest.approx(0)
    assert 0 < signs.hurried(0.8 * reading, ASKED, "en") < 1
    assert signs.hurried(reading / 2, ASKED, "en") == pytest.approx(1)
    assert signs.hurried(None, ASKED, "en") == 0


def test_short_is_short_against_what_the_same_person_says():
    told = [Answer(f"{TOLD} {number}", ASKED) for number in range(3)]
    terse = [Answer(text, ASKED) for text in ("The stairs were steep.", "A canal.", "White walls.")]
    assert Sign.SHORT in rate_answers([*told, Answer("Steep stairs, yes", ASKED)])[-1].signs
    assert Sign.SHORT not in rate_answers([*terse, Answer("Steep stairs, yes", ASKED)])[-1].signs


@each(
    ("asked", "said"),
    [
        ("How old were you then?", "12"),
        ("Did you like it there?", "No"),
        ("In che anno è nata?", "1951"),
        ("Quando è partito?", "Ieri"),
        ("Сколько вас было?", "Пять"),
        ("Вы живёте один?", "Да"),
    ],
)
def test_a_word_is_enough_where_a_fact_is_asked_for(asked, said):
    assert only(said, asked).score == 0


@each(
    ("language", "text"),
    [
        ("en", "I'd rather not say."),
        ("en", "Skip this one, please."),
        ("en", "I don't know."),
        ("en", "I want to stop."),
        ("en", "What do you mean?"),
        ("en", "Who reads this?"),
        ("it", "Preferisco non rispondere."),
        ("it", "Non lo so."),
        ("ru", "Не хочу отвечать."),
        ("ru", "Не знаю."),
    ],
)
def test_saying_so_straight_is_no_haste(language, text):
    assert only(text, ASKED, language, seconds=0.5).score == 0


# -- in a transcript


def spoken(position: int, text: str, kind: EntryKind) -> SimpleNamespace:
    mine = kind in (EntryKind.USER_ANSWER, EntryKind.SKIP, EntryKind.CANDIDATE_QUESTION)
    role = SpeakerRole.PARTICIPANT if mine else SpeakerRole.INTERVIEWER
    return SimpleNamespace(position=position, role=role, kind=kind, text=text)


def ratings(*said: SimpleNamespace, measures=None, appearing=None, declined=()):
    return efforts(said, "en", measures or {}, appearing or {}, declined)


def test_only_answers_to_questions_are_rated():
    found = ratings(
        spoken(1, "Hello.", EntryKind.INTRO),
        spoken(2, ASKED, EntryKind.SCRIPTED_QUESTION),
        spoken(3, "ok", EntryKind.USER_ANSWER),
        spoken(4, "And more?", EntryKind.FOLLOW_UP),
        spoken(5, "", EntryKind.SKIP),
        spoken(6, "May I ask for an address?", EntryKind.CONSENT_REQUEST),
        spoken(7, "ok", EntryKind.USER_ANSWER),
        spoken(8, ASKED, EntryKind.TOPIC_QUESTION),
        spoken(9, "•••", EntryKind.USER_ANSWER),
        spoken(10, ASKED, EntryKind.QUESTION),
        spoken(11, "let me be", EntryKind.USER_ANSWER),
        declined={11},
    )
    assert list(found) == [3]


def test_who_read_while_the_question_appeared_was_not_hurried():
    said = [spoken(1, ASKED, EntryKind.QUESTION), spoken(2, TOLD, EntryKind.USER_ANSWER)]
    measures = {2: SimpleNamespace(response_ms=900, pasted_characters=0)}
    assert ratings(*said, measures=measures)[2].score >= HURRIED
    assert ratings(*said, measures=measures, appearing={1: 6_000})[2].score == 0


# -- how well it agrees with a reader


@pytest.mark.parametrize("name", SETS)
def test_what_is_found_is_mostly_right_and_most_is_found(name):
    found = figures(judged(name))
    assert found.answers >= 50
    assert found.precision >= 0.9
    assert found.recall >= 0.8


@pytest.mark.parametrize("language", ["en", "it", "ru"])
def test_in_each_language(language):
    every = [one for name in SETS for one in judged(name) if one.language == language]
    assert figures(every).precision >= 0.9
    assert figures(every).recall >= 0.8
