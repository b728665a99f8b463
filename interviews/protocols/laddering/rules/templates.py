from collections.abc import Mapping, Sequence
from typing import TypeVar

from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology, Strategy

T = TypeVar("T", str, tuple[str, ...])


def opening(methodology: Methodology, concept: Concept, language: str) -> str:
    return _in_language(methodology.opening, language).replace("{topic}", concept.context.topic)


def closing(methodology: Methodology, language: str) -> str:
    return _in_language(methodology.closing, language)


def question(
    strategy: Strategy, focus: str, concept: Concept, language: str, asked: Sequence[str] = ()
) -> str:
    """Return the strategy's question about a focus, or about the topic where there is none.

    Of its templates the one that was used least often in `asked`, the questions so far.
    """
    texts = _in_language(strategy.templates, language)
    least = min(texts, key=lambda text: sum(_is_made_of(one, text) for one in asked))
    return least.replace("{focus}", focus or concept.context.topic)


def _is_made_of(said: str, template: str) -> bool:
    before, _, after = template.partition("{focus}")
    return before in said and said.endswith(after)


def _in_language(texts: Mapping[str, T], language: str) -> T:
    return texts.get(language) or texts.get(language.split("-")[0]) or next(iter(texts.values()))
