"""Make reports on technical assessments, and candidates' summaries."""

import asyncio
from typing import Any

from interviews.choices import SessionStatus, SpeakerRole
from interviews.models import Session, Turn
from interviews.protocols.technical_assessment.context import EXPERIENCE
from interviews.protocols.technical_assessment.observations import observed_in
from interviews.turns.store import plan_content
from llm.gateway import ask
from llm.tasks.task import Utterance
from reflections.evidence.material import DISTRESS, call_context_for, transcript_of
from reflections.protocols.technical_assessment.report.computed import own_summary
from reflections.protocols.technical_assessment.report.evidence import AssessmentRecord
from reflections.protocols.technical_assessment.report.llm_tasks import (
    LAST_TURNS,
    report_call,
    stored_report,
    unjudged_report,
)
from reflections.protocols.technical_assessment.report.unjudged import mostly_unjudged

OWN_SUMMARY = "own_summary"


def report(session: Session) -> dict[str, Any]:
    record = record_of(session)
    if mostly_unjudged(record.observed):
        return unjudged_report(record).model_dump(mode="json")
    task, data = report_call(record)
    outcome = asyncio.run(ask(task, data, call_context_for(session)))
    return stored_report(record, outcome).model_dump(mode="json")


def summary_for_candidate(session: Session) -> dict[str, Any]:
    record = record_of(session)
    return own_summary(record.observed, record.titles).model_dump(mode="json")


def record_of(session: Session) -> AssessmentRecord:
    lines = transcript_of(session).lines
    answers = [line for line in lines if line.role == SpeakerRole.PARTICIPANT]
    told = (line.text for line in answers if line.question == EXPERIENCE)
    return AssessmentRecord(
        material=plan_content(session.plan_id).material,
        language=session.language,
        observed=observed_in(session),
        dialogue=_last_turns(session),
        answers={line.position: line for line in answers},
        said=dict(
            session.entries.filter(role=SpeakerRole.PARTICIPANT)
            .exclude(DISTRESS)
            .values_list("position", "text")
        ),
        experience="\n".join(filter(None, (session.start_answers.get(EXPERIENCE, ""), *told))),
        stopped=session.status == SessionStatus.STOPPED,
    )


def _last_turns(session: Session) -> tuple[Utterance, ...]:
    done = Turn.objects.filter(session=session, status=Turn.Status.DONE).order_by("-number")
    last = list(done.values_list("pk", flat=True)[:LAST_TURNS])
    said = session.entries.filter(turn__in=last).exclude(DISTRESS).exclude(text="")
    return tuple(Utterance(role=one.role, text=one.text) for one in said.order_by("position"))
