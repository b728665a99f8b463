"""Stage 8: the question, by a model that is told why; guarded, and else a strategy's template.

Templates are taken in the order of the joint choice, each once, so nothing is asked twice in the
same words while there is anything else to ask.

A question about a choice that was made before the answer was read is asked for under a key of its
own, so that no other choice is ever put in its words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviews.engine.guards import cut
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.laddering import guards, prompt_input
from interviews.protocols.laddering.context import (
    LadderingContext,
    concept_of,
    find_strategy,
    has_language,
    say,
)
from interviews.protocols.laddering.focus_resolution import resolve_focus, text_of
from interviews.protocols.laddering.rules import templates
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.state import PutQuestion
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.tasks import QUESTION, LadderingQuestionInput
from llm.tasks.outcome import Source
from plans.similarity import normalise

KEY, OPENING, CLARIFY = "question", "opening", "clarify"


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
    if result.source is Source.FALLBACK:
        return _by_template(stage, stage.choice.table, (key,))
    text, fired = cut(result.value)
    why = guards.refused(text, stage.ctx)
    if why is None:
        focus = resolve_focus(stage, chosen.candidate, text)
        put = PutQuestion(text=text, strategy=chosen.strategy, focus=focus)
        return QuestionWording(put, text, (key,), fired, chosen)
    fired += (GuardFiring(why.guard, why.reason, result.value),)
    # what was asked before is not asked again in the template's words
    left = stage.choice.table[1:] if why.guard == "repeat" else stage.choice.table
    return _by_template(stage, left, (), fired)


def question_call(stage: SelectionStage) -> TaskCall:
    return TaskCall(_key(stage), QUESTION, prompt_input.about_pair(stage, stage.choice.chosen))


def _key(stage: SelectionStage) -> str:
    # of all that an early choice rests on, only the depth is read by a model
    reading = stage.moment.reading
    return f"{KEY}.{reading.depth}" if stage.at_hand and reading else KEY


def preview(ctx: LadderingContext, partials: PartialResults) -> str:
    return _preview(ctx, partials, KEY, CLARIFY, OPENING)


def early_preview(stage: SelectionStage, results: CallResults, partials: PartialResults) -> str:
    """Return the same for a question that was begun before the answer was read.

    It may be whole before that is; one that then gives way to a template is no longer shown.
    """
    key = _key(stage)
    if key not in results:
        return _preview(stage.ctx, partials, key)
    if results[key].source is Source.FALLBACK:
        return ""
    text, _ = cut(results[key].value)
    return "" if guards.refused(text, stage.ctx) else text


def _preview(ctx: LadderingContext, partials: PartialResults, *keys: str) -> str:
    text = next((partials[key].get("text") for key in keys if key in partials), "")
    return guards.certain(single_spaced(str(text or "")), ctx)


def _by_template(
    stage: SelectionStage,
    pairs: Sequence[ScoredPair],
    used: tuple[str, ...],
    firings: tuple[GuardFiring, ...] = (),
) -> QuestionWording:
    """Word the first pair that still has a template; a fixed sentence where none has."""
    language = stage.ctx.language
    pair, text = next(_new_questions(stage, pairs), (stage.choice.chosen, ""))
    text = text or say(language, "more", stage.turn)
    said = say(language, "skipped", question=text) if stage.nothing else text
    focus = resolve_focus(stage, pair.candidate, stage.ctx.answer)
    put = PutQuestion(text=text, strategy=pair.strategy, focus=focus)
    return QuestionWording(put, said, used, firings, pair, by_template=True)


def _new_questions(
    stage: SelectionStage, pairs: Sequence[ScoredPair]
) -> Iterator[tuple[ScoredPair, str]]:
    ctx, concept = stage.ctx, concept_of(stage.ctx)
    asked = [one.text for one in ctx.state.asked]
    plain = [normalise(text) for text in asked]
    for pair in pairs:
        strategy = find_strategy(ctx.material.methodology, pair.strategy)
        if strategy is None:
            continue
        focus = text_of(stage, resolve_focus(stage, pair.candidate, ctx.answer))
        text = templates.question(strategy, focus, concept, ctx.language, asked)
        if text and not any(normalise(text) in one for one in plain):
            yield pair, text


# -- the opening, and the open question in other words


def opening(ctx: LadderingContext, results: CallResults) -> QuestionWording | TaskCall:
    """Open in the methodology's own words where it has some; in a model's in other languages."""
    methodology, concept = ctx.material.methodology, concept_of(ctx)
    text = templates.opening(methodology, concept, ctx.language)
    if has_language(methodology.opening, ctx.language) and concept.speaks(ctx.language):
        return QuestionWording(ctx.state.open, text, by_template=True)
    return _reword(ctx, results, OPENING, prompt_input.about_opening(ctx), text)


def clarification(ctx: LadderingContext, results: CallResults) -> QuestionWording | TaskCall:
    again = say(ctx.language, "clarify", question=ctx.state.open.text)
    return _reword(ctx, results, CLARIFY, prompt_input.about_open(ctx), again)


def _reword(
    ctx: LadderingContext, results: CallResults, key: str, data: LadderingQuestionInput, own: str
) -> QuestionWording | TaskCall:
    """Put the open question in a model's words; in `own` where it fails or a guard refuses them."""
    if key not in results:
        return TaskCall(key, QUESTION, data)
    put, result = ctx.state.open, results[key]
    if result.source is Source.FALLBACK:
        return QuestionWording(put, own, (key,), by_template=True)
    text, fired = cut(result.value)
    why = guards.unsayable(text, ctx)
    if why is None:
        return QuestionWording(put.model_copy(update={"text": text}), text, (key,), fired)
    fired += (GuardFiring(why.guard, why.reason, result.value),)
    return QuestionWording(put, own, (), fired, by_template=True)
