"""Ladderings: a concept, which says what to explore, and a methodology, which says how."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from plans.models.ladder import LadderFile
from plans.portability.problems import BrokenDocument
from plans.portability.readable import comparable_content
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol, by_title
from plans.protocols.laddering.content import (
    CONTENT,
    LadderingOptions,
    concept_of,
    methodology_of,
    options_of,
)
from plans.protocols.laddering.demo import DEMO
from plans.protocols.laddering.files import OWN_PARTS
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.needs import language_items, reward_items
from plans.text.languages import language_name

Made = TypeVar("Made", Concept, Methodology)


def languages(draft: BotDraft) -> list[str]:
    """Those that the options name."""
    return list(options_of(draft.bot).languages)


def needs(draft: BotDraft) -> list[ChecklistItem]:
    """A concept, a methodology, known languages; advice on what these two have no words for."""
    bot, spoken = draft.bot, options_of(draft.bot).languages
    concept, first = _chosen("concept", bot.concept, concept_of)
    methodology, second = _chosen("methodology", bot.methodology, methodology_of)
    items = [first, second, *language_items(spoken)]
    if methodology:
        items += _questions(methodology, spoken)
    if concept:
        items += _words(concept, spoken)
    return [*items, *reward_items(draft, options_of(bot).reward)]


def _chosen(
    what: str, row: LadderFile | None, read: Callable[[str, str], Made]
) -> tuple[Made | None, ChecklistItem]:
    """What the chosen file holds, if that can be read."""
    title = what.capitalize()
    if row is None:
        return None, ChecklistItem(title, False, f"Choose a {what} under Interview.")
    try:
        return read(row.source, row.key), ChecklistItem(f"{title}: {row}", True)
    except BrokenDocument as error:
        hint = f"“{row}” can't be read ({error.problems[0]}). Open it and mend it."
        return None, ChecklistItem(f"{title}: {row}", False, hint)


def _questions(methodology: Methodology, spoken: Sequence[str]) -> list[ChecklistItem]:
    missing = [tag for tag in spoken if not _covers(methodology.languages, tag)]
    hint = (
        f"“{methodology.name}” has none in {_listed(missing)}; there a model words every question, "
        f"and without one they come in {language_name(methodology.languages[0])}."
    )
    return [
        ChecklistItem("Questions of its own in every language", not missing, hint, needed=False)
    ]


def _words(concept: Concept, spoken: Sequence[str]) -> list[ChecklistItem]:
    missing = [tag for tag in spoken if not concept.speaks(tag)]
    hint = (
        f"“{concept.name}” lacks words in {_listed(missing)}: add them to topics and labels, or "
        f"it is spoken of in {language_name(concept.language)} there."
    )
    return [ChecklistItem("The concept's words in every language", not missing, hint, needed=False)]


def _covers(known: Sequence[str], tag: str) -> bool:
    return tag in known or tag.split("-")[0] in known


def _listed(tags: Sequence[str]) -> str:
    return ", ".join(language_name(tag) for tag in tags)


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    """Elements, rungs and strategies by their names, options by their names in forms."""
    return {
        "concept": comparable_content(material.get("concept") or {}),
        "methodology": comparable_content(material.get("methodology") or {}),
        "options": by_title(LadderingOptions, material.get("options", {})),
    }


LADDERING = PlanProtocol(
    title="Laddering",
    content=CONTENT,
    summary="Asks why something matters, and why that does, and builds a graph of what leads to "
    "what while it talks. A concept says what to explore, a methodology how.",
    parts=frozenset({"concept", "methodology"}),
    own_parts=OWN_PARTS,
    demo=DEMO,
    languages=languages,
    needs=needs,
    readable=readable,
)
