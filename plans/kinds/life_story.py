"""Life stories: a script in each language."""

from collections.abc import Collection

from plans.kinds.base import Draft, Item, Kind
from plans.kinds.needs import asks_something, script_items, script_languages
from plans.models import Script


def needs(draft: Draft) -> list[Item]:
    """At least one script, one per language, each with something to ask."""
    excluded = draft.bot.options.get("excluded_sections", ())
    return [
        *script_items(draft.scripts),
        *(asks_something(script, _asked(script, excluded)) for script in draft.scripts),
    ]


def _asked(script: Script, excluded: Collection[str]) -> int:
    return sum(s.questions.count() for s in script.sections.all() if s.key not in excluded)


KIND = Kind(
    title="Life story",
    summary="Asks a script of yours, question by question, and follows up on each answer until its "
    "objective is met or its time is over. For biographies and anything with a fixed order.",
    parts=frozenset({"scripts"}),
    languages=script_languages,
    needs=needs,
)
