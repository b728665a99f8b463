"""The model tasks of summary and facts. Docstrings of outputs are sent to models."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from llm.tasks.task import LanguageTag, Spoken
from reflections.evidence.background_task import background_task
from reflections.evidence.types import Statement, StoredModel

PROMPTS = Path(__file__).parent / "prompts"


class InterviewIn(BaseModel):
    language: LanguageTag
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


RETELL = background_task(
    "reflections.summary", PROMPTS / "summary.md", InterviewIn, Retold(topics=()), 8_000
)
FACTS = background_task(
    "reflections.facts", PROMPTS / "facts.md", InterviewIn, FactsTold(topics=()), 8_000
)
