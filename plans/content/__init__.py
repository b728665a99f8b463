"""The typed content of plans: a file for each protocol, and this table of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plans.content import (
    knowledge_transfer,
    laddering,
    life_story,
    technical_assessment,
    topic_exploration,
)
from plans.content.base import Frozen, PlanContent, Texts
from plans.content.rewards import RewardOptions
from plans.models import Bot

__all__ = ["CONTENTS", "Content", "Frozen", "PlanContent", "RewardOptions", "Texts"]


@dataclass(frozen=True)
class Content:
    """How one protocol's material is typed and made.

    `questions` gives the number of questions known beforehand, or None.
    """

    options: type[Frozen]
    material: type[Frozen]
    compile: Callable[[Bot], Any]
    languages: Callable[[Any], tuple[str, ...]]
    questions: Callable[[Any], int | None]


CONTENTS: dict[str, Content] = {
    "life_story": Content(
        life_story.LifeStoryOptions,
        life_story.LifeStoryMaterial,
        life_story.compile_material,
        life_story.languages,
        life_story.question_count,
    ),
    "topic_exploration": Content(
        topic_exploration.TopicExplorationOptions,
        topic_exploration.TopicExplorationMaterial,
        topic_exploration.compile_material,
        topic_exploration.languages,
        topic_exploration.question_count,
    ),
    "technical_assessment": Content(
        technical_assessment.TechnicalAssessmentOptions,
        technical_assessment.TechnicalAssessmentMaterial,
        technical_assessment.compile_material,
        technical_assessment.languages,
        technical_assessment.question_count,
    ),
    "knowledge_transfer": Content(
        knowledge_transfer.KnowledgeTransferOptions,
        knowledge_transfer.KnowledgeTransferMaterial,
        knowledge_transfer.compile_material,
        knowledge_transfer.languages,
        knowledge_transfer.question_count,
    ),
    "laddering": Content(
        laddering.LadderingOptions,
        laddering.LadderingMaterial,
        laddering.compile_material,
        laddering.languages,
        laddering.question_count,
    ),
}
