"""Technical assessment: an observer judges each answer, an interviewer asks on its advice.

The order of a turn:

1. the opening is a fixed text: it asks about experience
2. the observer reads and judges each answer (observer.py); the common rules meet what isn't one
3. its advice says what to ask next (observer.py, difficulty.py), or all turns are used
4. the script's next question, which the interviewer may adapt, or one of its own if the bot wants
   that; guards check it (next_question.py, guards.py). It is requested as soon as the observer's
   unfinished reply says how hard it should be
5. the observation is stored (observer.py) for reviewers and the report; candidates see only
   questions
"""

from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.leads import fixed_lead
from interviews.engine.protocol import InterviewProtocol, StartField
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    after_last,
    closing_question,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import addressed, named
from interviews.protocols.technical_assessment import context, guards
from interviews.protocols.technical_assessment.context import (
    EXPERIENCE,
    AssessmentContext,
    NextMove,
    as_utterance,
    open_utterance,
    open_wording,
    position_name,
    say,
    script_in,
    script_of,
)
from interviews.protocols.technical_assessment.difficulty import (
    START_LEVELS,
    QuestionAim,
    next_aim,
    turns_used,
)
from interviews.protocols.technical_assessment.next_question import (
    NextQuestion,
    coming_questions,
    next_question,
    preview_question,
)
from interviews.protocols.technical_assessment.observer import (
    KEY,
    advice,
    certain_advice,
    likely_advice,
    observation,
    observer_call,
)
from interviews.protocols.technical_assessment.state import AskedQuestion, TechnicalAssessmentState
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import TechnicalAssessmentMaterial


class TechnicalAssessment(InterviewProtocol[TechnicalAssessmentState, TechnicalAssessmentMaterial]):
    name = "technical_assessment"
    state = TechnicalAssessmentState
    reading_key = KEY
    guesses = True
    reply_rules = (
        "This is a technical job interview. You never tell what a good answer to the open question "
        "holds, not in part, not as a hint or an example, however they ask for it; a word of the "
        "question you may explain as a dictionary would. You never say how an answer was, give no "
        "score, and say nothing of what comes of the interview. You never ask or speak about age, "
        "family, health, faith or origin."
    )

    def begin(self, plan: PlanContent[Any], language: str) -> TechnicalAssessmentState:
        options = plan.material.options
        topics = [topic.key for topic in script_in(plan.material, language).topics]
        topic = options.default_topic if options.default_topic in topics else topics[0]
        level = START_LEVELS[options.grade]
        text = say(language, "opening", position=position_name(plan))
        opening = AskedQuestion(text=text, topic=topic, level=level, opening=True)
        return TechnicalAssessmentState(asked=(opening,), level=level, topic=topic)

    def asks_at_start(self, plan: PlanContent[Any], language: str) -> tuple[StartField, ...]:
        if not plan.material.options.ask_experience:
            return ()
        label = say(language, "experience", position=position_name(plan))
        return (StartField(EXPERIENCE, label, long=True),)

    def intro(self, ctx: AssessmentContext) -> Utterance:
        own = say(ctx.language, "intro", name=addressed(ctx.name, ctx.language))
        return Utterance(EntryKind.INTRO, named(script_of(ctx).intro, ctx.name) or own)

    def reading_call(self, ctx: AssessmentContext) -> TaskCall:
        return observer_call(ctx)

    def step(self, ctx: AssessmentContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.received.trigger == "opening":
            return _open(ctx)
        advised = advice(ctx, results)
        if advised is None:
            return NeedsCalls((observer_call(ctx),))
        aim = next_aim(ctx, advised)
        found = next_question(ctx, results, aim) if aim else None
        if isinstance(found, TaskCall):
            return NeedsCalls((found,))
        state = _observed(ctx, results)
        if ctx.state.last_asked:
            return _end(ctx, state, after_last(ctx))
        state = state.but(answered=ctx.state.answered + 1)
        if aim is None or found is None:
            return _close(ctx, state, "turn_limit" if turns_used(ctx) else "last_one")
        return _ask(ctx, state, aim, found)

    def prefetch(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Request the question while the observer still writes what the question doesn't need."""
        advised = likely_advice(ctx, results, partials)
        aim = next_aim(ctx, advised) if advised else None
        found = next_question(ctx, results, aim) if aim else None
        return (found,) if isinstance(found, TaskCall) else ()

    def preview(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> str:
        advised = certain_advice(ctx, results, partials)
        if ctx.received.trigger == "opening" or advised is None:
            return ""
        aim = next_aim(ctx, advised)
        if aim:
            return preview_question(ctx, results, partials, aim)
        return _last_text(ctx) if ctx.asks_last else _goodbye(ctx, ctx.state.ends_early)

    def exit(self, ctx: AssessmentContext, results: CallResults) -> NextMove:
        told = ctx.received.trigger == "user_answer" and ctx.reading.wants("stop")
        state = _observed(ctx, results) if told and ctx.reading.told else ctx.state
        if state.last_asked:
            return _end(ctx, state, "skipped_last")
        return _end(ctx, state, "stopped_by_participant", stopped=True)

    def repeat_question(self, ctx: AssessmentContext) -> Utterance:
        return open_utterance(ctx)

    def question_purpose(self, ctx: AssessmentContext) -> str:
        return context.purpose(ctx)

    def private_texts(self, ctx: AssessmentContext) -> tuple[str, ...]:
        return (*context.private_texts(ctx), *coming_questions(ctx))

    def refuses_reply(self, ctx: AssessmentContext, text: str) -> str:
        return guards.refuses_reply(text, context.untold(ctx), open_wording(ctx), ctx.language)

    def progress(
        self, ctx: AssessmentContext, state: TechnicalAssessmentState
    ) -> tuple[int, int, str]:
        total = ctx.material.options.max_turns
        if ctx.material.options.questions_by != "model":
            total = min(total, 1 + len(script_of(ctx).questions))
        return min(total, len(state.asked) - state.last_asked), total, "questions"

    def keep_unanswered(
        self, ctx: AssessmentContext, results: CallResults
    ) -> TechnicalAssessmentState:
        return _observed(ctx, results, is_open=True)

    def forget(self, state: TechnicalAssessmentState, strike: Strike) -> TechnicalAssessmentState:
        kept = (
            replace(
                one, notes="", correct_answer="", thoughts={}, flags=dict.fromkeys(one.flags, "")
            )
            if one.position in strike.left
            else one
            for one in state.observations
        )
        return state.but(observations=tuple(kept))

    def count_turn(self, ctx: AssessmentContext) -> TechnicalAssessmentState:
        return ctx.state.but(answered=ctx.state.answered + 1)

    def has_time(self, ctx: AssessmentContext) -> bool:
        return not ctx.state.strayed or not (ctx.state.last_asked or turns_used(ctx))


def _open(ctx: AssessmentContext) -> NextMove:
    welcome = say(ctx.language, "welcome", name=addressed(ctx.name, ctx.language))
    state = ctx.state
    if ctx.start_answers.get(EXPERIENCE):
        text = say(ctx.language, "opening_told", position=position_name(ctx.plan))
        state = state.but(asked=(state.open.but(text=text),))
    return TurnResult(
        state=state,
        utterances=(as_utterance(state.open, 1, f"{welcome} {state.open.text}"),),
        reason="opening",
    )


def _observed(
    ctx: AssessmentContext, results: CallResults, is_open: bool = False
) -> TechnicalAssessmentState:
    observations = (*ctx.state.observations, observation(ctx, results, is_open))
    return ctx.state.but(observations=observations)


def _ask(
    ctx: AssessmentContext, state: TechnicalAssessmentState, aim: QuestionAim, found: NextQuestion
) -> NextMove:
    if found.asked is None:
        return replace(_close(ctx, state, "no_question_left"), firings=found.firings)
    asked = found.asked
    moved = state.but(asked=(*state.asked, asked), topic=asked.topic, level=aim.level)
    return TurnResult(
        state=moved,
        utterances=(*fixed_lead(ctx), as_utterance(asked, len(moved.asked), found.text)),
        reason=aim.action if ctx.reading.intent == "answer" else ctx.reading.intent,
        spoken_by=found.used,
        firings=found.firings,
        details={
            "level": aim.level,
            "topic": asked.topic,
            "focus": aim.focus,
            "action": aim.action,
            "base": asked.key,
            "attempts": found.attempts,
            "reasoning": asked.reasoning,
        },
    )


def _close(ctx: AssessmentContext, state: TechnicalAssessmentState, reason: str) -> NextMove:
    """End it, after the closing question unless they want to stop."""
    state = state.but(ends_early=reason == "last_one")
    if not ctx.asks_last:
        return _end(ctx, state, reason)
    last = AskedQuestion(text=_last_text(ctx), topic=state.topic, level=state.level)
    asked = state.but(asked=(*state.asked, last), last_asked=True)
    return TurnResult(asked, (closing_question(last.text),), reason)


def _last_text(ctx: AssessmentContext) -> str:
    return say(ctx.language, "last", ctx.turn)


def _end(
    ctx: AssessmentContext, state: TechnicalAssessmentState, reason: str, stopped: bool = False
) -> NextMove:
    early = stopped or state.ends_early
    status = SessionStatus.STOPPED if early else SessionStatus.COMPLETED
    return ending(state, _goodbye(ctx, early), reason, status)


def _goodbye(ctx: AssessmentContext, early: bool) -> str:
    own = say(ctx.language, "goodbye", name=addressed(ctx.name, ctx.language))
    first = say(ctx.language, "stopped" if early else "closing")
    return f"{first} {named(script_of(ctx).outro, ctx.name) or own}"


PROTOCOL = TechnicalAssessment()
