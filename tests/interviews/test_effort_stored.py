"""The rating of an answer is stored with its turn, once, and is what any page and export shows."""

import pytest
from django.utils import timezone

from interviews.measures import effort
from interviews.measures.effort import efforts_of
from interviews.models import Turn
from interviews.turns import actions, store
from llm.concurrency.threads import in_database
from tests.conftest import make_bot
from tests.interviews.exports.reading import read
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
TOLD = "We lived over a bakery by the canal, the five of us in two rooms, winter {} was the worst."
SAID = [
    *(TOLD.format(number) for number in range(3)),
    "asdfgh hjkl",
    TOLD.format(1),
    "Whatever.",
    "I'd rather not say.",
]


async def rated_talk():
    talk = await begin(await in_database(make_bot, 9))
    for text in SAID:
        await talk.say(text)
    await talk.say("", trigger="skip")
    return talk


async def test_what_is_stored_is_what_would_be_made_anew():
    talk = await rated_talk()
    turns = [turn for turn in await talk.turns() if turn.trigger != Turn.Trigger.OPENING]
    signs = [turn.effort_signs for turn in turns]
    expected = ("no_words", "repeated", "empty")
    assert all(sign in found for sign, found in zip(expected, signs[3:6], strict=True))
    assert [turn.effort_score for turn in turns[-2:]] == [None, None]  # refused, skipped
    assert signs[-2:] == ["", ""]
    stored = await in_database(efforts_of, [talk.session_id])
    assert len(stored[talk.session_id]) == len(SAID) - 1
    rows = await in_database(read, "paradata")
    assert [row["effort_signs"] for row in rows] == signs

    def forgotten():
        Turn.objects.update(effort_score=None, effort_signs=None)
        return efforts_of([talk.session_id]), read("paradata")

    assert await in_database(forgotten) == (stored, rows)


async def test_exports_rate_nothing(monkeypatch):
    await rated_talk()

    def rated(*given: object) -> None:
        raise AssertionError("an answer is rated again")

    monkeypatch.setattr(effort, "efforts", rated)
    rows = await in_database(read, "paradata")
    assert [row["looks_hurried"] for row in rows].count("true") >= 2


async def test_speed_and_pasting_count_but_not_after_a_takeover(bot):
    talk = await begin(bot)
    shown = {"first_word_ms": 100, "total_ms": 500}
    await in_database(lambda: Turn.objects.filter(session=talk.session_id).update(**shown))
    session = await talk.session()
    assert session.head_start == 400
    pasted = {"pasted_characters": len(SAID[0])}
    turn = await actions.receive(session, SAID[0], "m1", measures=pasted)
    await actions.finished(turn)
    first = await in_database(Turn.objects.get, pk=turn)
    assert set(first.effort_signs.split()) == {"pasted", "hurried"}

    now = timezone.now()
    asked = (await talk.session(), Turn.Trigger.ANSWER, SAID[1], "m2", now, pasted)
    taken = (await in_database(store.record, *asked)).turn.pk
    await in_database(Turn.objects.filter(pk=taken).update, lease_until=now)
    await actions.sweep()
    await actions.finished(taken)
    second = await in_database(Turn.objects.get, pk=taken)
    assert (second.status, second.effort_signs) == ("done", "")
    assert second.effort_score == 0
