"""Technical assessment: an observer judges each answer, an interviewer asks on its advice.

The order of a turn:

1. the opening is a fixed text: it asks about experience
2. each answer is understood, by rules or by the observer (reading.py)
3. that decides the next step (decision.py, difficulty.py): confirm a stop, answer a question back,
   rephrase the open question, ask the next one, or end
4. the interviewer words the next question, and guards check it (next_question.py, guards.py); it is
   requested as soon as the observer's unfinished reply says how hard it should be
5. the observation is stored (observed_answer.py) for reviewers and the report; candidates see only
   questions
"""

from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine import counter_questions
from interviews.engine.common_rules import confirm_stop
from interviews.engine.protocol import InterviewProtocol, StartField
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.engine.texts import addressed, named
from interviews.protocols.technical_assessment import counter_questions as asides
from interviews.protocols.technical_assessment.context import (
    EXPERIENCE,
    AssessmentContext,
    NextMove,
    as_utterance,
    position_name,
    say,
    script_in,
    script_of,
)
from interviews.protocols.technical_assessment.decision import AssessmentDecision, decide
from interviews.protocols.technical_assessment.difficulty import START_LEVELS, QuestionAim
from interviews.protocols.technical_assessment.next_question import (
    NextQuestion,
    next_question,
    preview_question,
)
from interviews.protocols.technical_assessment.observed_answer import observation
from interviews.protocols.technical_assessment.reading import (
    AssessedAnswer,
    assess,
    certain_assessment,
    likely_assessment,
)
from interviews.protocols.technical_assessment.state import AskedQuestion, TechnicalAssessmentState
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import TechnicalAssessmentMaterial


class TechnicalAssessment(InterviewProtocol[TechnicalAssessmentState, TechnicalAssessmentMaterial]):
    name = "technical_assessment"
    state = TechnicalAssessmentState

    def begin(self, plan: PlanContent[Any], language: str) -> TechnicalAssessmentState:
        options = plan.material.options
        topics = [topic.key for topic in script_in(plan.material, language).topics]
        topic = options.default_topic if options.default_topic in topics else topics[0]
        level = START_LEVELS[options.grade]
        text = _opening_text(plan, language, "")
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

    def step(self, ctx: AssessmentContext, results: CallResults) -> NeedsCalls | NextMove:
        if ctx.received.trigger == "opening":
            opening = _opening_text(ctx.plan, ctx.language, ctx.name)
            return TurnResult(
                state=ctx.state,
                utterances=(as_utterance(ctx.state.open, 1, opening),),
                reason="opening",
                progress=_progress(ctx, ctx.state),
            )
        assessed = assess(ctx, results)
        if isinstance(assessed, TaskCall):
            return NeedsCalls((assessed,))
        return _carry_out(ctx, results, assessed, decide(ctx, assessed))

    def prefetch(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Request the question while the observer still writes what the question doesn't need."""
        assessed = likely_assessment(ctx, results, partials)
        call = _interviewer_call(ctx, results, decide(ctx, assessed)) if assessed else None
        return (call,) if call else ()

    def preview(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> str:
        if ctx.received.trigger == "opening":
            return ""
        assessed = certain_assessment(ctx, results, partials)
        if assessed is None:
            return ""
        decision = decide(ctx, assessed)
        if decision.step == "end":
            return _goodbye(ctx, "closing")
        return preview_question(ctx, results, partials, decision.aim) if decision.aim else ""

    def exit(self, ctx: AssessmentContext, results: CallResults) -> NextMove:
        return _end(ctx, ctx.state, "stopped_by_participant", SessionStatus.STOPPED)

    def repeat_question(self, ctx: AssessmentContext) -> Utterance:
        return as_utterance(ctx.state.open, len(ctx.state.asked))


def _opening_text(plan: PlanContent[Any], language: str, name: str) -> str:
    return say(language, "opening", name=addressed(name, language), position=position_name(plan))


def _carry_out(
    ctx: AssessmentContext,
    results: CallResults,
    assessed: AssessedAnswer,
    decision: AssessmentDecision,
) -> NeedsCalls | NextMove:
    call = _interviewer_call(ctx, results, decision)
    if call is not None:
        return NeedsCalls((call,))
    observations = (*ctx.state.observations, observation(ctx, assessed))
    state = ctx.state.model_copy(update={"observations": observations})
    match decision.step:
        case "stop":
            return confirm_stop(replace(ctx, state=state.model_copy(update={"stop_offered": True})))
        case "aside":
            return asides.reply(ctx, results, state)
        case "rephrase":
            return _rephrase(ctx, results, state, decision)
        case "end":
            return _end(ctx, _count_answer(state), "turn_limit", SessionStatus.COMPLETED)
    return _ask(ctx, results, _count_answer(state), decision)


def _interviewer_call(
    ctx: AssessmentContext, results: CallResults, decision: AssessmentDecision
) -> TaskCall | None:
    if decision.step == "aside":
        return None if counter_questions.KEY in results else asides.task_call(ctx)
    if decision.aim is None:
        return None
    found = next_question(ctx, results, decision.aim)
    return found if isinstance(found, TaskCall) else None


def _count_answer(state: TechnicalAssessmentState) -> TechnicalAssessmentState:
    changes = {"answered": state.answered + 1, "asides": 0, "stop_offered": False}
    return state.model_copy(update=changes)


def _ask(
    ctx: AssessmentContext,
    results: CallResults,
    state: TechnicalAssessmentState,
    decision: AssessmentDecision,
) -> NextMove:
    aim, found = _next_question(ctx, results, decision)
    if found.asked is None:
        ended = _end(ctx, state, "no_question_left", SessionStatus.COMPLETED)
        return replace(ended, firings=found.firings)
    asked = found.asked
    changes = {"asked": (*state.asked, asked), "topic": asked.topic, "level": aim.level}
    moved = state.model_copy(update=changes)
    return TurnResult(
        state=moved,
        utterances=(as_utterance(asked, len(moved.asked), found.text),),
        reason="off_topic" if aim.manner == "steer_back" else aim.action,
        progress=_progress(ctx, moved),
        spoken_by=found.used,
        firings=found.firings,
        details=_details(moved, aim, found),
    )


def _rephrase(
    ctx: AssessmentContext,
    results: CallResults,
    state: TechnicalAssessmentState,
    decision: AssessmentDecision,
) -> NextMove:
    aim, found = _next_question(ctx, results, decision)
    asked = found.asked or state.open
    changes = {"asked": (*state.asked[:-1], asked), "asides": state.asides + 1}
    moved = state.model_copy(update=changes)
    return TurnResult(
        state=moved,
        utterances=(as_utterance(asked, len(moved.asked), found.text),),
        reason="clarification",
        spoken_by=found.used,
        firings=found.firings,
        details=_details(moved, aim, found),
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )


def _next_question(
    ctx: AssessmentContext, results: CallResults, decision: AssessmentDecision
) -> tuple[QuestionAim, NextQuestion]:
    """Return the aim and its question. Raises ValueError if a call is missing."""
    aim = decision.aim
    found = next_question(ctx, results, aim) if aim else None
    if aim is None or not isinstance(found, NextQuestion):
        raise ValueError(f"not worded yet: {decision}")
    return aim, found


def _details(
    state: TechnicalAssessmentState, aim: QuestionAim, found: NextQuestion
) -> dict[str, Any]:
    return {
        "level": state.level,
        "topic": state.topic,
        "focus": aim.focus,
        "action": aim.action,
        "manner": aim.manner,
        "base": state.open.key,
        "attempts": found.attempts,
        "reasoning": state.open.reasoning,
    }


def _end(
    ctx: AssessmentContext, state: TechnicalAssessmentState, reason: str, status: SessionStatus
) -> NextMove:
    kind = "closing" if status == SessionStatus.COMPLETED else "stopped"
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.OUTRO, _goodbye(ctx, kind)),),
        reason=reason,
        status=status,
        progress=_progress(ctx, state),
    )


def _goodbye(ctx: AssessmentContext, kind: str) -> str:
    outro = named(script_of(ctx).outro, ctx.name) or say(ctx.language, "goodbye")
    return f"{say(ctx.language, kind)} {outro}"


def _progress(ctx: AssessmentContext, state: TechnicalAssessmentState) -> tuple[int, int, str]:
    total = ctx.material.options.max_turns
    if ctx.material.options.questions_by == "list":
        total = min(total, 1 + len(script_of(ctx).questions))
    return len(state.asked), total, "questions"


PROTOCOL = TechnicalAssessment()
