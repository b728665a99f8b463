"""A script as an assessment reads it: topics, and questions with their levels."""

from collections.abc import Sequence
from dataclasses import dataclass

from plans.models import Question, Script, Section
from plans.protocols.technical_assessment.content import LEVELS, level


@dataclass(frozen=True)
class GradedQuestion:
    """A question with how hard it is, by its place in the topic."""

    question: Question
    level: int

    @property
    def dots(self) -> str:
        """The level to be seen at a glance."""
        return "●" * self.level + "○" * (LEVELS - self.level)


@dataclass(frozen=True)
class AssessedSection:
    """A topic with its questions, easy ones first."""

    section: Section
    questions: Sequence[GradedQuestion]


def assessed(script: Script) -> list[AssessedSection]:
    """The topics that have questions."""
    sections = script.sections.prefetch_related("questions")
    topics = [
        AssessedSection(section, _graded(list(section.questions.all()))) for section in sections
    ]
    return [topic for topic in topics if topic.questions]


def _graded(questions: Sequence[Question]) -> list[GradedQuestion]:
    return [GradedQuestion(row, level(i, len(questions))) for i, row in enumerate(questions)]
