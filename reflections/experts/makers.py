import asyncio
from collections.abc import Sequence
from typing import Any

from interviews.models import Session
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from plans.jobs import Cancelled, JobFailed, PermanentFailure
from reflections.evidence.call_context import call_context_for
from reflections.evidence.checks import check_statements
from reflections.evidence.condensation import ReadableTranscript, readable_transcript
from reflections.evidence.material import transcript_of
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import (
    MADE_BY,
    ExpertSnapshot,
    Finding,
    Section,
    Statement,
    StatementsContent,
)
from reflections.experts.llm_tasks import FEWEST, MOST, REFLECT, Observations, reflect_input
from reflections.models import Expert


def expert_reflection(session: Session, key: str) -> dict[str, Any]:
    """Return the reflection of the expert with that key, as `StatementsContent` is stored.

    Raises Cancelled if there is no such active expert, PermanentFailure if nothing was answered,
    JobFailed if no model answers or nothing that it writes stands.
    """
    expert = Expert.objects.filter(key=key, active=True).first()
    if expert is None:
        raise Cancelled
    transcript = transcript_of(session)
    if not transcript.answers:
        raise PermanentFailure("Nothing was answered in this interview.")
    content = asyncio.run(_reflect(expert, transcript, call_context_for(session)))
    return content.model_dump(mode="json")


async def _reflect(
    expert: Expert, transcript: Transcript, context: CallContext
) -> StatementsContent:
    reading = await readable_transcript(transcript, context)
    outcome = await ask(REFLECT, reflect_input(expert, transcript, reading.text), context)
    if outcome.source is Source.FALLBACK:
        raise JobFailed(f"No model wrote it: {outcome.reason}.")
    return _content(expert, transcript, reading, outcome)


def _content(
    expert: Expert,
    transcript: Transcript,
    reading: ReadableTranscript,
    outcome: Outcome[Observations],
) -> StatementsContent:
    observations = outcome.value.observations
    kept, findings = check_statements(
        observations, transcript, REFLECT.template, expert.instructions
    )
    if not kept:
        raise JobFailed("Nothing that the model wrote rests on the participant’s own words.")
    return StatementsContent(
        sections=(Section(statements=kept[:MOST]),),
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=(*findings, *_count_findings(kept)),
        condensed=reading.condensed,
        expert=ExpertSnapshot(key=expert.key, name=expert.name, looks_for=expert.looks_for),
    )


def _count_findings(kept: Sequence[Statement]) -> tuple[Finding, ...]:
    if len(kept) > MOST:
        more = len(kept) - MOST
        said = f"The model wrote {len(kept)} observations; the last {more} were left out."
        before = "\n".join(one.text for one in kept[MOST:])
        return (Finding(check="too_many", weight="notable", text=said, before=before),)
    if len(kept) < FEWEST:
        said = f"Observations that stand: {len(kept)}. An interview usually gives {FEWEST} or more."
        return (Finding(check="few", weight="plain", text=said),)
    return ()
