"""Cutting JSON out of replies, and keeping out what no database stores."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from llm.calls.parse import Unusable, Usable, clean, extract_object, read
from llm.providers.base import Stop
from llm.tasks.records import CallOutcome
from tests.each import each
from tests.llm.samples import GOOD, Verdict, steady


class Loose(BaseModel):
    """A result whose fields may all be missing."""

    a: Any = None


@each(
    ("text", "found"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('  {"a": 1}\n', '{"a": 1}'),
        ('```json\n{"a": {"b": "}"}}\n```', '{"a": {"b": "}"}}'),
        ('Use {name}, so: {"a": 1} – done {', '{"a": 1}'),
        ('{"a": {"b": 1} oops, "c": 2}', None),
        ('{"a": {"b": 1}, "c": "cut', None),
        ("nothing", None),
        ("", None),
        ('{"a":' * 50_000, None),
        ("{" * 10_000, None),
    ],
)
def test_cutting_out(text: str, found: str | None) -> None:
    assert extract_object(text) == found


@steady
@given(st.text(max_size=300))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for output in (Verdict, Loose, str):
        assert isinstance(read(clean(text), Stop.END, output), Usable | Unusable)


@steady
@given(st.text(alphabet="x y.,:;!?`\n", max_size=40), st.text(max_size=40))
def test_prose_around_it_does_not_matter(before: str, after: str) -> None:
    result = read(before + json.dumps(GOOD) + after, Stop.END, Verdict)
    assert isinstance(result, Usable)
    assert result.value.model_dump() == GOOD


@each(
    ("text", "stop", "outcome"),
    [
        ('{"action"', Stop.LENGTH, CallOutcome.TRUNCATED),
        (json.dumps(GOOD), Stop.REFUSAL, CallOutcome.REFUSED),
        (" \n", Stop.END, CallOutcome.EMPTY),
        ("", Stop.LENGTH, CallOutcome.EMPTY),
        ("{}", Stop.END, CallOutcome.INVALID),
        ('{"action": "stay", "text": "\\ud800", "score": 1}', Stop.END, CallOutcome.INVALID),
    ],
)
def test_why_not(text: str, stop: Stop, outcome: CallOutcome) -> None:
    result = read(text, stop, Verdict)
    assert isinstance(result, Unusable)
    assert result.outcome == outcome


def test_a_whole_object_at_the_limit_is_whole() -> None:
    assert isinstance(read(json.dumps(GOOD), Stop.LENGTH, Verdict), Usable)


@steady
@given(st.text(max_size=50))
def test_nul_never_reaches_a_value(words: str) -> None:
    said = f"{words}\0\\u0000{words}"
    text = json.dumps({"a": said})
    result = read(clean(text), Stop.END, Loose)
    assert isinstance(result, Usable)
    assert "\0" not in result.value.a
    assert result.value.a == said.replace("\0", " ")


def test_lone_surrogates_go_and_pairs_join() -> None:
    assert clean("a\ud800b") == "a\ufffdb"
    assert clean("\ud83d\ude00") == "😀"


def _remark(text: str) -> Loose | None:
    """Plain text that asks."""
    return Loose(a=text) if text.endswith("?") else None


@each(
    ("text", "stop", "value"),
    [
        (" What then? ", Stop.END, "What then?"),
        ('{"a": 1} What then?', Stop.END, 1),
        ("No.", Stop.END, None),
        ('{"a": What then?', Stop.END, None),
        ("What then?", Stop.LENGTH, None),
    ],
)
def test_plain_text_is_taken_where_a_task_can_read_it(text: str, stop: Stop, value: object) -> None:
    result = read(text, stop, Loose, _remark)
    assert (result.value.a if isinstance(result, Usable) else None) == value
