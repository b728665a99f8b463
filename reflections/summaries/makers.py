"""Make the summary and the facts of an interview; the products of every interview."""

import asyncio
from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.task import Task
from plans.jobs import JobFailed
from reflections.evidence.material import ASIDE, call_context_for, material, transcript_of
from reflections.evidence.support import SUPPORT
from reflections.evidence.topics import topics_of
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import StatementsContent
from reflections.products import KeptFact, Product, ProductView, results_of
from reflections.summaries.coverage import coverage
from reflections.summaries.kept_facts import by_topic, drawn_facts, noted_facts
from reflections.summaries.llm_tasks import FACTS, RETELL, InterviewIn, Written
from reflections.summaries.narrative import limit_statements, write_statements

NOTHING_SAID = "Nothing was said."
NO_FACTS = "No facts were found in what was said."
UNFOUNDED = "Nothing that the model wrote rests on what was said."


def summary(session: Session) -> dict[str, Any]:
    """Return statements and the plain answers; without a model only these, with the reason.

    Raises JobFailed, with the plain answers to store instead, if a model failed.
    """
    try:
        by_rules = "summary" in results_of(session).by_rules
        content = StatementsContent(language=session.language) if by_rules else _retell(session)
    except JobFailed as why:
        plain = StatementsContent(language=session.language, reason=str(why))
        raise type(why)(str(why), instead={"content": _with_answers(session, plain)}) from why
    return _with_answers(session, content)


def _with_answers(session: Session, content: StatementsContent) -> dict[str, Any]:
    return {**content.model_dump(mode="json"), "items": plain_summary(session)}


def facts(session: Session) -> dict[str, Any]:
    """Return what the participant said, topic by topic, as `StatementsContent`.

    Facts drawn during the interview stand as they are; otherwise a model finds them, or if there is
    none, the interview's notes are used. Raises JobFailed if a model failed.
    """
    transcript = transcript_of(session)
    drawn = drawn_facts(session)
    if drawn or not has_model():
        content = _kept_content(session, transcript, drawn)
    elif not transcript.answers:
        content = StatementsContent(language=session.language, reason=NOTHING_SAID)
    else:
        content = _find_facts(session, transcript)
    return content.model_dump(mode="json")


def _retell(session: Session) -> StatementsContent:
    transcript = transcript_of(session)
    if not has_model():
        return StatementsContent(language=session.language, reason=NO_MODEL)
    if not transcript.answers:
        return StatementsContent(language=session.language, reason=NOTHING_SAID)
    content = _write(RETELL, session, transcript)
    unfounded = {"made_by": "rules", "reason": UNFOUNDED}
    return content if content.sections else content.model_copy(update=unfounded)


def _find_facts(session: Session, transcript: Transcript) -> StatementsContent:
    content = _write(FACTS, session, transcript)
    if content.sections:
        return content
    if content.findings:
        raise JobFailed(UNFOUNDED)
    return content.model_copy(update={"reason": NO_FACTS})


def _kept_content(
    session: Session, transcript: Transcript, drawn: tuple[KeptFact, ...]
) -> StatementsContent:
    rows, reason = (drawn, "") if drawn else (noted_facts(session), NO_MODEL)
    sections, left_out = limit_statements(
        by_topic(rows, topics_of(session, transcript), transcript)
    )
    return StatementsContent(
        sections=sections, language=session.language, reason=reason, findings=left_out
    )


def _write(
    task: Task[InterviewIn, Written], session: Session, transcript: Transcript
) -> StatementsContent:
    titles = [topic.label for topic in topics_of(session, transcript)]
    return asyncio.run(write_statements(task, transcript, titles, call_context_for(session)))


ASKING = {
    *(EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION),
    EntryKind.LAST_QUESTION,
}


def plain_summary(session: Session) -> tuple[dict[str, Any], ...]:
    """Return {question, asked, answers: [{text, position}]} in the interview's order."""
    items: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []  # to the question that is open
    for entry in material(session).order_by("position").iterator():
        if entry.kind in ASIDE:
            answers = []
        elif entry.kind in ASKING and entry.question:
            answers = []
            items.append({"question": entry.question, "asked": entry.text, "answers": answers})
        elif entry.role == SpeakerRole.PARTICIPANT and entry.text:
            answers.append({"text": entry.text, "position": entry.position})
    return tuple(item for item in items if item["answers"])


COMMON = (
    Product(
        "summary", summary, tasks=(RETELL, SUPPORT), has_statements=True, for_participants=True
    ),
    Product("facts", facts, tasks=(FACTS, SUPPORT), has_statements=True),
    Product(
        "coverage",
        coverage,
        view=lambda reflection, content: ProductView("admin/reflections/coverage.html"),
        counts=lambda content: [(len(content.get("topics", ())), "topic", "topics")],
    ),
)
