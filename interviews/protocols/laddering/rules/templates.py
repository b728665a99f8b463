"""A strategy's templates -> the question."""

from collections.abc import Sequence

from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.fields import InLanguages
from plans.protocols.laddering.schema.methodology import Methodology, Strategy


def opening(methodology: Methodology, concept: Concept, language: str) -> str:
    return in_language(methodology.opening, language).replace("{topic}", concept.context.topic)


def closing(methodology: Methodology, language: str) -> str:
    return in_language(methodology.closing, language)


def question(
    strategy: Strategy, focus: str, concept: Concept, language: str, asked: Sequence[str] = ()
) -> str:
    """The strategy's question about a focus, or about the topic where there is none.

    Of its templates the one that was said least often in `asked`, the questions so far, whatever
    they were about.
    """
    known = strategy.templates
    texts = known.get(language) or known.get(language.split("-")[0]) or next(iter(known.values()))
    least = min(texts, key=lambda text: sum(_is_made_of(one, text) for one in asked))
    return least.replace("{focus}", focus or concept.context.topic)


def _is_made_of(said: str, template: str) -> bool:
    """Whether the template's words stand in it around some focus."""
    before, _, after = template.partition("{focus}")
    return before in said and said.endswith(after)


def in_language(texts: InLanguages, language: str) -> str:
    """The text in that language, or in the first one that there is."""
    return texts.get(language) or texts.get(language.split("-")[0]) or next(iter(texts.values()))
