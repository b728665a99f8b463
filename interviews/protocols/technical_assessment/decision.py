from dataclasses import dataclass
from typing import Literal

from interviews.protocols.technical_assessment.context import AssessmentContext
from interviews.protocols.technical_assessment.difficulty import QuestionAim, next_aim
from interviews.protocols.technical_assessment.reading import AssessedAnswer

Step = Literal["stop", "aside", "rephrase", "ask", "end"]


@dataclass(frozen=True)
class AssessmentDecision:
    step: Step
    aim: QuestionAim | None = None  # of the question to ask, if any


def decide(ctx: AssessmentContext, assessed: AssessedAnswer) -> AssessmentDecision:
    match assessed.kind:
        case "stop":
            return AssessmentDecision("stop")
        case "aside":
            return AssessmentDecision("aside")
        case "clarify":
            aim = QuestionAim(ctx.state.open.topic, ctx.state.open.level, manner="rephrase")
            return AssessmentDecision("rephrase", aim)
    if ctx.state.answered + 1 >= ctx.material.options.max_turns:
        return AssessmentDecision("end")
    return AssessmentDecision("ask", next_aim(ctx, assessed.analysis))
