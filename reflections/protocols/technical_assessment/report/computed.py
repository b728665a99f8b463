"""The report that needs no model, and what candidates may see: both are in the observations.

**Clarity** is Good if at most a third of the scored answers are short and one uses an example, Poor
if more than half are short, otherwise Average. **Honesty** is Unclear if something was claimed that
doesn't exist, if gaps were covered up, or if nothing was scored; otherwise it says whether there
were gaps. **Engagement** is High if the candidate asked back or most answers are long, Low if a
third of all that was said strayed from the subject, otherwise Neutral.

**Candidates** get no scores, no verdict and nobody's notes, if the bot shows them a summary at all,
so that no model's words about people reach them unread.
"""

from collections.abc import Mapping, Sequence

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import DecisionRules, Grade
from reflections.evidence.types import StoredModel
from reflections.protocols.technical_assessment.report.rules import (
    apply_rules,
    by_topic,
    confidence_score,
    gaps_admitted,
    is_suspect,
    scored,
    topic_status,
)
from reflections.protocols.technical_assessment.report.types import (
    FinalReport,
    RoadmapStep,
    SoftSkills,
    TechnicalReview,
    TopicReview,
    Verdict,
)

MOST_NOTES = 4  # of one topic


def compute_report(
    observed: Sequence[Observed], titles: Mapping[str, str], claimed: Grade, rules: DecisionRules
) -> FinalReport:
    ruling = apply_rules(observed, claimed, rules)
    topics = [topic_review(titles.get(key, key), all_) for key, all_ in by_topic(observed).items()]
    gaps = [one.topic for one in topics if one.status != "confirmed"]
    return FinalReport(
        verdict=Verdict(
            grade=ruling.grade,
            recommendation=ruling.recommendation,
            confidence_score=confidence_score(len(scored(observed)), rules),
        ),
        technical_review=TechnicalReview(
            topics=topics,
            confirmed_skills=[one.topic for one in topics if one.status == "confirmed"],
            knowledge_gaps=gaps,
        ),
        soft_skills=soft_skills(observed),
        personal_roadmap=[RoadmapStep(topic=topic, resources=[]) for topic in gaps],
    )


def topic_review(title: str, answers: Sequence[Observed]) -> TopicReview:
    missed = [one for one in answers if one.status != "confirmed" or is_suspect(one)]
    return TopicReview(
        topic=title,
        status=topic_status(answers),
        notes=_joined([one.notes for one in answers]),
        correct_answer=_joined([one.correct_answer for one in missed]),
    )


def soft_skills(observed: Sequence[Observed]) -> SoftSkills:
    counted = scored(observed)
    return SoftSkills(
        clarity=_clarity(counted),
        honesty=_honesty(observed, counted),
        engagement=_engagement(observed, counted),
    )


def _clarity(counted: Sequence[Observed]) -> str:
    short = sum(one.verbosity == "short" for one in counted)
    if 2 * short > len(counted) or not counted:
        return "Poor" if counted else "Average"
    return "Good" if 3 * short <= len(counted) and any(o.examples for o in counted) else "Average"


def _honesty(observed: Sequence[Observed], counted: Sequence[Observed]) -> str:
    if not counted or any(map(is_suspect, observed)) or not gaps_admitted(counted):
        return "Unclear"
    gaps = any(one.status == "gap" for one in counted)
    return "Admitted gaps" if gaps else "Clear answers"


def _engagement(observed: Sequence[Observed], counted: Sequence[Observed]) -> str:
    strayed = sum("off_topic" in one.flags for one in observed)
    if observed and 3 * strayed >= len(observed):
        return "Low"
    asked_back = any("role_reversal" in one.flags for one in observed)
    long = sum(one.verbosity == "long" for one in counted)
    return "High" if asked_back or 2 * long > len(counted) else "Neutral"


def _joined(texts: Sequence[str]) -> str:
    unique = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
    return " ".join(unique[:MOST_NOTES])


class ToLearn(StoredModel):
    """A topic to go over, with the interview's questions that are worth another look."""

    topic: str
    questions: list[str]


class OwnSummary(StoredModel):
    confirmed: list[str]
    to_learn: list[ToLearn]


def own_summary(observed: Sequence[Observed], titles: Mapping[str, str]) -> OwnSummary:
    topics = by_topic(observed)
    return OwnSummary(
        confirmed=[
            titles.get(k, k) for k, all_ in topics.items() if topic_status(all_) == "confirmed"
        ],
        to_learn=[
            ToLearn(topic=titles.get(key, key), questions=missed)
            for key, answers in topics.items()
            if (missed := _missed(answers))
        ],
    )


def _missed(answers: Sequence[Observed]) -> list[str]:
    missed = [one.question for one in answers if one.status != "confirmed" or is_suspect(one)]
    return list(dict.fromkeys(missed))
