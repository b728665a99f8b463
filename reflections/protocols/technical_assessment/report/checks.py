"""What code finds in a report, and what it changes there. Each is recorded as a finding.

What stands in no observation is dropped; a topic that was judged and left out is added; a
confidence above what so few answers allow is cut. All else is only shown (noticing.py).
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from reflections.protocols.technical_assessment.report.computed import topic_review
from reflections.protocols.technical_assessment.report.evidence import topic_named
from reflections.protocols.technical_assessment.report.findings import (
    FindingBasis,
    found_as,
    noticed,
)
from reflections.protocols.technical_assessment.report.rules import most_sure
from reflections.protocols.technical_assessment.report.statistics import by_topic, scored
from reflections.protocols.technical_assessment.report.types import (
    FinalReport,
    ReportFinding,
    RoadmapStep,
)

Item = TypeVar("Item")
NOWHERE = "stands in no observation and was left out"


def checked(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[ReportFinding]]:
    """The report as it may stand, and what was found in it."""
    grounded, dropped = _grounded(report, basis)
    whole, added = _whole(grounded, basis)
    sure, cut = _no_surer(whole, basis)
    return sure, [*noticed(sure, basis), *dropped, *added, *cut]


def _grounded(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[ReportFinding]]:
    """Without what stands in no observation."""
    review, findings = report.technical_review, list[ReportFinding]()

    def kept(names: Iterable[str], place: str) -> list[bool]:
        verdicts = []
        for name in names:
            verdicts.append(bool(basis.answers(name)))
            if not verdicts[-1]:
                said = f"{place} “{name}” {NOWHERE}."
                findings.append(found_as("unfounded", "notable", said, name))
        return verdicts

    topics = _only(review.topics, kept((one.topic for one in review.topics), "The topic"))
    skills = _only(review.confirmed_skills, kept(review.confirmed_skills, "The skill"))
    gaps = _only(review.knowledge_gaps, kept(review.knowledge_gaps, "The gap"))
    steps = report.personal_roadmap
    roadmap = _only(steps, kept((one.topic for one in steps), "In the roadmap"))
    changed = {"topics": topics, "confirmed_skills": skills, "knowledge_gaps": gaps}
    return _with(report, review=changed, roadmap=roadmap), findings


def _whole(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[ReportFinding]]:
    """With the topics that were judged and left out."""
    topics = report.technical_review.topics
    named = {topic_named(one.topic, basis.titles) for one in topics}
    missing = {key: a for key, a in by_topic(basis.observed).items() if key not in named}
    added = [topic_review(basis.titles.get(key, key), answers) for key, answers in missing.items()]
    findings = [
        found_as("left_out", "notable", f"“{one.topic}” was left out; it is added as judged.")
        for one in added
    ]
    return _with(report, review={"topics": [*topics, *added]}), findings


def _no_surer(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[ReportFinding]]:
    """Not surer than so few answers allow."""
    answers, sure = len(scored(basis.observed)), report.verdict.confidence_score
    most = most_sure(answers, basis.rules, sure)
    if most == sure:
        return report, []
    verdict = report.verdict.model_copy(update={"confidence_score": most})
    text = f"The confidence was {sure}; {_answers(answers)} allow {most} at most."
    return report.model_copy(update={"verdict": verdict}), [
        found_as("too_sure", "notable", text, str(sure))
    ]


def _answers(count: int) -> str:
    return f"{count} scored answer{'' if count == 1 else 's'}"


def _only(items: list[Item], kept: Iterable[bool]) -> list[Item]:
    return [item for item, keep in zip(items, kept, strict=True) if keep]


def _with(
    report: FinalReport,
    review: Mapping[str, object],
    roadmap: list[RoadmapStep] | None = None,
) -> FinalReport:
    changed: dict[str, object] = {
        "technical_review": report.technical_review.model_copy(update=dict(review))
    }
    if roadmap is not None:
        changed["personal_roadmap"] = roadmap
    return report.model_copy(update=changed)
