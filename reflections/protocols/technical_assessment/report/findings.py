"""What is shown to a reviewer without being changed: where a report departs from the observations.

A topic's status that none of its answers has, a skill without a confirmed answer, a gap without a
missed one, a verdict other than that of the rules (both stand), a protected characteristic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import DecisionRules
from reflections.protocols.technical_assessment.report.evidence import answers_on
from reflections.protocols.technical_assessment.report.protected import protected_in
from reflections.protocols.technical_assessment.report.statistics import SUSPECT, suspect
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    ReportFinding,
    Ruling,
    Weight,
)

INVENTED = "an invention"


@dataclass(frozen=True)
class FindingBasis:
    """What a report is held against."""

    observed: Sequence[Observed]
    titles: Mapping[str, str]  # of the script's topics, by their keys
    ruling: Ruling
    rules: DecisionRules

    def answers(self, what: str) -> list[Observed]:
        """The scored answers that a name rests on."""
        return answers_on(what, self.observed, self.titles)


def noticed(report: FinalReport, basis: FindingBasis) -> list[ReportFinding]:
    """What is only shown; in what a person has written, too."""
    found = [*_verdict(report, basis), *_protected(report), *_statuses(report, basis)]
    return [*found, *_unlike(report, basis)]


def found_as(check: str, weight: Weight, text: str, before: str = "") -> ReportFinding:
    return ReportFinding(check=check, weight=weight, text=text, before=before)


def _verdict(report: FinalReport, basis: FindingBasis) -> list[ReportFinding]:
    """Where the verdict is another than that of the rules."""
    said, given = report.verdict, basis.ruling
    findings = []
    if said.recommendation != given.recommendation:
        better = RECOMMENDATIONS.index(said.recommendation)
        above = better < RECOMMENDATIONS.index(given.recommendation)
        text = f"The report says {said.recommendation}; the rules give {given.recommendation}."
        if above and any(map(suspect, basis.observed)):
            text += " An answer claims a thing that doesn’t exist."
        findings.append(found_as("other_verdict", "serious" if above else "notable", text))
    if GRADES.index(said.grade) > GRADES.index(given.grade):
        text = f"The report says {said.grade}; the questions answered show {given.grade}."
        findings.append(found_as("other_grade", "notable", text))
    return findings


def _statuses(report: FinalReport, basis: FindingBasis) -> list[ReportFinding]:
    """Topics whose status none of their answers has, or that pass over an invention."""
    findings = []
    for one in report.technical_review.topics:
        found = {_status(answer) for answer in basis.answers(one.topic)}
        if SUSPECT in found and one.status != SUSPECT:
            text = (
                f"“{one.topic}” is called {_in_words(one.status)}; an answer on it is {INVENTED}."
            )
            findings.append(found_as("other_status", "serious", text))
        elif one.status not in found:
            text = f"“{one.topic}” is called {_in_words(one.status)}; none of its answers is."
            findings.append(found_as("other_status", "notable", text))
    return findings


def _unlike(report: FinalReport, basis: FindingBasis) -> list[ReportFinding]:
    """Skills and gaps that their answers speak against."""
    review, findings = report.technical_review, list[ReportFinding]()
    for names, place, status in (
        (review.confirmed_skills, "skill", True),
        (review.knowledge_gaps, "gap", False),
    ):
        for name in names:
            held = [_status(answer) == "confirmed" for answer in basis.answers(name)]
            if status not in held:
                why = "confirmed" if status else "missed"
                text = f"The {place} “{name}” rests on no answer that was {why}."
                findings.append(found_as(f"unlike_{place}", "notable", text))
    return findings


def _protected(report: FinalReport) -> list[ReportFinding]:
    """Protected characteristics that are mentioned, each once."""
    return [
        found_as("protected", "serious", f"Speaks of {about} (“{words}”), which is no criterion.")
        for about, words in protected_in(_texts(report)).items()
    ]


def _texts(report: FinalReport) -> str:
    review = report.technical_review
    topics = [text for one in review.topics for text in (one.topic, one.notes)]
    roadmap = [text for one in report.personal_roadmap for text in (one.topic, *one.resources)]
    return "\n".join([*topics, *review.confirmed_skills, *review.knowledge_gaps, *roadmap])


def _status(one: Observed) -> str:
    return SUSPECT if suspect(one) else one.status


def _in_words(status: str) -> str:
    return {"confirmed": "confirmed", "gap": "a gap"}.get(status, INVENTED)
