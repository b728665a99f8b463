"""Letters of invitations: what they say, to whom they go, and to whom they don't any more."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Invitation, Mail
from interviews.recruitment.invitations.changes import invite, revoke
from interviews.recruitment.invitations.letters import (
    NEVER_AGAIN,
    new_letter_blocked_reason,
    request_letter,
    stop_letters,
)
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import enter
from interviews.recruitment.invitations.reminders import sweep
from interviews.recruitment.mail.letters.invitations import invitation as letter
from interviews.recruitment.mail.letters.invitations import reminder
from interviews.security.links import INVITATION, id_in, key_in
from plans.jobs import Cancelled
from plans.models import Bot, BotText
from tests.conftest import make_bot
from tests.factories import SessionFactory

pytestmark = pytest.mark.django_db
INES = Invitee(name="Ines Duarte", email="ines@example.org", reference="R-1")
DAY = timedelta(days=1)


@pytest.fixture
def house(bot: Bot, settings) -> Bot:
    """A bot with words about itself, and a site with an address."""
    settings.SITE_URL = "https://interviews.example"
    BotText.objects.create(
        bot=bot, language="en", summary="A talk about houses.", consent="It is kept for a year."
    )
    return bot


def invited(bot: Bot, person: Invitee = INES, **more) -> Invitation:
    return invite(bot, [person], **more)[0]


def wish(kind: Mail.Kind, one: Invitation) -> Mail:
    assert request_letter(one, kind)
    return Mail.objects.order_by("pk").last()


def test_a_letter_says_who_asks_how_long_where_and_how_to_say_no(house):
    one = invited(house, expires=timezone.now() + 30 * DAY)
    mail = wish(Mail.Kind.INVITATION, one)
    assert (mail.to, mail.number) == ("ines@example.org", 0)
    message = letter(mail)
    body = str(message.body)
    assert message.subject == f"Invitation: {house.title}"
    for words in (
        "Hello Ines Duarte,",
        house.title,
        house.host,
        "A talk about houses.",
        f"about {house.minutes} minutes",
        "An AI",
        "voluntary",
        "The link works until",
    ):
        assert words in body
    links = re.findall(r"https?://\S+", body)
    assert len(links) == 1
    assert links[0].startswith(f"https://interviews.example/join/{one.pk}/#key=")
    found = id_in(links[0], INVITATION)
    assert found == one.pk
    _, cookie = enter(one.pk, key_in(links[0]))
    assert cookie
    assert "<" not in body
    assert not mail.content


def test_every_letter_has_a_link_of_its_own(house):
    mail = wish(Mail.Kind.INVITATION, invited(house))
    assert key_in(str(letter(mail).body)) != key_in(str(letter(mail).body))


def test_a_reminder_knows_who_has_begun(house):
    one = invited(house)
    before = str(reminder(wish(Mail.Kind.REMINDER, one)).body)
    Mail.objects.update(status="ready")
    SessionFactory(
        bot=house, invitation=one, status=SessionStatus.PAUSED, participant=one.participant
    )
    after = str(reminder(wish(Mail.Kind.REMINDER, one)).body)
    assert "You were invited" in before
    assert "You have started" in after
    assert [mail.number for mail in Mail.objects.order_by("pk")] == [1, 2]


def test_the_letter_is_in_the_language_of_the_invitation(house):
    one = invited(house, Invitee(email="ines@example.org", language="it"))
    body = str(letter(wish(Mail.Kind.INVITATION, one)).body)
    assert "A talk about houses." not in body  # which the bot doesn't say in Italian
    BotText.objects.create(bot=house, language="it", title="Case", host="il Comune")
    sent = letter(wish(Mail.Kind.INVITATION, one))
    assert "Case" in sent.subject
    assert "«Case»" in sent.body and "il Comune" in sent.body
    assert house.title not in sent.subject + sent.body


@pytest.mark.parametrize("language", ["", "en", "en-GB"])
def test_a_letter_says_what_it_is_about_in_the_english_of_a_country(house, language):
    house.texts.update(language="en-GB", title="Homes")
    one = invited(house, Invitee(email="ines@example.org", language=language))
    sent = letter(wish(Mail.Kind.INVITATION, one))
    assert sent.subject == "Invitation: Homes"
    assert "A talk about houses." in sent.body


def test_nobody_gets_the_first_letter_twice(house):
    one = invited(house)
    wish(Mail.Kind.INVITATION, one)
    wish(Mail.Kind.INVITATION, one)
    assert Mail.objects.count() == 1
    Invitation.objects.update(sent_at=timezone.now())
    assert not request_letter(one, Mail.Kind.INVITATION)


def expired(one: Invitation) -> None:
    Invitation.objects.filter(pk=one.pk).update(expires_at=timezone.now())


def revoked(one: Invitation) -> None:
    revoke(Invitation.objects.filter(pk=one.pk))


def finished(one: Invitation) -> None:
    SessionFactory(bot=one.bot, invitation=one, participant=one.participant)


def declined(one: Invitation) -> None:
    stop_letters(one.bot, one.participant)


def closed(one: Invitation) -> None:
    Bot.objects.update(status=Bot.Status.CLOSED)


def without_address(one: Invitation) -> None:
    Invitation.objects.filter(pk=one.pk).update(email="")


ENDS = [expired, revoked, finished, declined, closed, without_address]


@pytest.mark.parametrize("happens", ENDS)
def test_no_letter_goes_out_any_more(house, happens):
    one = invited(house)
    mails = [wish(kind, one) for kind in (Mail.Kind.INVITATION, Mail.Kind.REMINDER)]
    happens(one)
    for mail, made in zip(mails, (letter, reminder), strict=True):
        with pytest.raises(Cancelled):
            made(mail)
    assert not request_letter(one, Mail.Kind.INVITATION)
    assert not request_letter(one, Mail.Kind.REMINDER)
    later = timezone.now() + timedelta(seconds=1)
    row = Invitation.objects.select_related("bot").get(pk=one.pk)
    Invitation.objects.update(sent_at=later - 10 * DAY)
    assert happens is not without_address or new_letter_blocked_reason(
        row, Mail.Kind.REMINDER, later
    )
    assert sweep(at_once=True) == 0


def test_revoking_takes_letters_on_their_way_back(house):
    wish(Mail.Kind.INVITATION, invited(house))
    assert revoke(Invitation.objects.all()) == 1
    assert not Mail.objects.exists()


def test_who_has_declined_and_begun_after_all_is_reminded_by_hand_alone(house):
    one = invited(house)
    stop_letters(house, one.participant)
    SessionFactory(
        bot=house, invitation=one, status=SessionStatus.PAUSED, participant=one.participant
    )
    Invitation.objects.update(sent_at=timezone.now() - 10 * DAY)
    assert sweep(at_once=True) == 0
    assert request_letter(one, Mail.Kind.REMINDER)
    assert Invitation.objects.get().reminders > NEVER_AGAIN


def test_nobody_who_was_not_invited_is_touched_by_somebodys_no(house):
    one = invited(house)
    stop_letters(house, None)
    stop_letters(make_bot(), one.participant)
    assert Invitation.objects.get().reminders == 0


def full(bot: Bot) -> None:
    Bot.objects.filter(pk=bot.pk).update(quota=bot.sessions.count() + 1)
    SessionFactory(bot=bot)


def test_who_has_a_place_is_written_to_though_all_are_taken(house):
    one, late = invited(house), invited(house, Invitee(email="late@example.org"))
    SessionFactory(
        bot=house, invitation=one, status=SessionStatus.PAUSED, participant=one.participant
    )
    mail = wish(Mail.Kind.REMINDER, late)
    full(house)
    with pytest.raises(Cancelled):
        reminder(mail)
    Mail.objects.all().delete()
    Invitation.objects.update(sent_at=timezone.now() - 10 * DAY)
    assert sweep(at_once=True) == 1
    assert reminder(Mail.objects.get(invitation=one))
    assert not request_letter(late, Mail.Kind.REMINDER)
    Bot.objects.update(quota=3)
    assert sweep(at_once=True) == 1
    assert late.mails.exists()


NO_BUTTON = {
    "nothing is asked": {"en": ""},
    "not in that language": {"en": "", "it": "Un anno."},
    "elsewhere only": {"fr": "Un an.", "it": ""},
}


@pytest.mark.parametrize("texts", NO_BUTTON.values(), ids=NO_BUTTON)
def test_no_letter_speaks_of_a_button_that_is_not_there(house, texts):
    house.texts.all().delete()
    for language, consent in texts.items():
        BotText.objects.create(bot=house, language=language, consent=consent)
    for language in ("en", ""):
        one = invited(house, Invitee(email="ines@example.org", language=language))
        assert "voluntary" not in str(letter(wish(Mail.Kind.INVITATION, one)).body)


def test_a_letter_says_how_to_say_no_to_who_has_not_begun(house):
    one = invited(house, Invitee(email="ines@example.org", language="en"))
    assert "voluntary" in str(reminder(wish(Mail.Kind.REMINDER, one)).body)
    Mail.objects.update(status="ready")
    SessionFactory(
        bot=house, invitation=one, status=SessionStatus.PAUSED, participant=one.participant
    )
    assert "voluntary" not in str(reminder(wish(Mail.Kind.REMINDER, one)).body)


def test_a_link_that_ends_at_midnight_works_until_the_day_before(house):
    at = datetime(2099, 12, 31, 23, tzinfo=UTC)  # in Rome, the first second of 2100
    Bot.objects.update(time_zone="Europe/Rome", closes_at=at)
    body = str(letter(wish(Mail.Kind.INVITATION, invited(house))).body)
    assert "works until Dec. 31, 2099." in body


def test_a_link_that_works_for_ever_names_no_last_day(house):
    Bot.objects.update(time_zone="Europe/Rome", closes_at=datetime.max.replace(tzinfo=UTC))
    assert "works until" not in str(letter(wish(Mail.Kind.INVITATION, invited(house))).body)


def test_a_letter_that_failed_is_sent_when_it_is_asked_for_again(house):
    one = invited(house)
    mail = wish(Mail.Kind.INVITATION, one)
    Mail.objects.update(status="failed", reason="550 nobody", attempts=12)
    assert request_letter(one, Mail.Kind.INVITATION)
    mail.refresh_from_db()
    assert (mail.status, mail.reason, mail.attempts) == ("pending", "", 0)
    Mail.objects.update(status="ready")  # and the invitation doesn't know yet that it was sent
    assert not request_letter(one, Mail.Kind.INVITATION)


# -- by themselves


def test_reminders_go_out_after_three_days_and_after_seven_and_no_more(house):
    one, unasked = invited(house), invited(house, Invitee(email="x@example.org"), remind=False)
    sent = {}
    for day in range(15):
        Invitation.objects.update(sent_at=timezone.now() - day * DAY)
        Invitation.objects.filter(reminded_at__isnull=False).update(
            reminded_at=timezone.now() - 3 * DAY
        )
        if sweep(at_once=True):
            sent[day] = Mail.objects.order_by("pk").last()
            Mail.objects.update(status=Mail.Status.READY)
            Invitation.objects.filter(pk=one.pk).update(reminded_at=timezone.now())
    assert [(day, mail.number) for day, mail in sent.items()] == [(3, 1), (7, 2)]
    assert {mail.kind for mail in sent.values()} == {Mail.Kind.REMINDER}
    assert not unasked.mails.exists()


def test_nobody_is_reminded_of_an_interview_that_was_deleted(house, admin_client):
    one = invited(house)
    finished(one)
    Invitation.objects.update(sent_at=timezone.now() - 10 * DAY)
    url = f"/admin/interviews/session/{one.sessions.get().pk}/delete/"
    assert admin_client.post(url, {"post": "yes"}).status_code == 302
    assert not one.sessions.exists()
    assert sweep(at_once=True) == 0


def test_who_was_never_written_to_is_not_reminded_by_itself(house):
    invited(house)
    assert sweep(at_once=True) == 0


def test_a_late_start_sends_one_reminder_and_not_two(house):
    invited(house)
    Invitation.objects.update(sent_at=timezone.now() - 20 * DAY)
    assert sweep(at_once=True) == 1
    assert sweep(at_once=True) == 0  # the first one waits for the mail server
    Mail.objects.update(status=Mail.Status.READY)
    Invitation.objects.update(reminded_at=timezone.now())
    assert sweep(at_once=True) == 0


def test_it_looks_once_in_a_while(house, django_assert_num_queries):
    cache.clear()
    sweep()
    with django_assert_num_queries(0):
        assert sweep() == 0


def test_a_bot_is_deleted_with_its_invitations_and_letters(admin_client, house):
    wish(Mail.Kind.INVITATION, invited(house))
    url = f"/admin/plans/bot/{house.pk}/delete/"
    asked = admin_client.get(url).content.decode()
    assert "invitations with names" in asked
    assert admin_client.post(url, {"post": "yes"}).status_code == 302
    assert not Bot.objects.filter(pk=house.pk).exists()
    assert not Mail.objects.exists()
    assert not Invitation.objects.exists()
