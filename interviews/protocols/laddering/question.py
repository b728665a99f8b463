"""Stage 8: the question, by a model that is told why; guarded, and else a strategy's template.

Templates are taken in the order of the joint choice, each once: what was asked is passed over, so
nothing is asked twice in the same words while there is anything else to ask.

A question about a choice that was made before the answer was read is asked for under a key of its
own, so that no other choice is ever put in its words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviews.engine.guards import cut
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.laddering import guards
from interviews.protocols.laddering.context import (
    LadderingContext,
    concept_of,
    say,
    speaks,
    strategy_of,
    ways_of,
)
from interviews.protocols.laddering.focus_resolution import carried, text_of
from interviews.protocols.laddering.prompt_input import about_open, about_opening, about_pair
from interviews.protocols.laddering.rules import templates
from interviews.protocols.laddering.stages import ContinuationStage, SelectionStage
from interviews.protocols.laddering.state import PutQuestion
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.tasks import QUESTION, LadderingQuestionInput
from llm.tasks.outcome import Outcome, Source
from plans.similarity import normalise

KEY, OPENING, CLARIFY = "question", "opening", "clarify"


@dataclass(frozen=True)
class QuestionWording:
    """What is put, and said; `pair` is what it asks about, where that was chosen."""

    put: PutQuestion
    said: str
    used: tuple[str, ...] = ()
    firings: tuple[GuardFiring, ...] = ()
    pair: ScoredPair | None = None
    by_template: bool = False


# -- the next question


def worded(context: ContinuationStage, results: CallResults) -> QuestionWording | TaskCall:
    """The next question, or what a model is asked for it."""
    key, chosen = key_of(context), context.choice.chosen
    if key not in results:
        return inquiry(context)
    reading = results[key]
    if reading.source is Source.FALLBACK:
        return _by_template(context, context.choice.table, (key,))
    text, fired = cut(reading.value)
    why = guards.refused(text, context.ctx)
    if why is None:
        focus = carried(context, chosen.candidate, text)
        put = PutQuestion(text=text, strategy=chosen.strategy, focus=focus)
        return QuestionWording(put, text, (key,), fired, chosen)
    fired += (GuardFiring(why.guard, why.reason, reading.value),)
    # what was asked before is not asked again in the template's words
    left = context.choice.table[1:] if why.guard == "repeat" else context.choice.table
    return _by_template(context, left, (), fired)


def inquiry(context: SelectionStage) -> TaskCall:
    """What a model is asked for the next question."""
    return TaskCall(key_of(context), QUESTION, about_pair(context, context.choice.chosen))


def key_of(context: SelectionStage) -> str:
    """The next question's key: of all that a choice at hand rests on, only the depth is read."""
    reading = context.moment.reading
    return f"{KEY}.{reading.depth}" if context.at_hand and reading else KEY


def certain(ctx: LadderingContext, partials: PartialResults) -> str:
    """As much of the next question as can be shown while it is being written."""
    return _begun(ctx, partials, KEY, CLARIFY, OPENING)


def certain_at_hand(context: SelectionStage, results: CallResults, partials: PartialResults) -> str:
    """The same for one that was begun before the answer was read. It may be whole before that is;
    what then gives way to a template is shown no longer."""
    key = key_of(context)
    if key not in results:
        return _begun(context.ctx, partials, key)
    if results[key].source is Source.FALLBACK:
        return ""
    text, _ = cut(results[key].value)
    return "" if guards.refused(text, context.ctx) else text


def _begun(ctx: LadderingContext, partials: PartialResults, *keys: str) -> str:
    text = next((partials[key].get("text") for key in keys if key in partials), "")
    return guards.certain(single_spaced(str(text or "")), ctx)


def _by_template(
    context: ContinuationStage,
    pairs: Sequence[ScoredPair],
    used: tuple[str, ...],
    firings: tuple[GuardFiring, ...] = (),
) -> QuestionWording:
    """The first pair that still has a template; a sentence of our own where none has."""
    pair, text = next(_fresh(context, pairs), (context.choice.chosen, ""))
    text = text or say(context.ctx.language, "more", context.turn)
    said = say(context.ctx.language, "skipped", question=text) if context.nothing else text
    focus = carried(context, pair.candidate, context.ctx.answer)
    put = PutQuestion(text=text, strategy=pair.strategy, focus=focus)
    return QuestionWording(put, said, used, firings, pair, by_template=True)


def _fresh(
    context: ContinuationStage, pairs: Sequence[ScoredPair]
) -> Iterator[tuple[ScoredPair, str]]:
    """Pairs with a template that was not said yet, in their order."""
    asked = [one.text for one in context.ctx.state.asked]
    plain = [normalise(text) for text in asked]
    for pair in pairs:
        text = _template(context, pair, asked)
        if text and not any(normalise(text) in one for one in plain):
            yield pair, text


def _template(context: ContinuationStage, pair: ScoredPair, asked: Sequence[str]) -> str:
    strategy = strategy_of(ways_of(context.ctx), pair.strategy)
    if strategy is None:
        return ""
    focus = text_of(context, carried(context, pair.candidate, context.ctx.answer))
    concept, language = concept_of(context.ctx), context.ctx.language
    return templates.question(strategy, focus, concept, language, asked)


# -- the opening, and the open question in other words


def opening(ctx: LadderingContext, results: CallResults) -> QuestionWording | TaskCall:
    """The methodology's own words where it has some; a model's in any other language."""
    written = opening_of(ctx)
    ways, concept = ways_of(ctx), concept_of(ctx)
    if speaks(ways.opening, ctx.language) and concept.speaks(ctx.language):
        return QuestionWording(ctx.state.open, written, by_template=True)
    return _guarded(ctx, results, OPENING, about_opening(ctx), written)


def opening_of(ctx: LadderingContext) -> str:
    """The methodology's opening, in the language of the interview or the first that it has."""
    return templates.opening(ways_of(ctx), concept_of(ctx), ctx.language)


def clarified(ctx: LadderingContext, results: CallResults) -> QuestionWording | TaskCall:
    """The open question in plainer words; with a fixed sentence before it without a model."""
    again = say(ctx.language, "clarify", question=ctx.state.open.text)
    return _guarded(ctx, results, CLARIFY, about_open(ctx), again)


def _guarded(
    ctx: LadderingContext, results: CallResults, key: str, data: LadderingQuestionInput, own: str
) -> QuestionWording | TaskCall:
    """A model's words for what `own` says; those where it fails or a guard takes them back."""
    if key not in results:
        return TaskCall(key, QUESTION, data)
    reading: Outcome[str] = results[key]
    if reading.source is Source.FALLBACK:
        return QuestionWording(ctx.state.open, own, (key,), by_template=True)
    text, fired = cut(reading.value)
    why = guards.unsayable(text, ctx)
    if why is None:
        return QuestionWording(
            ctx.state.open.model_copy(update={"text": text}), text, (key,), fired
        )
    fired += (GuardFiring(why.guard, why.reason, reading.value),)
    return QuestionWording(ctx.state.open, own, (), fired, by_template=True)
