"""What code changes in a report. Each change is recorded as a finding.

What is in no observation is dropped; a topic that was judged and left out is added; a confidence
higher than so few answers allow is cut. Everything else is only pointed out (findings.py).
"""

from collections.abc import Iterable, Mapping
from itertools import compress

from reflections.evidence.types import Finding
from reflections.protocols.technical_assessment.report.computed import topic_review
from reflections.protocols.technical_assessment.report.evidence import find_topic
from reflections.protocols.technical_assessment.report.findings import FindingBasis, review_findings
from reflections.protocols.technical_assessment.report.rules import cap_confidence
from reflections.protocols.technical_assessment.report.statistics import by_topic, scored
from reflections.protocols.technical_assessment.report.types import FinalReport, RoadmapStep

NOWHERE = "stands in no observation and was left out"


def check_report(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[Finding]]:
    grounded, dropped = _drop_unfounded(report, basis)
    whole, added = _add_missing_topics(grounded, basis)
    sure, cut = _cap_confidence(whole, basis)
    return sure, [*review_findings(sure, basis), *dropped, *added, *cut]


def _drop_unfounded(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[Finding]]:
    review, findings = report.technical_review, list[Finding]()

    def kept(names: Iterable[str], place: str) -> list[bool]:
        verdicts = []
        for name in names:
            verdicts.append(bool(basis.answers(name)))
            if not verdicts[-1]:
                said = f"{place} “{name}” {NOWHERE}."
                findings.append(
                    Finding(check="unfounded", weight="notable", text=said, before=name)
                )
        return verdicts

    topics = list(compress(review.topics, kept((one.topic for one in review.topics), "The topic")))
    skills = list(compress(review.confirmed_skills, kept(review.confirmed_skills, "The skill")))
    gaps = list(compress(review.knowledge_gaps, kept(review.knowledge_gaps, "The gap")))
    steps = report.personal_roadmap
    roadmap = list(compress(steps, kept((one.topic for one in steps), "In the roadmap")))
    changed = {"topics": topics, "confirmed_skills": skills, "knowledge_gaps": gaps}
    return _updated(report, review=changed, roadmap=roadmap), findings


def _add_missing_topics(
    report: FinalReport, basis: FindingBasis
) -> tuple[FinalReport, list[Finding]]:
    topics = report.technical_review.topics
    named = {find_topic(one.topic, basis.titles) for one in topics}
    missing = {key: a for key, a in by_topic(basis.observed).items() if key not in named}
    added = [topic_review(basis.titles.get(key, key), answers) for key, answers in missing.items()]
    findings = [
        Finding(
            check="left_out",
            weight="notable",
            text=f"“{one.topic}” was left out; it is added as judged.",
        )
        for one in added
    ]
    return _updated(report, review={"topics": [*topics, *added]}), findings


def _cap_confidence(report: FinalReport, basis: FindingBasis) -> tuple[FinalReport, list[Finding]]:
    answers, sure = len(scored(basis.observed)), report.verdict.confidence_score
    most = cap_confidence(answers, basis.rules, sure)
    if most == sure:
        return report, []
    verdict = report.verdict.model_copy(update={"confidence_score": most})
    noun = "answer" if answers == 1 else "answers"
    text = f"The confidence was {sure}; {answers} scored {noun} allow {most} at most."
    finding = Finding(check="too_sure", weight="notable", text=text, before=str(sure))
    return report.model_copy(update={"verdict": verdict}), [finding]


def _updated(
    report: FinalReport, review: Mapping[str, object], roadmap: list[RoadmapStep] | None = None
) -> FinalReport:
    changed: dict[str, object] = {
        "technical_review": report.technical_review.model_copy(update=dict(review))
    }
    if roadmap is not None:
        changed["personal_roadmap"] = roadmap
    return report.model_copy(update=changed)
