"""The interviewer's fixed sentences: in every language the same set, none asked twice in a row."""

import re

from interviews.engine.guards import Limits, check_statement, question_of
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.texts import FOLDER, _texts, addressed, fixed, named, wordings
from tests.each import each

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
FOLDERS = (FOLDER, *sorted(FOLDER.parent.parent.glob("protocols/*/texts")))


@each("folder", FOLDERS)
@each("language", LANGUAGES)
def test_every_language_has_every_sentence(language, folder):
    assert _texts(language, folder).keys() == _texts("en", folder).keys()
    for key in _texts("en", folder):
        assert len(wordings(language, key, folder)) == len(wordings("en", key, folder))


MIXED = {"fr": re.compile(r"'"), "it": re.compile(r"(?<=[a-zà-ù,] )(?:Lei|Le|La|Su[aeo]|Suoi)\b")}


@each("folder", FOLDERS)
@each("language", MIXED)
def test_a_language_is_written_in_one_way(language, folder):
    texts = [text for texts in _texts(language, folder).values() for text in texts]
    assert [text for text in texts if MIXED[language].search(text)] == []


@each("language", LANGUAGES)
@each("key", ["acknowledgements", "respect", "goodbye", "gone"])
def test_what_does_not_ask_has_no_question_mark(language, key):
    assert not any("?" in text for text in wordings(language, key))


def test_wordings_vary_and_the_same_past_says_the_same():
    first = fixed("en", "acknowledgements", turn=1)
    assert fixed("en", "acknowledgements", 1, [f"{first} And then?"]) != first
    assert fixed("en", "acknowledgements", turn=1) == first


@each("turns", [(4, 4, 4), (0, 4, 8), (0, 1, 2)])
def test_what_was_said_longest_ago_is_said_again(turns):
    said = []
    for turn in turns * 4:
        said.append(fixed("en", "acknowledgements", turn, said))
    every = len(wordings("en", "acknowledgements"))
    assert all(len(set(said[at : at + every])) == every for at in range(len(said) - every))


def test_a_sentence_with_places_is_known_by_what_stands_between_them():
    first = fixed("en", "onward", folder=FOLDERS[1], question="Why?")
    assert (
        fixed("en", "onward", used=[first], folder=FOLDERS[1])
        != wordings("en", "onward", FOLDERS[1])[0]
    )


def test_a_language_without_a_file_speaks_english():
    assert fixed("sw", "go_on") == fixed("en", "go_on")


@each(
    ("text", "name", "expected"),
    [
        ("Hello, {participant_name}. Welcome.", "Ann", "Hello, Ann. Welcome."),
        ("Hello, {participant_name}. Welcome.", " ", "Hello. Welcome."),
        ("Thank you {participant_name}.", "", "Thank you."),
        ("مرحبًا، {participant_name}. أهلًا.", "ليلى", "مرحبًا، ليلى. أهلًا."),
        ("مرحبًا، {participant_name}. أهلًا.", "", "مرحبًا. أهلًا."),
    ],
)
def test_without_a_name_its_place_closes_up(text, name, expected):
    assert named(text, name) == expected


def test_a_name_follows_the_comma_of_its_language():
    assert addressed("Ann", "en") == ", Ann"
    assert addressed("ليلى", "ar-EG") == "، ليلى"
    assert addressed("  ", "ar") == addressed("", "en") == ""


WRITTEN_OUT = re.compile(
    r"\b(?:I am|you are|we are|is not|do not|will not|cannot|can not|we will|let us|that is|"
    r"there is|you have told|would rather)\b(?! writing)",
    re.IGNORECASE,
)


@each("folder", FOLDERS)
def test_english_sentences_are_contracted_as_people_speak(folder):
    every = [text for texts in _texts("en", folder).values() for text in texts]
    assert [text for text in every if WRITTEN_OUT.search(text)] == []


@each("language", LANGUAGES)
def test_the_confirmation_of_a_stop_says_that_all_is_saved_and_asks_once(language):
    texts = wordings(language, "confirm_stop")
    saved = {
        "en": "saved",
        "it": "salvat",
        "ru": "сохранен",
        "es": "guardad",
        "de": "gespeichert",
        "fr": "enregistré",
        "ar": "محفوظ",
    }
    assert [saved[language] in text for text in texts] == [True] * 3
    assert [sum(map(ends_asking, spaced_sentences(text))) for text in texts] == [1, 1, 1]
    assert len({question_of(text) for text in texts}) == 3


@each("language", LANGUAGES)
def test_fixed_sentences_keep_to_the_guards_of_models(language):
    spoken = [
        sentence
        for key, texts in _texts(language).items()
        if key not in ("care", "care_stays")  # they name where there is help
        for text in texts
        for sentence in spaced_sentences(text)
        if "{" not in sentence and not ends_asking(sentence)
    ]
    limits = Limits(language)
    assert [one for one in spoken if check_statement(one, limits).text != one] == []
