"""Answers that no model judged, for a person: beside each, which points of a good answer it names.

By words alone: a point is found if the answer has at least half of its key terms.
"""

import re
from collections.abc import Sequence

from interviews.engine.language.terms import shared_terms, terms
from interviews.protocols.technical_assessment.context import good_answer
from interviews.protocols.technical_assessment.state import Observed
from reflections.protocols.technical_assessment.report.types import UnjudgedAnswer

POINT_END = re.compile(r"[;\n]+|[.!?]+(?=\s|$)")


def expected_points(guidance: str) -> list[str]:
    return [
        " ".join(part.split()) for part in POINT_END.split(good_answer(guidance)) if part.strip()
    ]


def is_unjudged(one: Observed) -> bool:
    """Return whether it is an answer that a model should have judged."""
    return one.status == "not_judged" and not one.flags


def unjudged_answer(
    one: Observed, title: str, answer: str, guidance: str, language: str
) -> UnjudgedAnswer:
    said = terms(answer, language)
    found, missing = list[str](), list[str]()
    for point in expected_points(guidance):
        wanted = terms(point, language) - terms(one.question, language)
        named = bool(wanted) and 2 * len(shared_terms(wanted, said)) >= len(wanted)
        (found if named else missing).append(point)
    return UnjudgedAnswer(
        position=one.position,
        topic=title,
        question=one.question,
        answer=answer,
        found=found,
        missing=missing,
    )


def mostly_unjudged(observed: Sequence[Observed]) -> bool:
    """Return whether too little was judged for a verdict: nothing, or less than what was not."""
    judged = sum(one.scored for one in observed)
    return not judged or sum(map(is_unjudged, observed)) > judged
