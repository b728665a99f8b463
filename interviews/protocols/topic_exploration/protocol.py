"""Topic exploration: topics in order, sub-goal by sub-goal, with time where there is more to say.

The order of a turn:

1. in DATA_COLLECTION: consent, then the field that is due (data_collection.py)
2. otherwise the answer is what it was read as: an answer, a skip, a refusal … (reading.py)
3. the table of phases says where to go (phases.py)
4. the words for that aim: of the call that read the answer, else of another (utterance.py)
5. facts, insight and manner of the answer are stored (state_update.py, memory.py)
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.guards import question_of
from interviews.engine.language.sentences import asks
from interviews.engine.protocol import InterviewProtocol, TopicCoverage
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import has_texts
from interviews.protocols.topic_exploration import fallback_texts, trace
from interviews.protocols.topic_exploration.blocks import UtteranceAim, stem
from interviews.protocols.topic_exploration.context import TopicContext, time_left, topic_of
from interviews.protocols.topic_exploration.data_collection import (
    CollectionStep,
    data_request,
    first_step,
    next_step,
    open_step,
    outcome,
)
from interviews.protocols.topic_exploration.exploration import Exploration, Phase, begun_topic
from interviews.protocols.topic_exploration.guards import no_offer
from interviews.protocols.topic_exploration.phases import PhaseRow, TopicAnswer, advance, use_turn
from interviews.protocols.topic_exploration.reading import REPLY_KEY, acceptance, understand
from interviews.protocols.topic_exploration.state import TopicExplorationState
from interviews.protocols.topic_exploration.state_update import (
    topic_coverage,
    updated_state,
    with_facts,
    without_struck,
)
from interviews.protocols.topic_exploration.utterance import (
    next_aim,
    prefetched,
    preview_text,
    private,
    reading_call,
    worded,
)
from plans.protocols import PlanContent
from plans.protocols.topic_exploration.content import TopicExplorationMaterial

NextMove = TurnResult[TopicExplorationState]
MAX_STEMS = 4
CLOSURES = ("closure", "completion")  # guards against a model that closes the interview
MAX_CALLS = 3  # model calls in one turn, retries and repairs included


class TopicExploration(InterviewProtocol[TopicExplorationState, TopicExplorationMaterial]):
    name = "topic_exploration"
    state = TopicExplorationState
    reading_key = REPLY_KEY
    most_calls: int | None = MAX_CALLS
    reply_rules = "You may name the topics. What is hoped to be heard on them you keep to yourself."

    def begin(self, plan: PlanContent[Any], language: str) -> TopicExplorationState:
        topics = tuple(map(begun_topic, plan.material.topics))
        has_fields = bool(plan.material.fields)
        return TopicExplorationState(exploration=Exploration(topics=topics, has_fields=has_fields))

    def covered(
        self, plan: PlanContent[Any], state: TopicExplorationState
    ) -> tuple[TopicCoverage, ...]:
        return tuple(map(topic_coverage, plan.material.topics, state.exploration.topics))

    def intro(self, ctx: TopicContext) -> Utterance:
        return Utterance(EntryKind.INTRO, fallback_texts.intro(ctx))

    def reading_call(self, ctx: TopicContext) -> TaskCall:
        return reading_call(ctx)

    def step(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _collect(ctx, results)
        moved, row = _moved(ctx, results, {})
        aim = next_aim(ctx, moved)
        if aim is None:
            move = _leave(ctx, results, moved, row, updated_state(ctx, results, moved))
        else:
            move = _speak(ctx, results, aim, row)
        if self.is_offer(ctx.state) and not isinstance(move, NeedsCalls):
            return replace(move, heard_as=EntryKind.OFFER_REPLY)
        return move

    def prefetch(
        self, ctx: TopicContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        if ctx.reading.whole or _goes_as_expected(ctx, partials):  # not read yet, or to the end
            return ()
        aim = _aim_so_far(ctx, results, partials)
        return prefetched(ctx, results, aim) if aim else ()

    def preview(self, ctx: TopicContext, results: CallResults, partials: PartialResults) -> str:
        aim = _aim_so_far(ctx, results, partials)
        return preview_text(ctx, results, partials, aim) if aim else ""

    def exit(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _end(ctx, ctx.state, PhaseRow.STOP)
        moved, row = advance(ctx.state.exploration, TopicAnswer(stop=True, covers=False))
        return _leave(ctx, results, moved, row, ctx.state)

    def repeat_question(self, ctx: TopicContext) -> Utterance:
        exploration = ctx.state.exploration
        if exploration.phase is Phase.DATA_COLLECTION:
            step = open_step(ctx)
            return Utterance(step.kind, step.text, step.question)
        aim = next_aim(ctx, exploration)
        written = fallback_texts.question(aim, ctx.language) if aim else ""
        text = ctx.state.open_question or written
        return Utterance(_kind(exploration), text, topic_of(ctx, exploration).key)

    def question_purpose(self, ctx: TopicContext) -> str:
        aim = next_aim(ctx, ctx.state.exploration)
        if aim is None:
            return ""
        if aim.exploration.phase is Phase.DEEP_OFFER:
            return f"whether they want to continue with at most {aim.extra_turns} more questions"
        return aim.goal

    def private_texts(self, ctx: TopicContext) -> tuple[str, ...]:
        return private(ctx)

    def refuses_reply(self, ctx: TopicContext, text: str) -> str:
        if not (self.is_offer(ctx.state) and asks(text)):
            return ""
        aim = next_aim(ctx, ctx.state.exploration)
        known = has_texts(ctx.language, fallback_texts.FOLDER)  # else words tell nothing
        return no_offer(text, aim.extra_turns) if aim and known else ""

    def progress(
        self, ctx: TopicContext, state: TopicExplorationState
    ) -> tuple[int, int | None, str]:
        """Count the topics begun, with the current one, also where a stop has left it unanswered.

        DEEPEN comes back to some and adds none.
        """
        exploration = state.exploration
        exploring = exploration.phase in (Phase.EXPLORE, Phase.DEEPEN)
        opens = (exploring or exploration.closed_early) and not exploration.current.started
        begun = sum(topic.started for topic in exploration.topics)
        return begun + opens, len(exploration.topics), "topics"

    def is_offer(self, state: TopicExplorationState) -> bool:
        return state.exploration.phase is Phase.DEEP_OFFER

    def keep_unanswered(self, ctx: TopicContext, results: CallResults) -> TopicExplorationState:
        return with_facts(ctx, ctx.state, results) if ctx.reading.may_tell else ctx.state

    def forget(self, state: TopicExplorationState, strike: Strike) -> TopicExplorationState:
        return without_struck(state, strike)

    def count_turn(self, ctx: TopicContext) -> TopicExplorationState:
        return ctx.state.but(exploration=use_turn(ctx.state.exploration))

    def seconds_left(self, ctx: TopicContext) -> float:
        return time_left(ctx)

    def comes_back(self, state: TopicExplorationState) -> bool:
        return state.exploration.phase is Phase.DEEPEN

    def has_time(self, ctx: TopicContext) -> bool:
        return time_left(ctx) > 0

    def trace_details(self, ctx: TopicContext) -> Mapping[str, Any]:
        return trace.details(ctx, ctx.state.exploration, None)


def _moved(
    ctx: TopicContext, results: CallResults, partials: PartialResults
) -> tuple[Exploration, PhaseRow | None]:
    if ctx.received.trigger == "opening":
        return ctx.state.exploration, None
    return advance(ctx.state.exploration, understand(ctx, results, partials))


# -- what is said


def _speak(
    ctx: TopicContext, results: CallResults, aim: UtteranceAim, row: PhaseRow | None
) -> NeedsCalls | NextMove:
    words = worded(ctx, results, aim)
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    moved = aim.exploration
    state = updated_state(ctx, results, moved)
    return TurnResult(
        state=state.but(
            stems=(*state.stems, stem(words.text))[-MAX_STEMS:],
            closures=state.closures + any(f.guard in CLOSURES for f in words.firings),
            open_question=_open_question(words.text, aim.question),
        ),
        utterances=(Utterance(_kind(moved), words.text, aim.topic.key),),
        reason=str(row or "opening"),
        spoken_by=words.used,
        firings=words.firings,
        details=trace.details(ctx, moved, row),
    )


def _goes_as_expected(ctx: TopicContext, partials: PartialResults) -> bool:
    """Return whether an answer is being read that so far leads where the reply's words were for."""
    is_answer = ctx.reading.intent == "answer" and ctx.reading.care == "none"
    offered = ctx.state.exploration.phase is Phase.DEEP_OFFER
    return is_answer and not offered and "met" not in partials.get(REPLY_KEY, {})


def _aim_so_far(
    ctx: TopicContext, results: CallResults, partials: PartialResults
) -> UtteranceAim | None:
    """Return the aim as far as it is certain."""
    phase = ctx.state.exploration.phase
    if phase is Phase.DEEP_OFFER and not acceptance(results, partials):
        return None
    return next_aim(ctx, _moved(ctx, results, partials)[0])


def _open_question(text: str, written: str) -> str:
    """Return the question to repeat: as it was written, with what sets the scene, if it was."""
    return written if written and text.endswith(written) else question_of(text) or text


def _kind(exploration: Exploration) -> EntryKind:
    offers = exploration.phase is Phase.DEEP_OFFER
    return EntryKind.DEEP_OFFER if offers else EntryKind.TOPIC_QUESTION


# -- data collection and the end


def _leave(
    ctx: TopicContext,
    results: CallResults,
    moved: Exploration,
    row: PhaseRow | None,
    state: TopicExplorationState,
) -> NeedsCalls | NextMove:
    state = state.but(exploration=moved)
    if moved.phase is Phase.END:
        return _end(ctx, state, row)
    return _ask_for_data(ctx, results, state, first_step(ctx), row)


def _collect(ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
    step = next_step(ctx)
    moved, row = advance(ctx.state.exploration, TopicAnswer(data_done=step.data.over))
    state = ctx.state.but(exploration=moved)
    move: NeedsCalls | NextMove
    if step.data.over:
        move = _end(ctx, state.but(data=step.data), row)
    else:
        move = _ask_for_data(ctx, results, state, step, row)
    if isinstance(move, NeedsCalls):
        return move
    consented = ctx.state.data.consent == "yes"
    heard_as = EntryKind.DATA_REPLY if consented else EntryKind.CONSENT_REPLY
    read, values = step.read, step.values
    return replace(
        move, masked=step.masked, collected=values, read_by_rules=read, heard_as=heard_as
    )


def _ask_for_data(
    ctx: TopicContext,
    results: CallResults,
    state: TopicExplorationState,
    step: CollectionStep,
    row: PhaseRow | None,
) -> NeedsCalls | NextMove:
    asked = data_request(ctx, results, step)
    if isinstance(asked, TaskCall):
        return NeedsCalls((asked,))
    return TurnResult(
        state=state.but(data=step.data, sealed=True),
        utterances=(Utterance(step.kind, asked.text, step.question),),
        reason=str(row),
        spoken_by=asked.used,
        firings=asked.firings,
        details=trace.details(ctx, state.exploration, row),
    )


def _end(ctx: TopicContext, state: TopicExplorationState, row: PhaseRow | None) -> NextMove:
    """Say goodbye. A participant who left before the end has stopped."""
    done = state.exploration.but(phase=Phase.END)
    status = SessionStatus.STOPPED if done.closed_early else SessionStatus.COMPLETED
    told = any(topic.answered for topic in done.topics)
    text = fallback_texts.say(ctx.language, "goodbye" if told else "goodbye_untold")
    state = state.but(exploration=done, sealed=False)
    data = state.data
    kept = (Utterance(EntryKind.TRANSITION, outcome(ctx, data)),) if data.asked else ()
    return ending(state, text, str(row), status, kept, details=trace.details(ctx, done, row))


PROTOCOL = TopicExploration()
