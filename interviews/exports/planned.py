"""The questions that a plan names beforehand, whatever the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from interviews.turns.store import plan_content

SectionsByQuestion = Mapping[tuple[int | None, str], str]


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
def sections_by_question(plan_id: int, language: str) -> SectionsByQuestion:
    """Return the sections by number and key of their questions, and by None and key.

    Several sections may have a question of the same key.
    """
    planned = planned_questions(plan_id, language)
    by_key: dict[tuple[int | None, str], str] = {(None, one.key): one.section for one in planned}
    return by_key | {(one.number, one.key): one.section for one in planned}


def section_of(sections: SectionsByQuestion, number: int | None, question: str) -> str:
    """Return a question's section: by its key alone where questions come in no fixed order."""
    return sections.get((number, question)) or sections.get((None, question), "")
