"""Laddering: an interview that builds a graph of what was said, and asks where the graph leads.

The order of a turn, as this file reads; stages.py names its stages and what each adds:

1. the opening is the methodology's own question about the topic
2. a question back or a request to explain is no answer (reading.py); a skipped question or "I don't
   know" is an answer that says nothing
3. an answer is read twice, side by side: what it says, and how it says it (extraction.py)
4. that updates the graph, and the graph with its signals decides, without a model, by which
   strategy and at which node the interview continues, and whether it does (decision.py); where it
   surely continues, it chooses as soon as it is known how much the answer gives, over a provisional
   graph (speculation.py), and what was just said gets its node later (focus_resolution.py)
5. the question is put into words by a model that is told why, guarded, and streamed; a strategy's
   template stands in reserve (question.py, prompt_input.py, guards.py)
6. everything that the choice rests on is stored with the turn (explanation.py)
"""

from collections.abc import Mapping
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.common_rules import confirm_stop
from interviews.engine.protocol import InterviewProtocol, TopicCoverage
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.protocols.laddering import (
    counter_questions,
    extraction,
    question,
    reading,
    stage_cache,
)
from interviews.protocols.laddering.context import (
    LadderingContext,
    NextMove,
    has_language,
    question_utterance,
    say,
)
from interviews.protocols.laddering.coverage import topic_coverage
from interviews.protocols.laddering.decision import changed_parts
from interviews.protocols.laddering.explanation import turn_details
from interviews.protocols.laddering.question import QuestionWording
from interviews.protocols.laddering.rules import templates
from interviews.protocols.laddering.rules.depth import depth as depth_by_rules
from interviews.protocols.laddering.signals.moment import Talk
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.state import LadderingState, PutQuestion
from plans.protocols import PlanContent
from plans.protocols.laddering.content import LadderingMaterial

CALLS = 7  # of models in one turn: what it is, two readings, a guess, a question, two repairs


class Laddering(InterviewProtocol[LadderingState, LadderingMaterial]):
    name = "laddering"
    state = LadderingState
    most_calls: int | None = CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> LadderingState:
        methodology, concept = plan.material.methodology, plan.material.concept
        opening = templates.opening(methodology, concept.in_language(language), language)
        talk = Talk(limit=plan.material.options.turns)
        return LadderingState(talk=talk, asked=(PutQuestion(text=opening),))

    def intro(self, ctx: LadderingContext) -> Utterance:
        return Utterance(EntryKind.INTRO, say(ctx.language, "intro"))

    def step(self, ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.received.trigger == "opening":
            return _put_open(ctx, question.opening(ctx, results), "opening")
        match reading.hear(ctx, results):
            case "stop":
                return confirm_stop(ctx)
            case "question":
                return counter_questions.reply(ctx, results)
            case "clarification":
                return _put_open(ctx, question.clarification(ctx, results), "clarification")
            case "left_out" | "nothing_told" as reason:
                return _continue(stage_cache.after_nothing(ctx), results, reason)
            case "answer":
                missing = extraction.missing_calls(ctx, results)
                if missing:
                    return NeedsCalls(missing)
                return _continue(stage_cache.after_answer(ctx, results), results, "by_graph")
        return NeedsCalls((reading.intent_call(ctx), *extraction.missing_calls(ctx, results)))

    def prefetch(
        self, ctx: LadderingContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Ask for the question while models still read the answer.

        Rules guess how much the answer gives until a model says so; where that is something else,
        the question is asked for anew.
        """
        chosen = _early_choice(ctx, results, partials, guess=True)
        return () if chosen is None else (question.question_call(chosen),)

    def preview(self, ctx: LadderingContext, results: CallResults, partials: PartialResults) -> str:
        chosen = _early_choice(ctx, results, partials)
        if chosen is None:
            return question.preview(ctx, partials)
        return question.early_preview(chosen, results, partials)

    def exit(self, ctx: LadderingContext, results: CallResults) -> NextMove:
        return TurnResult(
            state=ctx.state,
            utterances=(Utterance(EntryKind.OUTRO, say(ctx.language, "stopped")),),
            reason="stopped_by_participant",
            status=SessionStatus.STOPPED,
            progress=_progress(ctx.state),
        )

    def repeat_question(self, ctx: LadderingContext) -> Utterance:
        return question_utterance(ctx.state)

    def trace_details(self, ctx: LadderingContext) -> Mapping[str, Any]:
        state = ctx.state
        return {"strategy": state.open.strategy, "focus": state.open.focus, "turn": state.talk.turn}

    def covered(self, plan: PlanContent[Any], state: LadderingState) -> tuple[TopicCoverage, ...]:
        return topic_coverage(plan.material, state)


def _put_open(
    ctx: LadderingContext, words: QuestionWording | TaskCall, reason: str
) -> NeedsCalls | NextMove:
    """Put the open question: for the first time, or in other words, which takes no turn."""
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    again = reason == "clarification"
    asked, asides = (*ctx.state.asked[:-1], words.put), ctx.state.asides + again
    state = ctx.state.model_copy(update={"asked": asked, "asides": asides})
    return TurnResult(
        state=state,
        utterances=(question_utterance(state, words.said),),
        reason=reason,
        progress=_progress(state),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template and bool(words.used or words.firings)},
        heard_as=EntryKind.CANDIDATE_QUESTION if again else None,
    )


def _early_choice(
    ctx: LadderingContext, results: CallResults, partials: PartialResults, guess: bool = False
) -> SelectionStage | None:
    if ctx.received.trigger == "opening" or reading.hear(ctx, results) != "answer":
        return None
    depth = extraction.depth_of(results, partials)
    if guess and depth is None and extraction.SIGNALS_KEY not in results:
        depth = depth_by_rules(ctx.answer, ctx.language)
    return stage_cache.before_reading(ctx, depth)


def _continue(stage: SelectionStage, results: CallResults, reason: str) -> NeedsCalls | NextMove:
    if stage.ends:
        return _end(stage)
    words = question.next_question(stage, results)
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    state = _next_state(stage)
    state = state.model_copy(update={"asked": (*state.asked, words.put)})
    details = turn_details(stage, words.pair, words.put.focus)
    return TurnResult(
        state=state,
        utterances=(question_utterance(state, words.said),),
        reason=reason,
        progress=_progress(state),
        records=changed_parts(stage.ctx.state.graph, stage.graph),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template, **details},
    )


def _end(stage: SelectionStage) -> NextMove:
    language, methodology = stage.ctx.language, stage.ctx.material.methodology
    own = has_language(methodology.closing, language)
    text = templates.closing(methodology, language) if own else say(language, "closing")
    state = _next_state(stage)
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.OUTRO, text),),
        reason=stage.ends,
        status=SessionStatus.COMPLETED,
        progress=_progress(state),
        records=changed_parts(stage.ctx.state.graph, stage.graph),
        details=turn_details(stage, None),
    )


def _next_state(stage: SelectionStage) -> LadderingState:
    changes = {
        "talk": stage.talk,
        "graph": stage.graph,
        "nodes": dict(stage.states),
        "unchanged": stage.unchanged,
        "asides": 0,
    }
    return stage.ctx.state.model_copy(update=changes)


def _progress(state: LadderingState) -> tuple[int, int, str]:
    return state.talk.turn, state.talk.limit, "turns"


PROTOCOL = Laddering()
