"""The shipped assessments can be judged by rules: what they expect tells good answers from weak."""

import re

import pytest

from interviews.protocols.technical_assessment.analysis import ObserverInput
from interviews.protocols.technical_assessment.heuristics import judge
from plans.demo.loading import demo_script

WEAK = re.compile(r"Weak answers|Слабые ответы:?")


def judged(language: str, question, answer: str):
    return judge(
        ObserverInput(
            language=language,
            position="Backend developer",
            grade="Middle",
            experience="",
            topic="",
            topics=[],
            question=question.text,
            expected=question.guidance,
            answer=answer,
        )
    )


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_few_good_points_are_confirmed_and_weak_ones_are_not(language):
    for question in demo_script(f"technical_backend_{language}").questions:
        good, weak = WEAK.split(question.guidance)
        points = ". ".join(good.split(";")[:3])

        assert judged(language, question, points).status == "confirmed", question.key
        assert judged(language, question, weak).status == "gap", question.key
