"""When somebody is in distress, people are told: once in a while, and without their words."""

from datetime import timedelta
from functools import partial

import pytest
from django.core import mail as mailbox
from django.db import DatabaseError
from django.utils import timezone

from interviews.models import Mail, Session, Turn
from interviews.recruitment.mail import jobs as work
from interviews.turns import actions, distress_alerts, store, turn_runner
from interviews.turns.distress_alerts import addresses
from interviews.turns.session_start import StartRequest
from interviews.turns.store import commit_turn
from llm.concurrency.threads import in_database
from plans import jobs
from plans.models import Bot
from tests.conftest import make_bot, make_topic_bot
from tests.factories import SessionFactory
from tests.interviews.talk import Talk, begin, in_confidence

pytestmark = pytest.mark.django_db(transaction=True)
CRY = "I want to kill myself tonight."
PEOPLE = "anna@example.org\nboris@example.org\n"


@pytest.fixture(autouse=True)
def by_hand(settings, monkeypatch) -> None:
    """Nothing is sent but by the test itself."""
    settings.REDIS_URL = ""
    settings.EMAIL_URL, settings.SITE_URL = "memorymail://", "https://talks.example.org"
    monkeypatch.setattr(jobs, "_serving", False)


async def begun(name: str = "Ann", **bot) -> Talk:
    """An interview with a bot like this."""
    return await begin(await in_database(partial(make_bot, **bot)), name=name)


def wished(**about) -> list[Mail]:
    return list(Mail.objects.filter(**about).order_by("pk"))


def told(**about) -> list[str]:
    return [mail.to for mail in wished(**about)]


async def test_everybody_named_is_told_once():
    talk = await begun(alert_to=PEOPLE)
    await talk.say(CRY)
    assert (await talk.session()).flagged
    found = await in_database(wished)
    assert [mail.to for mail in found] == ["anna@example.org", "boris@example.org"]
    assert {(mail.kind, mail.number, mail.session_id) for mail in found} == {
        ("alert", 1, talk.session_id)
    }


async def test_the_letter_leads_to_the_interview_and_holds_no_word_of_it():
    talk = await begun(alert_to="anna@example.org", title="Kettles", name="Wilhelmina")
    await talk.say(f"{CRY} Call me on 040 123456.")
    for one in await in_database(wished):
        await in_database(work.make_alert, one.pk)
    (letter,) = mailbox.outbox
    assert letter.to == ["anna@example.org"]
    assert letter.subject == "Signs of distress in “Kettles”"
    assert f"https://talks.example.org/admin/interviews/session/{talk.session_id}/" in letter.body
    assert "Language: English" in letter.body
    assert f"{timezone.now():%-d %B %Y}" in letter.body
    told_of = letter.subject + letter.body.replace(str(talk.session_id), "")
    for words in ("kill", "tonight", "040", "Wilhelmina"):
        assert words not in told_of


async def test_a_person_who_shows_one_sign_after_another_makes_no_flood():
    talk = await begun(alert_to="anna@example.org")
    await talk.say(CRY)
    await talk.say("Yes, let us go on.")
    await talk.say(CRY)
    assert await in_database(told) == ["anna@example.org"]
    await in_database(_half_an_hour_passes)
    await talk.say(CRY)
    assert [mail.number for mail in await in_database(wished)] == [1, 3]


def _half_an_hour_passes() -> None:
    Mail.objects.update(created_at=timezone.now() - distress_alerts.PAUSE - timedelta(seconds=1))


async def test_two_interviews_are_two_letters():
    bot = await in_database(partial(make_bot, alert_to="anna@example.org"))
    for name in ("Ann", "Ben"):
        await (await begin(bot, name=name)).say(CRY)
    assert await in_database(told) == ["anna@example.org"] * 2


async def test_without_addresses_the_flag_alone():
    talk = await begun()
    await talk.say(CRY)
    assert (await talk.session()).flagged
    assert not await in_database(wished)


async def test_nobody_is_told_of_an_interview_that_a_program_plays():
    talk = await begun(alert_to=PEOPLE)
    await in_database(lambda: Session.objects.update(synthetic=True))
    await talk.say(CRY)
    assert (await talk.session()).flagged
    assert not await in_database(wished)


async def test_a_preview_says_that_it_is_one():
    talk = await begun(alert_to="anna@example.org")
    await in_database(lambda: Session.objects.update(preview=True))
    await talk.say(CRY)
    await in_database(work.make_alert, (await in_database(wished))[0].pk)
    assert mailbox.outbox[0].subject.startswith("Preview: ")
    assert "somebody is trying the bot" in mailbox.outbox[0].body


async def test_flag_and_letter_are_there_together_or_not_at_all(monkeypatch):
    def fails(*_args):
        raise DatabaseError("the disk is full")

    talk = await begun(alert_to=PEOPLE)
    with monkeypatch.context() as broken:
        broken.setattr(commit_turn, "_settle", fails)
        session = await talk.session()
        turn = await actions.receive(session, CRY, "m")
        assert not await actions.finished(turn, 1)
        assert not await in_database(wished)
        assert not (await talk.session()).flagged


async def test_what_is_said_in_confidence_is_heard_too():
    """The words are never stored in clear but for what people need to help; the letter goes."""
    bot = await in_database(_confidential_bot)
    talk = await begin(bot)
    await in_confidence(talk)
    await talk.say(CRY)
    session = await talk.session()
    assert session.flagged
    assert await in_database(told) == ["anna@example.org"]


def _confidential_bot() -> Bot:
    return make_topic_bot(alert_to="anna@example.org")


def test_a_withdrawn_interview_takes_its_letters_with_it():
    from interviews.turns.withdrawal import withdraw

    session = SessionFactory(flagged=True, bot=make_bot(alert_to=PEOPLE))
    distress_alerts.alert(session, timezone.now())
    assert Mail.objects.count() == 2
    withdraw(session)
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("", []),
        ("a@example.org", ["a@example.org"]),
        (" a@example.org \r\n\r\nb@example.org\n", ["a@example.org", "b@example.org"]),
        ("a@example.org\na@example.org", ["a@example.org"]),
        ("nobody\nb@example.org", ["b@example.org"]),
    ],
)
def test_each_line_is_an_address(lines, found):
    assert list(addresses(Bot(alert_to=lines))) == found


async def test_a_sign_is_told_of_though_the_interview_was_begun_anew_meanwhile():
    bot = await in_database(partial(make_bot, alert_to="anna@example.org"))
    talk = await begin(bot)
    session = await talk.session()
    args = (session, Turn.Trigger.ANSWER, CRY, "m", timezone.now())
    claimed = await in_database(store.record, *args)
    await actions.start(StartRequest(bot.slug, "Ann"), participant=session.participant)
    await turn_runner.run(claimed)
    left = await talk.session()
    assert (left.status, left.flagged) == ("ARCHIVED", True)
    assert await in_database(told, session=left) == ["anna@example.org"]
