from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field, model_validator

from plans.models import Bot, Question, Script
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, option
from plans.protocols.rewards import OptionsOfAnyBot
from plans.text import tidy_lines


class LifeStoryOptions(OptionsOfAnyBot):
    followup_ceiling: Annotated[int, Field(ge=0, le=20)] = option(
        3,
        "Maximum follow-ups",
        "How often it can probe on one question before moving on, with or without a model.",
    )
    excluded_sections: tuple[str, ...] = option(
        (),
        "Sections left out",
        "Ticked sections are not asked in any language. Interviews under way keep theirs.",
    )

    @model_validator(mode="before")
    @classmethod
    def _drop_neutral_probes(cls, data: Any) -> Any:
        """Let bots and plans stored with this option load; questions have probes of their own."""
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if name != "neutral_probes"}
        return data


class ScriptQuestion(Frozen):
    key: str
    section: str
    text: str
    objective: str
    guidance: str = ""
    probes: tuple[str, ...] = ()
    block_seconds: int


class ScriptMaterial(Frozen):
    """A script in one language, its sections flattened into one sequence of questions."""

    name: str
    intro: str
    outro: str
    questions: tuple[ScriptQuestion, ...] = Field(min_length=1)


class LifeStoryMaterial(Frozen):
    scripts: dict[str, ScriptMaterial] = Field(min_length=1)
    options: LifeStoryOptions = LifeStoryOptions()


def compile_material(bot: Bot) -> LifeStoryMaterial:
    """Return the bot's scripts without the sections it excludes.

    Raises pydantic.ValidationError when the bot has no script, or one without questions.
    """
    options = LifeStoryOptions.model_validate(bot.options)
    scripts = bot.scripts.prefetch_related("sections__questions").order_by("language", "id")
    return LifeStoryMaterial(
        scripts={script.language: _script(script, options.excluded_sections) for script in scripts},
        options=options,
    )


def _script(script: Script, excluded: Iterable[str]) -> ScriptMaterial:
    sections = [s for s in script.sections.all() if s.key not in excluded]
    questions = (_question(s.key, q) for s in sections for q in s.questions.all())
    return ScriptMaterial(
        name=script.name, intro=script.intro, outro=script.outro, questions=tuple(questions)
    )


def _question(section: str, question: Question) -> ScriptQuestion:
    return ScriptQuestion(
        key=question.key,
        section=section,
        text=question.text,
        objective=question.objective,
        guidance=question.guidance,
        probes=tuple(tidy_lines(question.probes).splitlines()),
        block_seconds=question.block_seconds,
    )


CONTENT = ContentType(
    options=LifeStoryOptions,
    material=LifeStoryMaterial,
    compile=compile_material,
    languages=lambda material: tuple(material.scripts),
    questions=lambda material: max(len(script.questions) for script in material.scripts.values()),
    steps=lambda material: tuple(q.text for q in next(iter(material.scripts.values())).questions),
)
