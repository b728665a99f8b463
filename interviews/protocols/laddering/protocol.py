"""Laddering: a talk that builds a graph of what was said, and asks where the graph leads.

The order of a turn, as this file reads; context.py names its stages and what each adds:

1. the opening is the methodology's own question about the topic
2. what is asked back or not understood is no answer (hearing.py); what is left out tells nothing
3. an answer is read twice, side by side: what it says, and how it says it (extracting.py)
4. that grows the graph, and the graph with its signals decides, without a model, by which strategy
   the talk goes on at which node, and whether it goes on (deciding.py); where it surely goes on, it
   chooses as soon as it is known how much the answer gives, over the graph at hand (foreseeing.py),
   and what was just said gets its place once the answer is read (carrying.py)
5. the question is put into words by a model that is told why, guarded, and streamed; a strategy's
   template stands in reserve (asking.py, prompting.py, guards.py)
6. all that the choice rests on is kept with the turn (explaining.py)
"""

from collections.abc import Mapping
from dataclasses import replace
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
    put,
    say,
    speaks,
    ways_of,
)
from interviews.protocols.laddering.coverage import reached
from interviews.protocols.laddering.decision import changed
from interviews.protocols.laddering.explanation import details
from interviews.protocols.laddering.question import QuestionWording
from interviews.protocols.laddering.rules import templates
from interviews.protocols.laddering.signals.moment import Talk
from interviews.protocols.laddering.stages import ContinuationStage, SelectionStage
from interviews.protocols.laddering.state import LadderingState, PutQuestion
from plans.protocols import PlanContent
from plans.protocols.laddering.content import LadderingMaterial

CALLS = 7  # of models in one turn: what it is, two readings, a guess, a question, two repairs


class Laddering(InterviewProtocol[LadderingState, LadderingMaterial]):
    """The protocol of the module's docstring."""

    name = "laddering"
    state = LadderingState
    most_calls: int | None = CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> LadderingState:
        """Before the first question: an empty graph."""
        ways, concept = plan.material.methodology, plan.material.concept
        opening = templates.opening(ways, concept.in_language(language), language)
        talk = Talk(limit=plan.material.options.turns)
        return LadderingState(talk=talk, asked=(PutQuestion(text=opening),))

    def intro(self, ctx: LadderingContext) -> Utterance:
        """Who speaks, and what about answers."""
        return Utterance(EntryKind.INTRO, say(ctx.language, "intro"))

    def step(self, ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
        """See the module's docstring."""
        if ctx.received.trigger == "opening":
            return _put_open(ctx, question.opening(ctx, results), "opening")
        match reading.hear(ctx, results):
            case "stop":
                return confirm_stop(ctx)
            case "question":
                return counter_questions.reply(ctx, results)
            case "clarification":
                return _put_open(ctx, question.clarified(ctx, results), "clarification")
            case "left_out" | "nothing_told" as reason:
                return _go(stage_cache.after_nothing(ctx), results, reason)
            case "answer":
                return _answered(ctx, results)
        return NeedsCalls((reading.inquiry(ctx), *extraction.inquiries(ctx, results)))

    def prefetch(
        self, ctx: LadderingContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """The question, while models still read the answer; by rules' guess of how much it gives
        until a model says so, and anew where that is something else."""
        chosen = _foreseen(ctx, results, partials, guessing=True)
        return () if chosen is None else (question.inquiry(chosen),)

    def preview(self, ctx: LadderingContext, results: CallResults, partials: PartialResults) -> str:
        """What is certain to be said, out of half-written replies."""
        chosen = _foreseen(ctx, results, partials)
        if chosen is None:
            return question.certain(ctx, partials)
        return question.certain_at_hand(chosen, results, partials)

    def exit(self, ctx: LadderingContext, results: CallResults) -> NextMove:
        return TurnResult(
            state=ctx.state,
            utterances=(Utterance(EntryKind.OUTRO, say(ctx.language, "stopped")),),
            reason="stopped_by_participant",
            status=SessionStatus.STOPPED,
            progress=_progress(ctx.state),
        )

    def repeat_question(self, ctx: LadderingContext) -> Utterance:
        """The open question as it was put last."""
        return put(ctx.state)

    def trace_details(self, ctx: LadderingContext) -> Mapping[str, Any]:
        """The strategy and the focus of the open question, and which one it is."""
        state = ctx.state
        return {"strategy": state.open.strategy, "focus": state.open.focus, "turn": state.talk.turn}

    def covered(self, plan: PlanContent[Any], state: LadderingState) -> tuple[TopicCoverage, ...]:
        """How far each element was talked about."""
        return reached(plan.material, state)


# -- what is no answer, and the opening


def _put_open(
    ctx: LadderingContext, words: QuestionWording | TaskCall, reason: str
) -> NeedsCalls | NextMove:
    """The open question: for the first time, or in other words, which takes no turn."""
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    again = reason == "clarification"
    changes = {
        "asked": (*ctx.state.asked[:-1], words.put),
        "asides": ctx.state.asides + again,
    }
    state = ctx.state.model_copy(update=changes)
    return TurnResult(
        state=state,
        utterances=(replace(put(state), text=words.said),),
        reason=reason,
        progress=_progress(state),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template and bool(words.used or words.firings)},
        heard_as=EntryKind.CANDIDATE_QUESTION if again else None,
    )


# -- an answer


def _foreseen(
    ctx: LadderingContext, results: CallResults, partials: PartialResults, guessing: bool = False
) -> SelectionStage | None:
    """The choice before the answer is read, where there is one by now."""
    if ctx.received.trigger == "opening" or reading.hear(ctx, results) != "answer":
        return None
    depth = extraction.depth_of(results, partials)
    if guessing and depth is None and extraction.HEARD not in results:
        depth = extraction.guessed_depth(ctx)
    return stage_cache.before_reading(ctx, depth)


def _answered(ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
    missing = extraction.inquiries(ctx, results)
    if missing:
        return NeedsCalls(missing)
    return _go(stage_cache.after_answer(ctx, results), results, "by_graph")


def _go(context: ContinuationStage, results: CallResults, reason: str) -> NeedsCalls | NextMove:
    """On by the graph: to the next question, or to the end."""
    if context.ends:
        return _moved(context, _end(context))
    words = question.worded(context, results)
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    return _moved(context, _ask(context, words, reason))


def _ask(context: ContinuationStage, words: QuestionWording, reason: str) -> NextMove:
    state = _taken_in(context)
    state = state.model_copy(update={"asked": (*state.asked, words.put)})
    return TurnResult(
        state=state,
        utterances=(replace(put(state), text=words.said),),
        reason=reason,
        progress=_progress(state),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template, **details(context, words.pair, words.put.focus)},
    )


def _end(context: ContinuationStage) -> NextMove:
    """With the methodology's own last words where it has some in this language."""
    ctx, state, ways = context.ctx, _taken_in(context), ways_of(context.ctx)
    own = speaks(ways.closing, ctx.language)
    text = templates.closing(ways, ctx.language) if own else say(ctx.language, "closing")
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.OUTRO, text),),
        reason=context.ends,
        status=SessionStatus.COMPLETED,
        progress=_progress(state),
        details=details(context, None),
    )


def _moved(context: ContinuationStage, move: NextMove) -> NextMove:
    """With what is new in the graph."""
    return replace(move, records=changed(context.ctx.state.graph, context.graph))


def _taken_in(context: ContinuationStage) -> LadderingState:
    """The state once the answer is in the graph."""
    changes = {
        "talk": context.talk,
        "graph": context.graph,
        "nodes": dict(context.states),
        "unchanged": context.unchanged,
        "asides": 0,
    }
    return context.ctx.state.model_copy(update=changes)


def _progress(state: LadderingState) -> tuple[int, int, str]:
    return state.talk.turn, state.talk.limit, "turns"


PROTOCOL = Laddering()
