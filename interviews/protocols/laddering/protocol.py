"""Laddering: an interview that builds a graph of what was said, and asks where the graph leads.

The order of a turn, as this file reads; stages.py names its stages and what each adds:

1. the opening is the methodology's own question about the topic
2. an answer is read twice, side by side: what it is and says, and how it says it (extraction.py)
3. what is skipped, refused, not known or off topic leads on without an answer
4. that updates the graph, and the graph with its signals decides, without a model, by which
   strategy and at which node the interview continues, and whether it does (decision.py); after
   several answers without anything new it moves on, and then offers to end
5. the question is put into words by a model that is told why, guarded, and streamed; a strategy's
   template stands in reserve (question.py, guards.py)
6. everything that the choice rests on is stored with the turn (explanation.py)
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.language.intents import tells_nothing
from interviews.engine.language.wishes import clauses, only, wish_of
from interviews.engine.protocol import InterviewProtocol, TopicCoverage
from interviews.engine.reading import BRIEF
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    after_last,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import addressed
from interviews.protocols.laddering import extraction, guards, question, stage_cache
from interviews.protocols.laddering.context import (
    LadderingContext,
    NextMove,
    find_strategy,
    open_question,
    question_utterance,
    say,
)
from interviews.protocols.laddering.decision import changed_parts
from interviews.protocols.laddering.explanation import turn_details
from interviews.protocols.laddering.graph.measures import ElementCoverage, coverage
from interviews.protocols.laddering.question import QuestionWording
from interviews.protocols.laddering.signals.moment import ELEMENT, Talk
from interviews.protocols.laddering.stages import EXTRACT_KEY, SelectionStage
from interviews.protocols.laddering.state import LadderingState, PutQuestion, without_nodes
from plans.protocols import PlanContent
from plans.protocols.laddering.content import LadderingMaterial
from plans.protocols.laddering.schema.concept import matching_language

CALLS = 7  # of models in one turn: two readings, two guesses, a question, two repairs
NO_ANSWER = {
    "skip": "left_out",
    "refuse": "left_out",
    "dont_know": "nothing_told",
    "off_topic": "off_topic",
    "stop": "left_out",
}
ENGAGEMENT = {"shallow": 0.0, "moderate": 0.5, "deep": 1.0}


class Laddering(InterviewProtocol[LadderingState, LadderingMaterial]):
    name = "laddering"
    state = LadderingState
    reading_key = EXTRACT_KEY
    most_calls: int | None = CALLS
    reply_rules = (
        "Never tell, hint at, confirm or deny what the people behind this interview believe, hope "
        "for or promise. If you're asked why you keep asking why: you'd like to understand what "
        "lies behind an answer, and any question may be skipped."
    )

    def begin(self, plan: PlanContent[Any], language: str) -> LadderingState:
        methodology, concept = plan.material.methodology, plan.material.concept
        opening = question.opening_text(methodology, concept.in_language(language), language)
        talk = Talk(limit=plan.material.options.turns)
        return LadderingState(talk=talk, asked=(PutQuestion(text=opening),))

    def intro(self, ctx: LadderingContext) -> Utterance:
        return Utterance(EntryKind.INTRO, say(ctx.language, "intro"))

    def reading_call(self, ctx: LadderingContext) -> TaskCall:
        return extraction.extract_call(ctx)

    def step(self, ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.received.trigger == "opening":
            return _open(ctx, question.opening(ctx, results))
        if ctx.state.offering and _accepts_end(ctx):
            return _close(stage_cache.after_nothing(ctx, results), "saturated")
        if reason := NO_ANSWER.get(ctx.reading.intent):
            return _continue(stage_cache.after_nothing(ctx, results), results, reason)
        missing = extraction.missing_calls(ctx, results)
        if missing:
            return NeedsCalls(missing)
        return _continue(stage_cache.after_answer(ctx, results), results, "by_graph")

    def prefetch(
        self, ctx: LadderingContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Ask for the question that the first concepts of the answer lead to.

        It is used only if the whole answer leads to the same strategy and node.
        """
        if ctx.received.trigger != "user_answer" or ctx.reading.intent != "answer":
            return ()
        if ctx.state.last_asked:
            return ()
        guess = stage_cache.guess(ctx, results, partials)
        if guess is None or guess.ends or guess.offers_end:
            return ()
        return (question.question_call(guess),)

    def preview(self, ctx: LadderingContext, results: CallResults, partials: PartialResults) -> str:
        if ctx.received.trigger == "opening":
            return question.preview_draft(ctx, partials)
        if ctx.reading.intent not in NO_ANSWER and not extraction.missing_calls(ctx, results):
            stage = stage_cache.after_answer(ctx, results)
        elif ctx.reading.intent in NO_ANSWER and ctx.reading.whole:
            stage = stage_cache.after_nothing(ctx, results)
        else:
            return ""
        silent = stage.ends or stage.offers_end or ctx.state.last_asked
        silent = silent or (ctx.state.offering and _accepts_end(ctx))
        return "" if silent else question.preview(stage, results, partials)

    def exit(self, ctx: LadderingContext, results: CallResults) -> NextMove:
        if ctx.state.offering or ctx.state.last_asked:
            reason = "skipped_last" if ctx.state.last_asked else "saturated"
            return _end(stage_cache.after_nothing(ctx, results), reason)
        state, text = self.keep_unanswered(ctx, results), _goodbye(ctx, early=True)
        records = self.new_records(ctx.state, state)
        reason, status = "stopped_by_participant", SessionStatus.STOPPED
        return ending(state, text, reason, status, records=records)

    def is_offer(self, state: LadderingState) -> bool:
        return state.offering or state.last_asked

    def repeat_question(self, ctx: LadderingContext) -> Utterance:
        return question_utterance(ctx.state)

    def question_purpose(self, ctx: LadderingContext) -> str:
        if ctx.state.last_asked:
            return "what nobody has asked about and matters to them"
        strategy = find_strategy(ctx.material.methodology, ctx.state.open.strategy)
        about = open_question(ctx).text
        parts = (strategy.description if strategy else "", about and f"It is about: {about}")
        return " ".join(filter(None, parts)) or ctx.material.methodology.goal

    def private_texts(self, ctx: LadderingContext) -> tuple[str, ...]:
        return guards.private(ctx)

    def progress(self, ctx: LadderingContext, state: LadderingState) -> tuple[int, int, str]:
        current = state.talk.turn + (not state.last_asked)
        return min(current, state.talk.limit), state.talk.limit, "turns"

    def keep_unanswered(self, ctx: LadderingContext, results: CallResults) -> LadderingState:
        found = results.get(EXTRACT_KEY)
        if found is None or not (found.by_model and ctx.reading.may_tell):
            return ctx.state
        stage = stage_cache.after_nothing(ctx, results)
        told = {name: stage.moment.states[name] for name in stage.change.added}
        return ctx.state.but(
            graph=stage.moment.graph,
            nodes={**ctx.state.nodes, **told},
            hard_told=ctx.state.hard_told or stage.gentle,
        )

    def forget(self, state: LadderingState, strike: Strike) -> LadderingState:
        nodes = state.graph.nodes
        gone = {one.id for one in nodes if strike.tells(one.text, *one.positions)}
        return without_nodes(state, gone) if gone else state

    def new_records(self, before: LadderingState, after: LadderingState) -> tuple[Any, ...]:
        return changed_parts(before.graph, after.graph)

    def count_turn(self, ctx: LadderingContext) -> LadderingState:
        return ctx.state.but(talk=replace(ctx.state.talk, turn=ctx.state.talk.turn + 1))

    def has_time(self, ctx: LadderingContext) -> bool:
        used = 1 if ctx.state.strayed else 0  # being led back uses a turn from the second time on
        left = ctx.state.talk.limit - ctx.state.talk.turn
        return not used if ctx.state.last_asked else used < left

    def trace_details(self, ctx: LadderingContext) -> Mapping[str, Any]:
        state = ctx.state
        return {"strategy": state.open.strategy, "focus": state.open.focus, "turn": state.talk.turn}

    def covered(self, plan: PlanContent[Any], state: LadderingState) -> tuple[TopicCoverage, ...]:
        """Return a row per element, for exports.

        Its sub-goals are the rungs of the ladder, covered by its longest chain.
        """
        concept, methodology = plan.material.concept, plan.material.methodology
        labels = {element.id: element.label for element in concept.elements}
        found = coverage(state.graph, concept, methodology)
        rungs = len(methodology.ladder)
        return tuple(_coverage_row(one, labels[one.element], rungs, state) for one in found)


def _open(ctx: LadderingContext, words: QuestionWording | TaskCall) -> NeedsCalls | NextMove:
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    state = ctx.state.but(asked=(words.put,))
    return TurnResult(
        state=state,
        utterances=(question_utterance(state, words.said),),
        reason="opening",
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template and bool(words.used or words.firings)},
    )


def _accepts_end(ctx: LadderingContext) -> bool:
    """Return whether they end it, or have nothing to add: a no with few words, or empty ones."""
    reading, answer = ctx.reading, ctx.answer
    if reading.intent in ("stop", "skip"):  # a model may take a yes for agreeing to the end
        return not only(answer, "yes") or wish_of(answer) == "stop"
    if reading.intent != "answer" or reading.care != "none":
        return False
    if reading.reply:
        return reading.reply == "no" and len(answer.split()) <= 1 + BRIEF
    return all(tells_nothing(clause, ctx.language) for clause in clauses(answer))


def _continue(stage: SelectionStage, results: CallResults, reason: str) -> NeedsCalls | NextMove:
    if stage.ctx.state.last_asked:
        return _end(stage, after_last(stage.ctx))
    if stage.ends:
        return _close(stage, stage.ends)
    if stage.offers_end:
        return _offer_end(stage)
    words = question.next_question(stage, results)
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    state = _next_state(stage, words.put)
    details = {"fallback": words.by_template, **turn_details(stage, words.pair)}
    result = _asked(stage, state, words.said, reason, details)
    return replace(result, spoken_by=words.used, firings=words.firings)


def _offer_end(stage: SelectionStage) -> NextMove:
    text = say(stage.ctx.language, "enough")
    state = _next_state(stage, PutQuestion(text=text), offering=True)
    return _asked(stage, state, text, "offers_end", turn_details(stage, None))


def _close(stage: SelectionStage, reason: str) -> NextMove:
    """End it, after the closing question unless they want to stop."""
    early = reason == "last_one"
    if not stage.ctx.asks_last:
        return _end(stage, reason)
    text = question.closing_text(stage)
    state = _next_state(stage, PutQuestion(text=text)).but(last_asked=True, ends_early=early)
    return _asked(stage, state, text, reason, turn_details(stage, None))


def _end(stage: SelectionStage, reason: str) -> NextMove:
    early = stage.ctx.state.ends_early
    return ending(
        _next_state(stage),
        _goodbye(stage.ctx, early),
        reason,
        SessionStatus.STOPPED if early else SessionStatus.COMPLETED,
        records=changed_parts(stage.ctx.state.graph, stage.moment.graph),
        details=turn_details(stage, None),
    )


def _goodbye(ctx: LadderingContext, early: bool) -> str:
    language, closing = ctx.language, ctx.material.methodology.closing
    own = matching_language(closing, language)
    ended = closing[own] if own else say(language, "closing")
    first = say(language, "stopped") if early else ended
    return f"{first} {say(language, 'goodbye', name=addressed(ctx.name, language))}"


def _asked(
    stage: SelectionStage, state: LadderingState, said: str, reason: str, details: Mapping[str, Any]
) -> NextMove:
    return TurnResult(
        state=state,
        utterances=(question_utterance(state, said),),
        reason=reason,
        records=changed_parts(stage.ctx.state.graph, stage.moment.graph),
        details=details,
    )


def _next_state(
    stage: SelectionStage, *asked: PutQuestion, offering: bool = False
) -> LadderingState:
    before, moment = stage.ctx.state, stage.moment
    return before.but(
        talk=before.talk if before.last_asked else moment.talk,
        asked=(*before.asked, *asked),
        graph=moment.graph,
        nodes=dict(moment.states),
        unchanged=moment.unchanged,
        offering=offering,
        validations=tuple(filter(None, (*before.validations, stage.validation))),
        hard_told=before.hard_told or stage.gentle,
    )


def _coverage_row(
    one: ElementCoverage, label: str, rungs: int, state: LadderingState
) -> TopicCoverage:
    names = (*one.nodes, ELEMENT + one.element)  # the element from before it had nodes
    states = [state.nodes[name] for name in names if name in state.nodes]
    depths = [ENGAGEMENT[depth] for node in states for depth in node.depths]
    covered = "full" if one.depth_score == 1 else "partial"
    return TopicCoverage(
        topic=one.element,
        label=label,
        turns=sum(node.focus_count for node in states),
        bonus_turns=0,
        deepening_turns=0,
        sub_goals=rungs,
        covered=round(one.depth_score * rungs),
        coverage=covered if one.covered else "none",
        engagement=round(sum(depths) / len(depths), 3) if depths else 0.0,
        key_insight="",
    )


PROTOCOL = Laddering()
