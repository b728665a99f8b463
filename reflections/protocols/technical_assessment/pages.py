"""The page of a report, and how a report is amended."""

from dataclasses import dataclass
from typing import Any

from reflections.models import Reflection
from reflections.products import Amendment, Content, ProductView
from reflections.protocols.technical_assessment.forms import STATUSES, ReportForm
from reflections.protocols.technical_assessment.makers import record_of
from reflections.protocols.technical_assessment.report.llm_tasks import amended_report
from reflections.protocols.technical_assessment.report.types import (
    RoadmapStep,
    StoredReport,
    SupportedClaim,
    TopicReview,
)

ADVICE = "Advice to a human reviewer. A person decides."
STATUS_TONES = {"confirmed": "success", "gap": "warning", "hallucination_suspect": "danger"}
MADE_BY = {
    "model": "Written by a model",
    "fallback_model": "Written by the stand-in model",
    "rules": "Computed from the observations",
}


@dataclass(frozen=True)
class ReportTopic:
    review: TopicReview
    positions: list[int]

    @property
    def status(self) -> str:
        return STATUSES[self.review.status]

    @property
    def tone(self) -> str:
        return STATUS_TONES[self.review.status]


@dataclass(frozen=True)
class LearningStep:
    step: RoadmapStep
    positions: list[int]


@dataclass(frozen=True)
class ReportView(ProductView):
    stored: StoredReport | None = None
    topics: tuple[ReportTopic, ...] = ()
    skills: tuple[SupportedClaim, ...] = ()
    gaps: tuple[SupportedClaim, ...] = ()
    roadmap: tuple[LearningStep, ...] = ()


def report_view(reflection: Reflection, content: Content) -> ReportView:
    stored = StoredReport.model_validate(content)
    report, evidence = stored.report, stored.evidence
    reviewed = zip(report.technical_review.topics, evidence.topics, strict=True)
    steps = zip(report.personal_roadmap, evidence.personal_roadmap, strict=True)
    return ReportView(
        template="admin/reflections/report.html",
        made_by=MADE_BY[stored.made_by],
        reason=stored.reason,
        advice=ADVICE,
        stored=stored,
        topics=tuple(ReportTopic(review, rests.positions) for review, rests in reviewed),
        skills=tuple(evidence.confirmed_skills),
        gaps=tuple(evidence.knowledge_gaps),
        roadmap=tuple(LearningStep(step, rests.positions) for step, rests in steps),
    )


def _form(reflection: Reflection, content: Content, data: Any) -> ReportForm:
    return ReportForm(StoredReport.model_validate(content).report, data)


def _amended(reflection: Reflection, form: ReportForm) -> Content:
    original = StoredReport.model_validate(reflection.content)
    changed = amended_report(record_of(reflection.session), original, form.report())
    return changed.model_dump(mode="json")


REPORT_AMENDMENT = Amendment(_form, _amended)
