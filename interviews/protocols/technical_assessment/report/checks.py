"""What code finds in a report, and what it changes there. Each is recorded as a finding.

Changed: what stands in no observation is dropped; a topic that was judged and left out is added; a
confidence above what so few answers allow is cut. Only shown: a topic's status that none of its
answers has, a skill without a confirmed answer, a gap without a missed one, a verdict other than
that of the rules (both stand), a protected characteristic.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

import yaml

from interviews.engine.types import Observed
from interviews.protocols.technical_assessment.report.computed import topic_review
from interviews.protocols.technical_assessment.report.deciding import most_sure
from interviews.protocols.technical_assessment.report.evidence import answers_on, topic_named
from interviews.protocols.technical_assessment.report.statistics import (
    SUSPECT,
    by_topic,
    scored,
    suspect,
)
from interviews.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    FinalReport,
    Finding,
    RoadmapStep,
    Ruling,
)
from plans.content.technical_assessment import DecisionRules

Item = TypeVar("Item")
LEXICON = Path(__file__).parent / "protected.yaml"
INVENTED = "an invention"
NOWHERE = "stands in no observation and was left out"


@dataclass(frozen=True)
class Basis:
    """What a report is held against."""

    observed: Sequence[Observed]
    titles: Mapping[str, str]  # of the script's topics, by their keys
    ruling: Ruling
    rules: DecisionRules

    def answers(self, what: str) -> list[Observed]:
        """The scored answers that a name rests on."""
        return answers_on(what, self.observed, self.titles)


def checked(report: FinalReport, basis: Basis) -> tuple[FinalReport, list[Finding]]:
    """The report as it may stand, and what was found in it."""
    grounded, dropped = _grounded(report, basis)
    whole, added = _whole(grounded, basis)
    sure, cut = _no_surer(whole, basis)
    return sure, [*noticed(sure, basis), *dropped, *added, *cut]


def noticed(report: FinalReport, basis: Basis) -> list[Finding]:
    """What is only shown, the weightiest first; for what a person has written, too."""
    found = [*_verdict(report, basis), *_protected(report), *_statuses(report, basis)]
    return [*found, *_unlike(report, basis)]


# -- what is changed


def _grounded(report: FinalReport, basis: Basis) -> tuple[FinalReport, list[Finding]]:
    """Without what stands in no observation."""
    review, findings = report.technical_review, list[Finding]()

    def kept(names: Iterable[str], place: str) -> list[bool]:
        verdicts = []
        for name in names:
            verdicts.append(bool(basis.answers(name)))
            if not verdicts[-1]:
                said = f"{place} “{name}” {NOWHERE}."
                findings.append(_found("unfounded", "notable", said, name))
        return verdicts

    topics = _only(review.topics, kept((one.topic for one in review.topics), "The topic"))
    skills = _only(review.confirmed_skills, kept(review.confirmed_skills, "The skill"))
    gaps = _only(review.knowledge_gaps, kept(review.knowledge_gaps, "The gap"))
    steps = report.personal_roadmap
    roadmap = _only(steps, kept((one.topic for one in steps), "In the roadmap"))
    changed = {"topics": topics, "confirmed_skills": skills, "knowledge_gaps": gaps}
    return _with(report, review=changed, roadmap=roadmap), findings


def _whole(report: FinalReport, basis: Basis) -> tuple[FinalReport, list[Finding]]:
    """With the topics that were judged and left out."""
    topics = report.technical_review.topics
    named = {topic_named(one.topic, basis.titles) for one in topics}
    missing = {key: a for key, a in by_topic(basis.observed).items() if key not in named}
    added = [topic_review(basis.titles.get(key, key), answers) for key, answers in missing.items()]
    findings = [
        _found("left_out", "notable", f"“{one.topic}” was left out; it is added as judged.")
        for one in added
    ]
    return _with(report, review={"topics": [*topics, *added]}), findings


def _no_surer(report: FinalReport, basis: Basis) -> tuple[FinalReport, list[Finding]]:
    """Not surer than so few answers allow."""
    answers, sure = len(scored(basis.observed)), report.verdict.confidence_score
    most = most_sure(answers, basis.rules, sure)
    if most == sure:
        return report, []
    verdict = report.verdict.model_copy(update={"confidence_score": most})
    text = f"The confidence was {sure}; {_answers(answers)} allow {most} at most."
    return report.model_copy(update={"verdict": verdict}), [
        _found("too_sure", "notable", text, str(sure))
    ]


# -- what is only shown


def _verdict(report: FinalReport, basis: Basis) -> list[Finding]:
    """Where the verdict is another than that of the rules."""
    said, given = report.verdict, basis.ruling
    findings = []
    if said.recommendation != given.recommendation:
        better = RECOMMENDATIONS.index(said.recommendation)
        above = better < RECOMMENDATIONS.index(given.recommendation)
        text = f"The report says {said.recommendation}; the rules give {given.recommendation}."
        if above and any(map(suspect, basis.observed)):
            text += " An answer claims a thing that doesn’t exist."
        findings.append(_found("other_verdict", "serious" if above else "notable", text))
    if GRADES.index(said.grade) > GRADES.index(given.grade):
        text = f"The report says {said.grade}; the questions answered show {given.grade}."
        findings.append(_found("other_grade", "notable", text))
    return findings


def _statuses(report: FinalReport, basis: Basis) -> list[Finding]:
    """Topics whose status none of their answers has, or that pass over an invention."""
    findings = []
    for one in report.technical_review.topics:
        found = {_status(answer) for answer in basis.answers(one.topic)}
        if SUSPECT in found and one.status != SUSPECT:
            text = (
                f"“{one.topic}” is called {_in_words(one.status)}; an answer on it is {INVENTED}."
            )
            findings.append(_found("other_status", "serious", text))
        elif one.status not in found:
            text = f"“{one.topic}” is called {_in_words(one.status)}; none of its answers is."
            findings.append(_found("other_status", "notable", text))
    return findings


def _unlike(report: FinalReport, basis: Basis) -> list[Finding]:
    """Skills and gaps that their answers speak against."""
    review, findings = report.technical_review, list[Finding]()
    for names, place, status in (
        (review.confirmed_skills, "skill", True),
        (review.knowledge_gaps, "gap", False),
    ):
        for name in names:
            held = [_status(answer) == "confirmed" for answer in basis.answers(name)]
            if status not in held:
                why = "confirmed" if status else "missed"
                text = f"The {place} “{name}” rests on no answer that was {why}."
                findings.append(_found(f"unlike_{place}", "notable", text))
    return findings


def _protected(report: FinalReport) -> list[Finding]:
    """Protected characteristics that are mentioned, each once."""
    return [
        _found("protected", "serious", f"Speaks of {about} (“{words}”), which is no criterion.")
        for about, words in protected_in(_texts(report)).items()
    ]


def protected_in(text: str) -> dict[str, str]:
    """The protected characteristics that a text mentions, each with the first words that do."""
    found = {about: pattern.search(text) for about, pattern in _patterns().items()}
    return {about: match[0] for about, match in found.items() if match}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return {
        about: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.I)
        for about, words in lists.items()
    }


def _texts(report: FinalReport) -> str:
    review = report.technical_review
    topics = [text for one in review.topics for text in (one.topic, one.notes)]
    roadmap = [text for one in report.personal_roadmap for text in (one.topic, *one.resources)]
    return "\n".join([*topics, *review.confirmed_skills, *review.knowledge_gaps, *roadmap])


# -- helpers


def _status(one: Observed) -> str:
    return SUSPECT if suspect(one) else one.status


def _in_words(status: str) -> str:
    return {"confirmed": "confirmed", "gap": "a gap"}.get(status, INVENTED)


def _answers(count: int) -> str:
    return f"{count} scored answer{'' if count == 1 else 's'}"


def _found(
    check: str, weight: Literal["serious", "notable", "plain"], text: str, before: str = ""
) -> Finding:
    return Finding(check=check, weight=weight, text=text, before=before)


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
