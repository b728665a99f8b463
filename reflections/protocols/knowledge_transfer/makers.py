"""Knowledge transfers: summary, onboarding package and Q&A context, from rows to pure functions."""

import asyncio
from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from interviews.choices import SpeakerRole
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer.backlog import backlog_in
from interviews.turns.store import plan_content
from plans.jobs import JobFailed
from reflections.evidence.call_context import call_context_for
from reflections.evidence.material import material
from reflections.models import Judgement, Reflection
from reflections.protocols.knowledge_transfer.package import packaged
from reflections.protocols.knowledge_transfer.qa_context import context
from reflections.protocols.knowledge_transfer.questions import (
    facts_digest,
    open_points_of,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.summary import summarised
from reflections.protocols.knowledge_transfer.types import (
    AskedQuestion,
    ContentBasis,
    Handover,
    KnownFact,
    TransferSummary,
)
from reflections.reviews import review_of

SUMMARY, PACKAGE, CONTEXT = "transfer_summary", "onboarding_package", "qa_context"


def transfer_summary(session: Session) -> dict[str, Any]:
    """The summary by topic, by a model if one answers, else the plain questions and answers."""
    return asyncio.run(summarised(held_of(session), call_context_for(session))).model_dump(
        mode="json"
    )


def onboarding_package(session: Session) -> dict[str, Any]:
    """The package for the successor. Raises JobFailed while there is no summary."""
    summary = _summary_as_it_stands(session)
    made_at = timezone.now().isoformat(timespec="seconds")
    made = packaged(held_of(session), summary.sections, made_at, call_context_for(session))
    return asyncio.run(made).model_dump(mode="json")


def qa_context(session: Session) -> dict[str, Any]:
    """{rows, made_by, basis}: facts with their sources, then open questions."""
    held = held_of(session)
    rows = context(held.session, questions_of(held), open_points_of(held))
    basis = ContentBasis(facts=facts_digest(held)).model_dump()
    return {"rows": rows, "made_by": "rules", "basis": basis}


def held_of(session: Session) -> Handover:
    """The handover as it stands, with what people have made of its facts."""
    backlog = backlog_in(session)
    return Handover(
        session=str(session.pk),
        title=session.title,
        language=session.language,
        material=plan_content(session.plan_id).material,
        backlog=backlog,
        facts=known_facts(session),
        said=_said(session, {item.id for item in backlog}),
    )


def out_of_date(reflection: Reflection) -> str:
    """Why a product no longer says what facts and summary say now; empty while it does."""
    basis = ContentBasis.model_validate(reflection.content.get("basis") or {})
    if not basis.facts:
        return ""
    if basis.facts != facts_digest(held_of(reflection.session)):
        return "Facts were changed after this was made."
    if reflection.name == PACKAGE and basis.summary != _summary_now(reflection.session):
        return "The summary was changed or reviewed after this was made."
    return ""


def _summary_now(session: Session) -> str:
    """The digest of the summary as it stands; empty while there is none."""
    try:
        return summary_digest(_summary_as_it_stands(session).sections)
    except JobFailed:
        return ""


def _summary_as_it_stands(session: Session) -> TransferSummary:
    """As amended, else as made; a rejected one says nothing. Raises JobFailed without one."""
    made = Reflection.objects.filter(session=session, name=SUMMARY).exclude(content={}).first()
    if made is None:
        raise JobFailed("There is no summary yet; this follows it.")
    review = review_of(made)
    summary = TransferSummary.model_validate(review.content or made.content)
    rejected = review.state == Judgement.State.REJECTED
    return summary.model_copy(update={"sections": []}) if rejected else summary


def known_facts(session: Session) -> tuple[KnownFact, ...]:
    """Those that were merged stand as one: where it was found in this interview, under its number,
    else under that of the first of them."""
    found = Fact.objects.filter(session=session).select_related("entry", "merged_into")
    groups: dict[int, list[Fact]] = {}
    for fact in found.order_by("number"):
        groups.setdefault(fact.merged_into_id or fact.pk, []).append(fact)
    known = (_known(key, group) for key, group in groups.items())
    return tuple(sorted(known, key=lambda fact: fact.number))


def _known(key: int, group: list[Fact]) -> KnownFact:
    first = next((fact for fact in group if fact.pk == key), group[0])
    stands = first.merged_into or first
    return KnownFact(
        number=first.number,
        text=stands.text,
        question=first.question,
        position=first.entry.position,
        confidence=first.confidence,
        edited=bool(stands.edited_by),
        merged=tuple(fact.number for fact in group if fact is not first),
    )


def _said(session: Session, questions: Iterable[str]) -> tuple[AskedQuestion, ...]:
    """Question by question, with all that was answered while it was open.

    A cry for help is for those who lead the interview, not for a successor.
    """
    known = set(questions)
    asked: dict[str, str] = {}
    answers: dict[str, list[tuple[int, str]]] = {}
    now = ""
    for entry in material(session).exclude(text="").order_by("position"):
        if entry.role == SpeakerRole.INTERVIEWER and entry.question in known:
            now = entry.question
            asked.setdefault(now, entry.text)
        elif entry.role == SpeakerRole.PARTICIPANT and now:
            answers.setdefault(now, []).append((entry.position, entry.text))
    return tuple(
        AskedQuestion(key, text, tuple(answers.get(key, ()))) for key, text in asked.items()
    )
