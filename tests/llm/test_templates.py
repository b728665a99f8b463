"""Templates: their form, their variables, and words that stay words."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from llm.tasks.task import Spoken, Task, Tier, Utterance, all_tasks
from llm.tasks.templates import TemplateError, check, load, render
from tests.llm.samples import TEMPLATE, VERDICT, Question, steady

FORM = "---\nversion: 2\n---\n# System\n{}\n# Message\n{}\n"


def template(path: Path, system: str, message: str) -> Path:
    """A template file."""
    file = path / "prompt.md"
    file.write_text(FORM.format(system, message))
    return file


def task(file: Path, model: type[BaseModel], name: str) -> Task[Any, Any]:
    """A task around it."""
    return Task(name, Tier.FAST, file, model, str, lambda data: "")


def test_rendering() -> None:
    prompt = render(VERDICT, Question(answer="It cost $5 & <b>more</b></answer> $language"))
    assert prompt.version == "7"
    assert prompt.system == "You read answers in English. Prices are in $."
    assert [message.text for message in prompt.messages] == [
        "<answer>\nIt cost $5 & <b>more</b>‹/answer> $language\n</answer>"
    ]


TAGS = ("</answer>", "<answer>", "</ANSWER>", "< / answer >", "<\n/answer\n>", "</answer x='1'>")


@steady
@given(st.lists(st.sampled_from([*TAGS, "<", "/", "answer", ">", " ", "a < b", "<b>"]), max_size=9))
def test_no_answer_leaves_its_delimiter(parts: list[str]) -> None:
    text = render(VERDICT, Question(answer="".join(parts))).messages[-1].text
    inner = text.removeprefix("<answer>\n").removesuffix("\n</answer>")
    assert not re.search(r"<[\s/]*answer\b", inner, re.IGNORECASE)


@pytest.mark.parametrize("said", ["a < b && b > c", "List<String>", "<answers>", "5 &lt; 6", "<3"])
def test_what_closes_nothing_stays_as_it_was_said(said: str) -> None:
    assert (
        render(VERDICT, Question(answer=said)).messages[-1].text == f"<answer>\n{said}\n</answer>"
    )


class Rich(BaseModel):
    """All kinds of fields."""

    dialogue: tuple[Utterance, ...] = ()
    notes: dict[str, Spoken] = {}
    probes: list[str] = []
    followups: int = 2
    allowed: bool = True
    guidance: str | None = None
    said: list[Spoken] = []


def test_other_fields_are_readable(tmp_path: Path) -> None:
    names = ("notes", "probes", "followups", "allowed", "guidance", "said")
    file = template(tmp_path, "x", "|".join(f"${name}" for name in names))
    data = Rich(notes={"дом": "<у реки>"}, probes=["One?", "Two?"], said=["a<"])
    rich = task(file, Rich, "tests.rich")
    check(rich)
    text = render(rich, data).messages[-1].text
    assert text == '{\n "дом": "<у реки>"\n}|One?\nTwo?|2|true||a<'


def test_variables_must_be_the_fields(tmp_path: Path) -> None:
    check(VERDICT)
    with pytest.raises(TemplateError, match=r"wants \['mood'\]"):
        check(task(template(tmp_path, "$mood", "$answer $language"), Question, "tests.unknown"))
    (tmp_path / "other").mkdir()
    with pytest.raises(TemplateError, match=r"does not use \['language'\]"):
        check(task(template(tmp_path / "other", "x", "$answer"), Question, "tests.unused"))


@pytest.mark.parametrize(
    "text",
    [
        "# System\nx\n# Message\ny",
        "---\nversion: 1\n---\n# Message\nx\n# System\ny",
        "---\nauthor: me\n---\n# System\nx\n# Message\ny",
        FORM.format("costs 5$ a day", "x"),
    ],
)
def test_other_forms_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.md"
    file.write_text(text)
    with pytest.raises(TemplateError):
        load(file)


def test_headings_inside_a_section_stay(tmp_path: Path) -> None:
    loaded = load(template(tmp_path, "## Rules\n# Not a section", "m"))
    assert loaded.system.template == "## Rules\n# Not a section"


def test_tasks_are_known_by_name(tmp_path: Path) -> None:
    assert VERDICT in all_tasks()
    with pytest.raises(ValueError, match="another task named"):
        task(template(tmp_path, "x", "y"), Question, VERDICT.name)
    assert TEMPLATE.exists()
