"""Life stories: a script in each language."""

from collections.abc import Collection

from pydantic import ValidationError

from plans.content.life_story import LifeStoryOptions
from plans.kinds.base import Draft, Item, Kind
from plans.kinds.needs import asks_something, reward_items, script_items, script_languages
from plans.models import Bot, Script


def needs(draft: Draft) -> list[Item]:
    """At least one script, one per language, each with something to ask."""
    excluded = draft.bot.options.get("excluded_sections", ())
    return [
        *script_items(draft.scripts),
        *(asks_something(script, _asked(script, excluded)) for script in draft.scripts),
        *reward_items(draft, options_of(draft.bot).reward),
    ]


def options_of(bot: Bot) -> LifeStoryOptions:
    """The bot's options; the standard ones where what is stored doesn't fit."""
    try:
        return LifeStoryOptions.model_validate(bot.options)
    except ValidationError:
        return LifeStoryOptions()


def _asked(script: Script, excluded: Collection[str]) -> int:
    return sum(s.questions.count() for s in script.sections.all() if s.key not in excluded)


KIND = Kind(
    title="Life story",
    summary="Asks a script of yours, question by question, and follows up on each answer until its "
    "objective is met or its time is over. For biographies and anything with a fixed order.",
    parts=frozenset({"scripts"}),
    languages=script_languages,
    needs=needs,
    read_by_experts=True,
)
