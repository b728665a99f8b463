"""The command that measures how answers are read."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from interviews.engine.reading import AS_ANSWER, READING, Heard, read_by_rules
from llm.providers import PROVIDERS
from tests.each import each
from tests.interviews.engine import reading
from tests.readings import heard

SETS = Path(reading.__file__).parent
ROWS = [
    {"answer": "Skip.", "question": "Why?", "language": "en", "intent": "skip", "care": "none"},
    {"answer": "No, I won't.", "question": "Why?", "language": "en", "intent": "refuse"},
    {"answer": "Yes.", "question": "Why?", "language": "en", "intent": "answer", "care": "none"},
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)) + "\n")
    return path


@pytest.fixture
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    return PROVIDERS["scripted"]


def check(*arguments: object) -> str:
    out = io.StringIO()
    call_command("check_reading", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_by_rules_it_counts_each_class_and_lists_what_was_misread(file):
    result = json.loads(check(file, "--format", "json"))

    assert result["read_by"] == "rules"
    assert result["classes"]["skip"]["en"] == {"n": 1, "precision": 1.0, "recall": 1.0}
    assert result["classes"]["answer"]["en"] == {"n": 1, "precision": 0.5, "recall": 1.0}
    assert result["classes"]["refuse"]["en"] == {"n": 1, "precision": None, "recall": 0.0}
    assert result["classes"]["stop"] == {}
    assert result["care"]["none"]["en"]["n"] == 2  # one row has no label for it
    assert [miss["answer"] for miss in result["misses"]] == ["No, I won't."]


@pytest.mark.django_db(transaction=True)
def test_a_configured_model_reads(file, model):
    model.reply(
        READING.name,
        Heard(**heard("skip")),
        Heard(**heard(intent="refuse", closed_subject="why")),
        Heard(**heard("answer", "heavy")),
    )

    result = json.loads(check(file, "--format", "json"))

    assert result["read_by"] == "model"
    assert result["classes"]["refuse"]["en"]["recall"] == 1.0
    assert result["care"]["none"]["en"]["recall"] == 0.5
    assert len(model.requests) == 3
    assert json.loads(check(file, "--rules", "--format", "json"))["read_by"] == "rules"


@pytest.mark.django_db(transaction=True)
def test_it_says_where_rules_stood_in_for_the_model(file, model):
    model.reply(READING.name, Heard(**heard("skip")))

    result = json.loads(check(file, "--format", "json"))

    assert sum(result["by_rules_instead"].values()) == 2
    with pytest.raises(CommandError, match="The model read none of them: scripted: "):
        check(file)


def test_a_broken_line_is_found_before_the_model_is_asked(file, model, settings):
    settings.LLM_CONCURRENCY = 1
    file.write_text("\ufeff" + file.read_text() + "no json\n", encoding="utf-8")

    with pytest.raises(CommandError, match="4: the line"):
        check(file)

    assert not model.requests


def test_the_table_is_for_people(file):
    text = check(file)

    assert "Read by rules." in text
    assert "skip         en             1     1.000   1.000" in text
    assert "[en] refuse/None read as answer/none: No, I won't." in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"answer": "x"}', "1: language"),
        ('\n{"answer": "x", "language": "en", "intent": "maybe"}', "2: intent"),
        ("no json", "1: the line"),
    ],
)
def test_a_broken_line_is_named(tmp_path, content, said):
    path = tmp_path / "broken.jsonl"
    path.write_text(content)

    with pytest.raises(CommandError, match=said):
        check(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"missing\.jsonl"):
        check(tmp_path / "missing.jsonl")


@pytest.mark.parametrize("name", ["tuned", "held_back"])
def test_the_sentences_that_come_along_are_whole(name):
    rows = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text().splitlines()]

    for language in ("en", "it", "ru"):
        mine = [row for row in rows if row["language"] == language]
        assert len(mine) == 280
        assert len({row["answer"].casefold() for row in mine}) == 280
        assert sum(row["care"] != "none" for row in mine) == 40


@each(
    ("language", "said"),
    [("en", "Yes."), ("en", "No."), ("en", "Right."), ("it", "Sì."), ("it", "No."), ("ru", "Да.")],
)
def test_a_yes_and_a_no_are_answers(language, said):
    rules = read_by_rules(said, language, "Did you like it?")
    assert rules.settled is None
    assert (rules.floor.intent, rules.floor.care) == (AS_ANSWER.intent, AS_ANSWER.care)
