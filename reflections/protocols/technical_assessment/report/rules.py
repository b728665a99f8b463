"""The rules by which a report recommends, how sure it may be, and which grade was shown.

**Recommendation.** Strong Hire and Hire as the bot's rules say (`DecisionRules`), No Hire
otherwise; no claim of a thing that doesn't exist is allowed for either.

**Gaps admitted.** Of the answers that are gaps at least half were given with a confidence of at
most 0.5: whoever doesn't know and says so sounds unsure. Without gaps there was nothing to admit.

**Grade shown.** The highest level of questions from which on at least half of the answers are
confirmed: 4 and 5 are Senior, 3 is Middle, all below is Junior.

**How sure.** 50 with as many scored answers as are needed, more with each further one; with fewer
than needed at most what the bot's rules allow.
"""

from collections.abc import Sequence

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import LEVELS, DecisionRules, Grade
from reflections.protocols.technical_assessment.report.statistics import (
    scored,
    statistics_of,
    suspect,
)
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    Recommendation,
    Ruling,
    Statistics,
)

UNSURE = 0.5  # a confidence with which a gap counts as admitted
SENIOR, MIDDLE = 4, 3  # levels


def ruling(observed: Sequence[Observed], claimed: Grade, rules: DecisionRules) -> Ruling:
    """What the rules alone give."""
    statistics = statistics_of(observed)
    grade, admitted = grade_shown(observed), gaps_admitted(observed)
    at_grade = GRADES.index(grade) >= GRADES.index(claimed)
    return Ruling(
        recommendation=recommendation(statistics, at_grade, admitted, rules),
        grade=grade,
        gaps_admitted=admitted,
    )


def recommendation(
    found: Statistics, at_grade: bool, admitted: bool, rules: DecisionRules
) -> Recommendation:
    """The recommendation by the thresholds, to the letter."""
    if not found.topics or found.hallucinations:
        return "No Hire"
    share, mean = found.confirmed / found.topics, found.mean_correctness
    if share >= rules.strong_share and mean >= rules.strong_mean and at_grade:
        return "Strong Hire"
    if share >= rules.hire_share and mean >= rules.hire_mean and admitted:
        return "Hire"
    return "No Hire"


def gaps_admitted(observed: Sequence[Observed]) -> bool:
    """Whether gaps were admitted rather than covered up."""
    gaps = [one for one in scored(observed) if one.status == "gap" and not suspect(one)]
    return 2 * sum(one.confidence <= UNSURE for one in gaps) >= len(gaps)


def grade_shown(observed: Sequence[Observed]) -> Grade:
    """The grade that the answers show, by the levels of their questions."""
    counted = [one for one in scored(observed) if one.topic]
    for level in range(LEVELS, 0, -1):
        held = [
            one.status == "confirmed" and not suspect(one) for one in counted if one.level >= level
        ]
        if held and 2 * sum(held) >= len(held):
            return _grade(level)
    return "Junior"


def sureness(answers: int, rules: DecisionRules) -> int:
    """From 0 to 100, by the number of scored answers."""
    return most_sure(answers, rules, round(100 * answers / (answers + rules.least_answers)))


def most_sure(answers: int, rules: DecisionRules, sure: int) -> int:
    """That, as far as so few answers allow it."""
    return sure if answers >= rules.least_answers else min(sure, rules.most_confidence)


def _grade(level: int) -> Grade:
    if level >= SENIOR:
        return "Senior"
    return "Middle" if level >= MIDDLE else "Junior"
