"""The model task of an expert's reflection. Docstrings of outputs are sent to models."""

from pathlib import Path

from pydantic import BaseModel

from llm.tasks.task import LanguageTag, Spoken
from reflections.evidence.background_task import background_task
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Statement, StoredModel
from reflections.models import Expert

FEWEST, MOST = 5, 20  # observations


class ReflectInput(BaseModel):
    language: LanguageTag
    expert: str
    looks_for: str
    instructions: str
    fewest: int = FEWEST
    most: int = MOST
    title: Spoken
    transcript: Spoken


def reflect_input(expert: Expert, interview: Transcript, text: str) -> ReflectInput:
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


REFLECT = background_task(
    "reflections.expert",
    Path(__file__).parent / "prompts/reflect.md",
    ReflectInput,
    Observations(observations=()),
    10_000,
    seconds=120.0,
    temperature=0.3,
)
