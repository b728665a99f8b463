"""What comes of an answer: pure, and settled as soon as the deciding fields are read."""

from dataclasses import dataclass
from typing import Literal

from interviews.protocols.technical_assessment.context import AssessmentContext, options_of
from interviews.protocols.technical_assessment.difficulty import QuestionAim, aim_after
from interviews.protocols.technical_assessment.reading import AssessedAnswer

Way = Literal["stop", "aside", "rephrase", "ask", "end"]


@dataclass(frozen=True)
class AssessmentDecision:
    """Which way it goes; the aim of what is asked, if anything is."""

    way: Way
    aim: QuestionAim | None = None


def course(ctx: AssessmentContext, heard: AssessedAnswer) -> AssessmentDecision:
    """A wish to stop is confirmed; questions back take no turn; else ask, or end at the limit."""
    match heard.what:
        case "stop":
            return AssessmentDecision("stop")
        case "aside":
            return AssessmentDecision("aside")
        case "clarify":
            asked = ctx.state.open
            return AssessmentDecision(
                "rephrase", QuestionAim(asked.topic, asked.level, manner="rephrase")
            )
    if ctx.state.answered + 1 >= options_of(ctx).max_turns:
        return AssessmentDecision("end")
    return AssessmentDecision("ask", aim_after(ctx, heard.analysis))
