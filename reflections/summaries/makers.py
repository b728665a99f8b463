"""The summary and the facts of one interview, from rows to what is stored."""

import asyncio
from typing import Any

from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.task import Task
from plans.jobs import JobFailed
from reflections.evidence.call_context import subject_of
from reflections.evidence.material import transcript_of
from reflections.evidence.topics import topics_of
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import StatementsContent
from reflections.products import results_of
from reflections.summaries.kept_facts import has_facts, kept_facts
from reflections.summaries.llm_tasks import FACTS, RETELL, InterviewIn, Written
from reflections.summaries.narrative import at_most, written
from reflections.summaries.plain import plain_summary

NOTHING_SAID = "Nothing was said."
NO_FACTS = "No facts were found in what was said."
UNFOUNDED = "Nothing that the model wrote rests on what was said."


class InterviewSummary(StatementsContent):
    """An interview retold, and beside it the plain questions and answers."""

    items: tuple[dict[str, Any], ...] = ()  # question, asked, answers: [text, position]


def summary(session: Session) -> dict[str, Any]:
    """See `InterviewSummary`. Without a model that retells it, the plain answers with the reason.

    Raises JobFailed where one failed: it is tried again, and plain answers are stored at the last.
    """
    try:
        told = (
            _retold(session)
            if _retold_by_a_model(session)
            else StatementsContent(language=session.language)
        )
    except JobFailed as why:
        plain = StatementsContent(language=session.language, reason=str(why))
        raise type(why)(str(why), instead={"content": _with_answers(session, plain)}) from why
    return _with_answers(session, told)


def _with_answers(session: Session, told: StatementsContent) -> dict[str, Any]:
    items = tuple(plain_summary(session)["items"])
    return InterviewSummary(**dict(told), items=items).model_dump(mode="json")


def facts(session: Session) -> dict[str, Any]:
    """See `StatementsContent`: what the participant said, topic by topic.

    Facts that were drawn while the interview went on stand as they are; else a model finds them,
    and where none is configured, what else the interview kept. Raises JobFailed where one failed.
    """
    transcript = transcript_of(session)
    if has_facts(session) or not has_model():
        told = _kept(session, transcript)
    elif not transcript.answers:
        told = StatementsContent(language=session.language, reason=NOTHING_SAID)
    else:
        told = _found(session, transcript)
    return told.model_dump(mode="json")


def _retold_by_a_model(session: Session) -> bool:
    return "summary" not in results_of(session).by_rules


def _retold(session: Session) -> StatementsContent:
    transcript = transcript_of(session)
    if not has_model():
        return StatementsContent(language=session.language, reason=NO_MODEL)
    if not transcript.answers:
        return StatementsContent(language=session.language, reason=NOTHING_SAID)
    told = _by_a_model(RETELL, session, transcript)
    unfounded = {"made_by": "rules", "reason": UNFOUNDED}
    return told if told.sections else told.model_copy(update=unfounded)


def _found(session: Session, transcript: Transcript) -> StatementsContent:
    told = _by_a_model(FACTS, session, transcript)
    if told.sections:
        return told
    if told.findings:
        raise JobFailed(UNFOUNDED)
    return told.model_copy(update={"reason": NO_FACTS})


def _kept(session: Session, transcript: Transcript) -> StatementsContent:
    sections, left_out = at_most(kept_facts(session, transcript, topics_of(session, transcript)))
    reason = "" if has_facts(session) else NO_MODEL
    return StatementsContent(
        sections=sections, language=session.language, reason=reason, findings=left_out
    )


def _by_a_model(
    task: Task[InterviewIn, Written], session: Session, transcript: Transcript
) -> StatementsContent:
    """What the model wrote, checked. Raises JobFailed where none answered."""
    titles = [topic.label for topic in topics_of(session, transcript)]
    return asyncio.run(written(task, transcript, titles, subject_of(session)))
