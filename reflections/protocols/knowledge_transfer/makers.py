"""Make summary, onboarding package and Q&A context of a knowledge transfer."""

import asyncio
from collections.abc import Iterable
from typing import Any

from django.db.models import F
from django.utils import timezone

from interviews.choices import SpeakerRole
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer.backlog import state_of
from interviews.turns.store import plan_content
from llm.gateway import ask
from plans.jobs import JobFailed
from reflections.evidence.material import call_context_for, material
from reflections.models import Judgement, Reflection
from reflections.protocols.knowledge_transfer.package import (
    ONBOARDING,
    compose_package,
    onboarding_input,
)
from reflections.protocols.knowledge_transfer.questions import (
    context_rows,
    facts_digest,
    open_points_of,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.summary import summarise
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
    summary = asyncio.run(summarise(handover_of(session), call_context_for(session)))
    return summary.model_dump(mode="json")


def onboarding_package(session: Session) -> dict[str, Any]:
    """Return the package for the successor. Raises JobFailed while there is no summary."""
    sections, handover = _current_summary(session).sections, handover_of(session)
    made_at = timezone.now().isoformat(timespec="seconds")
    data = onboarding_input(handover, sections)
    outcome = asyncio.run(ask(ONBOARDING, data, call_context_for(session)))
    return compose_package(handover, sections, made_at, outcome).model_dump(mode="json")


def qa_context(session: Session) -> dict[str, Any]:
    handover = handover_of(session)
    questions, points = questions_of(handover), open_points_of(handover)
    rows = context_rows(handover.session, questions, points)
    basis = ContentBasis(facts=facts_digest(handover)).model_dump()
    return {"rows": rows, "made_by": "rules", "basis": basis}


def handover_of(session: Session) -> Handover:
    state = state_of(session)
    backlog = state.items if state else ()
    return Handover(
        session=str(session.pk),
        title=session.title,
        language=session.language,
        material=plan_content(session.plan_id).material,
        backlog=backlog,
        facts=known_facts(session),
        people=state.people if state else (),
        said=_asked_questions(session, {item.id for item in backlog}),
    )


def out_of_date(reflection: Reflection) -> str:
    """Return why a product no longer matches facts and summary, or ""."""
    basis = ContentBasis.model_validate(reflection.content.get("basis") or {})
    if not basis.facts:
        return ""
    if basis.facts != facts_digest(handover_of(reflection.session)):
        return "Facts were changed after this was generated."
    if reflection.name == PACKAGE and basis.summary != _current_digest(reflection.session):
        return "The summary was changed or reviewed after this was generated."
    return ""


def _current_digest(session: Session) -> str:
    try:
        return summary_digest(_current_summary(session).sections)
    except JobFailed:
        return ""


def _current_summary(session: Session) -> TransferSummary:
    """Return the summary, amended or not; a rejected one is empty. Raises JobFailed without one."""
    reflection = (
        Reflection.objects.filter(session=session, name=SUMMARY).exclude(content={}).first()
    )
    if reflection is None:
        raise JobFailed("There is no summary yet; this follows it.")
    review = review_of(reflection)
    summary = TransferSummary.model_validate(review.content or reflection.content)
    rejected = review.state == Judgement.State.REJECTED
    return summary.model_copy(update={"sections": []}) if rejected else summary


def known_facts(session: Session) -> tuple[KnownFact, ...]:
    """Return the facts that no later one corrects; those that were merged count as one.

    It has the number of the first of them, and contradicts whatever any of them does.
    """
    state = state_of(session)
    told = dict(enumerate(state.facts, start=1)) if state else {}
    corrected = state.corrected if state else ()
    found = Fact.objects.filter(session=session).select_related("entry", "merged_into")
    groups: dict[int, list[Fact]] = {}
    for fact in found.exclude(number__in=corrected).order_by("number"):
        groups.setdefault(fact.merged_into_id or fact.pk, []).append(fact)
    listed = {fact.number: group[0].number for group in groups.values() for fact in group}
    beside: dict[int, set[int]] = {}
    for number, under in listed.items():
        others = told[number].contradicts if number in told else ()
        beside.setdefault(under, set()).update(listed[one] for one in others if one in listed)
    known = (_known_fact(group, beside[group[0].number]) for group in groups.values())
    return tuple(sorted(known, key=lambda fact: fact.number))


def _known_fact(group: list[Fact], contradicts: set[int]) -> KnownFact:
    first, *merged = group
    stands = first.merged_into or first
    return KnownFact(
        number=first.number,
        text=stands.text,
        question=first.question,
        position=first.entry.position,
        confidence=first.confidence,
        edited=bool(stands.edited_by),
        merged=tuple(fact.number for fact in merged),
        contradicts=tuple(sorted(contradicts - {first.number})),
    )


def _asked_questions(session: Session, questions: Iterable[str]) -> tuple[AskedQuestion, ...]:
    """Return what was asked and answered; an answer that was read as heavy is without its words."""
    known = set(questions)
    asked: dict[str, str] = {}
    answers: dict[str, list[tuple[int, str]]] = {}
    current = ""
    said = material(session).exclude(text="").annotate(care=F("turn__decision__details__care"))
    for entry in said.order_by("position"):
        if entry.role == SpeakerRole.INTERVIEWER and entry.question in known:
            current = entry.question
            asked.setdefault(current, entry.text)
        elif entry.role == SpeakerRole.PARTICIPANT and current:
            answers.setdefault(current, []).append(
                (entry.position, "" if entry.care == "heavy" else entry.text)
            )
    return tuple(
        AskedQuestion(key, text, tuple(answers.get(key, ()))) for key, text in asked.items()
    )
