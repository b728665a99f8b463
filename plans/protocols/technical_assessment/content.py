"""The material of a technical assessment, compiled from a bot.

A script's sections are the topics. A section's questions go from easy to hard, and their guidance
says what a good answer contains; participants never see it.
"""

from typing import Literal

from pydantic import Field

from plans.models import Bot, Question, Script, Section
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, stored_options
from plans.protocols.rewards import OptionsWithReward

LEVELS = 5
Grade = Literal["Junior", "Middle", "Senior"]


class DecisionRules(Frozen):
    """The thresholds for recommendations; shares and means are from 0 to 1."""

    strong_share: float = Field(
        0.7,
        ge=0,
        le=1,
        title="Strong Hire: confirmed topics",
        description="From 0 to 1: 0.7 means at least seven topics in ten.",
    )
    strong_mean: float = Field(
        0.75,
        ge=0,
        le=1,
        title="Strong Hire: mean correctness",
        description="From 0 to 1, over all scored answers.",
    )
    hire_share: float = Field(0.5, ge=0, le=1, title="Hire: confirmed topics")
    hire_mean: float = Field(0.55, ge=0, le=1, title="Hire: mean correctness")
    least_answers: int = Field(
        4,
        ge=1,
        le=50,
        title="Answers needed",
        description="With fewer scored answers, confidence in the report is low.",
    )
    most_confidence: int = Field(
        39,
        ge=0,
        le=100,
        title="Maximum confidence",
        description="Out of 100, for a report with low confidence.",
    )


class TechnicalAssessmentOptions(OptionsWithReward):
    position: str = Field(
        "", title="Position", description="As candidates know it: Backend developer."
    )
    grade: Grade = Field("Middle", title="Grade", description="The grade candidates claim.")
    ask_experience: bool = Field(
        True,
        title="Ask for experience",
        description="On the start page. A link with ?experience=… answers it in advance.",
    )
    default_topic: str = Field(
        "", title="First topic", description="Where the interview starts. The others follow."
    )
    max_turns: int = Field(
        12, ge=1, le=60, title="Maximum turns", description="Questions back don't count."
    )
    questions_by: Literal["adapted", "list", "model"] = Field(
        "adapted",
        title="Questions",
        description="Adapted: the script's, which a model may adapt closely to what was said. "
        "List: the script's as written. Model: its own, so candidates are harder to compare.",
    )
    reasoning: bool = Field(
        True,
        title="Keep the reasoning",
        description="The interviewer's reasoning, beside each question. For reviewers only.",
    )
    attempts: int = Field(
        3,
        ge=1,
        le=5,
        title="Attempts",
        description="At a question unlike earlier ones. Then the list provides the next one.",
    )
    history: int = Field(
        4,
        ge=0,
        le=20,
        title="Pairs remembered",
        description="The last questions and answers, read before the next one is phrased.",
    )
    observer_seconds: float = Field(
        60,
        gt=0,
        le=120,
        title="Observer's time",
        description="Seconds for judging an answer. After that it is stored as not judged.",
    )
    interviewer_seconds: float = Field(
        15,
        gt=0,
        le=120,
        title="Interviewer's time",
        description="Seconds for phrasing a question. After that the list provides the next one.",
    )
    cooldown_seconds: float = Field(
        30,
        ge=0,
        le=600,
        title="Rest after failures",
        description="Seconds during which answers are not judged, before a model is asked again.",
    )
    own_summary: bool = Field(
        False,
        title="Candidates get their own summary",
        description="What was confirmed and what to learn. No scores, no recommendation.",
    )
    rules: DecisionRules = DecisionRules()


class BaseQuestion(Frozen):
    key: str
    topic: str  # key of its topic
    text: str
    objective: str
    expected: str  # what a good answer holds
    level: int  # 1 (easy) to 5 (hard), by its place in the topic

    @property
    def section(self) -> str:
        return self.topic  # the script's section that it comes from


class AssessedTopic(Frozen):
    key: str
    title: str


class AssessmentScript(Frozen):
    intro: str
    outro: str
    topics: tuple[AssessedTopic, ...] = Field(min_length=1)
    questions: tuple[BaseQuestion, ...] = Field(min_length=1)


class TechnicalAssessmentMaterial(Frozen):
    scripts: dict[str, AssessmentScript] = Field(min_length=1)
    options: TechnicalAssessmentOptions = TechnicalAssessmentOptions()


def options_of(bot: Bot) -> TechnicalAssessmentOptions:
    return stored_options(TechnicalAssessmentOptions, bot)


def compile_material(bot: Bot) -> TechnicalAssessmentMaterial:
    """Return the bot's scripts as topics and base questions.

    Raises pydantic.ValidationError when the bot has no script, or one without questions.
    """
    scripts = bot.scripts.prefetch_related("sections__questions").order_by("language", "id")
    return TechnicalAssessmentMaterial(
        scripts={script.language: _script(script) for script in scripts},
        options=TechnicalAssessmentOptions.model_validate(bot.options),
    )


def _script(script: Script) -> AssessmentScript:
    sections = [section for section in script.sections.all() if section.questions.all()]
    return AssessmentScript(
        intro=script.intro,
        outro=script.outro,
        topics=tuple(AssessedTopic(key=s.key, title=s.title) for s in sections),
        questions=tuple(question for section in sections for question in _questions(section)),
    )


def _questions(section: Section) -> list[BaseQuestion]:
    rows = list(section.questions.all())
    return [_question(section, row, level(i, len(rows))) for i, row in enumerate(rows)]


def _question(section: Section, question: Question, level: int) -> BaseQuestion:
    return BaseQuestion(
        key=question.key,
        topic=section.key,
        text=question.text,
        objective=question.objective,
        expected=question.guidance,
        level=level,
    )


def level(index: int, count: int) -> int:
    """Return how hard the question at that index is, spread from 1 to 5; a single one is 3."""
    return 3 if count < 2 else 1 + round((LEVELS - 1) * index / (count - 1))


CONTENT = ContentType(
    options=TechnicalAssessmentOptions,
    material=TechnicalAssessmentMaterial,
    compile=compile_material,
    languages=lambda material: tuple(material.scripts),
    questions=lambda material: material.options.max_turns,  # at most
)
