"""Where a report departs from the observations, pointed out to a reviewer and not changed.

A topic's status that none of its answers has, a skill without a confirmed answer, a gap without a
missed one, a verdict other than that of the rules (both are shown), a protected characteristic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import DecisionRules
from reflections.evidence.types import Finding, Weight
from reflections.protocols.technical_assessment.report.evidence import answers_on
from reflections.protocols.technical_assessment.report.protected import protected_in
from reflections.protocols.technical_assessment.report.statistics import SUSPECT, is_suspect
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    Ruling,
)

INVENTED = "an invention"


@dataclass(frozen=True)
class FindingBasis:
    observed: Sequence[Observed]
    titles: Mapping[str, str]  # of the script's topics, by their keys
    ruling: Ruling
    rules: DecisionRules

    def answers(self, what: str) -> list[Observed]:
        return answers_on(what, self.observed, self.titles)


def review_findings(report: FinalReport, basis: FindingBasis) -> list[Finding]:
    found = [
        *_verdict_findings(report, basis),
        *_protected_findings(report),
        *_status_findings(report, basis),
    ]
    return [*found, *_contradicted_findings(report, basis)]


def _verdict_findings(report: FinalReport, basis: FindingBasis) -> list[Finding]:
    verdict, ruling = report.verdict, basis.ruling
    findings = []
    if verdict.recommendation != ruling.recommendation:
        better = RECOMMENDATIONS.index(verdict.recommendation)
        above = better < RECOMMENDATIONS.index(ruling.recommendation)
        text = f"The report says {verdict.recommendation}; the rules give {ruling.recommendation}."
        if above and any(map(is_suspect, basis.observed)):
            text += " An answer claims a thing that doesn’t exist."
        weight: Weight = "serious" if above else "notable"
        findings.append(Finding(check="other_verdict", weight=weight, text=text))
    if GRADES.index(verdict.grade) > GRADES.index(ruling.grade):
        text = f"The report says {verdict.grade}; the questions answered show {ruling.grade}."
        findings.append(Finding(check="other_grade", weight="notable", text=text))
    return findings


def _status_findings(report: FinalReport, basis: FindingBasis) -> list[Finding]:
    findings = []
    for one in report.technical_review.topics:
        found = {_status(answer) for answer in basis.answers(one.topic)}
        if SUSPECT in found and one.status != SUSPECT:
            text = (
                f"“{one.topic}” is called {_in_words(one.status)}; an answer on it is {INVENTED}."
            )
            findings.append(Finding(check="other_status", weight="serious", text=text))
        elif one.status not in found:
            text = f"“{one.topic}” is called {_in_words(one.status)}; none of its answers is."
            findings.append(Finding(check="other_status", weight="notable", text=text))
    return findings


def _contradicted_findings(report: FinalReport, basis: FindingBasis) -> list[Finding]:
    review, findings = report.technical_review, list[Finding]()
    for names, place, status in (
        (review.confirmed_skills, "skill", True),
        (review.knowledge_gaps, "gap", False),
    ):
        for name in names:
            confirmed = [_status(answer) == "confirmed" for answer in basis.answers(name)]
            if status not in confirmed:
                why = "confirmed" if status else "missed"
                text = f"The {place} “{name}” rests on no answer that was {why}."
                findings.append(Finding(check=f"unlike_{place}", weight="notable", text=text))
    return findings


def _protected_findings(report: FinalReport) -> list[Finding]:
    return [
        Finding(
            check="protected",
            weight="serious",
            text=f"Speaks of {about} (“{words}”), which is no criterion.",
        )
        for about, words in protected_in(_texts(report)).items()
    ]


def _texts(report: FinalReport) -> str:
    review = report.technical_review
    topics = [text for one in review.topics for text in (one.topic, one.notes)]
    roadmap = [text for one in report.personal_roadmap for text in (one.topic, *one.resources)]
    return "\n".join([*topics, *review.confirmed_skills, *review.knowledge_gaps, *roadmap])


def _status(one: Observed) -> str:
    return SUSPECT if is_suspect(one) else one.status


def _in_words(status: str) -> str:
    return {"confirmed": "confirmed", "gap": "a gap"}.get(status, INVENTED)
