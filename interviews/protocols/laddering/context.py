"""Looks at where a laddering interview stands that several files need."""

from collections.abc import Collection
from pathlib import Path

from interviews.choices import EntryKind
from interviews.engine.context import TurnContext
from interviews.engine.result import TurnResult, Utterance
from interviews.engine.texts import fixed
from interviews.protocols.laddering.rules.extraction import Question
from interviews.protocols.laddering.signals.moment import ELEMENT
from interviews.protocols.laddering.state import LadderingState
from plans.protocols.laddering.content import LadderingMaterial
from plans.protocols.laddering.schema.concept import Concept, Element
from plans.protocols.laddering.schema.methodology import Methodology, Strategy

FOLDER = Path(__file__).parent / "texts"
OPENING = Question("open")  # as which an answer to the opening is read

LadderingContext = TurnContext[LadderingState, LadderingMaterial]
NextMove = TurnResult[LadderingState]


def ways_of(ctx: LadderingContext) -> Methodology:
    return ctx.material.methodology


def concept_of(ctx: LadderingContext) -> Concept:
    """What to explore, in the words of the interview's language where there are some."""
    return ctx.material.concept.in_language(ctx.language)


def strategy_of(ways: Methodology, name: str) -> Strategy | None:
    """The strategy with that id; the opening has none."""
    return next((one for one in ways.strategies if one.id == name), None)


def element_of(concept: Concept, focus: str) -> Element | None:
    """The element that a focus names, if it is no node."""
    name = focus.removeprefix(ELEMENT)
    return next((e for e in concept.elements if e.id == name and focus != name), None)


def answered(ctx: LadderingContext) -> Question:
    """What the open question was about."""
    put, ways = ctx.state.open, ways_of(ctx)
    strategy = strategy_of(ways, put.strategy)
    if strategy is None:
        return OPENING
    element = element_of(concept_of(ctx), put.focus)
    if element is not None:
        return Question(strategy.technique, element.label, "", (element.id,))
    node = ctx.state.graph.by_id.get(put.focus)
    if node is None:
        return Question(strategy.technique)
    return Question(strategy.technique, node.text, node.type, node.elements)


def speaks(languages: Collection[str], language: str) -> bool:
    """Whether a language, or the one that it is a variant of, is among those."""
    return language in languages or language.split("-")[0] in languages


def say(language: str, key: str, turn: int = 0, **words: str) -> str:
    """One of the fixed sentences, filled in; the turn chooses among several wordings."""
    return fixed(language, key, turn=turn, folder=FOLDER, words=words)


def put(state: LadderingState) -> Utterance:
    """The open question as an utterance; each has a key of its own, since summaries go by it."""
    number = state.talk.turn + 1
    return Utterance(EntryKind.QUESTION, state.open.text, f"q{number}", number)


def shortened(text: str, most: int) -> str:
    """The text, cut to so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
