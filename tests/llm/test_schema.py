"""Schemas in the subset that structured output takes."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from llm.calls.schema import shape
from tests.each import each
from tests.fake_provider.wire import open_objects


class Mood(StrEnum):
    """An enumeration, which becomes a reference."""

    CALM = "calm"
    SAD = "sad"


class Leaf(BaseModel):
    """A nested object."""

    name: str = ""
    mood: Mood = Mood.CALM


class Tree(BaseModel):
    """Everything that is taken."""

    action: Literal["a", "b"]
    kind: Literal["tree"] = "tree"
    score: Annotated[int, Field(ge=0, le=5)] = 0
    note: str | None = None
    leaf: Leaf = Leaf()
    leaves: list[Leaf] = Field(default=[], max_length=3)
    either: Leaf | int = 0


def test_a_rich_class_is_taken() -> None:
    strict = shape(Tree).strict
    assert strict is not None
    assert not open_objects(strict)
    assert strict["title"] == "Tree"
    assert strict["required"] == list(Tree.model_fields)
    text = str(strict)
    assert not any(word in text for word in ("maximum", "maxItems", "default", "oneOf"))


class Open(BaseModel):
    """A map of names that are not known beforehand."""

    notes: dict[str, str]


class Pair(BaseModel):
    """A list of fixed places."""

    pair: tuple[int, str]


class Anything(BaseModel):
    """A field of no type."""

    value: Any


class Node(BaseModel):
    """A recursive class, whose root is a reference."""

    children: list["Node"] = []


class Inner(BaseModel):
    """Something open further down."""

    leaf: list[Open]


@each("output", [Open, Pair, Anything, Node, Inner])
def test_what_cannot_be_said_goes_in_words(output: type[BaseModel]) -> None:
    made = shape(output)
    assert made.strict is None
    assert made.name == made.schema["title"] == output.__name__
