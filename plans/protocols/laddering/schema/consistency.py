"""Checks that the parts of a concept or a methodology agree with each other."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping

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
    ids = (element.id for element in concept.elements)
    yield from _duplicate_ids(ids, "elements", "another element has this id")
    yield from _shared_names(concept)


def methodology_problems(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    """Yield contradictions in the methodology and unknown signals, each with its place."""
    yield from _repeated_ids(methodology)
    yield from _repeated_words(methodology)
    yield from _unknown_types(methodology)
    yield from _unknown_signals(methodology, terms)
    yield from _unknown_weights(methodology, terms)
    yield from _unknown_strategies(methodology)
    yield from _missing_languages(methodology)
    yield from _wrong_placeholders(methodology)


def _shared_names(concept: Concept) -> Problems:
    owners: dict[str, str] = {}  # by normalised name
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
    yield ("label",), element.label
    yield from ((("aliases", j), alias) for j, alias in enumerate(element.aliases))
    yield from ((("labels", language), label) for language, label in element.labels.items())


def _repeated_ids(methodology: Methodology) -> Problems:
    relations = (relation.id for relation in methodology.relations)
    strategies = (strategy.id for strategy in methodology.strategies)
    yield from _duplicate_ids(methodology.types, "ladder", "another type has this id")
    yield from _duplicate_ids(relations, "relations", "another relation has this id")
    yield from _duplicate_ids(strategies, "strategies", "another strategy has this id")


def _repeated_words(methodology: Methodology) -> Problems:
    owners: dict[tuple[str, str], str] = {}
    for i, rung in enumerate(methodology.ladder):
        for language, words in rung.words.items():
            for j, word in enumerate(words):
                key = language, word.casefold()
                if key in owners:
                    at: Loc = ("ladder", i, "words", language, j)
                    yield at, f"“{word}” marks {owners[key]} already"
                owners.setdefault(key, rung.id)


def _unknown_types(methodology: Methodology) -> Problems:
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


def _unknown_signals(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    for i, name in enumerate(methodology.signals):
        if name not in terms:
            yield ("signals", i), f"“{name}” {unknown_signal_message(name, terms)}"
        elif name in methodology.signals[:i]:
            yield ("signals", i), "stands in this list already"


def _unknown_weights(methodology: Methodology, terms: Mapping[str, Term]) -> Problems:
    for i, strategy in enumerate(methodology.strategies):
        for key in strategy.signal_weights:
            at: Loc = ("strategies", i, "signal_weights", key)
            signal = parse_condition(key, terms)
            if signal is None:
                yield at, condition_problem(key, terms)
            elif signal.name not in methodology.signals:
                yield at, f"{signal.name} is not among the signals that this methodology uses"


def _unknown_strategies(methodology: Methodology) -> Problems:
    known = {strategy.id for strategy in methodology.strategies}
    for mode, phases in methodology.phase_weights.items():
        for phase, factors in phases.items():
            for name in factors:
                if name not in known:
                    yield ("phase_weights", mode, phase, name), "is not a strategy of this file"


def _missing_languages(methodology: Methodology) -> Problems:
    for language in methodology.languages:
        if language not in methodology.closing:
            yield ("closing",), _lacks(language)
        for i, strategy in enumerate(methodology.strategies):
            if not strategy.templates.get(language):
                yield ("strategies", i, "templates"), _lacks(language)


def _lacks(language: str) -> str:
    return f"holds nothing in {language}, in which there is an opening"


def _wrong_placeholders(methodology: Methodology) -> Problems:
    for language, text in methodology.opening.items():
        yield from _wrong_fields(text, "topic", ("opening", language))
    for language, text in methodology.closing.items():
        yield from _wrong_fields(text, "", ("closing", language))
    for i, strategy in enumerate(methodology.strategies):
        for language, texts in strategy.templates.items():
            for j, text in enumerate(texts):
                yield from _wrong_fields(text, "focus", ("strategies", i, "templates", language, j))


def _wrong_fields(text: str, known: str, at: Loc) -> Problems:
    names = FIELD.findall(text)
    bare = FIELD.sub("", text)
    if any(name != known for name in names) or "{" in bare or "}" in bare:
        may = f"only {{{known}}} may stand in braces" if known else "nothing may stand in braces"
        yield at, f"{may} here"


def _duplicate_ids(ids: Iterable[Hashable], where: str, message: str) -> Problems:
    listed = list(ids)
    for i, one in enumerate(listed):
        if one in listed[:i]:
            yield (where, i, "id"), message
