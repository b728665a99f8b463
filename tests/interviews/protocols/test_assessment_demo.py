"""The shipped assessments run to their end without a model, and judge nobody."""

from itertools import product

import pytest
from asgiref.sync import sync_to_async

from interviews.choices import SessionStatus
from interviews.protocols.technical_assessment.state import TechnicalAssessmentState
from plans.demo.loader import demo_script, load_demo
from plans.models import Bot
from tests.interviews.talk import begin

SAID = {
    "en": ("I read the plan first and look for stale statistics.", "I don't know."),
    "ru": ("Сначала читаю план и ищу устаревшую статистику.", "Не знаю."),
}


@pytest.mark.django_db(transaction=True)
async def test_the_shipped_interviews_ask_of_everything_and_judge_nothing():
    await sync_to_async(load_demo)()
    for language, knows in product(SAID, (True, False)):
        await _asks_of_everything_and_judges_nothing(language, knows)


async def _asks_of_everything_and_judges_nothing(language, knows):
    bot = await Bot.objects.aget(slug=f"technical-backend-{language}")
    known = demo_script(bot.slug.replace("-", "_")).questions
    talk = await begin(bot)
    said, keys = await talk.say("Five years. / Пять лет."), []
    while not (await talk.session()).state["last_asked"]:
        keys.append(next(q.key for q in known if q.text in said))
        said = await talk.say(SAID[language][0 if knows else 1])

    await talk.say(SAID[language][0 if knows else 1])
    session = await talk.session()
    assert session.status == SessionStatus.COMPLETED
    state = TechnicalAssessmentState.model_validate(session.state)
    assert len(keys) == 11  # and the opening
    assert len(set(keys)) == len(keys)
    assert state.level == 3
    assert {one.status for one in state.observations} == {"not_judged"}
    assert not any(one.scored for one in state.observations)
    assert len({one.topic for one in state.observations}) >= 4
