"""The onboarding package: all that was told, put in order; a model says how to begin."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from interviews.engine.language.statements import one_line, repeats_instructions
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.protocols.knowledge_transfer.checks import (
    found_as,
    grounded,
    left_out,
    other_figures,
)
from reflections.protocols.knowledge_transfer.phrases import sayings
from reflections.protocols.knowledge_transfer.questions import (
    documents_of,
    facts_digest,
    open_points_of,
    people_of,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.types import (
    MADE_BY,
    ContentBasis,
    Handover,
    Package,
    StartHere,
    Step,
    SummarySection,
    SummaryStatement,
    TransferFinding,
    TransferModel,
)

SECONDS = 60.0
MOST_STATEMENTS, MOST_POINTS, MOST_DOCUMENTS = 80, 40, 40  # that the model reads for it
MOST_STEPS = 7
UNFOUNDED = "what the model wrote rests on nothing"


class OnboardingStatementIn(BaseModel):
    """A statement of the summary, or a fact where there is none."""

    text: Spoken
    facts: list[int]


class PointIn(BaseModel):
    """An open point with its number."""

    number: int
    question: Spoken
    priority: str
    why: Spoken


class DocumentIn(BaseModel):
    """A document."""

    name: Spoken
    purpose: Spoken


class OnboardingInput(BaseModel):
    """What a beginning can rest on."""

    language: str
    project: Spoken
    handed_over_by: Spoken
    statements: list[OnboardingStatementIn]
    open_points: list[PointIn]
    documents: list[DocumentIn]


class Beginning(TransferModel):
    """What a model writes."""

    orientation: SummaryStatement
    steps: list[Step] = []


ONBOARDING = Task(
    name="knowledge_transfer.onboarding",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/onboarding.md",
    input=OnboardingInput,
    output=Beginning,
    fallback=lambda data: Beginning(orientation=SummaryStatement(text="")),
    timeout=SECONDS,
    max_tokens=2_000,
    temperature=0.2,
    retries=Retries((1.0,), 2 * SECONDS, 0.0),
)


async def packaged(
    held: Handover, sections: Sequence[SummarySection], made_at: str, subject: CallContext
) -> Package:
    """The package. `sections` are the summary's, as it stands now."""
    outcome = await ask(ONBOARDING, onboarding_input(held, sections), subject)
    return composed(held, sections, made_at, outcome)


def composed(
    held: Handover, sections: Sequence[SummarySection], made_at: str, outcome: Outcome[Beginning]
) -> Package:
    """The package with a model's beginning, as far as that holds, else the fixed one."""
    start, findings = _checked(held, outcome.value)
    by_rules = not start.orientation.text and not start.steps
    plain = plain_start(held, sections)
    return Package(
        session=held.session,
        title=held.title,
        project=held.project,
        handed_over_by=held.material.options.handed_over_by,
        language=held.language,
        made_at=made_at,
        made_by="rules" if by_rules else MADE_BY[outcome.source],
        reason=outcome.reason or (UNFOUNDED if by_rules else ""),
        start=StartHere(
            orientation=start.orientation if start.orientation.text else plain.orientation,
            steps=start.steps or plain.steps,
        ),
        sections=list(sections),
        questions=questions_of(held),
        open_points=open_points_of(held),
        people=people_of(held),
        documents=documents_of(held),
        findings=[*findings, *_unread(held, sections)],
        basis=ContentBasis(facts=facts_digest(held), summary=summary_digest(sections)),
    )


def plain_start(held: Handover, sections: Sequence[SummarySection]) -> StartHere:
    """How to begin, where no model says so."""
    say = sayings(held.language)
    points = open_points_of(held)
    names = [one.name for one in held.material.documents]
    told = say(
        "orientation",
        project=held.project,
        facts=len(held.facts),
        questions=len(questions_of(held)),
        open=len(points),
    )
    steps = [
        Step(text=say("step_summary" if sections else "step_facts")),
        *([Step(text=say("step_open"))] if points else []),
        *([Step(text=say("step_documents", names=", ".join(names)))] if names else []),
    ]
    return StartHere(orientation=SummaryStatement(text=told), steps=steps)


def onboarding_input(held: Handover, sections: Sequence[SummarySection]) -> OnboardingInput:
    points = open_points_of(held)[:MOST_POINTS]
    return OnboardingInput(
        language=held.language,
        project=held.project,
        handed_over_by=held.material.options.handed_over_by,
        statements=[
            OnboardingStatementIn(text=one.text, facts=one.facts)
            for one in _statements(held, sections)[:MOST_STATEMENTS]
        ],
        open_points=[
            PointIn(number=place, question=one.question, priority=one.priority, why=one.why)
            for place, one in enumerate(points, start=1)
        ],
        documents=[
            DocumentIn(name=one.name, purpose=one.purpose)
            for one in documents_of(held)[:MOST_DOCUMENTS]
        ],
    )


def _statements(held: Handover, sections: Sequence[SummarySection]) -> list[SummaryStatement]:
    """The summary's; the facts themselves where there is none."""
    written = [one for section in sections for one in section.statements]
    return written or [SummaryStatement(text=f.text, facts=[f.number]) for f in held.facts]


def _unread(held: Handover, sections: Sequence[SummarySection]) -> list[TransferFinding]:
    """What the model could not read for the beginning; all of it is in the package."""
    counts = (
        ("statements", len(_statements(held, sections)), MOST_STATEMENTS),
        ("open points", len(open_points_of(held)), MOST_POINTS),
        ("documents", len(held.material.documents), MOST_DOCUMENTS),
    )
    return [
        found_as("unread", "plain", f"“Start here” was written from {most} of {n} {what}.")
        for what, n, most in counts
        if n > most
    ]


def _checked(held: Handover, written: Beginning) -> tuple[StartHere, list[TransferFinding]]:
    """As much of it as rests on something."""
    orientation, findings = _oriented(held, written.orientation)
    steps = []
    for step in written.steps[:MOST_STEPS]:
        kept, found = _step(held, step)
        steps += [kept] if kept else []
        findings += found
    return StartHere(orientation=orientation, steps=steps), findings


def _oriented(
    held: Handover, said: SummaryStatement
) -> tuple[SummaryStatement, list[TransferFinding]]:
    step, findings = _step(held, Step(text=said.text, facts=said.facts))
    kept = SummaryStatement(text=step.text, facts=step.facts) if step else SummaryStatement(text="")
    return kept, findings


def _step(held: Handover, step: Step) -> tuple[Step | None, list[TransferFinding]]:
    """The step with what there is of its grounds; None where there are none."""
    text = one_line(step.text)
    facts, findings = grounded(text, step.facts, held.by_number)
    points = [number for number in step.points if 0 < number <= len(open_points_of(held))]
    names = {one.name for one in held.material.documents}
    documents = [name for name in step.documents if name in names]
    if not text:
        return None, []
    if repeats_instructions(text, ONBOARDING.template):
        return None, [*findings, left_out(text, "repeats what the model was told")]
    if not (facts or points or documents):
        return None, [*findings, left_out(text, "rests on nothing")]
    if facts and not (points or documents):
        findings += other_figures(text, facts, held)
    return Step(text=text, facts=facts, points=points, documents=documents), findings
