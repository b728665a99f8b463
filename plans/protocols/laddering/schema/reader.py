from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from plans.portability.decoder import text_of
from plans.portability.problems import BrokenDocument
from plans.portability.tree import Tree, is_json, read_block
from plans.portability.validation import check
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.consistency import (
    Problems,
    concept_problems,
    methodology_problems,
)
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.vocabulary import Term, registered_terms

Shape = TypeVar("Shape", bound=Concept | Methodology)


def read_concept(content: str | bytes, name: str = "") -> Concept:
    """Read a concept from YAML or JSON; `name` is the file's. Raises BrokenDocument."""
    return _read(content, name, Concept, concept_problems)


def read_methodology(
    content: str | bytes, name: str = "", terms: Mapping[str, Term] | None = None
) -> Methodology:
    """Read a methodology from YAML or JSON; `name` is the file's. Raises BrokenDocument.

    `terms` are the signals that its weights may name, by default the registered ones.
    """
    known = registered_terms() if terms is None else terms
    return _read(content, name, Methodology, lambda made: methodology_problems(made, known))


def read_part(shape: type[Shape], tree: Tree, at: str) -> Shape:
    """Read the concept or methodology in another file's field `at`. Raises BrokenDocument."""
    return check(shape, tree.part(at), _problems)


def _problems(content: Concept | Methodology) -> Problems:
    if isinstance(content, Concept):
        return concept_problems(content)
    return methodology_problems(content, registered_terms())


def _read(
    content: str | bytes, name: str, shape: type[Shape], problems: Callable[[Shape], Problems]
) -> Shape:
    try:
        text = text_of(content)
        tree = read_block(text, name.lower().endswith(".json") or is_json(text))
        return check(shape, tree, problems)
    except BrokenDocument as error:
        raise BrokenDocument(replace(one, file=name) for one in error.problems) from error
