"""The material of a laddering interview, and how it is compiled from a bot."""

from functools import lru_cache

from pydantic import Field

from plans.models import Bot
from plans.protocols.base import ContentType
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology, Mode
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.plan_content import Frozen, stored_options
from plans.protocols.rewards import OptionsWithReward

MOST_TURNS = 60


class LadderingOptions(OptionsWithReward):
    """What an admin can set for this protocol (Bot.options)."""

    languages: tuple[str, ...] = Field(
        ("en",),
        title="Languages",
        description="Those it can be held in, as tags with commas between: en, it. Without a model "
        "it speaks those that the methodology has questions in.",
    )
    mode: Mode = Field(
        "coverage",
        title="What leads",
        description="Whether every element of the concept comes first, or depth where it opens.",
    )
    turns: int = Field(
        20, ge=3, le=MOST_TURNS, title="Turns", description="So many answers at most."
    )


class LadderingMaterial(Frozen):
    """What to explore, and how."""

    concept: Concept
    methodology: Methodology
    options: LadderingOptions = LadderingOptions()


def options_of(bot: Bot) -> LadderingOptions:
    """Return the bot's options; the defaults where what is stored doesn't fit."""
    return stored_options(LadderingOptions, bot)


def compile_material(bot: Bot) -> LadderingMaterial:
    """The bot's concept and methodology as their files stand now.

    Raises pydantic.ValidationError where one is missing, BrokenDocument for a file that an earlier
    version of the site could read and this one can't.
    """
    return LadderingMaterial.model_validate(
        {
            "concept": bot.concept and concept_of(bot.concept.source, bot.concept.key),
            "methodology": bot.methodology
            and methodology_of(bot.methodology.source, bot.methodology.key),
            "options": bot.options,
        }
    )


@lru_cache(maxsize=128)  # more than a page of the admin lists
def concept_of(source: str, name: str) -> Concept:
    """The concept that a file holds; each text is read once. Raises BrokenDocument."""
    return read_concept(source, name)


@lru_cache(maxsize=128)  # more than a page of the admin lists
def methodology_of(source: str, name: str) -> Methodology:
    """The methodology that a file holds; each text is read once. Raises BrokenDocument."""
    return read_methodology(source, name)


def languages(material: LadderingMaterial) -> tuple[str, ...]:
    """The languages that an interview can be held in."""
    return material.options.languages


def question_count(material: LadderingMaterial) -> int:
    return material.options.turns


CONTENT = ContentType(
    options=LadderingOptions,
    material=LadderingMaterial,
    compile=compile_material,
    languages=languages,
    questions=question_count,
)
