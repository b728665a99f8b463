"""The demo's documents and its backlog."""

from itertools import combinations

import pytest

from llm.tasks.yaml_files import read_yaml_file
from plans.demo.loader import HERE
from plans.documents import FileKind, read
from plans.documents.parser import parse
from plans.similarity import alike
from plans.text import tidy
from tests.each import each
from tests.plans.documents.demo_workbook import TARGET, make

FOLDER = HERE / "documents"
KINDS = {
    "order_process.md": FileKind.MARKDOWN,
    "prices.xlsx": FileKind.XLSX,
    "reorder_paper.py": FileKind.CODE,
}
BACKLOG = read_yaml_file(FOLDER / "backlog.yaml")["questions"]


@pytest.mark.parametrize("name", KINDS)
def test_the_documents_are_read(name):
    with (FOLDER / name).open("rb") as file:
        document = read(name, file)

    assert document.kind == KINDS[name]
    assert 500 < sum(len(part.text) for part in document.parts) < 3000


def test_the_workbook_is_the_one_that_is_made(tmp_path):
    make(tmp_path / "prices.xlsx")
    made, shipped = (
        parse("prices.xlsx", p.read_bytes()) for p in (tmp_path / "prices.xlsx", TARGET)
    )

    assert shipped == made
    assert [part.hidden for part in shipped.parts] == [False, False, True]
    assert "B6: =MAX(" in shipped.parts[1].text
    assert "→ 413.2272" in shipped.parts[1].text


def test_the_backlog_is_whole():
    keys = [question["key"] for question in BACKLOG]

    assert len(BACKLOG) >= 12
    assert len(set(keys)) == len(keys)
    assert {question["document"] for question in BACKLOG} == set(KINDS)
    assert {question["priority"] for question in BACKLOG} == {"P0", "P1", "P2"}


@each("question", BACKLOG)
def test_a_question_asks_one_thing(question):
    assert set(question) == {"key", "priority", "document", "question", "why"}
    assert all(value == tidy(value) for value in question.values())
    assert question["question"].endswith("?")
    assert question["question"].count("?") == 1
    assert 20 <= len(question["question"]) <= 120
    assert 20 <= len(question["why"]) <= 160


def test_no_two_questions_are_alike():
    questions = [question["question"] for question in BACKLOG]

    assert not [pair for pair in combinations(questions, 2) if alike(*pair)]
