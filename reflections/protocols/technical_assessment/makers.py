"""Reports on technical assessments, and what candidates get: from rows to pure functions."""

import asyncio
from typing import Any

from interviews.choices import SessionStatus
from interviews.models import Session, Turn
from interviews.protocols.technical_assessment.context import EXPERIENCE
from interviews.protocols.technical_assessment.observations import observed_in
from interviews.turns.store import plan_content
from llm.gateway import ask
from llm.tasks.outcome import Outcome
from llm.tasks.task import Utterance
from reflections.evidence.call_context import call_context_for
from reflections.protocols.technical_assessment.report import (
    AssessmentRecord,
    FinalReport,
    own_summary,
    report_call,
    reported,
)
from reflections.protocols.technical_assessment.report.llm_tasks import LAST_TURNS

OWN_SUMMARY = "own_summary"


def report(session: Session) -> dict[str, Any]:
    """The report, by a model if one answers in time, else computed from the observations."""
    held = held_of(session)
    return reported(held, asyncio.run(_asked(held, session))).model_dump(mode="json")


def summary_for_candidate(session: Session) -> dict[str, Any]:
    """What the candidate may see."""
    held = held_of(session)
    return own_summary(held.observed, held.titles).model_dump(mode="json")


def held_of(session: Session) -> AssessmentRecord:
    """The interview as the report needs it."""
    return AssessmentRecord(
        material=plan_content(session.plan_id).material,
        language=session.language,
        observed=observed_in(session),
        dialogue=_last_turns(session),
        experience=session.start_answers.get(EXPERIENCE, ""),
        stopped=session.status == SessionStatus.STOPPED,
    )


async def _asked(held: AssessmentRecord, session: Session) -> Outcome[FinalReport]:
    task, data = report_call(held)
    return await ask(task, data, call_context_for(session))


def _last_turns(session: Session) -> tuple[Utterance, ...]:
    done = Turn.objects.filter(session=session, status=Turn.Status.DONE).order_by("-number")
    last = list(done.values_list("pk", flat=True)[:LAST_TURNS])
    said = session.entries.filter(turn__in=last).exclude(text="").order_by("position")
    return tuple(Utterance(role=entry.role, text=entry.text) for entry in said)
