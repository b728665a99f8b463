"""Topic exploration: topics in order, sub-goal by sub-goal, with time where there is more to say.

The order of a turn, as this file reads:

1. in DATA_COLLECTION: consent, then the field that is due (collecting.py)
2. otherwise the answer is understood: wishes, signal score (hearing.py)
3. the table of phases says where to go (phases.py)
4. the utterance is asked of the model for that aim, and guarded (aiming.py, speaking.py)
5. what was learned is kept: facts, insight, manner (memory.py)
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
from interviews.protocols.topic_exploration.aim import aim, wanted
from interviews.protocols.topic_exploration.blocks import UtteranceAim, stem
from interviews.protocols.topic_exploration.budget import topics_of
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.data_collection import (
    CollectionStep,
    begun,
    collected,
    still_open,
)
from interviews.protocols.topic_exploration.data_requests import request
from interviews.protocols.topic_exploration.exploration import Exploration, Phase
from interviews.protocols.topic_exploration.phases import PhaseRow, TopicAnswer, after
from interviews.protocols.topic_exploration.reading import UnderstoodAnswer, understand
from interviews.protocols.topic_exploration.state import TopicExplorationState, after_time_away
from interviews.protocols.topic_exploration.state_update import covered, learned
from interviews.protocols.topic_exploration.utterance import SpokenText, certain, spoken
from plans.protocols import PlanContent
from plans.protocols.topic_exploration.content import TopicExplorationMaterial

NextMove = TurnResult[TopicExplorationState]
MOST_STEMS = 4
CALLS = 3  # of models in one turn, retries and repairs included


class TopicExploration(InterviewProtocol[TopicExplorationState, TopicExplorationMaterial]):
    """The protocol of the module's docstring."""

    name = "topic_exploration"
    state = TopicExplorationState
    most_calls: int | None = CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> TopicExplorationState:
        """Before the first question: every topic with its budget."""
        shapes = [
            (len(t.sub_goals), len(t.intelligence.probe_angles)) for t in (plan.material.topics)
        ]
        return TopicExplorationState(
            exploration=Exploration(
                topics=topics_of(shapes, plan.material.total_seconds),
                has_fields=bool(plan.material.fields),
            )
        )

    def covered(
        self, plan: PlanContent[Any], state: TopicExplorationState
    ) -> tuple[TopicCoverage, ...]:
        """How far each topic was talked about."""
        return tuple(map(covered, plan.material.topics, state.exploration.topics))

    def intro(self, ctx: TopicContext) -> Utterance:
        """Who speaks, what it is about, how long."""
        name = addressed(ctx.name, ctx.language)
        about, minutes = ctx.plan.title_in(ctx.language), str(ctx.plan.minutes)
        text = fallback_texts.say(ctx.language, "intro", name=name, title=about, minutes=minutes)
        return Utterance(EntryKind.INTRO, text)

    def step(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        """See the module's docstring."""
        here = _without_time_away(ctx)
        if here.received.trigger == "opening":
            return _speak(here, results, here.state.exploration, None)
        if here.state.exploration.phase is Phase.DATA_COLLECTION:
            return _collect(here, results)
        understood = understand(here, results)
        if isinstance(understood, TaskCall):
            return NeedsCalls((understood,))
        return _go_on(here, results, understood)

    def preview(self, ctx: TopicContext, results: CallResults, partials: PartialResults) -> str:
        """What is certain to be said, out of the half-written reply."""
        here = _without_time_away(ctx)
        aimed = _aim_of(here, results)
        return certain(results, partials, wanted(here, aimed)) if aimed else ""

    def exit(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        """The participant ends it: data collection, if there is any, else the goodbye."""
        here = _without_time_away(ctx)
        if here.state.exploration.phase is Phase.DATA_COLLECTION:
            return _end(here, here.state, PhaseRow.STOP)
        moved, row = after(here.state.exploration, TopicAnswer(stop=True))
        return _leave(here, results, moved, row, here.state)

    def trace_details(self, ctx: TopicContext) -> Mapping[str, Any]:
        """Phase, topic and supervisor status, as they are."""
        return trace.details(ctx, ctx.state.exploration, None, None)

    def repeat_question(self, ctx: TopicContext) -> Utterance:
        """The open question in other words; the open request in the same."""
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            due = still_open(ctx)
            return Utterance(due.kind, due.text, due.question)
        exploration = ctx.state.exploration
        text = fallback_texts.question(aim(ctx, exploration), ctx.language, ctx.turn, ())
        return Utterance(EntryKind.TOPIC_QUESTION, text, aim(ctx, exploration).topic.key)


# -- where to go


def _go_on(
    ctx: TopicContext, results: CallResults, understood: UnderstoodAnswer
) -> NeedsCalls | NextMove:
    """Through the table of phases; a clarification takes no turn and no sub-goal."""
    before = ctx.state.exploration
    if understood.trouble is not None and before.phase in (Phase.EXPLORE, Phase.DEEPEN):
        return _speak(ctx, results, _troubled(before, understood), None, understood)
    moved, row = after(before, understood.heard)
    if moved.phase in (Phase.DATA_COLLECTION, Phase.END):
        return _leave(ctx, results, moved, row, learned(ctx, ctx.state, results, moved))
    return _speak(ctx, results, moved, row, understood)


def _troubled(now: Exploration, understood: UnderstoodAnswer) -> Exploration:
    """One more clarification on the current topic, or an answer off it."""
    here = now.here.model_copy(update={"clarifications": now.here.clarifications + 1})
    return now.model_copy(
        update={"topics": (*now.topics[: now.topic], here, *now.topics[now.topic + 1 :])}
    )


def _aim_of(ctx: TopicContext, results: CallResults) -> UtteranceAim | None:
    """The aim that is being worded, if any is yet; for the draft."""
    before = ctx.state.exploration
    if ctx.received.trigger == "opening":
        return aim(ctx, before)
    if before.phase in (Phase.DATA_COLLECTION, Phase.END):
        return None
    understood = understand(ctx, results)
    if isinstance(understood, TaskCall):
        return None
    if understood.trouble is not None:
        return aim(ctx, _troubled(before, understood), understood.trouble)
    moved, _row = after(before, understood.heard)
    return aim(ctx, moved) if moved.phase not in (Phase.DATA_COLLECTION, Phase.END) else None


# -- what is said


def _speak(
    ctx: TopicContext,
    results: CallResults,
    moved: Exploration,
    row: PhaseRow | None,
    understood: UnderstoodAnswer | None = None,
) -> NeedsCalls | NextMove:
    trouble = understood.trouble if understood else None
    aimed = aim(ctx, moved, trouble)
    words = spoken(results, wanted(ctx, aimed))
    if words.need is not None:
        return NeedsCalls((words.need,))
    state = learned(ctx, ctx.state, results, moved)
    stems = (*state.stems, stem(words.text))[-MOST_STEMS:]
    closures = state.closures + any(f.guard == "closure" for f in words.firings)
    return TurnResult(
        state=state.model_copy(update={"stems": stems, "closures": closures}),
        utterances=(_utterance(aimed, words),),
        reason=str(row or trouble or "opening"),
        progress=_progress(moved),
        spoken_by=words.used[-1:],
        firings=words.firings,
        details=trace.details(ctx, moved, row, understood),
    )


def _utterance(aimed: UtteranceAim, words: SpokenText) -> Utterance:
    offer = aimed.exploration.phase is Phase.DEEP_OFFER
    kind = EntryKind.DEEP_OFFER if offer else EntryKind.TOPIC_QUESTION
    return Utterance(kind, words.text, aimed.topic.key)


# -- data collection and the end


def _leave(
    ctx: TopicContext,
    results: CallResults,
    moved: Exploration,
    row: PhaseRow,
    state: TopicExplorationState,
) -> NeedsCalls | NextMove:
    """Out of the conversation: to the consent, or to the end where nothing is collected."""
    state = state.model_copy(update={"exploration": moved})
    if moved.phase is Phase.END:
        return _end(ctx, state, row)
    return _asked(ctx, results, state, begun(ctx), row)


def _collect(ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
    found = collected(ctx, results)
    if isinstance(found, TaskCall):
        return NeedsCalls((found,))
    moved, row = after(ctx.state.exploration, TopicAnswer(data_done=found.data.over))
    state = ctx.state.model_copy(update={"exploration": moved})
    if found.data.over:
        move: NeedsCalls | NextMove = _end(ctx, state, row, found)
    else:
        move = _asked(ctx, results, state, found, row)
    if isinstance(move, NeedsCalls):
        return move
    return replace(move, masked=found.masked, collected=found.values, read_by_rules=found.read)


def _asked(
    ctx: TopicContext,
    results: CallResults,
    state: TopicExplorationState,
    found: CollectionStep,
    row: PhaseRow,
) -> NeedsCalls | NextMove:
    """Consent or a field is asked for; the answer is confidential."""
    words = SpokenText(found.text)
    if not fallback_texts.has(ctx.language):
        words = spoken(results, request(ctx, found))
    if words.need is not None:
        return NeedsCalls((words.need,))
    return TurnResult(
        state=state.model_copy(update={"data": found.data, "sealed": True}),
        utterances=(Utterance(found.kind, words.text, found.question),),
        reason=str(row),
        progress=_progress(state.exploration),
        spoken_by=words.used[-1:],
        firings=words.firings,
        details=trace.details(ctx, state.exploration, row, None),
    )


def _end(
    ctx: TopicContext,
    state: TopicExplorationState,
    row: PhaseRow,
    found: CollectionStep | None = None,
) -> NextMove:
    """The goodbye. Who left before the end has stopped."""
    done = state.exploration.model_copy(update={"phase": Phase.END})
    status = SessionStatus.STOPPED if done.closed_early else SessionStatus.COMPLETED
    data = found.data if found else state.data
    return TurnResult(
        state=state.model_copy(update={"exploration": done, "data": data, "sealed": False}),
        utterances=(Utterance(EntryKind.OUTRO, fallback_texts.say(ctx.language, "goodbye")),),
        reason=str(row),
        status=status,
        progress=_progress(done),
        details=trace.details(ctx, done, row, None),
    )


def _progress(now: Exploration) -> tuple[int, int, str]:
    return min(now.topic + 1, len(now.topics)), len(now.topics), "topics"


def _without_time_away(ctx: TopicContext) -> TopicContext:
    state = after_time_away(ctx.state, ctx.received.at, ctx.received.away_seconds)
    return replace(ctx, state=state)


PROTOCOL = TopicExploration()
