"""Figures of the observations, and the rules for recommendation, confidence and grade.

**Figures.** Only scored answers count. A topic's status follows from its answers:

1. one that claims a thing that doesn't exist makes it `hallucination_suspect`;
2. otherwise it is `confirmed` if more than half of them are, or half of them and the last one too
   (who got there in the end knows it);
3. otherwise it is a `gap`.

An answer about no topic counts in the means alone. A claim of something that doesn't exist is
counted wherever it was made, also in what is not scored, such as the account of experience.

**Recommendation.** Strong Hire and Hire by the bot's rules (`DecisionRules`), otherwise No Hire;
either needs that nothing was claimed that doesn't exist.

**Gaps admitted.** At least half of the answers that are gaps were given with a confidence of at
most 0.5: people who don't know and say so sound unsure. Without gaps there was nothing to admit.

**Grade.** The highest level of questions from which on at least half of the answers are confirmed:
4 and 5 are Senior, 3 is Middle, lower is Junior.

**Confidence.** 50 with as many scored answers as needed, more with each further one; with fewer at
most what the bot's rules allow.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import LEVELS, DecisionRules, Grade
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    Recommendation,
    Ruling,
    Statistics,
    TopicStatus,
)

SUSPECT: TopicStatus = "hallucination_suspect"
UNSURE = 0.5  # a confidence with which a gap counts as admitted
SENIOR, MIDDLE = 4, 3  # levels


def apply_rules(observed: Sequence[Observed], claimed: Grade, rules: DecisionRules) -> Ruling:
    statistics = statistics_of(observed)
    grade, admitted = grade_shown(observed), gaps_admitted(observed)
    at_grade = GRADES.index(grade) >= GRADES.index(claimed)
    return Ruling(
        recommendation=recommend(statistics, at_grade, admitted, rules),
        grade=grade,
        gaps_admitted=admitted,
    )


def recommend(
    found: Statistics, at_grade: bool, admitted: bool, rules: DecisionRules
) -> Recommendation:
    if not found.topics or found.hallucinations:
        return "No Hire"
    share, mean = found.confirmed / found.topics, found.mean_correctness
    if share >= rules.strong_share and mean >= rules.strong_mean and at_grade:
        return "Strong Hire"
    if share >= rules.hire_share and mean >= rules.hire_mean and admitted:
        return "Hire"
    return "No Hire"


def gaps_admitted(observed: Sequence[Observed]) -> bool:
    gaps = [one for one in scored(observed) if one.status == "gap" and not is_suspect(one)]
    return 2 * sum((one.confidence or 0.0) <= UNSURE for one in gaps) >= len(gaps)


def grade_shown(observed: Sequence[Observed]) -> Grade:
    counted = [one for one in scored(observed) if one.topic]
    for level in range(LEVELS, 0, -1):
        confirmed = [
            one.status == "confirmed" and not is_suspect(one)
            for one in counted
            if one.level >= level
        ]
        if confirmed and 2 * sum(confirmed) >= len(confirmed):
            return _grade(level)
    return "Junior"


def confidence_score(answers: int, rules: DecisionRules) -> int:
    return cap_confidence(answers, rules, round(100 * answers / (answers + rules.least_answers)))


def cap_confidence(answers: int, rules: DecisionRules, confidence: int) -> int:
    enough = answers >= rules.least_answers
    return confidence if enough else min(confidence, rules.most_confidence)


def _grade(level: int) -> Grade:
    if level >= SENIOR:
        return "Senior"
    return "Middle" if level >= MIDDLE else "Junior"


# -- figures


def statistics_of(observed: Sequence[Observed]) -> Statistics:
    counted = scored(observed)
    statuses = [topic_status(answers) for answers in by_topic(observed).values()]
    return Statistics(
        answers=len(observed),
        scored=len(counted),
        topics=len(statuses),
        confirmed=statuses.count("confirmed"),
        gaps=statuses.count("gap"),
        suspects=statuses.count(SUSPECT),
        hallucinations=sum(map(is_suspect, observed)),
        mean_correctness=_mean(one.correctness or 0.0 for one in counted),
        mean_confidence=_mean(one.confidence or 0.0 for one in counted),
    )


def scored(observed: Iterable[Observed]) -> list[Observed]:
    """Return those that count: judged, and given to a question of the assessment."""
    return [one for one in observed if one.scored]


def is_suspect(one: Observed) -> bool:
    return one.status == SUSPECT or "hallucination" in one.flags


def by_topic(observed: Iterable[Observed]) -> Mapping[str, list[Observed]]:
    topics: dict[str, list[Observed]] = {}
    for one in scored(observed):
        if one.topic:
            topics.setdefault(one.topic, []).append(one)
    return topics


def topic_status(answers: Sequence[Observed]) -> TopicStatus:
    if any(map(is_suspect, answers)):
        return SUSPECT
    confirmed = [one.status == "confirmed" for one in answers]
    twice = 2 * sum(confirmed)
    won = twice > len(confirmed) or (twice == len(confirmed) and confirmed[-1])
    return "confirmed" if won else "gap"


def _mean(values: Iterable[float]) -> float:
    kept = list(values)
    return round(fmean(kept), 3) if kept else 0.0
