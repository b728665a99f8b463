"""Which elements of the concept a text speaks of."""

from collections.abc import Iterator, Sequence

from interviews.protocols.laddering.graph.meaning import same
from plans.ladders.concept import Element
from plans.similarity import normalise


def linked(text: str, elements: Sequence[Element]) -> tuple[str, ...]:
    """The ids of elements whose label or alias the text holds, exactly or nearly."""
    plain = normalise(text)
    return tuple(element.id for element in elements if _speaks_of(plain, element))


def _speaks_of(plain: str, element: Element) -> bool:
    return any(_holds(plain, normalise(name)) for name in element.names)


def _holds(plain: str, name: str) -> bool:
    if f" {name} " in f" {plain} ":
        return True
    return any(same(part, name) for part in (plain, *_parts(plain, len(name.split()))))


def _parts(plain: str, count: int) -> Iterator[str]:
    """Each run of so many words."""
    words = plain.split()
    return (" ".join(words[i : i + count]) for i in range(len(words) - count + 1))
