"""The interviewer's fixed sentences: in every language the same set, none asked twice in a row."""

import pytest

from interviews.engine.texts import FOLDER, _texts, addressed, fixed, named, wordings

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence(language):
    assert _texts(language).keys() == _texts("en").keys()
    for key in _texts("en"):
        assert len(wordings(language, key)) == len(wordings("en", key))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["bridges", "acknowledgements", "respect", "goodbye", "gone"])
def test_what_does_not_ask_has_no_question_mark(language, key):
    assert not any("?" in text for text in wordings(language, key))


def test_wordings_vary_and_the_same_past_says_the_same():
    first = fixed("en", "bridges", turn=1)
    assert fixed("en", "bridges", [f"{first} And then?"], turn=1) != first
    assert fixed("en", "bridges", turn=1) == first


def test_a_language_without_a_file_speaks_english():
    assert fixed("sw", "go_on") == fixed("en", "go_on")


@pytest.mark.parametrize(
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
