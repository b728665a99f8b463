"""The form in which a reviewer amends a report."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    RoadmapStep,
    SoftSkills,
    TopicStatus,
)

STATUSES = {"confirmed": "Confirmed", "gap": "Gap", "hallucination_suspect": "Invention suspected"}
LISTS = ("confirmed_skills", "knowledge_gaps", "personal_roadmap")  # after the topics
BESIDE = "|"  # between a topic of the roadmap and its resources


def _lines_high(rows: int) -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget(attrs={"rows": rows})


def _choice(values: Iterable[str], titles: Mapping[str, str] | None = None) -> forms.ChoiceField:
    names = titles or {}
    return forms.ChoiceField(
        choices=[(value, names.get(value, value)) for value in values],
        widget=UnfoldAdminSelectWidget(),
    )


def _options(name: str) -> tuple[str, ...]:
    return get_args(SoftSkills.model_fields[name].annotation)


class ReportForm(forms.Form):
    """A report to be amended; `report` puts it together again."""

    recommendation = _choice(RECOMMENDATIONS)
    grade = _choice(GRADES)
    confidence_score = forms.IntegerField(
        min_value=0, max_value=100, label="Confidence", widget=UnfoldAdminIntegerFieldWidget()
    )
    clarity = _choice(_options("clarity"))
    honesty = _choice(_options("honesty"))
    engagement = _choice(_options("engagement"))
    confirmed_skills = forms.CharField(
        required=False, widget=_lines_high(3), help_text="One a line, “Topic: what”."
    )
    knowledge_gaps = forms.CharField(
        required=False, widget=_lines_high(3), help_text="One a line, “Topic: what”."
    )
    personal_roadmap = forms.CharField(
        required=False,
        label="What to learn",
        widget=_lines_high(5),
        help_text=f"One topic a line, its resources after “{BESIDE}” with semicolons between.",
    )

    def __init__(self, original: FinalReport, data: Any = None) -> None:
        super().__init__(data, initial=_initial(original), prefix="report")
        self.original = original
        for i, one in enumerate(original.technical_review.topics):
            self._topic(i, one.topic)
        self.order_fields([name for name in self.fields if name not in LISTS])

    def _topic(self, i: int, topic: str) -> None:
        status = _choice(get_args(TopicStatus), STATUSES)
        status.label = topic
        self.fields[f"topic_{i}_status"] = status
        for name, label in (("notes", "Notes on"), ("correct_answer", "What was right on")):
            self.fields[f"topic_{i}_{name}"] = forms.CharField(
                required=False, label=f"{label} {topic}", widget=_lines_high(2)
            )

    def report(self) -> FinalReport:
        """The report as amended, once the form is valid."""
        told, original = self.cleaned_data, self.original
        topics = [
            one.model_copy(
                update={
                    name: told[f"topic_{i}_{name}"]
                    for name in ("status", "notes", "correct_answer")
                }
            )
            for i, one in enumerate(original.technical_review.topics)
        ]
        return FinalReport.model_validate(
            {
                "verdict": _of(told, "grade", "recommendation", "confidence_score"),
                "technical_review": {
                    "topics": [one.model_dump() for one in topics],
                    "confirmed_skills": _lines(told["confirmed_skills"]),
                    "knowledge_gaps": _lines(told["knowledge_gaps"]),
                },
                "soft_skills": _of(told, "clarity", "honesty", "engagement"),
                "personal_roadmap": [_step(line) for line in _lines(told["personal_roadmap"])],
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
        for name in ("status", "notes", "correct_answer"):
            initial[f"topic_{i}_{name}"] = getattr(one, name)
    return initial


def _line(step: RoadmapStep) -> str:
    resources = "; ".join(step.resources)
    return f"{step.topic} {BESIDE} {resources}" if resources else step.topic


def _step(line: str) -> dict[str, Any]:
    topic, _, resources = line.partition(BESIDE)
    named = [one.strip() for one in resources.split(";")]
    return {"topic": topic.strip(), "resources": [one for one in named if one]}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _of(told: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: told[name] for name in names}
