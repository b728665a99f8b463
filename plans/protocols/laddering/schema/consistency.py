"""What the parts of a concept or a methodology must agree on among themselves."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from plans.portability.tree import Loc
from plans.protocols.laddering.schema.concept import Concept, Element
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.vocabulary import (
    Term,
    condition_problem,
    parse_condition,
    unknown_signal_message,
)
from plans.similarity import normalise

Problems = Iterator[tuple[Loc, str]]
FIELD = re.compile(r"\{([^{}]*)\}")


def concept_problems(concept: Concept) -> Problems:
    """Where a concept contradicts itself, each with its place."""
    yield from _twice((e.id for e in concept.elements), "elements", "another element has this id")
    yield from _shared_names(concept)


def methodology_problems(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    """Where a methodology contradicts itself or the known signals, each with its place."""
    yield from _ids(methodology)
    yield from _words(methodology)
    yield from _relations(methodology)
    yield from _signals(methodology, terms)
    yield from _weights(methodology, terms)
    yield from _phase_weights(methodology)
    yield from _languages(methodology)
    yield from _placeholders(methodology)


def _shared_names(concept: Concept) -> Problems:
    """Words that stand for two elements, or twice for one."""
    owners: dict[str, str] = {}
    for i, element in enumerate(concept.elements):
        for where, name in _names(element):
            plain = normalise(name)
            if where[0] == "labels" and owners.get(plain) == element.id:
                continue  # some words are the same in two languages
            if not plain:
                yield ("elements", i, *where), "must hold a letter or a digit"
            elif plain in owners:
                owner = owners[plain]
                whose = "this element" if owner == element.id else f"the element {owner}"
                yield ("elements", i, *where), f"“{name}” stands for {whose} already"
            owners.setdefault(plain, element.id)


def _names(element: Element) -> Iterator[tuple[Loc, str]]:
    """All words for an element, each with its place in it."""
    yield ("label",), element.label
    yield from ((("aliases", j), alias) for j, alias in enumerate(element.aliases))
    yield from ((("labels", language), label) for language, label in element.labels.items())


def _ids(methodology: Methodology) -> Problems:
    ladder, relations = methodology.types, (r.id for r in methodology.relations)
    strategies = (s.id for s in methodology.strategies)
    yield from _twice(ladder, "ladder", "another type has this id")
    yield from _twice(relations, "relations", "another relation has this id")
    yield from _twice(strategies, "strategies", "another strategy has this id")


def _words(methodology: Methodology) -> Problems:
    """Words that mark two rungs, or one twice."""
    owners: dict[tuple[str, str], str] = {}
    for i, rung in enumerate(methodology.ladder):
        for language, words in rung.words.items():
            for j, word in enumerate(words):
                key = language, word.casefold()
                if key in owners:
                    at: Loc = ("ladder", i, "words", language, j)
                    yield at, f"“{word}” marks {owners[key]} already"
                owners.setdefault(key, rung.id)


def _relations(methodology: Methodology) -> Problems:
    for i, relation in enumerate(methodology.relations):
        for j, pair in enumerate(relation.between):
            at: Loc = ("relations", i, "between", j)
            if pair.source not in methodology.types:
                yield (*at, "source"), _no_type(pair.source)
            for k, target in enumerate(pair.targets):
                if target not in methodology.types:
                    yield (*at, "targets", k), _no_type(target)


def _no_type(name: str) -> str:
    return f"“{name}” is not a type of this ladder"


def _signals(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    for i, name in enumerate(methodology.signals):
        if name not in terms:
            yield ("signals", i), f"“{name}” {unknown_signal_message(name, terms)}"
        elif name in methodology.signals[:i]:
            yield ("signals", i), "stands in this list already"


def _weights(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    for i, strategy in enumerate(methodology.strategies):
        for key in strategy.signal_weights:
            at: Loc = ("strategies", i, "signal_weights", key)
            meant = parse_condition(key, terms)
            if meant is None:
                yield at, condition_problem(key, terms)
            elif meant.name not in methodology.signals:
                yield at, f"{meant.name} is not among the signals that this methodology uses"


def _phase_weights(methodology: Methodology) -> Problems:
    known = {strategy.id for strategy in methodology.strategies}
    for mode, phases in methodology.phase_weights.items():
        for phase, factors in phases.items():
            for name in factors:
                if name not in known:
                    yield ("phase_weights", mode, phase, name), "is not a strategy of this file"


def _languages(methodology: Methodology) -> Problems:
    """Whoever can be welcomed in a language can be asked and thanked in it."""
    for language in methodology.languages:
        if language not in methodology.closing:
            yield ("closing",), _lacks(language)
        for i, strategy in enumerate(methodology.strategies):
            if not strategy.templates.get(language):
                yield ("strategies", i, "templates"), _lacks(language)


def _lacks(language: str) -> str:
    return f"holds nothing in {language}, in which there is an opening"


def _placeholders(methodology: Methodology) -> Problems:
    for language, text in methodology.opening.items():
        yield from _fields(text, "topic", ("opening", language))
    for language, text in methodology.closing.items():
        yield from _fields(text, "", ("closing", language))
    for i, strategy in enumerate(methodology.strategies):
        for language, texts in strategy.templates.items():
            for j, text in enumerate(texts):
                yield from _fields(text, "focus", ("strategies", i, "templates", language, j))


def _fields(text: str, known: str, at: Loc) -> Problems:
    """Braces that stand for nothing that can be put there."""
    names = FIELD.findall(text)
    bare = FIELD.sub("", text)
    if any(name != known for name in names) or "{" in bare or "}" in bare:
        may = f"only {{{known}}} may stand in braces" if known else "nothing may stand in braces"
        yield at, f"{may} here"


def _twice(ids: Iterable[Hashable], where: str, message: str) -> Problems:
    listed: Sequence[Hashable] = list(ids)
    for i, one in enumerate(listed):
        if one in listed[:i]:
            yield (where, i, "id"), message
