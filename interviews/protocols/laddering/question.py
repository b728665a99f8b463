"""Stage 8: the question, by a model that is told why; guarded, and else a strategy's template.

Templates are taken in the order of the joint choice, each once, so nothing is asked twice in the
same words while there is anything else to ask.

A question is asked for under a key that names its strategy and its node. So one that was begun
while the answer was still being read is used only if the whole answer leads to the same two.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from interviews.choices import RULES
from interviews.engine.guards import Checked, question_of
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.laddering import explanation, guards
from interviews.protocols.laddering.context import LadderingContext, concept_of, find_element, say
from interviews.protocols.laddering.explanation import focus_text
from interviews.protocols.laddering.graph.measures import climb_to
from interviews.protocols.laddering.graph.similarity import find_elements
from interviews.protocols.laddering.graph.types import GraphNode
from interviews.protocols.laddering.stages import EXTRACT_KEY, SelectionStage
from interviews.protocols.laddering.state import PutQuestion
from interviews.protocols.laddering.strategy_choice import ScoredPair
from interviews.protocols.laddering.tasks import QUESTION
from plans.protocols.laddering.schema.concept import Concept, matching_language
from plans.protocols.laddering.schema.methodology import Methodology, Strategy
from plans.similarity import normalise

KEY, OPENING = "question", "opening"
T = TypeVar("T", str, tuple[str, ...])
MOST_COMPARED = 30  # pairs among which another template is looked for


class _NewQuestion(NamedTuple):
    pair: ScoredPair
    text: str
    template: str


@dataclass(frozen=True)
class QuestionWording:
    put: PutQuestion
    said: str
    used: tuple[str, ...] = ()  # keys of the results whose words were used
    firings: tuple[GuardFiring, ...] = ()
    pair: ScoredPair | None = None  # what it asks about, where that was chosen
    by_template: bool = False


# -- the next question


def next_question(stage: SelectionStage, results: CallResults) -> QuestionWording | TaskCall:
    key, chosen = _key(stage), stage.choice.chosen
    if key not in results:
        return question_call(stage)
    result = results[key]
    if not result.by_model:
        return _by_template(stage, stage.choice.table, (key,))
    text, fired = _check(stage, result.value)
    if text:
        # what was said about the answer isn't said again with the question
        asked = question_of(text) if stage.gentle or stage.nothing else text
        put = PutQuestion(text=asked, strategy=chosen.strategy.id, focus=chosen.focus)
        return QuestionWording(put, text, (key,), fired, chosen)
    # what was asked before is not asked again in the template's words
    repeats = any(one.guard == "repeat" for one in fired)
    left = stage.choice.table[1:] if repeats else stage.choice.table
    return _by_template(stage, left, (), fired)


def question_call(stage: SelectionStage) -> TaskCall:
    return TaskCall(_key(stage), QUESTION, explanation.about_pair(stage, stage.choice.chosen))


def _check(stage: SelectionStage, text: str) -> Checked:
    if not stage.gentle:
        return guards.check(text, stage.ctx)
    concept, chosen = concept_of(stage.ctx), stage.choice.chosen
    element = find_element(concept, chosen.focus)
    about = element.names if element else (focus_text(chosen) or concept.context.topic,)
    return guards.check_gentle(text, about, stage.ctx)


def _key(stage: SelectionStage) -> str:
    chosen = stage.choice.chosen
    parts = (KEY, "gentle" if stage.gentle else "", chosen.strategy.id, chosen.focus)
    return ".".join(filter(None, parts))


def preview(stage: SelectionStage, results: CallResults, partials: PartialResults) -> str:
    """Return what of the chosen question is certain to be said.

    One that is whole and gives way to a template is no longer shown.
    """
    key = _key(stage)
    if key not in results:
        return "" if stage.gentle else preview_draft(stage.ctx, partials, key)
    if not results[key].by_model:
        return ""
    return _check(stage, results[key].value).text


def preview_draft(ctx: LadderingContext, partials: PartialResults, key: str = OPENING) -> str:
    text = partials.get(key, {}).get("text")
    return guards.safe_prefix(str(text or ""), ctx)


def _by_template(
    stage: SelectionStage,
    pairs: Sequence[ScoredPair],
    used: tuple[str, ...],
    firings: tuple[GuardFiring, ...] = (),
) -> QuestionWording:
    """Word the first pair that still has a template; a fixed sentence where none has.

    The same template isn't used twice in a row if any of the next ones will do.
    """
    language = stage.ctx.language
    found = [*islice(_new_questions(stage, pairs), MOST_COMPARED)]
    last = stage.ctx.state.open.text
    other = (one for one in found if not is_made_of(last, one.template))
    pair, text, _ = next(other, found[0] if found else _NewQuestion(stage.choice.chosen, "", ""))
    text = text or say(language, "more", stage.turn)
    unsure = stage.ctx.reading.intent == "dont_know" and not stage.gentle
    said = f"{say(language, 'unsure', stage.turn)} {text}" if unsure else text
    put = PutQuestion(text=text, strategy=pair.strategy.id, focus=pair.focus)
    return QuestionWording(put, said, used, firings, pair, by_template=True)


def _new_questions(stage: SelectionStage, pairs: Sequence[ScoredPair]) -> Iterator[_NewQuestion]:
    """Yield what templates ask about the pairs and nobody has asked yet.

    Rules can't tell a joke, a rebuff or a grief from a thought. So where they have read the answer,
    nothing is quoted but what names an element of the concept, and what was just said is taken
    further by a question that fits whatever it was.
    """
    ctx, concept = stage.ctx, concept_of(stage.ctx)
    by_rules = stage.read_by.get(EXTRACT_KEY) == RULES
    just_said = {*stage.change.added, *stage.change.merged}
    asked = [one.text for one in ctx.state.asked]
    plain = [normalise(text) for text in asked]
    for pair in pairs:
        strategy, focus = pair.strategy, focus_text(pair)
        quotes = strategy.technique in ("validate", "reconcile")  # which can't be asked without
        if by_rules and focus and not quotes and not find_elements(focus, concept.elements):
            if strategy.technique == "ladder_up" and pair.focus in just_said:
                text = say(ctx.language, "meaning", stage.turn, asked)
                if text not in asked:
                    yield _NewQuestion(pair, text, text)
            continue
        template = least_used(strategy, ctx.language, asked)
        text = fill(template, focus, concept)
        if text and not any(normalise(text) in one for one in plain):
            yield _NewQuestion(pair, text, template)


# -- the opening


def opening(ctx: LadderingContext, results: CallResults) -> QuestionWording | TaskCall:
    """Open in the methodology's own words where it has some; in a model's in other languages."""
    methodology, concept = ctx.material.methodology, concept_of(ctx)
    text = opening_text(methodology, concept, ctx.language)
    if matching_language(methodology.opening, ctx.language) and concept.speaks(ctx.language):
        return QuestionWording(ctx.state.open, text, by_template=True)
    if OPENING not in results:
        return TaskCall(OPENING, QUESTION, explanation.about_opening(ctx))
    put, result = ctx.state.open, results[OPENING]
    if not result.by_model:
        return QuestionWording(put, text, (OPENING,), by_template=True)
    worded, fired = guards.check(result.value, ctx)
    if not worded:
        return QuestionWording(put, text, (), fired, by_template=True)
    return QuestionWording(put.model_copy(update={"text": worded}), worded, (OPENING,), fired)


# -- the closing question


SHORTEST, LONGEST = 3, 6  # nodes of a chain that is said back


def closing_text(stage: SelectionStage) -> str:
    """Say back the longest chain in the person's words and ask what is missing in it.

    Without one, or where rules have read the answer, who can't tell what was meant, ask what else
    there is to say.
    """
    ctx, chain = stage.ctx, _longest_chain(stage)
    if not SHORTEST <= len(chain) <= LONGEST or stage.read_by.get(EXTRACT_KEY) == RULES:
        return say(ctx.language, "last", ctx.turn)
    joined = say(ctx.language, "quoted", text=chain[0])
    for text in chain[1:]:
        joined = say(ctx.language, "leads_to", chain=joined, text=text)
    return say(ctx.language, "last_chain", ctx.turn, chain=joined)


def _longest_chain(stage: SelectionStage) -> list[str]:
    """Return the words of the longest climb, from the lowest rung up; empty if a part is closed.

    Of one that is too long to say, return the shortest way to its top.
    """
    graph, methodology, metrics = stage.moment.graph, stage.moment.methodology, stage.moment.metrics

    def height(node: GraphNode) -> tuple[int, int]:
        return metrics.lengths[node.id], methodology.types.index(node.type)

    top = max(graph.nodes, key=height, default=None)
    if top is None:
        return []
    climb = climb_to(graph, methodology, top.id)
    if len(climb) > LONGEST:
        climb = metrics.complete.get(top.id, ())
    if any(stage.moment.states[name].closed for name in climb):
        return []
    return [graph.by_id[name].text for name in climb]


# -- texts of the methodology


def opening_text(methodology: Methodology, concept: Concept, language: str) -> str:
    return _in_language(methodology.opening, language).replace("{topic}", concept.context.topic)


def least_used(strategy: Strategy, language: str, asked: Sequence[str]) -> str:
    """Return the strategy's template that was used least often in the questions so far."""
    texts = _in_language(strategy.templates, language)
    return min(texts, key=lambda text: sum(is_made_of(one, text) for one in asked))


def fill(template: str, focus: str, concept: Concept) -> str:
    """Ask about a focus, or about the topic where there is none."""
    return template.replace("{focus}", focus or concept.context.topic)


def is_made_of(said: str, template: str) -> bool:
    before, _, after = template.partition("{focus}")
    return before in said and said.endswith(after)


def _in_language(texts: Mapping[str, T], language: str) -> T:
    return texts.get(language) or texts.get(language.split("-")[0]) or next(iter(texts.values()))
