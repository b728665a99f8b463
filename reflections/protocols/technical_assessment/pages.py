"""The page of a report, and how a report is amended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from reflections.models import Reflection
from reflections.products import MADE_BY, Amendment, Content, ProductView
from reflections.protocols.technical_assessment.makers import record_of
from reflections.protocols.technical_assessment.report.llm_tasks import amended_report
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    RoadmapStep,
    SoftSkills,
    StoredReport,
    TopicReview,
    TopicStatus,
)

STATUSES = {"confirmed": "Confirmed", "gap": "Gap", "hallucination_suspect": "Possibly made up"}
LISTS = ("confirmed_skills", "knowledge_gaps", "personal_roadmap")  # after the topics
TOPIC_FIELDS = ("status", "notes", "correct_answer")
BESIDE = "|"  # between a topic of the roadmap and its resources


def _textarea(rows: int) -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget(attrs={"rows": rows})


def _choice(values: Iterable[str], titles: Mapping[str, str] | None = None) -> forms.ChoiceField:
    names = titles or {}
    return forms.ChoiceField(
        choices=[("", "—"), *((value, names.get(value, value)) for value in values)],
        widget=UnfoldAdminSelectWidget(),
    )


def _options(name: str) -> tuple[str, ...]:
    return get_args(SoftSkills.model_fields[name].annotation)


class ReportForm(forms.Form):
    recommendation = _choice(RECOMMENDATIONS)
    grade = _choice(GRADES)
    confidence_score = forms.IntegerField(
        min_value=0, max_value=100, label="Confidence", widget=UnfoldAdminIntegerFieldWidget()
    )
    clarity = _choice(_options("clarity"))
    honesty = _choice(_options("honesty"))
    engagement = _choice(_options("engagement"))
    confirmed_skills = forms.CharField(
        required=False, widget=_textarea(3), help_text="One per line, as “Topic: what”."
    )
    knowledge_gaps = forms.CharField(
        required=False, widget=_textarea(3), help_text="One per line, as “Topic: what”."
    )
    personal_roadmap = forms.CharField(
        required=False,
        label="What to learn",
        widget=_textarea(5),
        help_text=f"One topic per line, its resources after “{BESIDE}” with semicolons between.",
    )

    def __init__(self, stored: StoredReport, data: Any = None) -> None:
        initial = _initial(stored.report) if stored.report else {}
        super().__init__(data, initial=initial, prefix="report")
        self.topics = stored.topics
        for i, topic in enumerate(self.topics):
            self._add_topic(i, topic)
        self.order_fields([name for name in self.fields if name not in LISTS])

    def _add_topic(self, i: int, topic: str) -> None:
        status = _choice(get_args(TopicStatus), STATUSES)
        status.label = topic
        self.fields[f"topic_{i}_status"] = status
        for name, label in (("notes", "Notes on"), ("correct_answer", "Correct answer on")):
            self.fields[f"topic_{i}_{name}"] = forms.CharField(
                required=False, label=f"{label} {topic}", widget=_textarea(2)
            )

    def report(self) -> FinalReport:
        data = self.cleaned_data
        topics = [
            {"topic": topic} | {name: data[f"topic_{i}_{name}"] for name in TOPIC_FIELDS}
            for i, topic in enumerate(self.topics)
        ]
        return FinalReport.model_validate(
            {
                "verdict": _pick(data, "grade", "recommendation", "confidence_score"),
                "technical_review": {
                    "topics": topics,
                    "confirmed_skills": _lines(data["confirmed_skills"]),
                    "knowledge_gaps": _lines(data["knowledge_gaps"]),
                },
                "soft_skills": _pick(data, "clarity", "honesty", "engagement"),
                "personal_roadmap": [_step(line) for line in _lines(data["personal_roadmap"])],
            }
        )


def _initial(report: FinalReport) -> dict[str, Any]:
    review = report.technical_review
    initial: dict[str, Any] = report.verdict.model_dump() | report.soft_skills.model_dump()
    initial |= {
        "confirmed_skills": "\n".join(review.confirmed_skills),
        "knowledge_gaps": "\n".join(review.knowledge_gaps),
        "personal_roadmap": "\n".join(map(_line, report.personal_roadmap)),
    }
    for i, one in enumerate(review.topics):
        for name in TOPIC_FIELDS:
            initial[f"topic_{i}_{name}"] = getattr(one, name)
    return initial


def _line(step: RoadmapStep) -> str:
    resources = "; ".join(step.resources)
    return f"{step.topic} {BESIDE} {resources}" if resources else step.topic


def _step(line: str) -> dict[str, Any]:
    topic, _, resources = line.partition(BESIDE)
    parts = [one.strip() for one in resources.split(";")]
    return {"topic": topic.strip(), "resources": [one for one in parts if one]}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _pick(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: data[name] for name in names}


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
    topics: list[ReportTopic] = field(default_factory=list)
    roadmap: list[tuple[RoadmapStep, list[int]]] = field(default_factory=list)  # with positions


def report_view(reflection: Reflection, content: Content) -> ReportView:
    stored = StoredReport.model_validate(content)
    report, evidence = stored.report, stored.evidence
    topics = zip(report.technical_review.topics if report else (), evidence.topics, strict=True)
    steps = zip(report.personal_roadmap if report else (), evidence.personal_roadmap, strict=True)
    return ReportView(
        template="admin/reflections/report.html",
        made_by=WRITERS[stored.made_by] if stored.ruling else "Collected without a model",
        reason=stored.reason,
        advice=ADVICE if report else NOT_JUDGED,
        topics=[ReportTopic(review, rests.positions) for review, rests in topics],
        roadmap=[(step, rests.positions) for step, rests in steps],
    )


def _form(reflection: Reflection, content: Content, data: Any) -> ReportForm:
    return ReportForm(StoredReport.model_validate(content), data)


def _amended(reflection: Reflection, form: ReportForm) -> Content:
    original = StoredReport.model_validate(reflection.content)
    changed = amended_report(record_of(reflection.session), original, form.report())
    return changed.model_dump(mode="json")


REPORT_AMENDMENT = Amendment(_form, _amended)
