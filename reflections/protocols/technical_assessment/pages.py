"""The page of a report, and how a report is amended."""

from dataclasses import dataclass, replace
from typing import Any

from reflections.models import Reflection
from reflections.products import MADE_BY, Amendment, Content, ProductView
from reflections.protocols.technical_assessment.forms import STATUSES, ReportForm
from reflections.protocols.technical_assessment.makers import record_of
from reflections.protocols.technical_assessment.report.llm_tasks import amended_report
from reflections.protocols.technical_assessment.report.types import (
    RoadmapStep,
    StoredReport,
    TopicReview,
)

ADVICE = "Advice to a human reviewer. A person decides."
NOT_JUDGED = "Not judged: no model judged these answers. A person has to read and judge them."
STATUS_TONES = {"confirmed": "success", "gap": "warning", "hallucination_suspect": "danger"}
WRITERS = MADE_BY | {"rules": "Computed from the observations"}


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
class ReportView(ProductView):
    stored: StoredReport | None = None
    topics: tuple[ReportTopic, ...] = ()
    roadmap: tuple[tuple[RoadmapStep, list[int]], ...] = ()  # with positions of answers


def report_view(reflection: Reflection, content: Content) -> ReportView:
    stored = StoredReport.model_validate(content)
    view = ReportView(
        template="admin/reflections/report.html",
        made_by=WRITERS[stored.made_by] if stored.ruling else "Collected without a model",
        reason=stored.reason,
        advice=ADVICE if stored.report else NOT_JUDGED,
        stored=stored,
    )
    if stored.report is None:
        return view
    report, evidence = stored.report, stored.evidence
    reviewed = zip(report.technical_review.topics, evidence.topics, strict=True)
    steps = zip(report.personal_roadmap, evidence.personal_roadmap, strict=True)
    return replace(
        view,
        topics=tuple(ReportTopic(review, rests.positions) for review, rests in reviewed),
        roadmap=tuple((step, rests.positions) for step, rests in steps),
    )


def _form(reflection: Reflection, content: Content, data: Any) -> ReportForm:
    return ReportForm(StoredReport.model_validate(content), data)


def _amended(reflection: Reflection, form: ReportForm) -> Content:
    original = StoredReport.model_validate(reflection.content)
    changed = amended_report(record_of(reflection.session), original, form.report())
    return changed.model_dump(mode="json")


REPORT_AMENDMENT = Amendment(_form, _amended)
