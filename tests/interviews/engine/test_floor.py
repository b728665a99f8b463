"""What the floor reads in seven languages, without a model."""

import json
import time
from pathlib import Path

import pytest

from interviews.engine.language import lists
from interviews.engine.language.concepts import rules_for
from interviews.engine.language.lists import languages, listed
from interviews.engine.language.wishes import plain
from interviews.engine.reading import read_by_rules
from llm.tasks.yaml_files import read_yaml_file

FOLDER = Path(__file__).parent
SENTENCES: dict[str, dict[str, list[str]]] = read_yaml_file(FOLDER / "floor.yaml")
LEVELS = ("none", "heavy", "acute")
QUESTION = "Who was at home with you then?"
MOST_BYTES = 188_000  # the aim is 80,000; words in Cyrillic and Arabic letters take two each
MOST_UNSAID = 12  # concepts that a language has no words for
MOST_SECONDS = 0.02  # for one answer


@pytest.mark.parametrize("language", SENTENCES)
def test_it_is_read(language):
    for label, texts in SENTENCES[language].items():
        for text in texts:
            read = read_by_rules(text, language, QUESTION).floor
            assert label == (read.care if label in LEVELS else read.intent), text


GUESSES = ["My aunt, maybe?", "In 1985, or was it later?", "Perhaps it was Anna from next door?"]


@pytest.mark.parametrize("said", [*GUESSES, "We moved to the city. Why not?"])
def test_an_answer_that_is_not_sure_of_itself_is_an_answer(said):
    assert read_by_rules(said, "en", QUESTION).floor.intent == "answer"


def test_where_answers_may_be_guesses_a_question_is_one():
    said = "Wouldn't the cache be cold by then?"
    assert read_by_rules(said, "en", QUESTION).floor.intent == "ask_back"
    assert read_by_rules(said, "en", QUESTION, guesses=True).floor.intent == "answer"


def test_a_refused_subject_is_named():
    read = read_by_rules("I'd rather not talk about my brother.", "en", QUESTION).floor
    assert (read.intent, read.closed) == ("refuse", "my brother")


def test_there_are_sentences_in_every_language():
    assert set(SENTENCES) == set(languages())


def test_all_lists_together_stay_small():
    assert sum(path.stat().st_size for path in lists.FOLDER.glob("*.yaml")) <= MOST_BYTES


def test_reading_an_answer_takes_no_time():
    path = FOLDER / "reading" / "tuned.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lists.load()
    began = time.thread_time()
    for row in rows:
        read_by_rules(row["answer"], row["language"], row["question"])
    assert time.thread_time() - began < MOST_SECONDS * len(rows)


@pytest.mark.parametrize("language", languages())
def test_words_are_listed_as_they_are_read(language):
    for listed_words in lists.lexicon_of(language).values():
        for word in lists.WORDS.findall(listed_words):
            assert plain(word) == word.removesuffix("*")


@pytest.mark.parametrize("language", languages())
def test_rules_need_what_words_stand_for(language):
    known = {one for names in lists.lexicon_of(language) for one in names.split()}
    needed = {one for name in lists.rules() if name != "light" for one in needs(name)}
    assert len(needed - known) <= MOST_UNSAID, needed - known


def needs(name: str) -> set[str]:
    return {one for rule in rules_for(name) for one in rule.needs}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(lists, "FOLDER", tmp_path)
    caches = (lists.languages, lists.listed, lists.beginning, lists._file)
    for one in caches:
        one.cache_clear()
    yield tmp_path / "en.yaml"
    for one in caches:
        one.cache_clear()


def test_an_unknown_list_is_an_error(file):
    file.write_text("stopp: halt\n")
    with pytest.raises(ValueError, match=r"en\.yaml holds unknown lists: stopp"):
        listed("yes")


def test_an_unknown_part_is_an_error(file):
    file.write_text("yes: <halt> now\n")
    with pytest.raises(ValueError, match="no part <halt>"):
        listed("yes")


def test_parts_and_whole_answers(file):
    file.write_text("parts:\n  halt: stop|halt\nyes: |\n  = enough\n  <halt> (now|here)\n")
    assert listed("yes").fullmatch("halt here")
    assert not listed("yes").fullmatch("enough")
    assert listed("yes", whole=True).fullmatch("enough")
    assert not listed("no").search("stop now")
