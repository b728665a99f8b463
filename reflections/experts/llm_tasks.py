"""The model task of an expert's reflection. Docstrings of outputs are sent to models."""

from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Statement, StoredModel

FEWEST, MOST = 5, 20  # observations
SECONDS = 120.0  # that one call is waited for


class ExpertProfile(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def looks_for(self) -> str: ...
    @property
    def instructions(self) -> str: ...


class ReflectInput(BaseModel):
    language: str
    expert: str
    looks_for: str
    instructions: str
    fewest: int = FEWEST
    most: int = MOST
    title: Spoken
    transcript: Spoken


def reflect_input(expert: ExpertProfile, interview: Transcript, text: str) -> ReflectInput:
    return ReflectInput(
        language=interview.language,
        expert=expert.name,
        looks_for=expert.looks_for,
        instructions=expert.instructions,
        title=interview.title,
        transcript=text,
    )


class Observations(StoredModel):
    """What the expert observes. Wanted, so that a reply of another form is none."""

    observations: tuple[Statement, ...]


REFLECT = Task(
    name="reflections.expert",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/reflect.md",
    input=ReflectInput,
    output=Observations,
    fallback=lambda data: Observations(observations=()),
    timeout=SECONDS,
    max_tokens=10_000,
    temperature=0.3,
    retries=Retries((1.0,), 2 * SECONDS, 0.0),
)
