from functools import partial
from pathlib import Path

from interviews.choices import EntryKind
from interviews.engine.context import TurnContext
from interviews.engine.result import TurnResult, Utterance, closing_question
from interviews.engine.texts import fixed
from interviews.protocols.laddering.rules.extraction import Question
from interviews.protocols.laddering.signals.moment import ELEMENT
from interviews.protocols.laddering.state import LadderingState
from plans.protocols.laddering.content import LadderingMaterial
from plans.protocols.laddering.schema.concept import Concept, Element
from plans.protocols.laddering.schema.methodology import Methodology, Strategy

say = partial(fixed, folder=Path(__file__).parent / "texts")

LadderingContext = TurnContext[LadderingState, LadderingMaterial]
NextMove = TurnResult[LadderingState]


def concept_of(ctx: LadderingContext) -> Concept:
    """Return what to explore, in the interview's language where there are words for it."""
    return ctx.material.concept.in_language(ctx.language)


def find_strategy(methodology: Methodology, name: str) -> Strategy | None:
    return next((one for one in methodology.strategies if one.id == name), None)


def find_element(concept: Concept, focus: str) -> Element | None:
    name = focus.removeprefix(ELEMENT)
    return next((e for e in concept.elements if e.id == name and focus != name), None)


def open_question(ctx: LadderingContext) -> Question:
    put = ctx.state.open
    strategy = find_strategy(ctx.material.methodology, put.strategy)
    if strategy is None:
        return Question("open")  # the opening is read as an open question
    element = find_element(concept_of(ctx), put.focus)
    if element is not None:
        return Question(strategy.technique, element.label, "", (element.id,))
    node = ctx.state.graph.by_id.get(put.focus)
    if node is None:
        return Question(strategy.technique)
    return Question(strategy.technique, node.text, node.type, node.elements)


def question_utterance(state: LadderingState, text: str = "") -> Utterance:
    """Return the open question as an utterance, whose key is unique, since summaries go by it."""
    if state.last_asked:
        return closing_question(state.open.text)
    number = state.talk.turn + 1
    return Utterance(EntryKind.QUESTION, text or state.open.text, f"q{number}", number)
