"""Which elements of the concept a text speaks of."""

from collections.abc import Iterator, Sequence

from interviews.protocols.laddering.graph.similarity import same
from plans.protocols.laddering.schema.concept import Element
from plans.similarity import normalise

FEW = 12  # words of a text that as a whole may be a name in other words
BEGINNING = 3  # letters


def linked(text: str, elements: Sequence[Element]) -> tuple[str, ...]:
    """The ids of elements whose label or alias the text holds, exactly or nearly."""
    plain = normalise(text)
    return tuple(element.id for element in elements if _speaks_of(plain, element))


def _speaks_of(plain: str, element: Element) -> bool:
    return any(_holds(plain, normalise(name)) for name in element.names)


def _holds(plain: str, name: str) -> bool:
    if f" {name} " in f" {plain} ":
        return True
    words = plain.split()
    if len(words) <= FEW and same(plain, name):
        return True
    return any(same(part, name) for part in _parts(words, name.split()))


def _parts(words: Sequence[str], name: Sequence[str]) -> Iterator[str]:
    """Each run of as many words as the name has, if one of them begins like one of its words."""
    begins = {word[:BEGINNING] for word in name}
    like = [word[:BEGINNING] in begins for word in words]
    count = len(name)
    for i in range(len(words) - count + 1):
        if any(like[i : i + count]):
            yield " ".join(words[i : i + count])
