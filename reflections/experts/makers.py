import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from interviews.models import Session
from llm.tasks.call_context import CallContext
from plans.jobs import Cancelled, JobFailed, PermanentFailure
from reflections.evidence.background_task import ask_or_fail
from reflections.evidence.checks import check_statements
from reflections.evidence.condensation import readable_transcript
from reflections.evidence.material import call_context_for, transcript_of
from reflections.evidence.support import SUPPORT, check_sections
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import (
    MADE_BY,
    ExpertSnapshot,
    Finding,
    Section,
    Statement,
    StatementsContent,
    finding,
)
from reflections.experts.llm_tasks import FEWEST, MOST, REFLECT, reflect_input
from reflections.models import EXPERT, Expert
from reflections.products import Product


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
    data = reflect_input(expert, transcript, reading.text)
    outcome = await ask_or_fail(REFLECT, data, context, "wrote it")
    verified, findings = check_statements(
        outcome.value.observations, transcript, REFLECT.template, expert.instructions
    )
    observed = Section(statements=verified[:MOST])
    sections, unsupported = await check_sections([observed], transcript, context)
    if not sections:
        raise JobFailed("Nothing that the model wrote rests on the participant’s own words.")
    counted = _count_findings(verified, sections[0].statements, transcript)
    return StatementsContent(
        sections=sections,
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=(*findings, *unsupported, *counted),
        condensed=reading.condensed,
        expert=ExpertSnapshot(key=expert.key, name=expert.name, looks_for=expert.looks_for),
    )


def _count_findings(
    verified: Sequence[Statement], kept: Sequence[Statement], transcript: Transcript
) -> Iterator[Finding]:
    if more := verified[MOST:]:
        said = f"The model wrote {len(verified)} observations; the last {len(more)} were left out."
        before = "\n".join(one.text for one in more)
        yield finding("too_many", said, before=before)
    if len(kept) < FEWEST:
        said = f"Observations that stand: {len(kept)}. An interview usually gives {FEWEST} or more."
        yield finding("few", said, "plain")
    if parts := _parts_without(kept, transcript):
        said = f"No observation rests on these parts of the interview: {', '.join(parts)}."
        yield finding("uncovered", said, "plain")


def _parts_without(kept: Sequence[Statement], transcript: Transcript) -> list[str]:
    """Return the titles of the interview's parts that were answered and that nobody quotes."""
    quoted = {quote.position for one in kept for quote in one.quotes}
    answers = [line for line in transcript.lines if line.position in transcript.answers]
    covered = {line.section for line in answers if line.position in quoted}
    return list(dict.fromkeys(x.section for x in answers if x.section and x.section not in covered))


EXPERT_REFLECTION = Product(
    EXPERT, expert_reflection, tasks=(REFLECT, SUPPORT), has_statements=True
)
