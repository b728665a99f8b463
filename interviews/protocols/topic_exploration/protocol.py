"""Topic exploration: topics in order, sub-goal by sub-goal, with time where there is more to say.

The order of a turn:

1. in DATA_COLLECTION: consent, then the field that is due (data_collection.py)
2. otherwise the answer is understood: wishes, signal score (reading.py)
3. the table of phases says where to go (phases.py)
4. the model words an utterance for that aim, and guards check it (aim.py, utterance.py)
5. facts, insight and manner of the answer are stored (state_update.py, memory.py)
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.protocol import InterviewProtocol, TopicCoverage
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.engine.texts import addressed
from interviews.protocols.topic_exploration import fallback_texts, trace
from interviews.protocols.topic_exploration.aim import next_aim, utterance_request
from interviews.protocols.topic_exploration.blocks import UtteranceAim, stem
from interviews.protocols.topic_exploration.budget import budgeted_topics
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.data_collection import (
    CollectionStep,
    first_step,
    next_step,
    open_step,
)
from interviews.protocols.topic_exploration.data_requests import data_request
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.phases import PhaseRow, TopicAnswer, advance
from interviews.protocols.topic_exploration.reading import UnderstoodAnswer, understand
from interviews.protocols.topic_exploration.state import TopicExplorationState, after_time_away
from interviews.protocols.topic_exploration.state_update import topic_coverage, updated_state
from interviews.protocols.topic_exploration.utterance import GuardedText, guarded_text, preview_text
from plans.protocols import PlanContent
from plans.protocols.topic_exploration.content import TopicExplorationMaterial

NextMove = TurnResult[TopicExplorationState]
MAX_STEMS = 4
MAX_CALLS = 3  # model calls in one turn, retries and repairs included


class TopicExploration(InterviewProtocol[TopicExplorationState, TopicExplorationMaterial]):
    name = "topic_exploration"
    state = TopicExplorationState
    most_calls: int | None = MAX_CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> TopicExplorationState:
        topics = plan.material.topics
        shapes = [(len(t.sub_goals), len(t.intelligence.probe_angles)) for t in topics]
        return TopicExplorationState(
            exploration=Exploration(
                topics=budgeted_topics(shapes, plan.material.total_seconds),
                has_fields=bool(plan.material.fields),
            )
        )

    def covered(
        self, plan: PlanContent[Any], state: TopicExplorationState
    ) -> tuple[TopicCoverage, ...]:
        return tuple(map(topic_coverage, plan.material.topics, state.exploration.topics))

    def intro(self, ctx: TopicContext) -> Utterance:
        text = fallback_texts.say(
            ctx.language,
            "intro",
            name=addressed(ctx.name, ctx.language),
            title=ctx.plan.title_in(ctx.language),
            minutes=str(ctx.plan.minutes),
        )
        return Utterance(EntryKind.INTRO, text)

    def step(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        ctx = _without_time_away(ctx)
        if ctx.received.trigger == "opening":
            return _speak(ctx, results, ctx.state.exploration, None)
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _collect(ctx, results)
        understood = understand(ctx, results)
        if isinstance(understood, TaskCall):
            return NeedsCalls((understood,))
        return _after_answer(ctx, results, understood)

    def preview(self, ctx: TopicContext, results: CallResults, partials: PartialResults) -> str:
        ctx = _without_time_away(ctx)
        aim = _current_aim(ctx, results)
        return preview_text(results, partials, utterance_request(ctx, aim)) if aim else ""

    def exit(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        ctx = _without_time_away(ctx)
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _end(ctx, ctx.state, PhaseRow.STOP)
        moved, row = advance(ctx.state.exploration, TopicAnswer(stop=True))
        return _leave(ctx, results, moved, row, ctx.state)

    def trace_details(self, ctx: TopicContext) -> Mapping[str, Any]:
        return trace.details(ctx, ctx.state.exploration, None, None)

    def repeat_question(self, ctx: TopicContext) -> Utterance:
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            step = open_step(ctx)
            return Utterance(step.kind, step.text, step.question)
        aim = next_aim(ctx, ctx.state.exploration)
        text = fallback_texts.question(aim, ctx.language)
        return Utterance(EntryKind.TOPIC_QUESTION, text, aim.topic.key)


# -- where to go


def _after_answer(
    ctx: TopicContext, results: CallResults, understood: UnderstoodAnswer
) -> NeedsCalls | NextMove:
    before = ctx.state.exploration
    if understood.non_answer is not None and before.phase in (Phase.EXPLORE, Phase.DEEPEN):
        return _speak(ctx, results, _count_non_answer(before), None, understood)
    moved, row = advance(before, understood.answer)
    if moved.phase in (Phase.DATA_COLLECTION, Phase.END):
        return _leave(ctx, results, moved, row, updated_state(ctx, results, moved))
    return _speak(ctx, results, moved, row, understood)


def _count_non_answer(exploration: Exploration) -> Exploration:
    topic = exploration.current
    counted = topic.model_copy(update={"clarifications": topic.clarifications + 1})
    return exploration.with_topic(exploration.topic, counted)


def _current_aim(ctx: TopicContext, results: CallResults) -> UtteranceAim | None:
    before = ctx.state.exploration
    if ctx.received.trigger == "opening":
        return next_aim(ctx, before)
    if before.phase in (Phase.DATA_COLLECTION, Phase.END):
        return None
    understood = understand(ctx, results)
    if isinstance(understood, TaskCall):
        return None
    if understood.non_answer is not None:
        return next_aim(ctx, _count_non_answer(before), understood.non_answer)
    moved, _ = advance(before, understood.answer)
    return None if moved.phase in (Phase.DATA_COLLECTION, Phase.END) else next_aim(ctx, moved)


# -- what is said


def _speak(
    ctx: TopicContext,
    results: CallResults,
    moved: Exploration,
    row: PhaseRow | None,
    understood: UnderstoodAnswer | None = None,
) -> NeedsCalls | NextMove:
    non_answer = understood.non_answer if understood else None
    aim = next_aim(ctx, moved, non_answer)
    words = guarded_text(results, utterance_request(ctx, aim))
    if words.call is not None:
        return NeedsCalls((words.call,))
    state = updated_state(ctx, results, moved)
    stems = (*state.stems, stem(words.text))[-MAX_STEMS:]
    closures = state.closures + any(f.guard == "closure" for f in words.firings)
    offers = moved.phase is Phase.DEEP_OFFER
    kind = EntryKind.DEEP_OFFER if offers else EntryKind.TOPIC_QUESTION
    return TurnResult(
        state=state.model_copy(update={"stems": stems, "closures": closures}),
        utterances=(Utterance(kind, words.text, aim.topic.key),),
        reason=str(row or non_answer or "opening"),
        progress=_progress(moved),
        spoken_by=words.used[-1:],
        firings=words.firings,
        details=trace.details(ctx, moved, row, understood),
    )


# -- data collection and the end


def _leave(
    ctx: TopicContext,
    results: CallResults,
    moved: Exploration,
    row: PhaseRow,
    state: TopicExplorationState,
) -> NeedsCalls | NextMove:
    state = state.model_copy(update={"exploration": moved})
    if moved.phase is Phase.END:
        return _end(ctx, state, row)
    return _ask_for_data(ctx, results, state, first_step(ctx), row)


def _collect(ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
    step = next_step(ctx, results)
    if isinstance(step, TaskCall):
        return NeedsCalls((step,))
    moved, row = advance(ctx.state.exploration, TopicAnswer(data_done=step.data.over))
    state = ctx.state.model_copy(update={"exploration": moved})
    move: NeedsCalls | NextMove
    if step.data.over:
        move = _end(ctx, state.model_copy(update={"data": step.data}), row)
    else:
        move = _ask_for_data(ctx, results, state, step, row)
    if isinstance(move, NeedsCalls):
        return move
    return replace(move, masked=step.masked, collected=step.values, read_by_rules=step.read)


def _ask_for_data(
    ctx: TopicContext,
    results: CallResults,
    state: TopicExplorationState,
    step: CollectionStep,
    row: PhaseRow,
) -> NeedsCalls | NextMove:
    words = GuardedText(step.text)
    if not fallback_texts.has(ctx.language):
        words = guarded_text(results, data_request(ctx, step))
    if words.call is not None:
        return NeedsCalls((words.call,))
    return TurnResult(
        state=state.model_copy(update={"data": step.data, "sealed": True}),
        utterances=(Utterance(step.kind, words.text, step.question),),
        reason=str(row),
        progress=_progress(state.exploration),
        spoken_by=words.used[-1:],
        firings=words.firings,
        details=trace.details(ctx, state.exploration, row, None),
    )


def _end(ctx: TopicContext, state: TopicExplorationState, row: PhaseRow) -> NextMove:
    """Say goodbye. A participant who left before the end has stopped."""
    done = state.exploration.model_copy(update={"phase": Phase.END})
    status = SessionStatus.STOPPED if done.closed_early else SessionStatus.COMPLETED
    return TurnResult(
        state=state.model_copy(update={"exploration": done, "sealed": False}),
        utterances=(Utterance(EntryKind.OUTRO, fallback_texts.say(ctx.language, "goodbye")),),
        reason=str(row),
        status=status,
        progress=_progress(done),
        details=trace.details(ctx, done, row, None),
    )


def _progress(exploration: Exploration) -> tuple[int, int, str]:
    """Count the topics begun, with the current one. DEEPEN comes back to topics and adds none."""
    exploring = exploration.phase in (Phase.EXPLORE, Phase.DEEPEN)
    opens = exploring and not exploration.current.started
    begun = sum(topic.started for topic in exploration.topics)
    return begun + opens, len(exploration.topics), "topics"


def _without_time_away(ctx: TopicContext) -> TopicContext:
    state = after_time_away(ctx.state, ctx.received.at, ctx.received.away_seconds)
    return replace(ctx, state=state)


PROTOCOL = TopicExploration()
