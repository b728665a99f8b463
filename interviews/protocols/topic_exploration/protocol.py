"""Topic exploration: topics in order, sub-goal by sub-goal, with time where there is more to say.

The table of phases (phases.py) says where the interview goes without a model, and which phase
follows. Beside that a model may choose, while topics are explored:

- stay: follow what was just said, while the topic has turns and the others keep their time
- next: another open sub-goal of the topic, or the first of a topic still to be begun
- back: something hinted at earlier
- last: the closing question, when the topics are done; then come contact data, or the end

In DATA_COLLECTION no model reads what is said (data_collection.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.guards import asked_before
from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import plain
from interviews.engine.leading import LedProtocol
from interviews.engine.moves import Move, Only, backs
from interviews.engine.protocol import TopicCoverage
from interviews.engine.replies import about
from interviews.engine.result import (
    CallResults,
    GuardFiring,
    NeedsCalls,
    TaskCall,
    TurnResult,
    Utterance,
    closing_question,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import fixed, has_texts
from interviews.protocols.topic_exploration import fallback_texts, guards, trace
from interviews.protocols.topic_exploration.context import (
    TopicContext,
    item_id,
    time_left,
    topic_of,
)
from interviews.protocols.topic_exploration.data_collection import (
    CollectionStep,
    data_request,
    first_step,
    next_step,
    open_step,
    outcome,
)
from interviews.protocols.topic_exploration.exploration import (
    Exploration,
    Phase,
    TopicState,
    begun_topic,
    has_time_for_turn,
)
from interviews.protocols.topic_exploration.memory import add_facts, add_insight
from interviews.protocols.topic_exploration.phases import (
    MAX_OFFERS,
    Offer,
    PhaseRow,
    TopicAnswer,
    advance,
    count_turn,
    use_turn,
)
from interviews.protocols.topic_exploration.reading import understand
from interviews.protocols.topic_exploration.state import TopicExplorationState
from interviews.protocols.topic_exploration.tasks import KEEPS, LEAD
from llm.tasks.outcome import Outcome
from plans.protocols import PlanContent
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

NextMove = TurnResult[TopicExplorationState]
Item = tuple[int, int]  # a topic and a sub-goal or angle of it, by index
MOST_STAYS = 10  # on one item for what matters more than what waits; twice as many while hard
LONGEST_GUIDE = 900  # characters
EXPLORING = (Phase.EXPLORE, Phase.DEEPEN)
STAY = "follow what was just said."
OFFER = "the planned time is over: the offer to continue follows by itself"
LAST = "the closing question, before the end"
END = "the end: what is left to say follows by itself"


class TopicExploration(LedProtocol[TopicExplorationState, TopicExplorationMaterial]):
    name = "topic_exploration"
    state = TopicExplorationState
    task = LEAD
    role = "a semi-structured research interview"
    keeps = KEEPS

    def begin(self, plan: PlanContent[Any], language: str) -> TopicExplorationState:
        topics = tuple(map(begun_topic, plan.material.topics))
        begun = Exploration(topics=topics, aim=topics[0].due, has_fields=bool(plan.material.fields))
        return TopicExplorationState(exploration=begun)

    def covered(
        self, plan: PlanContent[Any], state: TopicExplorationState
    ) -> tuple[TopicCoverage, ...]:
        return tuple(map(_coverage, plan.material.topics, state.exploration.topics))

    def intro(self, ctx: TopicContext) -> Utterance:
        return Utterance(EntryKind.INTRO, fallback_texts.intro(ctx))

    # -- what may follow

    def offer(self, ctx: TopicContext) -> tuple[Move, ...]:
        exploration = ctx.state.exploration
        if ctx.received.trigger == "opening":
            return (_next(ctx, exploration),)
        moved, _ = advance(exploration, understand(ctx))
        default = _move(ctx, moved)
        may_stay = _may_stay(ctx)
        in_bounds = may_stay or ctx.state.stays < MOST_STAYS
        for_hard = may_stay or ctx.state.stays < 2 * MOST_STAYS
        has_time = in_bounds and time_left(ctx) > 0 and not exploration.extended
        beyond: Only = "matters" if has_time else "hard"
        stays = (_stay(ctx, "" if may_stay else beyond),) if for_hard else ()
        if default.kind == "end":
            return (default, *stays)
        if exploration.phase is Phase.DEEP_OFFER:
            return _after_offer(ctx, default)
        ways_back = backs(ctx.state.threads if in_bounds and time_left(ctx) > 0 else ())
        if default.kind != "next":
            return (default, *stays, *(ways_back if default.kind == "last" else ()))
        others = (_next(ctx, one) for one in _others(exploration.topic, moved))
        last = replace(_last(ctx), only="last_one")
        return (default, *others, *stays, *ways_back, last)

    def known(self, ctx: TopicContext) -> list[str]:
        topics = zip(ctx.material.topics, ctx.state.exploration.topics, strict=True)
        said = [f"{one.label}: “{topic.key_insight}”" for one, topic in topics if topic.key_insight]
        return [*said, *(f"- {fact.text}" for fact in ctx.state.facts)]

    def about(self, ctx: TopicContext) -> str:
        material, goal = ctx.material, ctx.material.options.goal
        road = "; ".join(topic.label for topic in material.topics)
        lines = (
            about(ctx),
            f"What the research wants to know, for you alone: {goal}" if goal else "",
            f"About {material.max_minutes} minutes. Its topics, which you may name: {road}.",
        )
        return "\n".join(filter(None, lines))

    def step(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _collect(ctx, results)
        result = super().step(ctx, results)
        offered = ctx.state.exploration.phase is Phase.DEEP_OFFER
        if isinstance(result, NeedsCalls) or not offered:
            return result
        return replace(result, heard_as=EntryKind.OFFER_REPLY)

    def opens_as_written(self, ctx: TopicContext) -> bool:
        material, aim = topic_of(ctx, ctx.state.exploration), ctx.state.exploration.aim
        own = ctx.language == ctx.plan.languages[0]
        return own and aim is not None and bool(material.question_for(aim))

    # -- what was told, and where the interview stands after a move

    def keep(self, ctx: TopicContext, led: Outcome[Any] | None) -> TopicExplorationState:
        told = led.value.facts if led is not None and led.by_model else []
        facts = [(fact.text, fact.confidence) for fact in told]
        label = topic_of(ctx, ctx.state.exploration).label
        known = add_facts(ctx.state.facts, facts, ctx.received.position, label)
        return ctx.state.but(facts=known)

    def follow(
        self, ctx: TopicContext, state: TopicExplorationState, move: Move, led: Outcome[Any] | None
    ) -> TopicExplorationState:
        if ctx.received.trigger == "opening":
            return state
        moved = _followed(ctx, move, understand(ctx, led))
        if not ctx.reading.told or ctx.state.exploration.phase not in EXPLORING:
            return state.but(exploration=moved)
        met = led.value.met if led is not None and led.by_model else []
        return state.but(exploration=_with_answer(ctx, moved, met))

    # -- what is said

    def utterance(self, ctx: TopicContext, move: Move, text: str) -> Utterance:
        closing = move.kind == "last" or ctx.state.exploration.phase is Phase.LAST
        if closing:
            return closing_question(text)
        topic = move.item[0] if move.item else ctx.state.exploration.topic
        return Utterance(EntryKind.TOPIC_QUESTION, text, ctx.material.topics[topic].key)

    def written(self, ctx: TopicContext, move: Move) -> str:
        lead = fallback_texts.lead(ctx, move.item[0]) if move.kind == "next" else ""
        return f"{lead} {move.written}".strip()

    def tidied(self, say: str, language: str) -> tuple[str, tuple[GuardFiring, ...]]:
        return guards.without_closing(say, language)

    def leave(
        self,
        ctx: TopicContext,
        results: CallResults,
        state: TopicExplorationState,
        move: Move,
        before: tuple[Utterance, ...],
    ) -> NeedsCalls | NextMove:
        row = _row(ctx, state.exploration)
        if move.kind == "offer":
            text = fallback_texts.offer(ctx, state.exploration)
            key = topic_of(ctx, state.exploration).key
            asked = Utterance(EntryKind.DEEP_OFFER, text, key)
            return TurnResult(state, (*before, asked), str(row))
        return _leave(ctx, results, state, row, before)

    def exit(self, ctx: TopicContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.state.exploration.phase is Phase.DATA_COLLECTION:
            return _end(ctx, ctx.state, PhaseRow.STOP)
        moved, row = advance(ctx.state.exploration, TopicAnswer(stop=True, covers=False))
        return _leave(ctx, results, ctx.state.but(exploration=moved), row)

    def repeat_question(self, ctx: TopicContext) -> Utterance:
        exploration = ctx.state.exploration
        if exploration.phase is Phase.DATA_COLLECTION:
            step = open_step(ctx)
            return Utterance(step.kind, step.text, step.question)
        key = topic_of(ctx, exploration).key
        if exploration.phase is Phase.DEEP_OFFER:
            return Utterance(EntryKind.DEEP_OFFER, fallback_texts.offer(ctx, exploration), key)
        text = ctx.state.open_question or _next(ctx, exploration).written
        closing = exploration.phase is Phase.LAST
        return closing_question(text) if closing else Utterance(EntryKind.TOPIC_QUESTION, text, key)

    # -- what the common rules ask

    def refuses_reply(self, ctx: TopicContext, text: str) -> str:
        if not asks(text):
            return ""
        if ctx.state.exploration.phase is not Phase.DEEP_OFFER:
            others = (*_put_earlier(ctx), *_written_later(ctx, _open_item(ctx)))
            return "asks another of the questions" if asked_before(text, others) else ""
        known = has_texts(ctx.language, fallback_texts.FOLDER)  # else words tell nothing
        return guards.no_offer(text, ctx.state.exploration.extra_turns) if known else ""

    def progress(
        self, ctx: TopicContext, state: TopicExplorationState
    ) -> tuple[int, int | None, str]:
        """Count the topics begun, with the current one, also where a stop has left it unanswered.

        DEEPEN comes back to some and adds none.
        """
        exploration = state.exploration
        exploring = exploration.phase in EXPLORING
        opens = (exploring or exploration.closed_early) and not exploration.current.started
        begun = sum(topic.started for topic in exploration.topics)
        return begun + opens, len(exploration.topics), "topics"

    def is_offer(self, state: TopicExplorationState) -> bool:
        return state.exploration.phase is Phase.DEEP_OFFER or super().is_offer(state)

    def forget(self, state: TopicExplorationState, strike: Strike) -> TopicExplorationState:
        exploration = state.exploration
        topics = (
            one.but(key_insight="", insight_score=0.0) if strike.tells(one.key_insight) else one
            for one in exploration.topics
        )
        return (
            super()
            .forget(state, strike)
            .but(
                facts=tuple(one for one in state.facts if not strike.tells(one.text, one.position)),
                exploration=exploration.but(topics=tuple(topics)),
            )
        )

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

    def details(self, ctx: TopicContext, state: TopicExplorationState) -> Mapping[str, Any]:
        opening = ctx.received.trigger == "opening"
        row = None if opening else _row(ctx, state.exploration)
        return trace.details(ctx, state.exploration, row)


def _row(ctx: TopicContext, now: Exploration) -> PhaseRow | None:
    """Return the row of the table that leads where the interview is now; None if none does.

    A model may have led elsewhere, and it reads the answer to the offer.
    """
    heard = understand(ctx)
    ways = [heard, *(replace(heard, offer=one) for one in get_args(Offer))]
    rows = (advance(ctx.state.exploration, way) for way in ways)
    led = (row for moved, row in rows if (moved.phase, moved.topic) == (now.phase, now.topic))
    return next(led, None)


# -- moves


def _move(ctx: TopicContext, moved: Exploration) -> Move:
    """Return the move that leads where the table of phases does."""
    match moved.phase:
        case Phase.EXPLORE | Phase.DEEPEN:
            return _next(ctx, moved)
        case Phase.DEEP_OFFER:
            return Move("offer", "offer", OFFER)
        case Phase.LAST:
            return _last(ctx)
    return Move("end", "end", END)


def _next(ctx: TopicContext, where: Exploration) -> Move:
    material, item = topic_of(ctx, where), (where.topic, -1 if where.aim is None else where.aim)
    goal = _goal(material, where.aim)
    written = material.question_for(item[1]) if item[1] >= 0 else ""
    question = written or fallback_texts.say(ctx.language, "questions", goal=goal)
    known = where.topic == ctx.state.exploration.topic
    aim = f"to learn: {goal}." if known else f"on {material.label}, to learn: {goal}."
    return Move(item_id(*item), "next", aim, question, item, goal)


def _goal(material: TopicMaterial, aim: int | None) -> str:
    wanted = (*material.sub_goals, *material.intelligence.probe_angles)
    return material.label if aim is None else wanted[aim]


def _open_item(ctx: TopicContext) -> Item:
    exploration = ctx.state.exploration
    return exploration.topic, -1 if exploration.aim is None else exploration.aim


def _put_earlier(ctx: TopicContext) -> Iterator[str]:
    """Yield what was asked before the open question."""
    asked = (line.text for line in ctx.transcript if line.kind == EntryKind.TOPIC_QUESTION)
    return (text for text in asked if ctx.state.open_question not in text)


def _written_later(ctx: TopicContext, item: tuple[int, ...]) -> Iterator[str]:
    """Yield the written questions of the sub-goals that are open, but for this item's."""
    topics = zip(ctx.material.topics, ctx.state.exploration.topics, strict=True)
    for place, (material, topic) in enumerate(topics):
        for goal in topic.left:
            if (place, goal) != item and (question := material.question_for(goal)):
                yield question


def _others(here: int, moved: Exploration) -> Iterator[Exploration]:
    """Yield where else the interview may go, the topic at hand first, as it would stand there."""
    places = range(len(moved.topics)) if moved.phase is Phase.EXPLORE else [moved.topic]
    for place in sorted(places, key=lambda one: (one != here, one != moved.topic)):
        topic = moved.topics[place]
        goals = topic.left if topic.used < topic.max or place == moved.topic else ()
        for goal in goals or ((topic.due,) if topic.waits else ()):
            if (place, goal) != (moved.topic, moved.aim):
                yield moved.but(topic=place, aim=goal)


def _may_stay(ctx: TopicContext) -> bool:
    """Return whether the open topic has a turn for following what was said.

    After an accepted offer that is one of the questions that were offered.
    """
    exploration, answer = ctx.state.exploration, understand(ctx)
    if exploration.phase is Phase.DEEPEN:
        has_turn = advance(exploration, answer)[1] is PhaseRow.DEEPEN_STAY
        return not ctx.state.stays and (has_turn or not exploration.extended)
    if exploration.phase is not Phase.EXPLORE or time_left(ctx) <= 0:
        return False
    counted = count_turn(exploration, answer)
    topic = counted.current
    return topic.used < topic.max and has_time_for_turn(counted, time_left(ctx))


def _stay(ctx: TopicContext, only: Only) -> Move:
    material = topic_of(ctx, ctx.state.exploration)
    aim = f"{STAY} The topic: {material.label}. {_knowledge(ctx, material)}".strip()
    return Move("stay", "stay", aim, only=only)


def _last(ctx: TopicContext) -> Move:
    return Move("last", "last", LAST, fixed(ctx.language, "last", ctx.turn))


def _after_offer(ctx: TopicContext, default: Move) -> tuple[Move, ...]:
    """Return what may follow the answer to the offer, the one that rules find first."""
    exploration = ctx.state.exploration
    left = understand(ctx)
    accepted, _ = advance(exploration, replace(left, offer="ACCEPT"))
    ways = [
        replace(_move(ctx, accepted), aim=f"if they agree to continue: {_move(ctx, accepted).aim}"),
        replace(_last(ctx), aim=f"if they would rather finish: {LAST}"),
    ]
    if exploration.offers < MAX_OFFERS:
        ways.append(
            Move("offer", "offer", "if it isn't clear: the offer is put once more by itself")
        )
    return tuple(sorted(ways, key=lambda one: one.kind != default.kind))


def _followed(ctx: TopicContext, move: Move, answer: TopicAnswer) -> Exploration:
    """Return the exploration after the answer and the move."""
    exploration = ctx.state.exploration
    if exploration.phase is Phase.DEEP_OFFER:
        by_move: Mapping[str, Offer] = {"next": "ACCEPT", "last": "REFUSE"}
        answer = replace(answer, offer=by_move.get(move.kind, "NEUTRAL"))
    moved, _ = advance(exploration, answer)
    if move.kind == _move(ctx, moved).kind != "next":
        return moved
    if move.kind == "next":
        topic, aim = move.item
        aimed = None if aim < 0 else aim
        if topic != moved.topic or moved.phase not in EXPLORING:
            moved = count_turn(exploration, answer)
        return moved.but(topic=topic, aim=aimed)
    if move.kind == "last":
        return count_turn(exploration, answer).but(phase=Phase.LAST)
    if exploration.phase not in EXPLORING:  # stays with the closing question
        return exploration
    stays = moved if moved.topic == exploration.topic and moved.phase is exploration.phase else None
    return (stays or count_turn(exploration, answer)).but(aim=exploration.aim)


def _knowledge(ctx: TopicContext, topic: TopicMaterial) -> str:
    if guide := ctx.material.options.manual_guide:
        words = set(plain(topic.label).split())
        about_it = [one for one in guide.split("\n\n") if words & set(plain(one).split())]
        return ("\n".join(about_it) or guide)[:LONGEST_GUIDE]
    prepared = topic.intelligence
    parts = (
        ("How to read answers", prepared.interpretation_cues),
        ("What deserves depth", prepared.significance_signals),
        ("Directions that may come up", prepared.probe_angles),
    )
    return " ".join(f"{name}: {'; '.join(items[:4])}." for name, items in parts if items)


def _with_answer(ctx: TopicContext, exploration: Exploration, met: Sequence[str]) -> Exploration:
    """Add the insight to the topic that was answered, and the sub-goals that the answer met.

    The sub-goal that the coming question puts stays open until that is answered. Something heavy
    is no insight to come back to.
    """
    place = ctx.state.exploration.topic
    if ctx.reading.care == "none":
        insight = add_insight(exploration.topics[place], ctx.answer, ctx.language)
        exploration = exploration.with_topic(place, insight)
    for index, topic in enumerate(exploration.topics):
        goals = {goal for goal in range(topic.sub_goals) if item_id(index, goal) in met}
        if index == exploration.topic:
            goals -= {exploration.aim}
        exploration = exploration.with_topic(index, topic.but(covered=topic.covered | goals))
    return exploration


def _coverage(material: TopicMaterial, topic: TopicState) -> TopicCoverage:
    return TopicCoverage(
        topic=material.key,
        label=material.label,
        turns=topic.used,
        bonus_turns=topic.bonus,
        deepening_turns=topic.deepened,
        sub_goals=topic.sub_goals,
        covered=len(topic.covered),
        coverage=topic.coverage,
        engagement=round(topic.engagement, 3),
        key_insight=topic.key_insight,
    )


# -- data collection and the end


def _leave(
    ctx: TopicContext,
    results: CallResults,
    state: TopicExplorationState,
    row: PhaseRow | None,
    before: tuple[Utterance, ...] = (),
) -> NeedsCalls | NextMove:
    if state.exploration.phase is Phase.END:
        return _end(ctx, state, row, before)
    return _ask_for_data(ctx, results, state, first_step(ctx), row, before)


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
    before: tuple[Utterance, ...] = (),
) -> NeedsCalls | NextMove:
    asked = data_request(ctx, results, step)
    if isinstance(asked, TaskCall):
        return NeedsCalls((asked,))
    return TurnResult(
        state=state.but(data=step.data, sealed=True),
        utterances=(*before, Utterance(step.kind, asked.text, step.question)),
        reason=str(row),
        ended_as=_ended_as(state),
        spoken_by=asked.used,
        firings=asked.firings,
        details=trace.details(ctx, state.exploration, row),
    )


def _ended_as(state: TopicExplorationState) -> SessionStatus:
    """A participant who left before the end has stopped."""
    early = state.exploration.closed_early
    return SessionStatus.STOPPED if early else SessionStatus.COMPLETED


def _end(
    ctx: TopicContext,
    state: TopicExplorationState,
    row: PhaseRow | None,
    before: tuple[Utterance, ...] = (),
) -> NextMove:
    """Say goodbye."""
    done = state.exploration.but(phase=Phase.END)
    told = any(topic.answered for topic in done.topics)
    text = fallback_texts.say(ctx.language, "goodbye" if told else "goodbye_untold")
    state = state.but(exploration=done, sealed=False)
    kept = (Utterance(EntryKind.TRANSITION, outcome(ctx, state.data)),) if state.data.asked else ()
    details = trace.details(ctx, done, row)
    return ending(state, text, str(row), _ended_as(state), (*before, *kept), details=details)


PROTOCOL = TopicExploration()
