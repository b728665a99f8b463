from functools import lru_cache
from typing import Annotated

from pydantic import Field

from plans.models import Bot
from plans.protocols.base import ContentType
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology, Mode
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.plan_content import Frozen, languages_option, option, stored_options
from plans.protocols.rewards import OptionsOfAnyBot

MOST_TURNS = 60
CACHED = 128  # files: more than a page of the admin lists
concept_of = lru_cache(maxsize=CACHED)(read_concept)
methodology_of = lru_cache(maxsize=CACHED)(read_methodology)


class LadderingOptions(OptionsOfAnyBot):
    languages: tuple[str, ...] = languages_option(
        "Without a model, only those the methodology has questions in."
    )
    mode: Mode = option(
        "coverage",
        "Order",
        "Cover every element of the concept first, or go deep where it opens up.",
    )
    turns: Annotated[int, Field(ge=3, le=MOST_TURNS)] = option(
        20, "Turns", "Maximum number of answers."
    )


class LadderingMaterial(Frozen):
    concept: Concept
    methodology: Methodology
    options: LadderingOptions = LadderingOptions()


def options_of(bot: Bot) -> LadderingOptions:
    return stored_options(LadderingOptions, bot)


def compile_material(bot: Bot) -> LadderingMaterial:
    """Return the bot's concept and methodology as their files are now.

    Raises pydantic.ValidationError if one is missing, and BrokenDocument for a file that an earlier
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


CONTENT = ContentType(
    options=LadderingOptions,
    material=LadderingMaterial,
    compile=compile_material,
    questions=lambda material: material.options.turns,
)
