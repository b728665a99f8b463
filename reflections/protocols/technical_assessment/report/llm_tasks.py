"""What a model is asked for the report, and how the whole is put together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Retries, Spoken, Task, Tier, Utterance
from plans.protocols.technical_assessment.content import (
    DecisionRules,
    Grade,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
)
from reflections.protocols.technical_assessment.report.checks import checked
from reflections.protocols.technical_assessment.report.computed import computed
from reflections.protocols.technical_assessment.report.evidence import evidence_of
from reflections.protocols.technical_assessment.report.findings import FindingBasis, noticed
from reflections.protocols.technical_assessment.report.rules import ruling
from reflections.protocols.technical_assessment.report.statistics import scored, statistics_of
from reflections.protocols.technical_assessment.report.types import (
    WEIGHTS,
    FinalReport,
    MadeBy,
    Reported,
    ReportFinding,
    Statistics,
)

LAST_TURNS = 12  # of which a model reads the words
SECONDS = 60.0  # that a model is waited for
MADE_BY: dict[Source, MadeBy] = {
    Source.MODEL: "model",
    Source.FALLBACK_MODEL: "fallback_model",
    Source.FALLBACK: "rules",
}


@dataclass(frozen=True)
class AssessmentRecord:
    """An interview that was held, as the report needs it."""

    material: TechnicalAssessmentMaterial
    language: str
    observed: tuple[Observed, ...]
    dialogue: tuple[Utterance, ...] = ()  # the last turns
    experience: str = ""
    stopped: bool = False  # by the candidate, before the end

    @property
    def options(self) -> TechnicalAssessmentOptions:
        """The bot's."""
        return self.material.options

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The topics' names by their keys, those of the interview's language first."""
        scripts = self.material.scripts
        script = scripts.get(self.language) or next(iter(scripts.values()))
        seen = {one.topic: one.topic for one in scored(self.observed) if one.topic}
        return seen | {topic.key: topic.title for topic in script.topics}


class ObservationIn(BaseModel):
    """One answer as it was judged."""

    topic: str
    level: int
    question: Spoken
    scored: bool
    correctness: float
    confidence: float
    status: str
    notes: Spoken
    correct_answer: Spoken
    flags: dict[str, Spoken]
    verbosity: str
    examples: bool


class ReportInput(BaseModel):
    """What the report rests on; the dialogue holds the last turns."""

    language: str
    position: str
    grade: Grade
    experience: Spoken
    rules: DecisionRules
    statistics: Statistics
    topics: list[str]
    observations: list[ObservationIn]
    dialogue: list[Utterance]


def report_call(held: AssessmentRecord) -> tuple[Task[ReportInput, FinalReport], ReportInput]:
    """The task whose fallback is this interview's computed report, and what it is asked about."""
    return report_task(held), report_input(held)


def report_task(held: AssessmentRecord | None = None) -> Task[ReportInput, FinalReport]:
    """The task of writing a report: one attempt, then the one computed from the observations."""
    return Task(
        name="technical_assessment.report",
        tier=Tier.MAIN,
        template=Path(__file__).parent / "prompts/manager.md",
        input=ReportInput,
        output=FinalReport,
        fallback=lambda data: computed_report(held, data),
        timeout=SECONDS,
        max_tokens=6_000,
        temperature=0.2,
        retries=Retries((), SECONDS, 0.0),
    )


def computed_report(held: AssessmentRecord | None, data: ReportInput) -> FinalReport:
    """The report that needs no model."""
    if held is None:
        return computed((), {}, data.grade, data.rules)
    return computed(held.observed, held.titles, held.options.grade, held.options.rules)


REPORT = report_task()


def report_input(held: AssessmentRecord) -> ReportInput:
    """All that the model reads."""
    options = held.options
    return ReportInput(
        language=held.language,
        position=options.position,
        grade=options.grade,
        experience=held.experience,
        rules=options.rules,
        statistics=statistics_of(held.observed),
        topics=list(held.titles.values()),
        observations=[_observation(one, held.titles) for one in held.observed],
        dialogue=list(held.dialogue),
    )


def reported(held: AssessmentRecord, outcome: Outcome[FinalReport]) -> Reported:
    """The report as it is stored: checked, with what it rests on and how it was made."""
    options, basis = held.options, _basis(held)
    report, findings = checked(outcome.value, basis)
    return Reported(
        report=report,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        position=options.position,
        claimed_grade=options.grade,
        experience=held.experience,
        statistics=statistics_of(held.observed),
        ruling=basis.ruling,
        findings=_weightiest_first(*findings, *_circumstances(held)),
        evidence=evidence_of(report, held.observed, held.titles),
    )


def amended(held: AssessmentRecord, original: Reported, report: FinalReport) -> Reported:
    """The same with a person's own report, of which nothing is changed; it is held against the
    observations all the same."""
    return original.model_copy(
        update={
            "report": report,
            "findings": _weightiest_first(*noticed(report, _basis(held)), *_circumstances(held)),
            "evidence": evidence_of(report, held.observed, held.titles),
        }
    )


def _weightiest_first(*findings: ReportFinding) -> list[ReportFinding]:
    return sorted(findings, key=lambda one: WEIGHTS.index(one.weight))


def _basis(held: AssessmentRecord) -> FindingBasis:
    rules = held.options.rules
    given = ruling(held.observed, held.options.grade, rules)
    return FindingBasis(held.observed, held.titles, given, rules)


def _observation(one: Observed, titles: Mapping[str, str]) -> ObservationIn:
    return ObservationIn(
        topic=titles.get(one.topic, one.topic),
        flags=dict(one.flags),
        **{
            name: getattr(one, name)
            for name in ObservationIn.model_fields
            if name not in ("topic", "flags")
        },
    )


def _circumstances(held: AssessmentRecord) -> list[ReportFinding]:
    """What a reviewer should know of how the interview went."""
    counted = scored(held.observed)
    without = sum(one.source not in ("model", "fallback_model") for one in counted)
    told = []
    if not counted:
        told.append("No answer was scored: the report says nothing of what the candidate knows.")
    elif len(counted) < held.options.rules.least_answers:
        told.append(f"Scored answers: {len(counted)}. That is too few to be sure.")
    if without:
        told.append(f"Answers judged by rules alone, without a model: {without}.")
    findings = [ReportFinding(check="thin", weight="notable", text=text) for text in told]
    if held.stopped:
        text = "The candidate ended the interview early."
        findings.append(ReportFinding(check="stopped", weight="plain", text=text))
    return findings
