"""Life stories: a script in each language."""

from collections.abc import Collection

from plans.kinds.base import Draft, Item, Kind
from plans.languages import language_name
from plans.models import Script


def languages(draft: Draft) -> list[str]:
    """Those of the scripts."""
    return sorted({script.language for script in draft.scripts})


def needs(draft: Draft) -> list[Item]:
    """At least one script, one per language, each with something to ask."""
    excluded = draft.bot.options.get("excluded_sections", ())
    spoken = [script.language for script in draft.scripts]
    twice = sorted({lang for lang in spoken if spoken.count(lang) > 1})
    items = [Item("A script", bool(spoken), "Choose a script under Interview.")]
    items += [
        Item(
            "One script for each language",
            False,
            f"Two scripts are in {language_name(lang)}; keep one of them.",
        )
        for lang in twice
    ]
    return items + [_asks_something(script, excluded) for script in draft.scripts]


def _asks_something(script: Script, excluded: Collection[str]) -> Item:
    count = sum(s.questions.count() for s in script.sections.all() if s.key not in excluded)
    return Item(
        f"Questions in “{script.name}”: {count}",
        count > 0,
        f"“{script}” has no question that would be asked; write one, or put a section back in.",
    )


KIND = Kind(
    title="Life story",
    summary="Asks a script of yours, question by question, and follows up on each answer until its "
    "objective is met or its time is over. For biographies and anything with a fixed order.",
    parts=frozenset({"scripts"}),
    languages=languages,
    needs=needs,
)
