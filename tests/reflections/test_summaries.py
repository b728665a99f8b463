"""The plain summary: what was answered to each question."""

import json

import pytest

from interviews.choices import EntryKind
from interviews.models import Session
from llm.concurrency.threads import in_database
from reflections.protocols.knowledge_transfer.makers import handover_of
from reflections.summaries.makers import plain_summary
from tests.conftest import make_bot
from tests.factories import AnswerFactory, EntryFactory, TurnFactory
from tests.interviews.talk import begin
from tests.reflections.narrated import told_story
from tests.reflections.telling import told_session
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
TOLD = "We lived over a bakery in Riga, the five of us in two rooms, until I was seven."


async def ended(bot, *answers: str) -> Session:
    talk = await begin(bot)
    for answer in answers:
        await talk.say(answer)
    return await talk.session()


async def test_words_about_stopping_and_skipping_are_no_answers():
    bot = await in_database(make_bot)
    session = await ended(bot, TOLD, "skip", "stop", "yes")

    made = await in_database(plain_summary, session)

    told = [answer["text"] for item in made for answer in item["answers"]]
    assert told == [TOLD]


async def test_nor_are_they_in_a_handover():
    bot = await in_database(make_transfer_bot)
    session = await ended(bot, TOLD, "skip", "stop", "yes")

    held = await in_database(handover_of, session)

    assert [text for said in held.said for _, text in said.answers] == [TOLD]


def test_a_cry_for_help_is_no_material_of_a_summary():
    session = told_story()
    turn = session.turns.order_by("number").last()
    cry = session.entries.get(turn=turn, role="participant")
    assert cry.text in json.dumps(plain_summary(session), ensure_ascii=False)
    turn.decision = {"reason": "distress"}
    turn.save()
    assert cry.text not in json.dumps(plain_summary(session), ensure_ascii=False)


def test_a_reply_to_a_request_for_consent_answers_no_question():
    session = told_session((TOLD,))
    last = session.turns.order_by("number").last()
    EntryFactory(turn=last, kind=EntryKind.CONSENT_REQUEST, text="May we write to you?")
    turn = TurnFactory(session=session, decision={"reason": "data_done"})
    AnswerFactory(turn=turn, text="No, please don't.")
    [item] = plain_summary(session)
    assert [one["text"] for one in item["answers"]] == [TOLD]
