"""An expert's reflection on one interview."""

import asyncio
from collections.abc import Sequence
from typing import Any

from interviews.models import Session
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from plans.jobs import Cancelled, JobFailed, PermanentFailure
from reflections.evidence.call_context import subject_of
from reflections.evidence.checks import checked, found_as
from reflections.evidence.condensation import ReadableTranscript, readable
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
    """What the expert with that key observes, as `StatementsContent` is stored.

    Raises Cancelled where there is no such active expert, PermanentFailure where nothing was
    answered, JobFailed where no model answers or nothing that it writes stands.
    """
    expert = Expert.objects.filter(key=key, active=True).first()
    if expert is None:
        raise Cancelled
    transcript = transcript_of(session)
    if not transcript.answers:
        raise PermanentFailure("Nothing was answered in this interview.")
    return asyncio.run(_reflected(expert, transcript, subject_of(session))).model_dump(mode="json")


async def _reflected(
    expert: Expert, transcript: Transcript, subject: CallContext
) -> StatementsContent:
    reading = await readable(transcript, subject)
    outcome = await ask(REFLECT, reflect_input(expert, transcript, reading.text), subject)
    if outcome.source is Source.FALLBACK:
        raise JobFailed(f"No model wrote it: {outcome.reason}.")
    return _told(expert, transcript, reading, outcome)


def _told(
    expert: Expert,
    transcript: Transcript,
    reading: ReadableTranscript,
    outcome: Outcome[Observations],
) -> StatementsContent:
    """What stands of it. Raises JobFailed where nothing does."""
    written = outcome.value.observations
    kept, findings = checked(written, transcript, REFLECT.template, expert.instructions)
    if not kept:
        raise JobFailed("Nothing that the model wrote rests on the participant’s own words.")
    return StatementsContent(
        sections=(Section(statements=kept[:MOST]),),
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=(*findings, *_counted(kept)),
        condensed=reading.condensed,
        expert=ExpertSnapshot(key=expert.key, name=expert.name, looks_for=expert.looks_for),
    )


def _counted(kept: Sequence[Statement]) -> tuple[Finding, ...]:
    """A word about too few or too many."""
    if len(kept) > MOST:
        more = len(kept) - MOST
        said = f"The model wrote {len(kept)} observations; the last {more} were left out."
        before = "\n".join(one.text for one in kept[MOST:])
        return (found_as("too_many", "notable", said, before),)
    if len(kept) < FEWEST:
        said = f"Observations that stand: {len(kept)}. An interview usually gives {FEWEST} or more."
        return (found_as("few", "plain", said),)
    return ()
