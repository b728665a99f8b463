from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from llm.languages import language_name
from plans.models import LadderFile
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
from plans.protocols.laddering.schema.concept import Concept, matching_language
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.needs import advice, language_items, reward_items

Content = TypeVar("Content", Concept, Methodology)


def needs(draft: BotDraft) -> list[ChecklistItem]:
    bot, options = draft.bot, options_of(draft.bot)
    concept, concept_item = _read_chosen("concept", bot.concept, concept_of)
    methodology, methodology_item = _read_chosen("methodology", bot.methodology, methodology_of)
    items = [concept_item, methodology_item, *language_items(options.languages)]
    if methodology:
        items.append(_questions_item(methodology, options.languages))
    if concept:
        items.append(_wording_item(concept, options.languages))
    return [*items, *reward_items(draft, options.reward)]


def _read_chosen(
    what: str, row: LadderFile | None, read: Callable[[str, str], Content]
) -> tuple[Content | None, ChecklistItem]:
    title = what.capitalize()
    if row is None:
        return None, ChecklistItem(title, False, f"Choose a {what} under Interview.")
    try:
        return read(row.source, row.key), ChecklistItem(f"{title}: {row}", True)
    except BrokenDocument as error:
        hint = f"“{row}” can't be read ({error.problems[0]}). Open it and fix it."
        return None, ChecklistItem(f"{title}: {row}", False, hint)


def _questions_item(methodology: Methodology, languages: Sequence[str]) -> ChecklistItem:
    known = methodology.languages
    missing = [tag for tag in languages if not matching_language(known, tag)]
    hint = (
        f"“{methodology.name}” has none in {_names(missing)}: there, a model phrases every "
        f"question. Without a model they come in {language_name(known[0])}."
    )
    return advice("Its own questions in every language", not missing, hint)


def _wording_item(concept: Concept, languages: Sequence[str]) -> ChecklistItem:
    missing = [tag for tag in languages if not concept.speaks(tag)]
    hint = (
        f"“{concept.name}” has no words in {_names(missing)}. Add them to topics and labels, or "
        f"they appear in {language_name(concept.language)} there."
    )
    return advice("The concept's words in every language", not missing, hint)


def _names(tags: Sequence[str]) -> str:
    return ", ".join(language_name(tag) for tag in tags)


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "concept": comparable_content(material.get("concept") or {}),
        "methodology": comparable_content(material.get("methodology") or {}),
        "options": by_title(LadderingOptions, material.get("options", {})),
    }


LADDERING = PlanProtocol(
    title="Laddering",
    content=CONTENT,
    summary="Asks why something matters, and why that matters, and builds a graph of what leads "
    "to what. A concept says what to explore, a methodology how.",
    parts=frozenset({"concept", "methodology"}),
    own_parts=OWN_PARTS,
    demo=DEMO,
    languages=lambda draft: list(options_of(draft.bot).languages),
    needs=needs,
    readable=readable,
)
