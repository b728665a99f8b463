"""The model task of the report, and the report put together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.outcome import Outcome
from llm.tasks.task import Retries, Spoken, Task, Tier, Utterance
from plans.protocols.technical_assessment.content import (
    DecisionRules,
    Grade,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
)
from reflections.evidence.types import MADE_BY, Finding
from reflections.protocols.technical_assessment.report.checks import check_report
from reflections.protocols.technical_assessment.report.computed import compute_report
from reflections.protocols.technical_assessment.report.evidence import evidence_of
from reflections.protocols.technical_assessment.report.findings import FindingBasis, review_findings
from reflections.protocols.technical_assessment.report.rules import apply_rules
from reflections.protocols.technical_assessment.report.statistics import scored, statistics_of
from reflections.protocols.technical_assessment.report.types import (
    WEIGHTS,
    FinalReport,
    Statistics,
    StoredReport,
)

LAST_TURNS = 12  # of which a model reads the words
SECONDS = 60.0  # that a model is waited for


@dataclass(frozen=True)
class AssessmentRecord:
    material: TechnicalAssessmentMaterial
    language: str
    observed: tuple[Observed, ...]
    dialogue: tuple[Utterance, ...] = ()  # the last turns
    experience: str = ""
    stopped: bool = False  # by the candidate, before the end

    @property
    def options(self) -> TechnicalAssessmentOptions:
        return self.material.options

    @cached_property
    def titles(self) -> Mapping[str, str]:
        scripts = self.material.scripts
        script = scripts.get(self.language) or next(iter(scripts.values()))
        seen = {one.topic: one.topic for one in scored(self.observed) if one.topic}
        return seen | {topic.key: topic.title for topic in script.topics}


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
    language: str
    position: str
    grade: Grade
    experience: Spoken
    rules: DecisionRules
    statistics: Statistics
    topics: list[str]
    observations: list[ObservationIn]
    dialogue: list[Utterance]


def report_call(record: AssessmentRecord) -> tuple[Task[ReportInput, FinalReport], ReportInput]:
    """Return the task, whose fallback is this interview's computed report, and its input."""
    return report_task(record), report_input(record)


def report_task(record: AssessmentRecord | None = None) -> Task[ReportInput, FinalReport]:
    return Task(
        name="technical_assessment.report",
        tier=Tier.MAIN,
        template=Path(__file__).parent / "prompts/manager.md",
        input=ReportInput,
        output=FinalReport,
        fallback=lambda data: computed_report(record, data),
        timeout=SECONDS,
        max_tokens=6_000,
        temperature=0.2,
        retries=Retries((), SECONDS, 0.0),
    )


def computed_report(record: AssessmentRecord | None, data: ReportInput) -> FinalReport:
    if record is None:
        return compute_report((), {}, data.grade, data.rules)
    return compute_report(
        record.observed, record.titles, record.options.grade, record.options.rules
    )


REPORT = report_task()


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
        dialogue=list(record.dialogue),
    )


def stored_report(record: AssessmentRecord, outcome: Outcome[FinalReport]) -> StoredReport:
    options, basis = record.options, _basis(record)
    report, findings = check_report(outcome.value, basis)
    return StoredReport(
        report=report,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        position=options.position,
        claimed_grade=options.grade,
        experience=record.experience,
        statistics=statistics_of(record.observed),
        ruling=basis.ruling,
        findings=_weightiest_first(*findings, *_interview_findings(record)),
        evidence=evidence_of(report, record.observed, record.titles),
    )


def amended_report(
    record: AssessmentRecord, original: StoredReport, report: FinalReport
) -> StoredReport:
    """Return the original with a person's own report, unchanged but checked again for findings."""
    return original.model_copy(
        update={
            "report": report,
            "findings": _weightiest_first(
                *review_findings(report, _basis(record)), *_interview_findings(record)
            ),
            "evidence": evidence_of(report, record.observed, record.titles),
        }
    )


def _weightiest_first(*findings: Finding) -> list[Finding]:
    return sorted(findings, key=lambda one: WEIGHTS.index(one.weight))


def _basis(record: AssessmentRecord) -> FindingBasis:
    rules = record.options.rules
    ruling = apply_rules(record.observed, record.options.grade, rules)
    return FindingBasis(record.observed, record.titles, ruling, rules)


def _observation(one: Observed, titles: Mapping[str, str]) -> ObservationIn:
    data = {name: getattr(one, name) for name in ObservationIn.model_fields}
    return ObservationIn(
        **data | {"topic": titles.get(one.topic, one.topic), "flags": dict(one.flags)}
    )


def _interview_findings(record: AssessmentRecord) -> list[Finding]:
    counted = scored(record.observed)
    unjudged = sum(one.status == "not_judged" and not one.flags for one in record.observed)
    texts = []
    if not counted:
        texts.append("No answer was scored: the report says nothing of what the candidate knows.")
    elif len(counted) < record.options.rules.least_answers:
        texts.append(f"Scored answers: {len(counted)}. That is too few to be sure.")
    if unjudged:
        texts.append(f"Answers that no model judged, for a person to read: {unjudged}.")
    findings = [Finding(check="thin", weight="notable", text=text) for text in texts]
    if record.stopped:
        text = "The candidate ended the interview early."
        findings.append(Finding(check="stopped", weight="plain", text=text))
    return findings
