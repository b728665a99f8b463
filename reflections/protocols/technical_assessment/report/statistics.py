"""Figures of the observations.

Only scored answers count. A topic's status follows from its answers:

1. one that claims a thing that doesn't exist makes it `hallucination_suspect`;
2. otherwise it is `confirmed` if more than half of them are, or half of them and the last one too
   (who got there in the end knows it);
3. otherwise it is a `gap`.

An answer about no topic counts in the means alone. A claim of something that doesn't exist is
counted wherever it was made, also in what is not scored, such as the account of experience.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from interviews.protocols.technical_assessment.state import Observed
from reflections.protocols.technical_assessment.report.types import Statistics, TopicStatus

SUSPECT: TopicStatus = "hallucination_suspect"


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
