"""The questions that a plan names beforehand, whatever the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from interviews.turns.store import plan_content


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    number: int
    section: str
    key: str
    text: str


@lru_cache(maxsize=256)
def planned_questions(plan_id: int, language: str) -> tuple[PlannedQuestion, ...]:
    """Return the script's questions in that language, else in the plan's first; often none."""
    scripts = getattr(plan_content(plan_id).material, "scripts", None)  # by language
    if not scripts:
        return ()
    script = scripts.get(language) or next(iter(scripts.values()))
    return tuple(
        PlannedQuestion(number, question.section, question.key, question.text)
        for number, question in enumerate(script.questions, 1)
    )


def planned_topics(plan_id: int) -> tuple[PlannedQuestion, ...]:
    """Return the topics of a plan that names them, and no questions, beforehand; often none."""
    topics = getattr(plan_content(plan_id).material, "topics", ())
    return tuple(
        PlannedQuestion(number, "", topic.key, topic.label)
        for number, topic in enumerate(topics, 1)
    )


@lru_cache(maxsize=256)
def sections_by_question(plan_id: int, language: str) -> Mapping[str, str]:
    return {question.key: question.section for question in planned_questions(plan_id, language)}
