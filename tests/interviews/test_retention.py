"""Interviews, contact details and calls go when their time is over, and not before."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interviews.models import (
    AccessRecord,
    CollectedValue,
    Invitation,
    Mail,
    OverviewDay,
    Session,
    TranscriptEntry,
)
from interviews.overview import days as overview_days
from interviews.overview.figures import overview
from interviews.recruitment.consent import consent_wording
from interviews.recruitment.eligibility import check_quota
from interviews.recruitment.invitations import reminders
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import enter, new_path
from interviews.security.links import key_in
from interviews.security.sealing import seal
from interviews.turns import retention
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw
from interviews.validation import RequestRefused
from interviewsite.processes.background import SWEEPS
from llm.models import LLMCall
from plans.bots.quota import quota
from plans.models import Bot, BotText
from tests.conftest import make_bot
from tests.factories import CallFactory, EntryFactory, SessionFactory, TurnFactory
from tests.queries import counted

pytestmark = pytest.mark.django_db


def ended(bot: Bot, days: float, **changes: Any) -> Session:
    """An interview that ended so many days ago, with contact details and a call."""
    now = timezone.now()
    at = now - timedelta(days=days)
    session = SessionFactory(bot=bot, started_at=at - timedelta(hours=1), ended_at=at, **changes)
    CollectedValue.objects.create(
        session=session, key="email", value=seal("ann@example.org"), created_at=at
    )
    CallFactory(session=str(session.pk))
    return session


def left() -> tuple[int, int, int]:
    """How many interviews, contact details and calls there are."""
    return Session.objects.count(), CollectedValue.objects.count(), LLMCall.objects.count()


def test_nothing_goes_where_no_time_is_set(bot: Bot):
    ended(bot, 10_000)
    assert retention.sweep(True) == 0
    assert left() == (1, 1, 1)


@pytest.mark.parametrize(
    ("field", "after"),
    [("keep_days", (1, 1, 1)), ("keep_contact_days", (2, 1, 2)), ("keep_calls_days", (2, 2, 1))],
)
def test_what_is_past_its_time_goes(bot: Bot, field: str, after: tuple[int, int, int]):
    Bot.objects.update(**{field: 30})
    ended(bot, 29.9)
    ended(bot, 30.1)
    assert retention.sweep(True) == 1
    assert left() == after
    assert retention.sweep(True) == 0
    record = AccessRecord.objects.get()
    assert (record.name, record.bot) == ("Retention", bot)
    assert "(30 days)" in record.what


@pytest.mark.parametrize("field", ["keep_days", "keep_contact_days", "keep_calls_days"])
def test_more_than_one_sweep_takes_are_all_gone_in_the_end(bot: Bot, field: str, monkeypatch):
    monkeypatch.setattr(retention, "MOST_AT_ONCE", 1)
    Bot.objects.update(**{field: 30})
    for days in (100, 90, 80):
        ended(bot, days)
    assert sum(retention.sweep(True) for _ in range(4)) == 3
    assert 0 in left()


def test_past_interviews_whose_calls_are_gone_cost_nothing_more(bot: Bot, monkeypatch):
    monkeypatch.setattr(retention, "MOST_AT_ONCE", 1)

    def asked() -> int:
        Bot.objects.update(keep_calls_days=30)
        with counted() as made:
            assert retention.sweep(True) == 0
        return len(made)

    ended(bot, 29)
    before = asked()
    for other in (bot, make_bot(), make_bot()):
        for _ in range(2):
            ended(other, 100)
    LLMCall.objects.exclude(pk=LLMCall.objects.earliest("pk").pk).delete()
    assert asked() == before


def test_calls_of_several_bots_go_by_their_own_time(bot: Bot):
    other = make_bot()
    Bot.objects.filter(pk=bot.pk).update(keep_calls_days=30)
    Bot.objects.filter(pk=other.pk).update(keep_calls_days=5)
    for one in (bot, other):
        for days in (4, 10, 40):
            ended(one, days)
    assert retention.sweep(True) == 3
    assert left() == (6, 6, 3)
    records = AccessRecord.objects.order_by("what").values_list("what", "bot")
    assert list(records) == [
        ("1 interviews’ model calls deleted (30 days)", bot.pk),
        ("2 interviews’ model calls deleted (5 days)", other.pk),
    ]


def test_another_bots_interviews_stay(bot: Bot):
    Bot.objects.update(keep_days=30)
    ended(make_bot(), 100)
    assert retention.sweep(True) == 0


def test_an_interview_that_never_ended_counts_from_its_last_words(bot: Bot):
    Bot.objects.update(keep_days=30)
    session = ended(bot, 100)
    Session.objects.update(ended_at=None)
    EntryFactory(turn=TurnFactory(session=session), at=timezone.now() - timedelta(days=5))
    assert retention.sweep(True) == 0
    TranscriptEntry.objects.update(at=timezone.now() - timedelta(days=31))
    assert retention.sweep(True) == 1
    assert left() == (0, 0, 0)


@pytest.mark.parametrize("change", ["an answer", "a longer time"])
def test_what_somebody_goes_on_with_at_that_moment_stays(bot: Bot, change: str, monkeypatch: Any):
    """The sweep has read what is due, and is about to delete it."""
    Bot.objects.update(keep_days=30)
    gone_on, over = ended(bot, 100), ended(bot, 100)
    Session.objects.filter(pk=gone_on.pk).update(ended_at=None)
    kept = []

    def meanwhile(finished):
        if change == "an answer":
            EntryFactory(turn=TurnFactory(session=gone_on), at=timezone.now())
        else:
            Bot.objects.update(keep_days=365)

    monkeypatch.setattr(retention, "revoke", meanwhile)
    deleted = 1 if change == "an answer" else 0
    assert retention.sweep(True, lambda bot, going: kept.extend(going)) == deleted
    assert kept == [over.pk][:deleted]
    assert Session.objects.filter(pk=gone_on.pk).exists()


def test_counts_by_day_stay(bot: Bot):
    Bot.objects.update(keep_days=30)
    session = ended(bot, 100)
    OverviewDay.objects.create(bot=bot, day=session.started_at.date(), counts={})
    retention.sweep(True)
    assert OverviewDay.objects.count() == 1


def test_it_looks_once_an_hour(bot: Bot):
    Bot.objects.update(keep_days=30)
    assert retention.sweep() == 0
    ended(bot, 100)
    assert retention.sweep() == 0
    assert retention.sweep(True) == 1


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["We delete your interview 90 days after", "contact details 1 day after"]),
        ("ru", ["через 90 дней", "через 1 день"]),
    ],
)
def test_participants_are_told(bot: Bot, language: str, told: list[str]):
    text = BotText(bot=bot, language=language, consent="You agree.")
    before = consent_wording(bot, text).text
    bot.keep_days, bot.keep_contact_days, bot.keep_calls_days = 90, 1, 10
    after = consent_wording(bot, text).text
    assert [part for part in told if part not in after] == []
    assert [part for part in told if part in before] == []


def invited(bot: Bot) -> Invitation:
    """Somebody who was invited four days ago, and has finished since."""
    now = timezone.now()
    [one] = invite(bot, [Invitee(name="Ines", email="ines@example.org")])
    Invitation.objects.update(sent_at=now - timedelta(days=4))
    ended(bot, 3.8, participant=one.participant, invitation=one)
    return one


def test_who_finished_is_not_reminded_once_the_interview_is_deleted():
    bot = make_bot(keep_days=2)
    one = invited(bot)
    assert reminders.sweep(True) == 0
    assert retention.sweep(True) == 1
    assert reminders.sweep(True) == 0
    with pytest.raises(RequestRefused):
        enter(one.pk, key_in(new_path(one)))


def test_name_and_address_of_who_was_invited_go_with_contact_details():
    bot = make_bot(keep_contact_days=2)
    one, other = invited(bot), invite(bot, [Invitee(name="Jo", email="jo@example.org")])[0]
    CollectedValue.objects.all().delete()
    Mail.objects.create(invitation=one, to=one.email)
    assert retention.sweep(True) == 1
    assert retention.sweep(True) == 0
    assert Mail.objects.count() == 0
    known = Invitation.objects.order_by("email").values_list("name", "email", "revoked_at")
    assert list(known) == [("", "", None), (other.name, other.email, None)]


@pytest.mark.parametrize("contact_days", [2, 30])
def test_name_and_address_of_who_was_invited_go_with_the_interview_at_the_latest(contact_days: int):
    invited(make_bot(keep_days=2, keep_contact_days=contact_days))
    assert retention.sweep(True) == 1
    assert Invitation.objects.values_list("name", "email").get() == ("", "")


def test_a_bot_goes_only_after_the_interviews_that_it_is_to_delete(admin_client):
    bot = make_bot(keep_days=2)
    ended(bot, 1)
    url = f"/admin/plans/bot/{bot.pk}/delete/"
    assert "Delete them first" in admin_client.get(url).text
    admin_client.post(url, {"post": "yes"})
    Session.objects.update(ended_at=timezone.now() - timedelta(days=10))
    retention.sweep(True)
    assert not Session.objects.exists()
    admin_client.post(url, {"post": "yes"})
    assert not Bot.objects.exists()


def test_what_runs_in_the_background_deletes_and_keeps_counts_and_places(monkeypatch):
    monkeypatch.setattr(overview_days, "LOOK", 60)  # on a busy machine, too
    bot = make_bot(status=Bot.Status.LIVE, keep_days=30, quota=1)
    ended(bot, 31)
    for sweep in SWEEPS:
        sweep(True)
    assert not Session.objects.exists()
    assert overview(bot, timezone.now()).completed == 1
    bot.refresh_from_db()
    assert quota(bot).full
    with pytest.raises(RequestRefused):
        check_quota(bot, None, timezone.now())


@pytest.mark.parametrize("change", ["deleted", "withdrawn"])
def test_counts_stay_when_another_interview_of_the_day_changes(change: str, monkeypatch: Any):
    monkeypatch.setattr(overview_days, "LOOK", 60)
    bot = make_bot(status=Bot.Status.LIVE, keep_days=30, quota=20)
    first = ended(bot, 31)
    late = SessionFactory(
        bot=bot, started_at=first.started_at, ended_at=timezone.now() - timedelta(days=5)
    )
    assert overview_days.sweep(True) == 1
    if change == "deleted":
        delete_sessions(Session.objects.filter(pk=late.pk))
    else:
        withdraw(late)
    bot.refresh_from_db()
    found = overview(bot, timezone.now() + timedelta(minutes=1))
    assert found.completed == 1
    assert str(found.places) == str(quota(bot)) == "1 of 20"


def test_counts_stay_that_were_not_final_yet(monkeypatch: Any):
    monkeypatch.setattr(overview_days, "LOOK", 60)
    bot = make_bot(status=Bot.Status.LIVE, keep_days=1, quota=20)
    ended(bot, 1)
    assert overview_days.sweep(True) == 1
    for later in (timedelta(minutes=1), timedelta(days=3)):
        assert overview(bot, timezone.now() + later).completed == 1
