"""The onboarding package: all that was told, in order; a model writes how to begin.

The docstrings of Beginning and Step are sent to models in their schemas.
"""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from interviews.engine.language.statements import one_line, repeats_instructions
from llm.tasks.outcome import Outcome
from llm.tasks.task import LanguageTag, Spoken
from reflections.evidence.background_task import background_task
from reflections.evidence.checks import INSTRUCTIONS, left_out_finding
from reflections.evidence.types import MADE_BY, Finding, finding
from reflections.protocols.knowledge_transfer.checks import existing_facts, unsupported_figures
from reflections.protocols.knowledge_transfer.questions import (
    documents_of,
    facts_digest,
    open_points_of,
    people_of,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.summary import StatementIn
from reflections.protocols.knowledge_transfer.types import (
    ContentBasis,
    Handover,
    Package,
    StartHere,
    Step,
    SummarySection,
    SummaryStatement,
    phrasebook,
)

MOST_STATEMENTS, MOST_POINTS, MOST_DOCUMENTS = 80, 40, 40  # that the model reads for it
MOST_STEPS = 7
UNFOUNDED = "what the model wrote rests on nothing"


class PointIn(BaseModel):
    number: int
    question: Spoken
    priority: str
    why: Spoken


class DocumentIn(BaseModel):
    name: Spoken
    purpose: Spoken


class OnboardingInput(BaseModel):
    language: LanguageTag
    project: Spoken
    handed_over_by: Spoken
    statements: list[StatementIn]
    open_points: list[PointIn]
    documents: list[DocumentIn]


class Beginning(StartHere):
    """What a model writes."""


ONBOARDING = background_task(
    "knowledge_transfer.onboarding",
    Path(__file__).parent / "prompts/onboarding.md",
    OnboardingInput,
    Beginning(orientation=SummaryStatement(text="")),
    2_000,
    seconds=60.0,
)


def compose_package(
    handover: Handover,
    sections: Sequence[SummarySection],
    made_at: str,
    outcome: Outcome[Beginning],
) -> Package:
    start, findings = _check_start(handover, outcome.value)
    by_rules = not start.orientation.text and not start.steps
    plain = plain_start(handover, sections)
    return Package(
        session=handover.session,
        title=handover.title,
        project=handover.project,
        handed_over_by=handover.material.options.handed_over_by,
        language=handover.language,
        made_at=made_at,
        made_by="rules" if by_rules else MADE_BY[outcome.source],
        reason=outcome.reason or (UNFOUNDED if by_rules else ""),
        start=StartHere(
            orientation=start.orientation if start.orientation.text else plain.orientation,
            steps=start.steps or plain.steps,
        ),
        sections=list(sections),
        questions=questions_of(handover),
        open_points=open_points_of(handover),
        people=people_of(handover),
        documents=documents_of(handover),
        findings=[*findings, *_unread_findings(handover, sections)],
        basis=ContentBasis(facts=facts_digest(handover), summary=summary_digest(sections)),
    )


def plain_start(handover: Handover, sections: Sequence[SummarySection]) -> StartHere:
    say = phrasebook(handover.language)
    points = open_points_of(handover)
    names = [one.name for one in handover.material.documents]
    orientation = say(
        "orientation",
        project=handover.project,
        facts=len(handover.facts),
        questions=len(questions_of(handover)),
        open=len(points),
    )
    steps = [
        Step(text=say("step_summary" if sections else "step_facts")),
        *([Step(text=say("step_open"))] if points else []),
        *([Step(text=say("step_documents", names=", ".join(names)))] if names else []),
    ]
    return StartHere(orientation=SummaryStatement(text=orientation), steps=steps)


def onboarding_input(handover: Handover, sections: Sequence[SummarySection]) -> OnboardingInput:
    points = open_points_of(handover)[:MOST_POINTS]
    return OnboardingInput(
        language=handover.language,
        project=handover.project,
        handed_over_by=handover.material.options.handed_over_by,
        statements=[
            StatementIn(text=one.text, facts=one.facts)
            for one in _statements(handover, sections)[:MOST_STATEMENTS]
        ],
        open_points=[
            PointIn(number=place, question=one.question, priority=one.priority, why=one.why)
            for place, one in enumerate(points, start=1)
        ],
        documents=[
            DocumentIn(name=one.name, purpose=one.purpose)
            for one in documents_of(handover)[:MOST_DOCUMENTS]
        ],
    )


def _statements(handover: Handover, sections: Sequence[SummarySection]) -> list[SummaryStatement]:
    written = [one for section in sections for one in section.statements]
    return written or [SummaryStatement(text=f.text, facts=[f.number]) for f in handover.facts]


def _unread_findings(handover: Handover, sections: Sequence[SummarySection]) -> list[Finding]:
    counts = (
        ("statements", len(_statements(handover, sections)), MOST_STATEMENTS),
        ("open points", len(open_points_of(handover)), MOST_POINTS),
        ("documents", len(handover.material.documents), MOST_DOCUMENTS),
    )
    return [
        finding("unread", f"“Start here” was written from {most} of {n} {what}.", "plain")
        for what, n, most in counts
        if n > most
    ]


def _check_start(handover: Handover, written: Beginning) -> tuple[StartHere, list[Finding]]:
    said, steps = written.orientation, []
    stands, findings = _check_step(handover, Step(text=said.text, facts=said.facts))
    for step in written.steps[:MOST_STEPS]:
        kept, found = _check_step(handover, step)
        steps += [kept] if kept else []
        findings += found
    text, facts = (stands.text, stands.facts) if stands else ("", [])
    return StartHere(orientation=SummaryStatement(text=text, facts=facts), steps=steps), findings


def _check_step(handover: Handover, step: Step) -> tuple[Step | None, list[Finding]]:
    text = one_line(step.text)
    facts, findings = existing_facts(text, step.facts, handover.by_number)
    points = [number for number in step.points if 0 < number <= len(open_points_of(handover))]
    names = {one.name for one in handover.material.documents}
    documents = [name for name in step.documents if name in names]
    if not text:
        return None, []
    if repeats_instructions(text, ONBOARDING.template):
        return None, [*findings, left_out_finding(text, INSTRUCTIONS)]
    if not (facts or points or documents):
        return None, [*findings, left_out_finding(text, "rests on nothing")]
    if facts and not (points or documents):
        findings += unsupported_figures(text, facts, handover)
    return Step(text=text, facts=facts, points=points, documents=documents), findings
