"""The command that measures how answers are read."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from interviews.engine.reading import AS_ANSWER, READING, Heard, read_by_rules
from interviews.management.commands.check_reading import LabelledAnswer
from llm.providers import PROVIDERS
from tests.each import each
from tests.interviews.engine import reading
from tests.readings import heard

SETS = Path(reading.__file__).parent
ROWS = [
    {"answer": "Skip.", "language": "en", "answers": "no", "wishes": ["skip"], "care": "none"},
    {"answer": "No, I won't.", "language": "en", "answers": "no", "wishes": ["refuse"]},
    {"answer": "Yes.", "question": "Why?", "language": "en", "answers": "fully", "care": "none"},
]
BROTHER = {"answer": "I'd rather not talk about my brother.", "language": "en", "answers": "no"}
BROTHER |= {"wishes": ["refuse"], "closed": "my brother"}
MIXED = {"answer": "In May. Can we stop? Who reads this?", "language": "en", "answers": "partly"}
MIXED |= {"wishes": ["stop", "ask_back"], "care": "none", "closed": ""}


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, *ROWS)


def written(folder, *rows):
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
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
    assert result["wishes"]["skip"]["en"] == {"n": 1, "precision": 1.0, "recall": 1.0}
    assert result["wishes"]["refuse"]["en"] == {"n": 1, "precision": None, "recall": 0.0}
    assert result["wishes"]["stop"] == {}
    assert result["answers"]["fully"]["en"] == {"n": 1, "precision": 0.5, "recall": 1.0}
    assert result["answers"]["no"]["en"] == {"n": 2, "precision": 1.0, "recall": 0.5}
    assert result["care"]["none"]["en"]["n"] == 2  # one row has no label for it
    assert [miss["answer"] for miss in result["misses"]] == ["No, I won't."]
    assert result["misses"][0]["read"]["answers"] == "fully"


def test_a_closed_subject_counts_where_it_is_labelled(tmp_path):
    weather = BROTHER | {"closed": "the weather"}
    result = json.loads(check(written(tmp_path, BROTHER, weather, *ROWS), "--format", "json"))

    assert result["closed"]["closed"]["en"] == {"n": 2, "precision": 1.0, "recall": 0.5}
    assert [miss["closed"] for miss in result["misses"]] == ["the weather", None]


@pytest.mark.django_db(transaction=True)
def test_each_of_several_wishes_counts_for_itself(tmp_path, model):
    model.reply(READING.name, Heard(heard="partly stop"))

    result = json.loads(check(written(tmp_path, MIXED), "--format", "json"))

    assert result["answers"]["partly"]["en"]["recall"] == 1
    assert [result["wishes"][one]["en"]["recall"] for one in MIXED["wishes"]] == [1, 0]
    assert [miss["read"]["wishes"] for miss in result["misses"]] == [["stop"]]
    assert result["interrupted"] == {}  # it isn't an answer and nothing else


@pytest.mark.parametrize(
    ("heard_as", "wrongly"),
    [("fully", 0), ("partly", 0), ("fully heavy", 0)]
    + [(wrong, 1) for wrong in ("no", "unknown", "fully stop", "no skip", "fully acute")],
)
@pytest.mark.django_db(transaction=True)
def test_answers_that_would_be_interrupted_are_counted(tmp_path, model, heard_as, wrongly):
    model.reply(READING.name, Heard(heard=heard_as))

    result = json.loads(check(written(tmp_path, ROWS[2]), "--format", "json"))

    assert result["interrupted"] == {"en": {"n": 1, "interrupted": wrongly}}


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
    assert result["wishes"]["refuse"]["en"]["recall"] == 1.0
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
    assert "Wrongly interrupted, en: 0 of 1 (0.00%)" in text
    assert "wishes   skip         en             1     1.000   1.000" in text
    assert "[en] no refuse read as fully: No, I won't." in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"answer": "x"}', "1: language"),
        ('\n{"answer": "x", "language": "en", "answers": "maybe"}', "2: answers"),
        ('{"answer": "x", "language": "en", "answers": "no", "wishes": ["tea"]}', "1: wishes.0"),
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


def _lines(name):
    return (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["tuned", "held_back"])
def test_the_sentences_that_come_along_are_whole(name):
    rows = [json.loads(line) for line in _lines(name)]

    for language in ("en", "it", "ru"):
        mine = [row for row in rows if row["language"] == language]
        assert len(mine) == 280
        assert len({row["answer"].casefold() for row in mine}) == 280
        assert sum(row["care"] != "none" for row in mine) == 40


def test_mixed_sentences_tell_and_wish_in_seven_languages():
    rows = [LabelledAnswer.model_validate_json(line) for line in _lines("mixed")]

    assert len({row.answer for row in rows}) == len(rows)
    for language in ("ar", "de", "en", "es", "fr", "it", "ru"):
        mine = [row for row in rows if row.language == language]
        told = [row for row in mine if row.answers in ("partly", "fully") and row.wishes]
        assert len(told) >= 10
        assert {wish for row in told for wish in row.wishes} >= {*MIXED["wishes"], "refuse"}
        assert [bool(row.closed) for row in mine].count(True) == 1


@each(
    ("language", "said"),
    [("en", "Yes."), ("en", "No."), ("en", "Right."), ("it", "Sì."), ("it", "No."), ("ru", "Да.")],
)
def test_a_yes_and_a_no_are_answers(language, said):
    rules = read_by_rules(said, language, "Did you like it?")
    assert rules.settled is None
    assert (rules.floor.intent, rules.floor.care) == (AS_ANSWER.intent, AS_ANSWER.care)
