"""The summary and the facts of one interview, from rows to what is stored."""

import asyncio
from typing import Any

from interviews.models import Session
from interviews.protocols import PROTOCOLS
from llm.routes import NO_MODEL, has_model
from llm.task import Task
from plans.jobs import NotMade
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Told
from reflections.narrating.asking import FACTS, RETELL, InterviewIn, Written
from reflections.narrating.kept import has_facts, kept_facts
from reflections.narrating.writing import at_most, written
from reflections.subjects import subject_of
from reflections.summaries import plain_summary
from reflections.topics import topics_of
from reflections.transcripts import transcript_of

NOTHING_SAID = "Nothing was said."
NO_FACTS = "No facts were found in what was said."
UNFOUNDED = "Nothing that the model wrote rests on what was said."


class Summary(Told):
    """An interview retold, and beside it the plain questions and answers."""

    items: tuple[dict[str, Any], ...] = ()  # question, asked, answers: [text, position]


def summary(session: Session) -> dict[str, Any]:
    """See `Summary`. Without a model that retells it, the plain answers with the reason.

    Raises NotMade where one failed: it is tried again, and plain answers are stored at the last.
    """
    try:
        told = _retold(session) if _narrated(session) else Told(language=session.language)
    except NotMade as why:
        plain = Told(language=session.language, reason=str(why))
        raise type(why)(str(why), instead={"content": _with_answers(session, plain)}) from why
    return _with_answers(session, told)


def _with_answers(session: Session, told: Told) -> dict[str, Any]:
    items = tuple(plain_summary(session)["items"])
    return Summary(**dict(told), items=items).model_dump(mode="json")


def facts(session: Session) -> dict[str, Any]:
    """See `Told`: what the participant said, topic by topic.

    Facts that were drawn while the interview went on stand as they are; else a model finds them,
    and where none is configured, what else the interview kept. Raises NotMade where one failed.
    """
    transcript = transcript_of(session)
    if has_facts(session) or not has_model():
        told = _kept(session, transcript)
    elif not transcript.answers:
        told = Told(language=session.language, reason=NOTHING_SAID)
    else:
        told = _found(session, transcript)
    return told.model_dump(mode="json")


def _narrated(session: Session) -> bool:
    return PROTOCOLS[session.plan.protocol].narrated


def _retold(session: Session) -> Told:
    transcript = transcript_of(session)
    if not has_model():
        return Told(language=session.language, reason=NO_MODEL)
    if not transcript.answers:
        return Told(language=session.language, reason=NOTHING_SAID)
    told = _by_a_model(RETELL, session, transcript)
    unfounded = {"made_by": "rules", "reason": UNFOUNDED}
    return told if told.sections else told.model_copy(update=unfounded)


def _found(session: Session, transcript: Transcript) -> Told:
    told = _by_a_model(FACTS, session, transcript)
    if told.sections:
        return told
    if told.findings:
        raise NotMade(UNFOUNDED)
    return told.model_copy(update={"reason": NO_FACTS})


def _kept(session: Session, transcript: Transcript) -> Told:
    sections, left_out = at_most(kept_facts(session, transcript, topics_of(session, transcript)))
    reason = "" if has_facts(session) else NO_MODEL
    return Told(sections=sections, language=session.language, reason=reason, findings=left_out)


def _by_a_model(task: Task[InterviewIn, Written], session: Session, transcript: Transcript) -> Told:
    """What the model wrote, checked. Raises NotMade where none answered."""
    titles = [topic.label for topic in topics_of(session, transcript)]
    return asyncio.run(written(task, transcript, titles, subject_of(session)))
