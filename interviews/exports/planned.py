"""The questions that a plan names beforehand, whatever leads the interview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

from interviews.turns.store import plan_content


class _ScriptQuestion(Protocol):
    key: str
    section: str
    text: str


class _Script(Protocol):
    questions: Sequence[_ScriptQuestion]


@runtime_checkable
class Scripted(Protocol):
    """Material that holds scripts by language."""

    scripts: Mapping[str, _Script]


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """One question as the plan has it, with its number from 1."""

    number: int
    section: str
    key: str
    text: str


@lru_cache(maxsize=256)
def planned_questions(plan_id: int, language: str) -> tuple[PlannedQuestion, ...]:
    """In the order of the script in that language, else of the plan's first; often none."""
    material = plan_content(plan_id).material
    if not isinstance(material, Scripted) or not material.scripts:
        return ()
    script = material.scripts.get(language) or next(iter(material.scripts.values()))
    return tuple(
        PlannedQuestion(number, question.section, question.key, question.text)
        for number, question in enumerate(script.questions, 1)
    )


@lru_cache(maxsize=256)
def sections(plan_id: int, language: str) -> Mapping[str, str]:
    """Question's key -> key of its section."""
    return {question.key: question.section for question in planned_questions(plan_id, language)}
