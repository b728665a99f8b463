import re
from typing import Literal

from interviews.choices import RULES
from interviews.engine.language.lists import in_words_of
from interviews.engine.language.wishes import plain
from interviews.engine.reading import Intent
from interviews.engine.result import CallResults
from interviews.engine.signal import word_count
from interviews.protocols.technical_assessment.analysis import NOT_JUDGED, ObserverAnalysis
from interviews.protocols.technical_assessment.context import AssessmentContext, open_wording
from interviews.protocols.technical_assessment.observer import AS_BEFORE, KEY, advice, is_answer
from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.outcome import Source

SHORT, LONG = 15, 80  # words: fewer are short, more are long
FLAGS: dict[Intent, tuple[str, ...]] = {
    "skip": ("left_out",),
    "refuse": ("left_out",),
    "off_topic": ("off_topic",),
    "manipulate": ("off_topic", "manipulation"),
    "ask_back": ("role_reversal",),
    "clarify": ("role_reversal", "clarification"),
    "stop": ("stop_intent",),
}
SHOWS_NOTHING = ("off_topic", "manipulate", "ask_back", "clarify")  # intents
Verbosity = Literal["short", "medium", "long"]


def observation(ctx: AssessmentContext, results: CallResults, is_open: bool = False) -> Observed:
    """Return the observation of this answer; `is_open` if its question is still to be answered.

    The first answer is judged but not scored: it tells of experience, which can't be checked, and
    would lift the means of those who talk at length. A hallucination in it is still flagged.
    """
    asked, outcome = ctx.state.open, results.get(KEY)
    read = outcome is not None and outcome.source is not Source.FALLBACK
    analysis: ObserverAnalysis = outcome.value if outcome is not None and read else NOT_JUDGED
    scores = analysis.scores if _is_judged(ctx, analysis) else None
    suspect = scores is not None and analysis.hallucination
    status = "not_judged" if scores is None else analysis.status
    return Observed(
        position=ctx.received.position,
        turn=ctx.turn,
        question=open_wording(ctx),
        topic=asked.topic,
        level=asked.level,
        scored=scores is not None and not (asked.opening or is_open),
        action=(advice(ctx, results) or AS_BEFORE).action,
        correctness=scores.correctness if scores else None,
        confidence=scores.confidence if scores else None,
        status="hallucination_suspect" if suspect else status,
        notes=analysis.notes,
        correct_answer=analysis.correct_answer if scores else "",
        flags=_flags(ctx) | ({"hallucination": analysis.hallucination_reason} if suspect else {}),
        verbosity=verbosity(ctx.answer, ctx.language),
        examples=uses_examples(ctx.answer, ctx.language),
        thoughts=_thoughts(analysis, asked.reasoning),
        source=str(outcome.source) if outcome else RULES,
    )


def _is_judged(ctx: AssessmentContext, analysis: ObserverAnalysis) -> bool:
    """Return whether the judgement stands: what isn't an answer may show something, but no gap."""
    if analysis.status == "gap":
        return is_answer(ctx)
    return analysis.status == "confirmed" and ctx.reading.intent not in SHOWS_NOTHING


def _flags(ctx: AssessmentContext) -> dict[str, str]:
    return dict.fromkeys(FLAGS.get(ctx.reading.intent, ()), "")


def _thoughts(analysis: ObserverAnalysis, reasoning: str) -> dict[str, str]:
    topic = f"→ {analysis.suggested_topic}" if analysis.suggested_topic else ""
    parts = (analysis.notes, analysis.hallucination_reason, topic)
    thoughts = {"observer": "\n".join(filter(None, parts)), "interviewer": reasoning}
    return {who: words for who, words in thoughts.items() if words}


def verbosity(answer: str, language: str = "en") -> Verbosity:
    words = word_count(answer, language)
    return "short" if words < SHORT else "long" if words > LONG else "medium"


def uses_examples(answer: str, language: str) -> bool:
    examples = in_words_of(language, "examples").pattern
    return re.search(rf"\b(?:{examples})\b", plain(answer)) is not None
