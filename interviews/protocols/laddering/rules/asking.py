"""A strategy's templates -> the question."""

from collections.abc import Sequence

from plans.ladders.concept import Concept
from plans.ladders.methodology import Methodology, Strategy
from plans.ladders.parts import InLanguages


def opening(methodology: Methodology, concept: Concept, language: str) -> str:
    """The first question."""
    return in_language(methodology.opening, language).replace("{topic}", concept.context.topic)


def closing(methodology: Methodology, language: str) -> str:
    """The last words."""
    return in_language(methodology.closing, language)


def question(
    strategy: Strategy, focus: str, concept: Concept, language: str, asked: Sequence[str] = ()
) -> str:
    """The strategy's question about a focus, or about the topic where there is none.

    Of its templates the one that was said least often in `asked`, the questions so far.
    """
    known = strategy.templates
    texts = known.get(language) or known.get(language.split("-")[0]) or next(iter(known.values()))
    made = [text.replace("{focus}", focus or concept.context.topic) for text in texts]
    return min(made, key=lambda text: asked.count(text))


def in_language(texts: InLanguages, language: str) -> str:
    """The text in that language, or in the first one that there is."""
    return texts.get(language) or texts.get(language.split("-")[0]) or next(iter(texts.values()))
