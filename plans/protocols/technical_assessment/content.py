"""The material of a technical assessment, compiled from a bot.

A script's sections are the topics. A section's questions go from easy to hard, and their guidance
says what a good answer contains; participants never see it.
"""

from typing import Annotated, Literal

from pydantic import Field

from plans.models import Bot, Question, Script, Section
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, option, stored_options
from plans.protocols.rewards import OptionsOfAnyBot

LEVELS = 5
Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(gt=0, le=120)]
Grade = Literal["Junior", "Middle", "Senior"]


class DecisionRules(Frozen):
    """The thresholds for recommendations; shares and means are from 0 to 1."""

    strong_share: Share = option(
        0.7, "Strong Hire: confirmed topics", "From 0 to 1: 0.7 means at least seven topics in ten."
    )
    strong_mean: Share = option(
        0.75, "Strong Hire: mean correctness", "From 0 to 1, over all scored answers."
    )
    hire_share: Share = option(0.5, "Hire: confirmed topics")
    hire_mean: Share = option(0.55, "Hire: mean correctness")
    least_answers: Annotated[int, Field(ge=1, le=50)] = option(
        4, "Answers needed", "With fewer scored answers, confidence in the report is low."
    )
    most_confidence: Annotated[int, Field(ge=0, le=100)] = option(
        39, "Maximum confidence", "Out of 100, for a report with low confidence."
    )


class TechnicalAssessmentOptions(OptionsOfAnyBot):
    position: str = option("", "Position", "As candidates know it: Backend developer.")
    grade: Grade = option("Middle", "Grade", "The grade candidates claim.")
    ask_experience: bool = option(
        True,
        "Ask for experience",
        "On the start page. A link with ?experience=… answers it in advance.",
    )
    default_topic: str = option("", "First topic", "Where the interview starts. The others follow.")
    max_turns: Annotated[int, Field(ge=1, le=60)] = option(
        12, "Maximum turns", "Questions back don't count."
    )
    questions_by: Literal["adapted", "list", "model"] = option(
        "adapted",
        "Questions",
        "Adapted: the script's, which a model may adapt closely to what was said. "
        "List: the script's as written. Model: its own, so candidates are harder to compare.",
    )
    reasoning: bool = option(
        True,
        "Keep the reasoning",
        "The interviewer's reasoning, beside each question. For reviewers only.",
    )
    attempts: Annotated[int, Field(ge=1, le=5)] = option(
        3, "Attempts", "At a question unlike earlier ones. Then the list provides the next one."
    )
    history: Annotated[int, Field(ge=0, le=20)] = option(
        4,
        "Pairs remembered",
        "The last questions and answers, read before the next one is phrased.",
    )
    observer_seconds: Seconds = option(
        60,
        "Observer's time",
        "Seconds for judging an answer. After that it is stored as not judged.",
    )
    interviewer_seconds: Seconds = option(
        15,
        "Interviewer's time",
        "Seconds for phrasing a question. After that the list provides the next one.",
    )
    cooldown_seconds: Annotated[float, Field(ge=0, le=600)] = option(
        30,
        "Rest after failures",
        "Seconds during which answers are not judged, before a model is asked again.",
    )
    own_summary: bool = option(
        False,
        "Candidates get their own summary",
        "What was confirmed and what to learn. No scores, no recommendation.",
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
