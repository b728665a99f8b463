from pathlib import Path

from interviews.engine.result import TaskCall
from interviews.protocols.technical_assessment.analysis import (
    NOT_JUDGED,
    ObserverAnalysis,
    ObserverInput,
)
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    expected_answer,
    experience_text,
    open_wording,
    position_name,
    script_of,
    topic_title,
)
from llm.tasks.task import Retries, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

KEY = "observer"
MAX_TOKENS = 900  # Cyrillic notes take many
PAUSES = (1.0, 2.0)  # seconds between attempts
TEMPLATE = Path(__file__).parent / "prompts/observer.md"
CONFIRMING = "They have just been asked whether to end the interview."


def observer_task(options: TechnicalAssessmentOptions) -> Task[ObserverInput, ObserverAnalysis]:
    return Task(
        name="technical_assessment.observer",
        tier=Tier.MAIN,
        template=TEMPLATE,
        input=ObserverInput,
        output=ObserverAnalysis,
        fallback=lambda data: NOT_JUDGED,
        timeout=options.observer_seconds,
        max_tokens=MAX_TOKENS,
        temperature=0.2,
        retries=Retries(PAUSES, options.observer_seconds, options.cooldown_seconds),
    )


OBSERVER = observer_task(TechnicalAssessmentOptions())


def observer_call(ctx: AssessmentContext) -> TaskCall:
    options, asked = ctx.material.options, ctx.state.open
    data = ObserverInput(
        language=ctx.language,
        position=position_name(ctx.plan),
        grade=options.grade,
        experience=experience_text(ctx),
        topic=topic_title(ctx, asked.topic),
        topics=[topic.title for topic in script_of(ctx).topics],
        closed=list(ctx.state.closed),
        question=open_wording(ctx),
        expected=expected_answer(ctx, asked),
        confirming=CONFIRMING if ctx.state.awaiting == "stop" else "",
        answer=ctx.answer,
    )
    return TaskCall(KEY, observer_task(options), data)
