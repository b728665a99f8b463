"""Sheets of simulated respondents: who they are, and what they tell when."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from plans.portability.tree import read_yaml

SHEETS = Path(__file__).parent / "personas"
Level = Literal["low", "medium", "high"]
Told = Literal["volunteered", "asked", "probed", "trusted", "hinted", "never"]
Manner = Literal[
    "plain",
    "brief",
    "rambling",
    "reluctant",
    "refusing",
    "grieving",
    "contradicting",
    "asking_back",
    "joking",
    "injecting",
    "leaving",
]


class Sheet(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HiddenFact(Sheet):
    key: str
    text: str = Field(description="What they say, in their own voice.")
    gives_away: tuple[str, ...] = Field(min_length=1, description="Parts of the text.")
    about: tuple[str, ...] = Field(
        default=(), description="Parts of the questions that touch it; keys of questions, topics."
    )
    told: Told
    hint: str = Field("", description="What they say of it unasked, if it is hinted at.")


class Traits(Sheet):
    knowledge: Level
    verbosity: Level
    memory: Level
    reflexivity: Level
    disclosure: Level
    understanding: Level


class Lines(Sheet):
    """What they say when a question sets no fact free."""

    small: tuple[str, ...] = Field(min_length=1)
    dont_know: tuple[str, ...] = Field(min_length=1)
    refuse: tuple[str, ...] = Field(min_length=1)
    ask_back: tuple[str, ...] = ()
    joke: tuple[str, ...] = ()
    inject: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    agree: tuple[str, ...] = ()


class Persona(Sheet):
    key: str
    held_back: bool = Field(False, description="Never looked at while prompts or rules change.")
    name: str
    language: str
    background: str
    traits: Traits
    mood: str
    manner: Manner
    start: dict[str, Any] = Field({}, description="Answers to the bot's start questions.")
    facts: tuple[HiddenFact, ...]
    lines: Lines


@cache
def load(protocol: str) -> list[Persona]:
    source = (SHEETS / f"{protocol}.yaml").read_text(encoding="utf-8")
    return [Persona.model_validate(sheet) for sheet in read_yaml(source).data]
