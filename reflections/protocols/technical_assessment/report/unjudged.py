"""Answers that no model judged, for a person: beside each, which points of a good answer it names.

By words alone: a point is found if the answer has at least half of its key terms.
"""

import re
from collections.abc import Sequence

from interviews.engine.language.terms import shared_terms, terms
from interviews.protocols.technical_assessment.context import EXPERIENCE, good_answer
from interviews.protocols.technical_assessment.state import Observed
from reflections.evidence.transcript import TranscriptLine
from reflections.protocols.technical_assessment.report.evidence import AssessmentRecord
from reflections.protocols.technical_assessment.report.types import UnjudgedAnswer

POINT_END = re.compile(r"[;\n]+|(?<![.!?])[.!?]++(?=\s|$)")


def expected_points(guidance: str) -> list[str]:
    return [
        " ".join(part.split()) for part in POINT_END.split(good_answer(guidance)) if part.strip()
    ]


def is_unjudged(one: Observed) -> bool:
    """Return whether it is an answer that a model should have judged."""
    return one.status == "not_judged" and not one.flags


def unjudged_answers(record: AssessmentRecord) -> list[UnjudgedAnswer]:
    return [
        _unjudged_answer(one, record.answers[one.position], record)
        for one in record.observed
        if is_unjudged(one)
        and one.position in record.answers
        and record.answers[one.position].question != EXPERIENCE
    ]


def _unjudged_answer(
    one: Observed, answer: TranscriptLine, record: AssessmentRecord
) -> UnjudgedAnswer:
    said = terms(answer.text, record.language)
    found, missing = list[str](), list[str]()
    for point in expected_points(record.guidance.get((one.topic, answer.question), "")):
        wanted = terms(point, record.language) - terms(one.question, record.language)
        named = bool(wanted) and 2 * len(shared_terms(wanted, said)) >= len(wanted)
        (found if named else missing).append(point)
    return UnjudgedAnswer(
        position=one.position,
        topic=record.titles.get(one.topic, one.topic),
        question=one.question,
        answer=answer.text,
        found=found,
        missing=missing,
    )


def mostly_unjudged(observed: Sequence[Observed]) -> bool:
    """Return whether too little was judged for a verdict: nothing, or less than what was not."""
    judged = sum(one.scored for one in observed)
    return not judged or sum(map(is_unjudged, observed)) > judged
