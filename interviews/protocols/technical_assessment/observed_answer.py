from interviews.protocols.technical_assessment.analysis import ObserverAnalysis
from interviews.protocols.technical_assessment.context import AssessmentContext
from interviews.protocols.technical_assessment.heuristics import uses_examples, verbosity
from interviews.protocols.technical_assessment.reading import AssessedAnswer
from interviews.protocols.technical_assessment.state import Observed

FLAGS = ("hallucination", "off_topic", "stop_intent", "role_reversal", "clarification")


def observation(ctx: AssessmentContext, assessed: AssessedAnswer) -> Observed:
    """Return the observation of this answer.

    The first answer is judged but not scored: it tells of experience, which can't be checked, and
    would lift the means of those who talk at length. A hallucination in it is still flagged.
    """
    asked, analysis = ctx.state.open, assessed.analysis
    return Observed(
        position=ctx.received.position,
        turn=ctx.turn,
        question=asked.wording,
        topic=asked.topic,
        level=asked.level,
        scored=assessed.kind == "answer" and not asked.opening,
        action=analysis.action,
        correctness=analysis.scores.correctness,
        confidence=analysis.scores.confidence,
        status="hallucination_suspect" if analysis.hallucination else analysis.status,
        notes=analysis.notes,
        correct_answer=analysis.correct_answer,
        flags=_flags(analysis),
        verbosity=verbosity(ctx.answer, ctx.language),
        examples=uses_examples(ctx.answer, ctx.language),
        thoughts=_thoughts(analysis, asked.reasoning),
        source=assessed.source,
    )


def _flags(analysis: ObserverAnalysis) -> dict[str, str]:
    raised = (flag for flag in FLAGS if getattr(analysis, flag))
    return {flag: getattr(analysis, f"{flag}_reason") for flag in raised}


def _thoughts(analysis: ObserverAnalysis, reasoning: str) -> dict[str, str]:
    reasons = [getattr(analysis, f"{flag}_reason") for flag in FLAGS]
    topic = f"→ {analysis.suggested_topic}" if analysis.suggested_topic else ""
    observer = "\n".join(part for part in (analysis.notes, *reasons, topic) if part)
    thoughts = {"observer": observer, "interviewer": reasoning}
    return {who: words for who, words in thoughts.items() if words}
