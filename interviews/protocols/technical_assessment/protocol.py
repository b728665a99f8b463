"""Technical assessment: an observer judges each answer, an interviewer asks on its advice.

The order of a turn, as this file reads:

1. the opening is a template: it asks about experience
2. each answer is understood, by rules or by the observer (hearing.py)
3. that decides the way (deciding.py, steering.py): a wish to stop is confirmed, a question back
   answered, the open question put in other words, the next one asked, or the end
4. the interviewer words the next question, and guards look at it (wording.py, guards.py); it is
   asked for as soon as the observer's half-written reply says how hard it is to be
5. what was judged is kept (observing.py), for reviewers and the report; candidates see questions
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
    options_of,
    position_in,
    put,
    say,
    script_in,
    script_of,
)
from interviews.protocols.technical_assessment.decision import AssessmentDecision, course
from interviews.protocols.technical_assessment.difficulty import START, QuestionAim
from interviews.protocols.technical_assessment.next_question import (
    WordedNextQuestion,
    certain,
    worded,
)
from interviews.protocols.technical_assessment.observed_answer import observed
from interviews.protocols.technical_assessment.reading import (
    AssessedAnswer,
    foreseen,
    guessed,
    hear,
)
from interviews.protocols.technical_assessment.state import (
    AskedQuestion,
    TechnicalAssessmentState,
)
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import TechnicalAssessmentMaterial


class TechnicalAssessment(InterviewProtocol[TechnicalAssessmentState, TechnicalAssessmentMaterial]):
    """The protocol of the module's docstring."""

    name = "technical_assessment"
    state = TechnicalAssessmentState

    def begin(self, plan: PlanContent[Any], language: str) -> TechnicalAssessmentState:
        """Before the first question: the first topic, at the level of the claimed grade."""
        options = plan.material.options
        topics = [topic.key for topic in script_in(plan.material, language).topics]
        topic = options.default_topic if options.default_topic in topics else topics[0]
        level = START[options.grade]
        text = _opening(plan, language, "")
        opening = AskedQuestion(text=text, topic=topic, level=level, opening=True)
        return TechnicalAssessmentState(asked=(opening,), level=level, topic=topic)

    def asks_at_start(self, plan: PlanContent[Any], language: str) -> tuple[StartField, ...]:
        """The experience with the position, if the bot wants to know."""
        if not plan.material.options.ask_experience:
            return ()
        label = say(language, "experience", position=position_in(plan))
        return (StartField(EXPERIENCE, label, long=True),)

    def intro(self, ctx: AssessmentContext) -> Utterance:
        """The script's, else words of our own."""
        own = say(ctx.language, "intro", name=addressed(ctx.name, ctx.language))
        return Utterance(EntryKind.INTRO, named(script_of(ctx).intro, ctx.name) or own)

    def step(self, ctx: AssessmentContext, results: CallResults) -> NeedsCalls | NextMove:
        """See the module's docstring."""
        if ctx.received.trigger == "opening":
            return _open(ctx)
        heard = hear(ctx, results)
        if isinstance(heard, TaskCall):
            return NeedsCalls((heard,))
        return _go(ctx, results, heard, course(ctx, heard))

    def prefetch(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """The interviewer, while the observer still writes what the question doesn't need."""
        heard = guessed(ctx, results, partials)
        if heard is None:
            return ()
        inquiry = _inquiry(ctx, results, course(ctx, heard))
        return (inquiry,) if inquiry else ()

    def preview(
        self, ctx: AssessmentContext, results: CallResults, partials: PartialResults
    ) -> str:
        """What is certain to be said, out of half-written replies."""
        if ctx.received.trigger == "opening":
            return ""
        heard = foreseen(ctx, results, partials)
        if heard is None:
            return ""
        way = course(ctx, heard)
        if way.way == "end":
            return _goodbye(ctx, "closing")
        return certain(ctx, results, partials, way.aim) if way.aim else ""

    def exit(self, ctx: AssessmentContext, results: CallResults) -> NextMove:
        return _end(ctx, ctx.state, "stopped_by_participant", SessionStatus.STOPPED)

    def repeat_question(self, ctx: AssessmentContext) -> Utterance:
        """The open question as it was put last."""
        return put(ctx.state.open, len(ctx.state.asked))


# -- 1. the opening


def _open(ctx: AssessmentContext) -> NextMove:
    return TurnResult(
        state=ctx.state,
        utterances=(put(ctx.state.open, 1, _opening(ctx.plan, ctx.language, ctx.name)),),
        reason="opening",
        progress=_progress(ctx, ctx.state),
    )


def _opening(plan: PlanContent[Any], language: str, name: str) -> str:
    return say(language, "opening", name=addressed(name, language), position=position_in(plan))


# -- 2. and 3. which way it goes


def _go(
    ctx: AssessmentContext, results: CallResults, heard: AssessedAnswer, way: AssessmentDecision
) -> NeedsCalls | NextMove:
    inquiry = _inquiry(ctx, results, way)
    if inquiry is not None:
        return NeedsCalls((inquiry,))
    state = ctx.state.model_copy(
        update={"observations": (*ctx.state.observations, observed(ctx, heard))}
    )
    match way.way:
        case "stop":
            return _stop(ctx, state)
        case "aside":
            return asides.reply(ctx, results, state)
        case "rephrase":
            return _rephrase(ctx, results, state, way)
        case "end":
            return _end(ctx, _answered(state), "turn_limit", SessionStatus.COMPLETED)
    return _ask(ctx, results, _answered(state), way)


def _inquiry(
    ctx: AssessmentContext, results: CallResults, way: AssessmentDecision
) -> TaskCall | None:
    """What the interviewer must still be asked for that way."""
    if way.way == "aside":
        return None if counter_questions.KEY in results else asides.inquiry(ctx)
    if way.aim is None:
        return None
    found = worded(ctx, results, way.aim)
    return found if isinstance(found, TaskCall) else None


def _stop(ctx: AssessmentContext, state: TechnicalAssessmentState) -> NextMove:
    """As for clear words: confirmed once, and only once a question."""
    asking = replace(ctx, state=state.model_copy(update={"stop_offered": True}))
    return confirm_stop(asking)


def _answered(state: TechnicalAssessmentState) -> TechnicalAssessmentState:
    """One turn used; what was counted on its question begins anew."""
    changes = {"answered": state.answered + 1, "asides": 0, "stop_offered": False}
    return state.model_copy(update=changes)


# -- 4. what is said


def _ask(
    ctx: AssessmentContext,
    results: CallResults,
    state: TechnicalAssessmentState,
    way: AssessmentDecision,
) -> NextMove:
    """The next question; the end where none is left."""
    aim, found = _worded(ctx, results, way)
    if found.asked is None:
        ended = _end(ctx, state, "no_question_left", SessionStatus.COMPLETED)
        return replace(ended, firings=found.firings)
    changes = {
        "asked": (*state.asked, found.asked),
        "topic": found.asked.topic,
        "level": aim.level,
    }
    moved = state.model_copy(update=changes)
    return TurnResult(
        state=moved,
        utterances=(put(found.asked, len(moved.asked), found.text),),
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
    way: AssessmentDecision,
) -> NextMove:
    """The open question in other words; no turn is used."""
    aim, found = _worded(ctx, results, way)
    asked = found.asked or state.open
    changes = {"asked": (*state.asked[:-1], asked), "asides": state.asides + 1}
    moved = state.model_copy(update=changes)
    return TurnResult(
        state=moved,
        utterances=(put(asked, len(moved.asked), found.text),),
        reason="clarification",
        spoken_by=found.used,
        firings=found.firings,
        details=_details(moved, aim, found),
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )


def _worded(
    ctx: AssessmentContext, results: CallResults, way: AssessmentDecision
) -> tuple[QuestionAim, WordedNextQuestion]:
    """The aim and its words; both are there once nothing more is inquired."""
    aim = way.aim
    found = worded(ctx, results, aim) if aim else None
    if aim is None or not isinstance(found, WordedNextQuestion):
        raise ValueError(f"not worded yet: {way}")
    return aim, found


def _details(
    state: TechnicalAssessmentState, aim: QuestionAim, found: WordedNextQuestion
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


# -- 5. the end


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
    options, listed = options_of(ctx), 1 + len(script_of(ctx).questions)
    most = options.max_turns
    total = min(most, listed) if options.questions_by == "list" else most
    return len(state.asked), total, "questions"


PROTOCOL = TechnicalAssessment()
