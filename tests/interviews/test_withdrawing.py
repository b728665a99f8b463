"""Withdrawing: all that was said goes, and what is left tells nothing."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test import AsyncClient

from interviews.choices import SessionStatus
from interviews.models import (
    CollectedValue,
    Fact,
    Node,
    Note,
    Participant,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.protocols.laddering.graph import types
from interviews.protocols.laddering.rows import save_graph
from interviews.turns import actions
from interviews.turns.session_start import StartRequest, open_session
from interviews.turns.snapshot import snapshot
from interviews.turns.store import Conflict
from interviews.turns.withdrawal import withdraw
from llm.concurrency.threads import in_database
from llm.models import LLMCall
from plans.models import RewardCode
from reflections.models import Calibration, Reflection, Review, ReviewStep
from tests.conftest import make_bot
from tests.factories import talk
from tests.interviews.talk import Talk, begin

pytestmark = pytest.mark.django_db(transaction=True)
CANARY = "Zanzibarquail"


def everything_made_of(session: Session) -> None:
    """A row of each kind that hangs on an interview, with the canary in it."""
    entry = TranscriptEntry.objects.filter(session=session).first()
    Note.objects.create(session=session, key="sister", text=CANARY, entry=entry)
    CollectedValue.objects.create(
        session=session, key="mail", value=CANARY, created_at=session.started_at
    )
    Fact.objects.create(session=session, entry=entry, number=1, text=CANARY, confidence=0.9)
    nodes = [
        types.GraphNode(f"n{i}", CANARY, "attribute", (entry.position,), 1, ()) for i in (1, 2)
    ]
    save_graph(session, [*nodes, types.GraphEdge("n1", "n2", "leads_to", (entry.position,))])
    made = Reflection.objects.create(session=session, name="facts", content={"text": CANARY})
    review = Review.objects.create(reflection=made)
    ReviewStep.objects.create(
        review=review, state="draft", comment=CANARY, reviewer="ed", at=session.started_at
    )
    Calibration.objects.create(session=session, method="held_out", content={"text": CANARY})
    LLMCall.objects.create(
        session=str(session.pk), task="t", response=CANARY, created_at=session.started_at
    )
    Session.objects.filter(pk=session.pk).update(
        params={"pid": CANARY},
        start_answers={"a": CANARY},
        state={"x": CANARY},
        reward={"code": CANARY},
    )


def holding(word: str) -> list[str]:
    """The models of which a row holds the word."""
    found = []
    for model in apps.get_models():
        if any(word in str(row) for row in model._default_manager.values()):
            found.append(model.__name__)
    return found


async def told(name: str = CANARY, **bot) -> Talk:
    """An interview with one answer, under way."""
    talk = await begin(await in_database(lambda: make_bot(**bot)), name=name)
    await talk.say(f"My sister {CANARY} kept the bakery in a small town by the sea.")
    return talk


async def test_nothing_of_it_is_left_but_the_tombstone():
    talk = await told()
    session = await talk.session()
    await in_database(everything_made_of, session)
    names = {"Participant", "TranscriptEntry", "Session", "Reflection", "ReviewStep", "LLMCall"}
    assert names <= set(await in_database(holding, CANARY))
    await actions.withdraw(await talk.session())
    assert await in_database(holding, CANARY) == []
    left = await talk.session()
    assert (left.status, left.participant_id, left.state, left.params) == (
        SessionStatus.WITHDRAWN,
        None,
        {},
        {},
    )
    assert left.started_at == session.started_at
    assert left.bot_id == session.bot_id
    assert not await in_database(Turn.objects.filter(session=left).exists)
    assert not await in_database(Node.objects.exists)


async def test_who_gave_another_interview_keeps_it():
    talk = await told()
    person = (await talk.session()).participant
    bot = await in_database(lambda: make_bot(slug="other"))
    other = await actions.start(StartRequest(bot.slug, CANARY), participant=person)
    await actions.withdraw(await talk.session())
    kept = await actions.fresh(other.session_id)
    assert kept.participant == person
    assert kept.is_active
    assert await in_database(Participant.objects.filter(pk=person.pk).exists)


async def test_a_code_that_was_drawn_stays_drawn():
    talk = await told()
    session = await talk.session()
    drawn = {"code": "A-1", "drawn_for": session.pk, "drawn_at": session.started_at}
    await in_database(lambda: RewardCode.objects.create(bot=session.bot, **drawn))
    await actions.withdraw(session)
    assert await in_database(lambda: RewardCode.objects.get().drawn_for) == session.pk


async def test_nothing_can_be_said_afterwards():
    talk = await told()
    session = await talk.session()
    await actions.withdraw(session)
    for found in (session, await talk.session()):
        with pytest.raises(actions.RequestRefused, match="ended"):
            await actions.receive(found, "And one more thing.", "late")
    assert await in_database(holding, "one more thing") == []


async def test_what_was_read_before_something_changed_is_not_withdrawn_by_halves():
    talk = await told()
    stale = await talk.session()
    await talk.say("And then we moved to the harbour, where it never was quiet.")
    with pytest.raises(Conflict):
        await in_database(withdraw, stale)
    assert (await talk.session()).is_active
    assert len(await talk.entries()) > 3
    await actions.withdraw(stale)  # the door reads it anew
    assert (await talk.session()).status == SessionStatus.WITHDRAWN


# -- SQLite's journal


def journal() -> bytes:
    return Path(f"{connection.settings_dict['NAME']}-wal").read_bytes()


async def test_the_journal_is_empty_afterwards():
    talk = await told()
    assert CANARY.encode() in journal()
    assert await actions.withdraw(await talk.session())
    assert journal() == b""


async def test_who_reads_meanwhile_holds_up_nobody_and_the_journal_is_emptied_then():
    talk, other = await told(), await told(slug="second")
    file = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM interviews_session").fetchall()
        began = time.monotonic()
        assert not await actions.withdraw(await talk.session())
        await other.say("Nobody waits for what is being read.")
        assert time.monotonic() - began < 5
        assert CANARY.encode() in journal()
        assert await actions.is_erasing()
        reader.execute("ROLLBACK")
        await asyncio.wait_for(asyncio.shield(*actions._erasures.values()), 5)
    await asyncio.sleep(0)
    assert not await actions.is_erasing()
    assert journal() == b""


async def test_a_journal_that_cant_be_emptied_is_tried_again(monkeypatch):
    tries = []

    def empty() -> bool:
        tries.append(1)
        if len(tries) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        return len(tries) > 2

    monkeypatch.setattr(actions.withdrawal, "empty_journal", empty)
    talk = await told()
    assert await actions.withdraw(await talk.session())
    assert len(tries) == 3


# -- the ways in


async def test_a_page_asks_first_and_says_that_it_is_done():
    talk = await told()
    client, path = talk.browser(), f"/s/{talk.session_id}/withdraw/"
    chat = await client.get(f"/s/{talk.session_id}/")
    assert path in chat.content.decode()
    asked = await client.get(path)
    assert "Withdraw and delete my answers" in asked.content.decode()
    assert (await talk.session()).is_active  # looking is not doing
    done = await client.post(path)
    assert (done.status_code, done["Location"]) == (303, "/withdrawn/?language=en")
    assert "You have withdrawn" in (await client.get(done["Location"])).content.decode()
    for rest in ("", "transcript/", "state/", "withdraw/"):
        assert (await client.get(f"/s/{talk.session_id}/{rest}")).status_code == 404


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "ritirata"), ("ru", "отозвано"), ("xx", "You have"), ("<b>", "You have")],
)
async def test_the_goodbye_is_in_the_interviews_language(language, words):
    answer = await AsyncClient().get("/withdrawn/", {"language": language})
    assert answer.status_code == 200
    assert words in answer.content.decode()


async def test_strangers_can_withdraw_nobody():
    talk, stranger = await told(), await told(name="Bo", slug="another")
    page = await stranger.browser().post(f"/s/{talk.session_id}/withdraw/")
    path = f"/api/chat/session/{talk.session_id}/withdraw"
    api = await AsyncClient().post(path, {}, content_type="application/json")
    assert (page.status_code, api.status_code) == (404, 404)
    assert (await talk.session()).is_active


async def test_the_api_withdraws_once():
    talk = await told()
    path, key = f"/api/chat/session/{talk.session_id}/withdraw", f"Bearer {talk.token}"
    answer = await AsyncClient().post(path, headers={"Authorization": key})
    tombstone = {"session_id": str(talk.session_id), "status": "WITHDRAWN"}
    assert answer.json() == {**tombstone, "erased": True}
    again = await AsyncClient().post(path, headers={"Authorization": key})
    assert again.status_code == 404


async def test_a_page_whose_reply_was_under_way_shows_that_nothing_is_there():
    talk = await told()
    session = await talk.session()
    client = talk.browser()
    waiting = await in_database(Turn.objects.filter(session=session).latest, "number")
    await actions.withdraw(session)
    assert await actions.finished(waiting.pk, 1)  # nobody waits for what is gone
    answer = await client.post(
        f"/s/{talk.session_id}/answer/", {"text": CANARY, "message_id": "late", "answering": "4"}
    )
    assert answer.status_code == 404
    shown = await in_database(snapshot, await talk.session(), limit=None)
    assert (list(shown.entries), shown.status) == ([], SessionStatus.WITHDRAWN)
    assert await in_database(holding, CANARY) == []


def test_withdrawing_deletes_what_was_said_before_starting_again():
    bot = make_bot(status="live")
    asked = StartRequest(bot.slug, "Ines Duarte", "en", {"ref": "R-1"})
    claimed, person = open_session(asked, None)
    first = claimed.session
    first.turns.all().delete()
    talk(first, ["My brother drank."])
    second = open_session(asked, person)[0].session  # start again, or in another language
    assert Session.objects.get(pk=first.pk).status == SessionStatus.ARCHIVED
    withdraw(second)
    assert not TranscriptEntry.objects.filter(text="My brother drank.").exists()
    assert not Participant.objects.filter(name="Ines Duarte").exists()
    assert Session.objects.get(pk=first.pk).params == {}
