"""Tasks: kinds of questions to a model, with prompt, typed result and deterministic fallback.

    LEAD = Task(
        name="life_story.lead", tier=Tier.MAIN, template=PROMPTS / "lead.md",
        input=LeadInput, output=LifeStoryLed, fallback=lambda data: LifeStoryLed(),
    )

A task registers itself under its name when it is created; `all_tasks()` lists them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer, SerializationInfo

from llm.languages import language_name

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out")
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


class Result(BaseModel):
    """What a model returns; fields that it adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Tier(StrEnum):
    """Which of the two models: the main one for what is said, the fast one for analysis."""

    MAIN = "main"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class PromptContext:
    """Serialisation context for a prompt; `tag` finds its delimiters, up to their name."""

    tag: re.Pattern[str]


def _keep_inside(words: str, info: SerializationInfo) -> str:
    """Return the words as they are, but for the prompt's own tags: they open and close nothing."""
    if not isinstance(info.context, PromptContext):
        return words
    return info.context.tag.sub(lambda tag: f"‹{tag[0][1:]}", words)


# A participant's words: data in a prompt, never its structure.
Spoken = Annotated[str, PlainSerializer(_keep_inside, return_type=str)]


def _name_in_prompts(tag: str, info: SerializationInfo) -> str:
    return language_name(tag) if isinstance(info.context, PromptContext) else tag


LanguageTag = Annotated[str, PlainSerializer(_name_in_prompts, return_type=str)]  # named in prompts
YesNo = Annotated[bool, PlainSerializer(lambda holds: "yes" if holds else "no", return_type=str)]


class Utterance(BaseModel):
    """One line of the conversation, for an input's `dialogue`."""

    model_config = ConfigDict(frozen=True)

    role: Literal["interviewer", "participant"]
    text: Spoken


@dataclass(frozen=True, slots=True)
class Retries:
    """How a task retries, if the settings' way doesn't suit it. All in seconds.

    `pauses` before the second attempt, the third …; `in_all` for all attempts and pauses; `rest`
    during which the fallback answers at once after they have failed.
    """

    pauses: tuple[float, ...]
    in_all: float
    rest: float


@dataclass(frozen=True)
class Task(Generic[In, Out]):
    """One kind of question to a model.

    `timeout` is in seconds for one attempt; without `retries` the settings say how often to try.
    Two tasks may share a name only if they share the template (else ValueError): the second is a
    variant, and the first stays listed. `plain` reads a reply without an object, where plain text
    will do (None: it won't). A reply whose model falls silent is used if it is whole up to the
    field `needed`.
    """

    name: str
    tier: Tier
    template: Path
    input: type[In]
    output: type[Out]
    fallback: Callable[[In], Out]
    timeout: float = 15.0
    max_tokens: int = 700
    temperature: float | None = None
    retries: Retries | None = None
    plain: Callable[[str], Out | None] | None = None
    needed: str = ""

    def __post_init__(self) -> None:
        if _TASKS.setdefault(self.name, self).template != self.template:
            raise ValueError(f"There is another task named {self.name!r}")


_TASKS: dict[str, Task[Any, Any]] = {}


def all_tasks() -> tuple[Task[Any, Any], ...]:
    """Return every task created so far (import the protocols first)."""
    return tuple(_TASKS.values())
