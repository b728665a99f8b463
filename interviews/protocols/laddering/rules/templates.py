from collections.abc import Mapping, Sequence
from typing import TypeVar

from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology, Strategy

T = TypeVar("T", str, tuple[str, ...])


def opening(methodology: Methodology, concept: Concept, language: str) -> str:
    return _in_language(methodology.opening, language).replace("{topic}", concept.context.topic)


def closing(methodology: Methodology, language: str) -> str:
    return _in_language(methodology.closing, language)


def least_used(strategy: Strategy, language: str, asked: Sequence[str]) -> str:
    """Return the strategy's template that was used least often in the questions so far."""
    texts = _in_language(strategy.templates, language)
    return min(texts, key=lambda text: sum(is_made_of(one, text) for one in asked))


def fill(template: str, focus: str, concept: Concept) -> str:
    """Ask about a focus, or about the topic where there is none."""
    return template.replace("{focus}", focus or concept.context.topic)


def is_made_of(said: str, template: str) -> bool:
    before, _, after = template.partition("{focus}")
    return before in said and said.endswith(after)


def _in_language(texts: Mapping[str, T], language: str) -> T:
    return texts.get(language) or texts.get(language.split("-")[0]) or next(iter(texts.values()))
