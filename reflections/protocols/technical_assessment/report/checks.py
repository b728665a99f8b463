"""What code changes in a report. Each change is recorded as a finding.

What is in no observation is dropped; a topic that was judged and left out is added; a confidence
higher than so few answers allow is cut. Everything else is only pointed out:
a topic's status that none of its answers has, a skill without a confirmed answer, a gap without a
missed one, a verdict other than that of the rules (both are shown), a protected characteristic.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.yaml_files import read_yaml_file
from reflections.evidence.types import Finding, Weight, finding
from reflections.protocols.technical_assessment.report.computed import topic_review
from reflections.protocols.technical_assessment.report.evidence import AssessmentRecord, find_topic
from reflections.protocols.technical_assessment.report.rules import (
    SUSPECT,
    by_topic,
    cap_confidence,
    is_suspect,
    scored,
)
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    Ruling,
)

NOWHERE = "stands in no observation and was left out"
LEXICON = Path(__file__).parent / "protected.yaml"
INVENTED = "an invention"
Checked = tuple[FinalReport, list[Finding]]


def review_findings(report: FinalReport, record: AssessmentRecord) -> list[Finding]:
    return [
        *_verdict_findings(report, record),
        *protected_findings(report),
        *_status_findings(report, record),
        *_contradicted_findings(report, record),
    ]


def apart(report: FinalReport, ruling: Ruling) -> list[str]:
    """Return where the report and the rules are more than one step apart."""
    said, given = report.verdict, ruling
    pairs = (
        (RECOMMENDATIONS, said.recommendation, given.recommendation),
        (GRADES, said.grade, given.grade),
    )
    return [
        f"The model says {one}; the rules give {other}."
        for steps, one, other in pairs
        if abs(steps.index(one) - steps.index(other)) > 1
    ]


def _verdict_findings(report: FinalReport, record: AssessmentRecord) -> list[Finding]:
    verdict, ruling = report.verdict, record.ruling
    findings = []
    if verdict.recommendation != ruling.recommendation:
        better = RECOMMENDATIONS.index(verdict.recommendation)
        above = better < RECOMMENDATIONS.index(ruling.recommendation)
        text = f"The report says {verdict.recommendation}; the rules give {ruling.recommendation}."
        if above and any(map(is_suspect, record.observed)):
            text += " An answer claims a thing that doesn’t exist."
        weight: Weight = "serious" if above else "notable"
        findings.append(finding("other_verdict", text, weight))
    if GRADES.index(verdict.grade) > GRADES.index(ruling.grade):
        text = f"The report says {verdict.grade}; the questions answered show {ruling.grade}."
        findings.append(finding("other_grade", text))
    return findings


def _status_findings(report: FinalReport, record: AssessmentRecord) -> list[Finding]:
    findings = []
    for one in report.technical_review.topics:
        found = {_status(answer) for answer in record.answers_on(one.topic)}
        if SUSPECT in found and one.status != SUSPECT:
            text = (
                f"“{one.topic}” is called {_in_words(one.status)}; an answer on it is {INVENTED}."
            )
            findings.append(finding("other_status", text, "serious"))
        elif one.status not in found:
            text = f"“{one.topic}” is called {_in_words(one.status)}; none of its answers is."
            findings.append(finding("other_status", text))
    return findings


def _contradicted_findings(report: FinalReport, record: AssessmentRecord) -> list[Finding]:
    review, findings = report.technical_review, list[Finding]()
    for names, place, status in (
        (review.confirmed_skills, "skill", True),
        (review.knowledge_gaps, "gap", False),
    ):
        for name in names:
            confirmed = [_status(answer) == "confirmed" for answer in record.answers_on(name)]
            if status not in confirmed:
                why = "confirmed" if status else "missed"
                text = f"The {place} “{name}” rests on no answer that was {why}."
                findings.append(finding(f"unlike_{place}", text))
    return findings


def protected_findings(report: FinalReport) -> list[Finding]:
    return [
        finding("protected", f"Speaks of {about} (“{words}”), which is no criterion.", "serious")
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


def protected_in(text: str) -> dict[str, str]:
    found = {about: pattern.search(text) for about, pattern in _patterns().items()}
    return {about: match[0] for about, match in found.items() if match}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    lists: dict[str, list[str]] = read_yaml_file(LEXICON)
    return {
        about: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.I)
        for about, words in lists.items()
    }


# -- what is changed


def check_report(report: FinalReport, record: AssessmentRecord) -> Checked:
    grounded, dropped = _drop_unfounded(report, record)
    whole, added = _add_missing_topics(grounded, record)
    sure, cut = _cap_confidence(whole, record)
    return sure, [*review_findings(sure, record), *dropped, *added, *cut]


def _drop_unfounded(report: FinalReport, record: AssessmentRecord) -> Checked:
    review, findings = report.technical_review, list[Finding]()

    def stands(name: str, place: str) -> bool:
        founded = bool(record.answers_on(name))
        if not founded:
            findings.append(finding("unfounded", f"{place} “{name}” {NOWHERE}.", before=name))
        return founded

    changed = {
        "topics": [one for one in review.topics if stands(one.topic, "The topic")],
        "confirmed_skills": [one for one in review.confirmed_skills if stands(one, "The skill")],
        "knowledge_gaps": [one for one in review.knowledge_gaps if stands(one, "The gap")],
    }
    steps = [one for one in report.personal_roadmap if stands(one.topic, "In the roadmap")]
    return _updated(report, review=changed, personal_roadmap=steps), findings


def _add_missing_topics(report: FinalReport, record: AssessmentRecord) -> Checked:
    topics = report.technical_review.topics
    named = {find_topic(one.topic, record.titles) for one in topics}
    missing = {key: a for key, a in by_topic(record.observed).items() if key not in named}
    added = [topic_review(record.titles.get(key, key), answers) for key, answers in missing.items()]
    findings = [
        finding("left_out", f"“{one.topic}” was left out; it is added as judged.") for one in added
    ]
    return _updated(report, review={"topics": [*topics, *added]}), findings


def _cap_confidence(report: FinalReport, record: AssessmentRecord) -> Checked:
    answers, sure = len(scored(record.observed)), report.verdict.confidence_score
    most = cap_confidence(answers, record.options.rules, sure)
    if most == sure:
        return report, []
    verdict = report.verdict.model_copy(update={"confidence_score": most})
    noun = "answer" if answers == 1 else "answers"
    text = f"The confidence was {sure}; {answers} scored {noun} allow {most} at most."
    cut = finding("too_sure", text, before=str(sure))
    return report.model_copy(update={"verdict": verdict}), [cut]


def _updated(report: FinalReport, review: Mapping[str, Any], **changed: Any) -> FinalReport:
    changed["technical_review"] = report.technical_review.model_copy(update=review)
    return report.model_copy(update=changed)
