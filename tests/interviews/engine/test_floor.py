"""What the floor reads in seven languages, without a model."""

import json
import time
from pathlib import Path

import pytest

from interviews.engine.language import lists
from interviews.engine.language.lists import languages, listed
from interviews.engine.reading import read_by_rules
from llm.tasks.yaml_files import read_yaml_file

FOLDER = Path(__file__).parent
SENTENCES: dict[str, dict[str, list[str]]] = read_yaml_file(FOLDER / "floor.yaml")
LEVELS = ("none", "heavy", "acute")
QUESTION = "Who was at home with you then?"
MOST_BYTES = 140_000  # the aim is 100,000; clear words of danger take 32,000 of the rest
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
        listed("stop")


def test_an_unknown_part_is_an_error(file):
    file.write_text("stop: <halt> now\n")
    with pytest.raises(ValueError, match="no part <halt>"):
        listed("stop")


def test_parts_and_whole_answers(file):
    file.write_text("parts:\n  halt: stop|halt\nstop: |\n  = enough\n  <halt> (now|here)\n")
    assert listed("stop").fullmatch("halt here")
    assert not listed("stop").fullmatch("enough")
    assert listed("stop", whole=True).fullmatch("enough")
    assert not listed("skip").search("stop now")
