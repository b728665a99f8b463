"""Make reports on technical assessments, and candidates' summaries."""

import asyncio
from typing import Any

from interviews.choices import SessionStatus
from interviews.models import Session, Turn
from interviews.protocols.technical_assessment.context import EXPERIENCE
from interviews.protocols.technical_assessment.observations import observed_in
from interviews.turns.store import plan_content
from llm.gateway import ask
from llm.tasks.task import Utterance
from reflections.evidence.call_context import call_context_for
from reflections.protocols.technical_assessment.report.candidate_summary import own_summary
from reflections.protocols.technical_assessment.report.llm_tasks import (
    LAST_TURNS,
    AssessmentRecord,
    report_call,
    stored_report,
)

OWN_SUMMARY = "own_summary"


def report(session: Session) -> dict[str, Any]:
    record = record_of(session)
    task, data = report_call(record)
    outcome = asyncio.run(ask(task, data, call_context_for(session)))
    return stored_report(record, outcome).model_dump(mode="json")


def summary_for_candidate(session: Session) -> dict[str, Any]:
    record = record_of(session)
    return own_summary(record.observed, record.titles).model_dump(mode="json")


def record_of(session: Session) -> AssessmentRecord:
    return AssessmentRecord(
        material=plan_content(session.plan_id).material,
        language=session.language,
        observed=observed_in(session),
        dialogue=_last_turns(session),
        experience=session.start_answers.get(EXPERIENCE, ""),
        stopped=session.status == SessionStatus.STOPPED,
    )


def _last_turns(session: Session) -> tuple[Utterance, ...]:
    done = Turn.objects.filter(session=session, status=Turn.Status.DONE).order_by("-number")
    last = list(done.values_list("pk", flat=True)[:LAST_TURNS])
    entries = session.entries.filter(turn__in=last).exclude(text="").order_by("position")
    return tuple(Utterance(role=entry.role, text=entry.text) for entry in entries)
