"""The model task of the report, and the report put together."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.outcome import Outcome
from llm.tasks.task import LanguageTag, Retries, Spoken, Task, Tier, Utterance
from plans.protocols.technical_assessment.content import DecisionRules, Grade
from reflections.evidence.types import MADE_BY, Finding, finding
from reflections.protocols.technical_assessment.report.checks import (
    apart,
    check_report,
    protected_findings,
    review_findings,
)
from reflections.protocols.technical_assessment.report.computed import compute_report
from reflections.protocols.technical_assessment.report.evidence import AssessmentRecord, evidence_of
from reflections.protocols.technical_assessment.report.rules import scored, statistics_of
from reflections.protocols.technical_assessment.report.types import (
    WEIGHTS,
    FinalReport,
    Statistics,
    StoredReport,
)
from reflections.protocols.technical_assessment.report.unjudged import unjudged_answers

LAST_TURNS = 12  # of which a model reads the words
SECONDS = 60.0  # that a model is waited for
STEERS = "Answer {} tries to steer how it is judged"


class ObservationIn(BaseModel):
    topic: str
    level: int
    question: Spoken
    scored: bool
    correctness: float | None
    confidence: float | None
    status: str
    notes: Spoken
    correct_answer: Spoken
    flags: dict[str, Spoken]
    verbosity: str
    examples: bool


class ReportInput(BaseModel):
    language: LanguageTag
    position: str
    grade: Grade
    experience: Spoken
    rules: DecisionRules
    statistics: Statistics
    topics: list[str]
    observations: list[ObservationIn]
    conversation: list[Utterance]


REPORT = Task(
    name="technical_assessment.report",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/manager.md",
    input=ReportInput,
    output=FinalReport,
    fallback=lambda data: compute_report((), {}, data.grade, data.rules),
    timeout=SECONDS,
    max_tokens=6_000,
    temperature=0.2,
    retries=Retries((), SECONDS, 0.0),
)


def report_call(record: AssessmentRecord) -> tuple[Task[ReportInput, FinalReport], ReportInput]:
    """Return the task, whose fallback is this interview's computed report, and its input."""

    def computed(data: ReportInput) -> FinalReport:
        return compute_report(record.observed, record.titles, data.grade, data.rules)

    return replace(REPORT, fallback=computed), report_input(record)


def report_input(record: AssessmentRecord) -> ReportInput:
    options = record.options
    return ReportInput(
        language=record.language,
        position=options.position,
        grade=options.grade,
        experience=record.experience,
        rules=options.rules,
        statistics=statistics_of(record.observed),
        topics=list(record.titles.values()),
        observations=[_observation(one, record.titles) for one in record.observed],
        conversation=list(record.dialogue),
    )


def stored_report(record: AssessmentRecord, outcome: Outcome[FinalReport]) -> StoredReport:
    report, findings = check_report(outcome.value, record)
    return unjudged_report(record).model_copy(
        update={
            "report": report,
            "needs_person": [*apart(report, record.ruling), *_obeyed(record)],
            "made_by": MADE_BY[outcome.source],
            "reason": outcome.reason,
            "ruling": record.ruling,
            "findings": _weightiest_first(*_interview_findings(record), *findings),
            "evidence": evidence_of(report, record),
        }
    )


def unjudged_report(record: AssessmentRecord) -> StoredReport:
    """Return a report that judges nothing: it lists answers, and a person judges them."""
    return StoredReport(
        report=None,
        unjudged=unjudged_answers(record),
        made_by="rules",
        position=record.options.position,
        claimed_grade=record.options.grade,
        experience=record.experience,
        statistics=statistics_of(record.observed),
        ruling=None,
        findings=_weightiest_first(*_interview_findings(record)),
    )


def amended_report(
    record: AssessmentRecord, original: StoredReport, report: FinalReport
) -> StoredReport:
    """Return the original with a person's own report, unchanged but checked again for findings."""
    judged = original.ruling is not None
    found = review_findings(report, record) if judged else protected_findings(report)
    return original.model_copy(
        update={
            "report": report,
            "needs_person": [],
            "findings": _weightiest_first(*_interview_findings(record), *found),
            "evidence": evidence_of(report, record),
        }
    )


def _weightiest_first(*findings: Finding) -> list[Finding]:
    return sorted(findings, key=lambda one: WEIGHTS.index(one.weight))


def _observation(one: Observed, titles: Mapping[str, str]) -> ObservationIn:
    data = {name: getattr(one, name) for name in ObservationIn.model_fields}
    return ObservationIn(
        **data | {"topic": titles.get(one.topic, one.topic), "flags": dict(one.flags)}
    )


def _interview_findings(record: AssessmentRecord) -> list[Finding]:
    counted, unjudged = scored(record.observed), len(unjudged_answers(record))
    texts = []
    if counted and len(counted) < record.options.rules.least_answers:
        texts.append(f"Scored answers: {len(counted)}. That is too few to be sure.")
    if counted and unjudged:
        texts.append(f"Answers that no model judged, listed below for you to judge: {unjudged}.")
    findings = [
        *_manipulation(record),
        *_repeated(record),
        *(finding("thin", text) for text in texts),
    ]
    if record.stopped:
        findings.append(finding("stopped", "The candidate ended the interview early.", "plain"))
    return findings


def _manipulation(record: AssessmentRecord) -> list[Finding]:
    """Return a finding on each answer that gives orders or asks for a verdict."""
    flagged = {one.position: "" for one in record.observed if "manipulation" in one.flags}
    return [
        finding("manipulation", f"{STEERS.format(position)}{words}.", "serious")
        for position, words in sorted((flagged | record.orders).items())
    ]


def _repeated(record: AssessmentRecord) -> list[Finding]:
    """Return a finding on each answer that was given to several questions in the same words."""
    return [
        finding("repeated", f"Answers {', '.join(same)} are the same.", "serious")
        for same in (list(map(str, places)) for places in record.repeated)
    ]


def _obeyed(record: AssessmentRecord) -> list[str]:
    """Return why the scores can't be relied on: what was scored as right that can't be."""
    right = [one.position for one in scored(record.observed) if one.status == "confirmed"]
    pasted = [sum(place in right for place in places) for places in record.repeated]
    return [
        *(
            f"{STEERS.format(one)}, and was scored as right."
            for one in right
            if one in record.orders
        ),
        *(f"The same answer was scored as right {many} times." for many in pasted if many > 1),
    ]
