"""What is given in confidence stands sealed in one place, whatever happens on the way."""

import logging
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.core import serializers
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from pydantic import BaseModel

from interviews.admin.access_log import COLLECTED_SEEN
from interviews.choices import SessionStatus
from interviews.engine.result import TaskCall
from interviews.models import AccessRecord, CollectedValue, Session, Turn
from interviews.participant import rendering
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import NoDataKey, new_key, seal, unseal
from interviews.turns import actions, store, turn_runner
from interviews.turns.deletion import delete_sessions, deletion_lines
from interviews.turns.session_start import StartRequest
from interviews.turns.store import ClaimedTurn
from llm.concurrency.threads import in_database
from llm.tasks.call_context import Budget
from tests.factories import SessionFactory
from tests.interviews.confiding import CANARY, MASKED, TOLD, Confiding
from tests.interviews.exports.reading import csv_rows, read
from tests.interviews.talk import Talk, begin, same_again
from tests.people import somebody

pytestmark = pytest.mark.django_db(transaction=True)
EXPORT = "/admin/interviews/session/export/"


@pytest.fixture
async def talk(bot, monkeypatch) -> Talk:
    """An interview whose next answer is confidential."""
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding())
    await in_database(empty_journal)  # of what other tests have written in clear
    return await begin(bot)


def empty_journal() -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def holding(words: str) -> list[str]:
    """Rows of any table in which these words stand, also those that JSON writes otherwise."""
    found = []
    for model in apps.get_models():
        for row in model.objects.all():
            text = serializers.serialize("json", [row], ensure_ascii=False)
            found += [text] if words.lower() in text.lower() else []
    return found


def in_the_file(words: str) -> bool:
    """Whether they stand anywhere in the database's own file or its log."""
    if connection.vendor != "sqlite":
        return False
    name = connection.settings_dict["NAME"]
    for path in (name, f"{name}-wal"):
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                if words.encode() in file.read():
                    return True
        except FileNotFoundError:
            continue
    return False


async def answer(session: Session, text: str, key: str = "told") -> ClaimedTurn:
    """Recorded, and nothing made of it yet: as when the process dies right then."""
    args = (session, Turn.Trigger.ANSWER, text, key, timezone.now())
    return await in_database(store.record, *args)


async def last_answer(talk: Talk) -> str:
    return next(e.text for e in reversed(await talk.entries()) if e.role == "participant")


async def last_turn(talk: Talk) -> Turn:
    return (await talk.turns())[-1]


# -- recorded, killed, committed


async def test_between_recording_and_commit_the_words_stand_sealed_alone(talk):
    await answer(await talk.session(), TOLD)
    assert await last_answer(talk) == "•••"
    assert unseal((await last_turn(talk)).sealed) == TOLD
    assert await in_database(holding, "canary") == []
    assert not await in_database(in_the_file, "zephyrine")


async def test_a_kill_in_between_loses_nothing(talk):
    await answer(await talk.session(), TOLD)
    assert await actions.sweep(at_once=True) == 1
    assert (await talk.session()).status == SessionStatus.COMPLETED
    kept = await in_database(CollectedValue.objects.get)
    assert unseal(kept.value) == CANARY


async def test_afterwards_the_value_stands_sealed_in_one_place(talk):
    await talk.say(TOLD)
    assert await last_answer(talk) == MASKED
    turn = await last_turn(talk)
    assert turn.sealed is None
    assert turn.readings["email"]["value"] == {"outcome": "valid"}
    assert turn.readings["email"]["source"] == "rules"
    kept = await in_database(CollectedValue.objects.get)
    assert (kept.key, unseal(kept.value)) == ("email", CANARY)
    assert await in_database(holding, "canary") == []
    assert not await in_database(in_the_file, "zephyrine")


async def test_logs_hold_nothing(talk, caplog):
    for name in (None, "interviews", "llm", "interviewsite", "django"):
        caplog.set_level(logging.DEBUG, name)
    await talk.say(TOLD)
    assert "canary" not in caplog.text
    assert (await talk.session()).status == SessionStatus.COMPLETED


async def test_the_same_field_given_again_gives_way(talk):
    session = await talk.session()
    await in_database(
        CollectedValue.objects.create,
        session=session,
        key="email",
        value=seal("old@example.org"),
        created_at=timezone.now() - timedelta(days=1),
    )
    await talk.say(TOLD)
    assert unseal((await in_database(CollectedValue.objects.get)).value) == CANARY


async def test_ordinary_answers_and_skips_are_not_sealed(talk, bot, monkeypatch):
    await talk.say("", trigger="skip")
    assert (await last_turn(talk)).sealed is None
    assert (await talk.session()).status == SessionStatus.COMPLETED
    monkeypatch.undo()
    other = await begin(bot)
    claimed = await answer(await other.session(), "We lived in Riga.")
    assert claimed.turn.sealed is None
    assert await last_answer(other) == "We lived in Riga."


async def test_a_masked_answer_without_a_mask_is_scrubbed(talk, monkeypatch):
    step = Confiding.step

    def bare(self, now, readings):
        return turn_runner.replace(step(self, now, readings), masked=None)

    monkeypatch.setattr(Confiding, "step", bare)
    await talk.say(TOLD)
    assert await last_answer(talk) == MASKED


async def test_the_page_shows_it_masked_together_with_the_reply(talk):
    claimed = await answer(await talk.session(), TOLD)
    snap = await in_database(rendering.page_snapshot, await talk.session())
    assert (snap.length, len(snap.entries), snap.status) == (1, 1, SessionStatus.ASKING)
    await turn_runner.run(claimed)
    news = await in_database(rendering.page_snapshot, await talk.session(), snap.length)
    assert [entry.text for entry in news.entries] == [MASKED, "Goodbye."]
    assert news.length == 3


async def test_put_aside_meanwhile_nothing_is_kept(talk, bot):
    claimed = await answer(await talk.session(), TOLD)
    session = await talk.session()
    await actions.start(StartRequest(bot.slug, ""), participant=session.participant)
    await turn_runner.run(claimed)
    assert (await talk.session()).status == SessionStatus.ARCHIVED
    assert (await last_turn(talk)).sealed is None
    assert not await in_database(CollectedValue.objects.exists)
    assert await last_answer(talk) == "•••"


# -- replay


@pytest.mark.parametrize(
    "answers",
    [
        [TOLD],
        ["ann at nowhere", TOLD],
        ["I'd rather not"],
        ["let's stop here", "yes"],
        ["let's stop here", "no", TOLD],
        ["I want to kill myself.", "Yes, I would like to go on.", TOLD],
        ["hm", "I want to kill myself.", "no"],
    ],
)
async def test_it_comes_out_the_same_when_made_again(talk, answers):
    for text in answers:
        await talk.say(text)
    assert not (await talk.session()).is_active
    assert await same_again(talk) == ""


async def test_a_changed_reading_is_named(talk):
    await talk.say(TOLD)
    turn = await last_turn(talk)
    turn.readings["email"]["value"]["outcome"] = "invalid"
    await in_database(turn.save, update_fields=["readings"])
    assert "turn 1: reason is 'invalid'" in await same_again(talk)


# -- the rules that every protocol shares


async def test_a_bare_wish_to_stop_is_shown_and_more_is_not(talk):
    assert "Shall we end" in await talk.say("Let's stop here, please.")
    assert await last_answer(talk) == "Let's stop here, please."
    await talk.say(f"Let's stop here. {CANARY}")
    assert await last_answer(talk) == "•••"
    assert await in_database(holding, "canary") == []


async def test_a_cry_for_help_is_heard_and_can_be_read(talk):
    assert "112" in await talk.say(f"I want to kill myself. {CANARY}")
    session = await talk.session()
    assert session.flagged
    assert await last_answer(talk) == "I want to kill myself. [e-mail]"


# -- what can fail


async def test_a_fault_tells_no_words_and_the_request_is_put_again(talk, monkeypatch, caplog):
    def failing(self, now):
        raise ValueError(f"can't read {now.answer}")

    monkeypatch.setattr(Confiding, "read", failing)
    await answer(await talk.session(), TOLD)
    for _ in range(turn_runner.ATTEMPTS + 1):
        await actions.sweep(at_once=True)
    assert "ValueError" in caplog.text
    assert "canary" not in caplog.text
    turn = await last_turn(talk)
    assert turn.decision["reason"] == "turn_failed"
    assert await last_answer(talk) == "•••"
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER
    assert await in_database(holding, "canary") == []


async def test_a_lost_key_is_loud_and_the_interview_goes_on(talk, settings, caplog):
    await answer(await talk.session(), TOLD)
    settings.DATA_KEYS = [new_key()]
    for _ in range(turn_runner.ATTEMPTS + 1):
        await actions.sweep(at_once=True)
    assert "SealBroken" in caplog.text
    assert (await last_turn(talk)).decision["reason"] == "turn_failed"
    await talk.say(TOLD)
    assert unseal((await in_database(CollectedValue.objects.get)).value) == CANARY


async def test_without_a_key_nothing_is_recorded(talk, settings):
    settings.DATA_KEYS = []
    with pytest.raises(NoDataKey):
        await answer(await talk.session(), TOLD)
    session = await talk.session()
    assert session.status == SessionStatus.WAITING_ANSWER
    assert len(await talk.turns()) == 1


class Data(BaseModel):
    """What a task is told."""

    said: str


@pytest.mark.parametrize(("said", "silent"), [(TOLD, True), (MASKED, False)])
async def test_no_model_is_told(talk, monkeypatch, said, silent):
    asked = []

    async def ask(task, data, subject, heard):
        asked.append(subject.disabled_reason)

    monkeypatch.setattr(turn_runner.gateway, "ask", ask)
    claimed = await answer(await talk.session(), TOLD)
    now = await in_database(store.load, claimed)
    await turn_runner._TurnCalls(claimed, now, Budget()).ask(
        TaskCall("k", SimpleNamespace(name="t"), Data(said=said)), lambda _partial: None
    )
    assert bool(asked[0]) == silent


# -- who may see it, and how it goes


def given(value: str = CANARY, key: str = "email", session: Session | None = None) -> Session:
    """A finished interview with a value."""
    session = session or SessionFactory()
    CollectedValue.objects.create(
        session=session, key=key, value=seal(value), created_at=timezone.now()
    )
    return session


def test_the_export_unseals():
    given("=ann@example.org")
    (row,) = read("collected")
    assert (row["field"], row["value"], row["readable"]) == ("email", "'=ann@example.org", "true")


def test_a_value_whose_key_is_lost_is_named_and_never_garbage(settings, caplog):
    session = given()
    settings.DATA_KEYS = [new_key()]
    given("kept@example.org", "other", session)
    first, second = read("collected")
    assert (first["value"], first["readable"]) == ("", "false")
    assert (second["value"], second["readable"]) == ("kept@example.org", "true")
    assert str(session.pk) in caplog.text


@pytest.mark.parametrize("rights", [["view_session", "export_session"], ["view_collectedvalue"]])
def test_without_the_right_no_file(client, rights):
    given()
    somebody(client, *rights)
    response = client.post(EXPORT, {"table": "collected", "format": "csv"})
    assert response.status_code in (302, 400, 403)
    assert not AccessRecord.objects.exists()


def test_with_it_the_file_and_a_record(client):
    given()
    somebody(client, "view_session", "export_session", "view_collectedvalue")
    response = client.post(EXPORT, {"table": "collected", "format": "csv"})
    (row,) = csv_rows(b"".join(response.streaming_content))
    assert row["value"] == CANARY
    assert AccessRecord.objects.get().what.startswith("Exported collected as csv")


def test_it_is_not_in_the_archive_of_everything(client):
    given()
    somebody(client, "view_session", "export_session")
    response = client.post(EXPORT, {"table": "all", "format": "csv"})
    assert b"collected.csv" not in b"".join(response.streaming_content)


def test_the_page_of_an_interview_shows_it_only_with_the_right(client):
    session = given()
    page = reverse("admin:interviews_session_change", args=[session.pk])
    user = somebody(client, "view_session")
    assert CANARY not in client.get(page).content.decode()
    user.user_permissions.add(Permission.objects.get(codename="view_collectedvalue"))
    assert CANARY in client.get(page).content.decode()
    seen = AccessRecord.objects.filter(what=COLLECTED_SEEN)
    assert [record.session for record in seen] == [session.pk]


def test_it_goes_with_the_interview():
    session = given()
    chosen = Session.objects.filter(pk=session.pk)
    assert "1 confidential value" in deletion_lines(chosen)
    delete_sessions(chosen)
    assert not CollectedValue.objects.exists()


def test_nobody_can_add_or_change_one():
    rights = Permission.objects.filter(content_type__model="collectedvalue")
    assert [right.codename for right in rights] == ["view_collectedvalue"]


# -- told unasked


async def test_contact_data_told_unasked_is_sealed_and_the_words_around_it_stay(bot):
    await in_database(empty_journal)
    talk = await begin(bot)
    await talk.say("We moved to Riga. Write to zephyrine.canary@example.org or +371 2555 0123.")
    assert await last_answer(talk) == "We moved to Riga. Write to [e-mail] or [phone]."
    kept = await in_database(lambda: list(CollectedValue.objects.order_by("id")))
    assert [unseal(one.value) for one in kept] == ["zephyrine.canary@example.org", "+37125550123"]
    assert [one.key for one in kept] == ["email_in_3", "phone_in_3_1"]
    assert await in_database(holding, "canary") == []
    assert not await in_database(in_the_file, "zephyrine")
    assert await same_again(talk) == ""
