"""One kind of question to a model: its name, tier, prompt, typed result and deterministic fallback.

    PLAN = Task(
        name="life_story.plan", tier=Tier.MAIN, template=HERE / "prompts/plan.md",
        input=PlanInput, output=Plan, fallback=plan_without_a_model,
    )

A task registers itself under its name when it is made; `all_tasks()` lists them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    PlainSerializer,
    SerializationInfo,
)
from pydantic_core import CoreSchema

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out")


Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation with the model."""

    role: Role
    text: str


class Result(BaseModel):
    """What a model returns; a field that it adds is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Tier(StrEnum):
    """Which of the two models: the one for what is said, or the quick one for what is noted."""

    MAIN = "main"
    FAST = "fast"


class PromptContext:
    """Marks a serialisation as one for a prompt, where participants' words are escaped."""


PROMPT = PromptContext()


def escape(words: str) -> str:
    """Words with `<` and `>` escaped, so that they cannot open or close a prompt's delimiters."""
    return words.replace("<", "&lt;").replace(">", "&gt;")


def _as_said(words: str, info: SerializationInfo) -> str:
    return escape(words) if info.context is PROMPT else words


class Words:
    """Marks a string as a participant's words: data in a prompt, never part of its structure."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return PlainSerializer(_as_said, return_type=str).__get_pydantic_core_schema__(
            source, handler
        )


Spoken = Annotated[str, Words()]


class Utterance(BaseModel):
    """One line of the conversation, for an input's `dialogue`."""

    model_config = ConfigDict(frozen=True)

    role: Literal["interviewer", "participant"]
    text: Spoken


@dataclass(frozen=True, slots=True)
class Retries:
    """How a task deals with a model that fails, where the settings' way does not suit it.

    All in seconds: `pauses` before the second attempt, the third …; `in_all` for attempts and
    pauses together; once they have failed, `rest` in which its fallback answers at once.
    """

    pauses: tuple[float, ...]
    in_all: float
    rest: float


@dataclass(frozen=True)
class Task(Generic[In, Out]):
    """One kind of question to a model.

    `timeout` is in seconds and holds for one attempt; without `retries` the settings say how often
    to try. Two tasks of one name are a mistake (ValueError), unless they share the template: then
    it is a variant, and the first stays listed. `plain` reads a reply that holds no object, where
    plain text will do (None: it won't).
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

    def __post_init__(self) -> None:
        known = _TASKS.setdefault(self.name, self)
        if known.template != self.template:
            raise ValueError(f"There is another task named {self.name!r}")


_TASKS: dict[str, Task[Any, Any]] = {}


def all_tasks() -> tuple[Task[Any, Any], ...]:
    """Every task made so far (import the protocols first)."""
    return tuple(_TASKS.values())
