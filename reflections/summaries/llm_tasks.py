"""The model tasks of summary and facts. Docstrings of outputs are sent to models."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.evidence.types import Statement, StoredModel

SECONDS = 90.0  # that one call is waited for
PATIENCE = Retries((1.0,), 2 * SECONDS, 0.0)
PROMPTS = Path(__file__).parent / "prompts"


class InterviewIn(BaseModel):
    language: str
    topics: list[Spoken]  # “1. Childhood”
    interview: Spoken


class UnderTopic(StoredModel):
    """Statements that belong to one topic."""

    topic: int  # its number; 0 for what belongs to none
    statements: tuple[Statement, ...] = ()


class Retold(StoredModel):
    """The interview, retold topic by topic."""

    topics: tuple[UnderTopic, ...]


class FactsTold(StoredModel):
    """What the participant said, fact by fact."""

    topics: tuple[UnderTopic, ...]


Written = TypeVar("Written", Retold, FactsTold)


RETELL = Task(
    name="reflections.summary",
    tier=Tier.MAIN,
    template=PROMPTS / "summary.md",
    input=InterviewIn,
    output=Retold,
    fallback=lambda data: Retold(topics=()),
    timeout=SECONDS,
    max_tokens=8_000,
    temperature=0.2,
    retries=PATIENCE,
)
FACTS = Task(
    name="reflections.facts",
    tier=Tier.MAIN,
    template=PROMPTS / "facts.md",
    input=InterviewIn,
    output=FactsTold,
    fallback=lambda data: FactsTold(topics=()),
    timeout=SECONDS,
    max_tokens=8_000,
    temperature=0.2,
    retries=PATIENCE,
)
