"""The questions that a plan names beforehand, whatever the protocol."""

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
    """Plan material that holds scripts by language."""

    scripts: Mapping[str, _Script]


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    number: int
    section: str
    key: str
    text: str


@lru_cache(maxsize=256)
def planned_questions(plan_id: int, language: str) -> tuple[PlannedQuestion, ...]:
    """Return the script's questions in that language, else in the plan's first; often none."""
    material = plan_content(plan_id).material
    if not isinstance(material, Scripted) or not material.scripts:
        return ()
    script = material.scripts.get(language) or next(iter(material.scripts.values()))
    return tuple(
        PlannedQuestion(number, question.section, question.key, question.text)
        for number, question in enumerate(script.questions, 1)
    )


@lru_cache(maxsize=256)
def sections_by_question(plan_id: int, language: str) -> Mapping[str, str]:
    return {question.key: question.section for question in planned_questions(plan_id, language)}
