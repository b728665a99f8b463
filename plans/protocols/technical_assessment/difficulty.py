from collections.abc import Sequence
from dataclasses import dataclass

from plans.models import Question, Script, Section
from plans.protocols.technical_assessment.content import LEVELS, level


@dataclass(frozen=True)
class GradedQuestion:
    question: Question
    level: int

    @property
    def dots(self) -> str:
        return "●" * self.level + "○" * (LEVELS - self.level)


@dataclass(frozen=True)
class AssessedSection:
    section: Section
    questions: Sequence[GradedQuestion]


def graded_sections(script: Script) -> list[AssessedSection]:
    sections = script.sections.prefetch_related("questions")
    graded = [AssessedSection(s, _grade(list(s.questions.all()))) for s in sections]
    return [section for section in graded if section.questions]


def _grade(questions: Sequence[Question]) -> list[GradedQuestion]:
    return [GradedQuestion(row, level(i, len(questions))) for i, row in enumerate(questions)]
