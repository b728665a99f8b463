"""The shipped assessments can be judged by rules: what they expect tells good answers from weak."""

import re

import pytest
from asgiref.sync import sync_to_async

from interviews.choices import SessionStatus
from interviews.protocols.technical_assessment.analysis import ObserverInput
from interviews.protocols.technical_assessment.heuristics import judge
from interviews.protocols.technical_assessment.state import TechnicalAssessmentState
from plans.demo.loader import demo_script, load_demo
from plans.models import Bot
from tests.interviews.talk import begin

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


async def walk(bot, answer) -> tuple[list[str], TechnicalAssessmentState]:
    """The keys of the questions that are asked, and the state at the end."""
    known = demo_script(bot.slug.replace("-", "_")).questions
    talk = await begin(bot)
    said, keys = await talk.say("Five years. / Пять лет."), []
    while (session := await talk.session()).status != SessionStatus.COMPLETED:
        question = next(q for q in known if q.text in said)
        keys.append(question.key)
        said = await talk.say(answer(question))
    return keys, TechnicalAssessmentState.model_validate(session.state)


def knowing(question) -> str:
    return WEAK.split(question.guidance)[0]


NOTHING = {"en": "I don't know.", "ru": "Не знаю."}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("knows", "level", "verdict"), [(True, 5, "confirmed"), (False, 1, "gap")])
async def test_the_shipped_interviews_follow_the_answers(language, knows, level, verdict):
    await sync_to_async(load_demo)()
    bot = await Bot.objects.aget(slug=f"technical-backend-{language}")

    keys, state = await walk(bot, knowing if knows else lambda question: NOTHING[language])

    assert len(keys) == 11  # and the opening
    assert len(set(keys)) == len(keys)
    assert state.level == level
    scored = [seen for seen in state.observations if seen.scored]
    assert {seen.status for seen in scored} == {verdict}
    assert len({seen.topic for seen in scored}) >= 4
