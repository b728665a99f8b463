"""What is kept of each answer, for reviewers and the report."""

from interviews.protocols.technical_assessment.context import AssessmentContext
from interviews.protocols.technical_assessment.observer import (
    ObserverAnalysis,
    uses_examples,
    verbosity,
)
from interviews.protocols.technical_assessment.reading import AssessedAnswer
from interviews.protocols.technical_assessment.state import Observed

FLAGS = ("hallucination", "off_topic", "stop_intent", "role_reversal", "clarification")


def observed(ctx: AssessmentContext, heard: AssessedAnswer) -> Observed:
    """The observation of this answer.

    The first answer is judged but not scored: it tells of experience, which nobody can check here,
    and it would lift the means of those who talk at length. What it claims of things that don't
    exist is still marked.
    """
    asked, analysis = ctx.state.open, heard.analysis
    return Observed(
        position=ctx.received.position,
        turn=ctx.turn,
        question=asked.wording,
        topic=asked.topic,
        level=asked.level,
        scored=heard.what == "answer" and not asked.opening,
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
        source=heard.source,
    )


def _flags(analysis: ObserverAnalysis) -> dict[str, str]:
    raised = (flag for flag in FLAGS if getattr(analysis, flag))
    return {flag: getattr(analysis, f"{flag}_reason") for flag in raised}


def _thoughts(analysis: ObserverAnalysis, reasoning: str) -> dict[str, str]:
    reasons = [getattr(analysis, f"{flag}_reason") for flag in FLAGS]
    wish = f"→ {analysis.suggested_topic}" if analysis.suggested_topic else ""
    observer = "\n".join(part for part in (analysis.notes, *reasons, wish) if part)
    return {
        who: words for who, words in (("observer", observer), ("interviewer", reasoning)) if words
    }
