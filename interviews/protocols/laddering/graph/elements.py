from collections.abc import Iterator, Sequence

from interviews.protocols.laddering.graph.similarity import same_meaning
from plans.protocols.laddering.schema.concept import Element
from plans.similarity import normalise

MAX_WORDS = 12  # of a text that as a whole may be a name in other words
PREFIX = 3  # letters


def find_elements(text: str, elements: Sequence[Element]) -> tuple[str, ...]:
    """Return the ids of elements whose label or alias the text holds, exactly or nearly."""
    plain = normalise(text)
    return tuple(e.id for e in elements if any(_holds(plain, normalise(n)) for n in e.names))


def _holds(plain: str, name: str) -> bool:
    if f" {name} " in f" {plain} ":
        return True
    words = plain.split()
    if len(words) <= MAX_WORDS and same_meaning(plain, name):
        return True
    return any(same_meaning(part, name) for part in _similar_parts(words, name.split()))


def _similar_parts(words: Sequence[str], name: Sequence[str]) -> Iterator[str]:
    """Yield each run of as many words as the name has in which one begins like one of the name."""
    prefixes = {word[:PREFIX] for word in name}
    matches = [word[:PREFIX] in prefixes for word in words]
    count = len(name)
    for i in range(len(words) - count + 1):
        if any(matches[i : i + count]):
            yield " ".join(words[i : i + count])
