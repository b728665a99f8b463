"""An expert's reflection on one interview."""

import asyncio
from collections.abc import Sequence
from typing import Any

from interviews.models import Session
from llm.gateway import ask
from llm.outcome import Outcome, Source
from llm.subject import Subject
from plans.jobs import Hopeless, NotMade, NotWanted
from reflections.evidence.condensing import Readable, readable
from reflections.evidence.guarding import checked, found_as
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import MADE_BY, ExpertNamed, Finding, Section, Statement, Told
from reflections.experts.tasks import (
    FEWEST,
    MOST,
    REFLECT,
    Observations,
    reflect_input,
)
from reflections.models import Expert
from reflections.subjects import subject_of
from reflections.transcripts import transcript_of


def expert_reflection(session: Session, key: str) -> dict[str, Any]:
    """What the expert with that key observes, as `Told` is stored.

    Raises NotWanted where there is no such active expert, Hopeless where nothing was answered,
    NotMade where no model answers or nothing that it writes stands.
    """
    expert = Expert.objects.filter(key=key, active=True).first()
    if expert is None:
        raise NotWanted
    transcript = transcript_of(session)
    if not transcript.answers:
        raise Hopeless("Nothing was answered in this interview.")
    return asyncio.run(_reflected(expert, transcript, subject_of(session))).model_dump(mode="json")


async def _reflected(expert: Expert, transcript: Transcript, subject: Subject) -> Told:
    reading = await readable(transcript, subject)
    outcome = await ask(REFLECT, reflect_input(expert, transcript, reading.text), subject)
    if outcome.source is Source.FALLBACK:
        raise NotMade(f"No model wrote it: {outcome.reason}.")
    return _told(expert, transcript, reading, outcome)


def _told(
    expert: Expert, transcript: Transcript, reading: Readable, outcome: Outcome[Observations]
) -> Told:
    """What stands of it. Raises NotMade where nothing does."""
    written = outcome.value.observations
    kept, findings = checked(written, transcript, REFLECT.template, expert.instructions)
    if not kept:
        raise NotMade("Nothing that the model wrote rests on the participant’s own words.")
    return Told(
        sections=(Section(statements=kept[:MOST]),),
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=(*findings, *_counted(kept)),
        condensed=reading.condensed,
        expert=ExpertNamed(key=expert.key, name=expert.name, looks_for=expert.looks_for),
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
