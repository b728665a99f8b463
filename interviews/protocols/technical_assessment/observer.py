from pathlib import Path

from interviews.protocols.technical_assessment.analysis import ObserverAnalysis, ObserverInput
from interviews.protocols.technical_assessment.heuristics import judge
from llm.tasks.task import Retries, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

MAX_TOKENS = 900  # Cyrillic notes take many
PAUSES = (1.0, 2.0)  # seconds between attempts
TEMPLATE = Path(__file__).parent / "prompts/observer.md"


def observer_task(options: TechnicalAssessmentOptions) -> Task[ObserverInput, ObserverAnalysis]:
    return Task(
        name="technical_assessment.observer",
        tier=Tier.MAIN,
        template=TEMPLATE,
        input=ObserverInput,
        output=ObserverAnalysis,
        fallback=judge,
        timeout=options.observer_seconds,
        max_tokens=MAX_TOKENS,
        temperature=0.2,
        retries=Retries(PAUSES, options.observer_seconds, options.cooldown_seconds),
    )


OBSERVER = observer_task(TechnicalAssessmentOptions())
