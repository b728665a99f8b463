"""The observer's call, and what it advises for the next question, also while it still writes.

Only what answers the question, or honestly doesn't, changes how hard the interview is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from interviews.choices import RULES
from interviews.engine.language.lists import in_words_of
from interviews.engine.language.wishes import plain
from interviews.engine.reading import Intent
from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.engine.signal import word_count
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    earlier_answers,
    expected_answer,
    experience_text,
    open_wording,
    position_name,
    rubric,
    script_of,
    topic_title,
)
from interviews.protocols.technical_assessment.state import Observed
from interviews.protocols.technical_assessment.tasks import (
    MAX_NOTE,
    NOT_JUDGED,
    Action,
    ObserverAnalysis,
    ObserverInput,
)
from llm.tasks.task import Retries, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

KEY = "observer"
MAX_TOKENS = 900  # Cyrillic notes take many
PAUSES = (1.0, 2.0)  # seconds between attempts
TEMPLATE = Path(__file__).parent / "prompts/observer.md"
OPENING = "It is the first question. Its answer is about experience and is never scored."
CLOSING = (
    "It is the closing question: they may add what they like, and there is nothing to miss. Its "
    "answer is confirmed if it shows something, else not_judged, and never a gap."
)
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
        level=asked.level,
        opening=OPENING if asked.opening else CLOSING if ctx.state.last_asked else "",
        question=open_wording(ctx),
        expected=expected_answer(ctx, asked),
        rubric=[] if asked.opening or ctx.state.last_asked else rubric(ctx, asked.topic),
        earlier=earlier_answers(ctx),
        confirming=CONFIRMING if ctx.state.awaiting == "stop" else "",
        answer=ctx.answer,
    )
    return TaskCall(KEY, observer_task(options), data)


ANSWERING = ("answer", "dont_know")  # intents
DECIDING = ("action", "suggested_topic")  # what the next question depends on, besides the reading


@dataclass(frozen=True)
class Advice:
    action: Action = "same"
    suggested_topic: str = ""


AS_BEFORE = Advice()


def advice(ctx: AssessmentContext, results: CallResults) -> Advice | None:
    """Return the advice; None while the observer is needed for it."""
    if ctx.received.trigger == "skip" or not is_answer(ctx):
        return AS_BEFORE
    outcome = results.get(KEY)
    if outcome is None:
        return None
    if not outcome.by_model:
        return AS_BEFORE
    return Advice(outcome.value.action, outcome.value.suggested_topic)


def is_answer(ctx: AssessmentContext) -> bool:
    return ctx.reading.intent in ANSWERING and ctx.reading.care == "none"


def certain_advice(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> Advice | None:
    """Return what the unfinished reply is certain to come to, or None."""
    written = _finished_fields(partials.get(KEY, {}))
    return advice(ctx, results) or (_advice(written) if set(DECIDING) <= set(written) else None)


def likely_advice(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> Advice | None:
    """Return what it probably comes to, from the first letter of the action on."""
    partial = partials.get(KEY, {})
    topic = _finished_fields(partial).get("suggested_topic")
    return advice(ctx, results) or _advice({**partial, "suggested_topic": topic})


def _advice(written: Mapping[str, Any]) -> Advice | None:
    prefix = str(written.get("action") or "").strip().lower()
    action = next((one for one in get_args(Action) if prefix and one.startswith(prefix)), None)
    topic = str(written.get("suggested_topic") or "").strip()[:MAX_NOTE]
    return Advice(action, topic) if action else None


def _finished_fields(partial: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields without the last one, which may still grow."""
    return dict(list(partial.items())[:-1])


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
    would lift the means of those who talk at length. A hallucination in it is still flagged. Nor is
    what they show by the closing question, for which there is no yardstick.
    """
    asked, outcome = ctx.state.open, results.get(KEY)
    analysis: ObserverAnalysis = outcome.value if outcome and outcome.by_model else NOT_JUDGED
    scores = analysis.scores if _is_judged(ctx, analysis) else None
    suspect = scores is not None and analysis.hallucination
    status = "not_judged" if scores is None else analysis.status
    closing = ("closing",) if ctx.state.last_asked else ()
    flags = dict.fromkeys((*closing, *FLAGS.get(ctx.reading.intent, ())), "")
    return Observed(
        position=ctx.received.position,
        turn=ctx.turn,
        question=open_wording(ctx),
        topic=asked.topic,
        level=asked.level,
        scored=scores is not None and not (asked.opening or ctx.state.last_asked or is_open),
        action=(advice(ctx, results) or AS_BEFORE).action,
        correctness=scores.correctness if scores else None,
        confidence=scores.confidence if scores else None,
        status="hallucination_suspect" if suspect else status,
        notes=analysis.notes,
        correct_answer=analysis.correct_answer if scores else "",
        flags=flags | ({"hallucination": analysis.hallucination_reason} if suspect else {}),
        verbosity=verbosity(ctx.answer, ctx.language),
        examples=uses_examples(ctx.answer, ctx.language),
        thoughts=_thoughts(analysis, asked.reasoning),
        source=str(outcome.source) if outcome else RULES,
    )


def _is_judged(ctx: AssessmentContext, analysis: ObserverAnalysis) -> bool:
    """Return whether the judgement stands.

    What isn't an answer, or answers the closing question, may show something, but no gap.
    """
    if analysis.status == "gap":
        return is_answer(ctx) and not ctx.state.last_asked
    return analysis.status == "confirmed" and ctx.reading.intent not in SHOWS_NOTHING


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
