"""Letters, through Django's own SMTP backend to a mail server that misbehaves."""

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from interviews.models import Invitation, Mail
from interviews.recruitment.mail import jobs as work
from interviews.recruitment.mail import request
from interviews.recruitment.mail.letters import LETTERS
from interviews.recruitment.mail.smtp import header_line
from interviewsite.checks import address_in_letters
from interviewsite.processes.environment import env
from plans import jobs
from plans.jobs import Cancelled
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.interviews.post_office import DROP, STALL, PostOffice

pytestmark = pytest.mark.django_db(transaction=True)
SMTP = "django.core.mail.backends.smtp.EmailBackend"
TO = "anna@example.org"
SUBJECT, WORDS = "The kettle on the stove", "It whistled every morning."


@pytest.fixture
def office(settings) -> Iterator[PostOffice]:
    """A mail server, and a site that sends by it."""
    with PostOffice() as office:
        settings.EMAIL_URL, settings.SITE_URL = office.url, "https://talks.example.org"
        settings.EMAIL_BACKEND = SMTP
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        settings.EMAIL_TIMEOUT = 10
        yield office


@pytest.fixture(autouse=True)
def by_hand(settings, monkeypatch) -> None:
    """Nothing is sent but by the test itself; each kind of letter says the same few words."""
    settings.REDIS_URL = ""
    monkeypatch.setattr(jobs, "_serving", False)
    for kind in Mail.Kind:
        monkeypatch.setitem(LETTERS, kind, f"{__name__}.letter")


def letter(mail: Mail) -> EmailMessage:
    return EmailMessage(SUBJECT, WORDS)


def unwanted(mail: Mail) -> EmailMessage:
    raise Cancelled


def injecting(mail: Mail) -> EmailMessage:
    subject = "Hello\r\nBcc: eve@example.org\n\nFree kettles \ud800"
    return EmailMessage(subject, "Half a character: \ud800.", "A\n <a@example.org>", ["eve@e.org"])


def wished(number: int = 0, to: str = TO) -> Mail:
    session = SessionFactory()
    request(Mail.Kind.ALERT, to=to, session=session, number=number)
    return session.mails.get()


def sent(mail: Mail) -> Mail:
    """The letter after one more try, when its time has come."""
    Mail.objects.filter(pk=mail.pk, status="pending").update(claimed_until=None)
    (work.make_alert if mail.kind == Mail.Kind.ALERT else work.make)(mail.pk)
    return again(mail)


def again(mail: Mail) -> Mail:
    mail.refresh_from_db()
    return mail


class TestWishing:
    def test_the_same_letter_twice_is_one(self):
        session = SessionFactory()
        for _ in range(2):
            request(Mail.Kind.ALERT, to=TO, session=session, number=1)
        request(Mail.Kind.ALERT, to="boris@example.org", session=session, number=1)
        request(Mail.Kind.ALERT, to=TO, session=session, number=2)
        assert session.mails.count() == 3

    def test_one_that_failed_is_tried_once_more_and_handed_out(self, monkeypatch):
        handed = []
        monkeypatch.setattr("interviews.recruitment.mail.enqueue_on_commit", handed.append)
        invitation = Invitation.objects.create(bot=make_bot())

        def asked() -> bool:
            return request(Mail.Kind.INVITATION, to=TO, invitation=invitation)

        answers = [asked(), asked()]
        Mail.objects.update(status="failed", reason="550 nobody", attempts=3)
        answers.append(asked())
        mail = Mail.objects.get()
        assert handed == [mail, mail]
        assert (mail.status, mail.reason, mail.attempts) == ("pending", "", 0)
        Mail.objects.update(status="ready")
        assert [*answers, asked()] == [True, True, True, False]
        assert len(handed) == 2

    def test_a_transaction_that_fails_wishes_for_nothing(self):
        session = SessionFactory()
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            request(Mail.Kind.ALERT, to=TO, session=session)
            raise ZeroDivisionError
        assert not Mail.objects.exists()

    def test_it_is_handed_out_when_the_transaction_is_through(self, monkeypatch):
        handed = []
        monkeypatch.setattr(jobs.JobType, "enqueue", lambda self, pk: handed.append(pk))
        session = SessionFactory()
        with transaction.atomic():
            request(Mail.Kind.ALERT, to=TO, session=session)
            assert not handed
        assert handed == [session.mails.get().pk]

    def test_an_invitation_that_did_not_arrive_goes_to_the_corrected_address(self, office):
        invitation = Invitation.objects.create(bot=make_bot(), email="ana@example.org")
        office.behave({"RCPT": "550 nobody of that name"})
        request(Mail.Kind.INVITATION, to="ana@example.org", invitation=invitation)
        assert sent(invitation.mails.get()).status == "failed"
        request(Mail.Kind.INVITATION, to=TO, invitation=invitation)
        assert sent(invitation.mails.get()).status == "ready"
        assert office.letters[-1].to == [TO]
        request(Mail.Kind.INVITATION, to="elsewhere@example.org", invitation=invitation)
        assert (invitation.mails.get().status, invitation.mails.get().to) == ("ready", TO)

    def test_a_letter_goes_to_the_address_as_it_was_corrected(self, office, monkeypatch):
        real = "interviews.recruitment.mail.letters.invitations.invitation"
        monkeypatch.setitem(LETTERS, Mail.Kind.INVITATION, real)
        invitation = Invitation.objects.create(bot=make_bot(), email="ana@example.org")
        request(Mail.Kind.INVITATION, to="ana@example.org", invitation=invitation)
        office.behave({"RCPT": "550 nobody of that name"})
        assert sent(invitation.mails.get()).status == "failed"
        Invitation.objects.update(email=TO)
        assert work.send_again(invitation.mails.get())
        mail = sent(invitation.mails.get())
        assert (mail.status, mail.to) == ("ready", TO)
        assert office.letters[-1].to == [TO]

    def test_a_letter_that_waits_for_its_next_try_goes_to_a_corrected_address_at_once(self):
        invitation = Invitation.objects.create(bot=make_bot(), email="ana@example.org")
        request(Mail.Kind.INVITATION, to="ana@example.org", invitation=invitation)
        later = timezone.now() + timedelta(hours=8)
        Mail.objects.update(attempts=9, reason="450 try again later", claimed_until=later)
        assert request(Mail.Kind.INVITATION, to="ana@example.org", invitation=invitation)
        assert Mail.objects.get().claimed_until == later
        assert request(Mail.Kind.INVITATION, to=TO, invitation=invitation)
        mail = Mail.objects.get()
        assert (mail.to, mail.attempts, mail.claimed_until) == (TO, 0, None)


class TestSending:
    def test_a_letter_arrives_with_what_a_letter_needs(self, office, settings):
        settings.DEFAULT_FROM_EMAIL = "Talks <talks@example.org>"
        mail = sent(wished())
        (got,) = office.letters
        assert (got.sender, got.to) == ("talks@example.org", [TO])
        assert (got.message["Subject"], got.words.strip()) == (SUBJECT, WORDS)
        assert got.message["Auto-Submitted"] == "auto-generated"
        assert got.message["Message-ID"].endswith("@talks.example.org>")
        assert (mail.status, mail.reason, mail.attempts) == ("ready", "", 1)
        assert mail.content == {"message_id": got.message["Message-ID"]}

    def test_two_letters_are_told_apart(self, office):
        sent(wished())
        sent(wished())
        assert len({one.message["Message-ID"] for one in office.letters}) == 2

    def test_once_sent_it_is_not_sent_again(self, office):
        mail = sent(wished())
        sent(mail)
        assert work.sweep() == 0
        assert len(office.letters) == 1

    def test_an_invitation_says_when_it_went_out(self, office):
        invitation = Invitation.objects.create(bot=make_bot(), email=TO)
        request(Mail.Kind.INVITATION, to=TO, invitation=invitation)
        sent(invitation.mails.get())
        invitation.refresh_from_db()
        first = invitation.sent_at
        assert first
        assert invitation.reminded_at is None
        request(Mail.Kind.REMINDER, to=TO, invitation=invitation, number=1)
        sent(invitation.mails.get(kind=Mail.Kind.REMINDER))
        invitation.refresh_from_db()
        assert invitation.sent_at == first
        assert invitation.reminded_at > first

    def test_one_that_is_not_wanted_any_more_goes_nowhere(self, office, monkeypatch):
        monkeypatch.setitem(LETTERS, Mail.Kind.ALERT, f"{__name__}.unwanted")
        mail = wished()
        work.make_alert(mail.pk)
        assert not Mail.objects.exists()
        assert not office.calls

    def test_one_whose_interview_goes_meanwhile_leaves_nothing(self, office, monkeypatch):
        mail = wished()

        def gone(row: Mail) -> EmailMessage:
            row.session.delete()
            return letter(row)

        monkeypatch.setattr(work, "letter_of", gone)
        work.make_alert(mail.pk)
        assert not Mail.objects.exists()

    def test_nobody_can_write_headers_of_their_own(self, office, monkeypatch):
        monkeypatch.setitem(LETTERS, Mail.Kind.ALERT, f"{__name__}.injecting")
        assert sent(wished()).status == "ready"
        (got,) = office.letters
        assert got.to == [TO]
        assert got.message["Bcc"] is None
        assert got.message["Subject"] == "Hello Bcc: eve@example.org Free kettles ?"
        assert got.message["To"] == TO

    @pytest.mark.parametrize("to", ["", "nobody", "a@b", "a@example.org\nBcc: b@example.org", "@"])
    def test_what_is_no_address_is_given_up_at_once(self, office, to):
        mail = sent(wished(to=to))
        assert (mail.status, mail.reason) == ("failed", "This is not an e-mail address.")
        assert not office.calls


class TestTrouble:
    def test_without_a_mail_server_it_waits_and_says_so(self, office, settings):
        settings.EMAIL_URL = ""
        mail = sent(wished())
        assert (mail.status, mail.reason, mail.attempts) == ("pending", work.NO_SERVER, 0)
        assert work.sweep() == 0
        settings.EMAIL_URL = office.url
        assert work.sweep() == 1
        assert (sent(mail).status, mail.reason) == ("ready", "")

    @pytest.mark.parametrize(
        "manner",
        [
            {"RCPT": f"550 5.1.1 <{TO}>: no such person, says <postmaster@example.com>"},
            {"MAIL": "553 5.7.1 not from you"},
            {"DATA": "554 5.6.0 no letters today"},
            {"end": "552 5.3.4 too long"},
        ],
    )
    def test_what_the_server_will_not_have_is_given_up_with_its_words(self, office, manner):
        office.behave(manner)
        mail = sent(wished())
        (said,) = manner.values()
        assert (mail.status, mail.attempts) == ("failed", 1)
        assert said.split()[0] in mail.reason
        assert said.split()[-1].strip("<>") in mail.reason or "@" in said
        assert "@" not in mail.reason

    @pytest.mark.parametrize(
        "manner",
        [
            {"RCPT": "450 4.2.0 come back later"},
            {"MAIL": "452 4.3.1 no room"},
            {"DATA": "451 4.3.0 try again"},
            {"end": "451 4.3.0 try again"},
            {"greeting": "421 too busy"},
            {"greeting": "554 not you"},  # the site's fault, which is mended without this letter's
            {"greeting": DROP},
            {"EHLO": DROP},
            {"RCPT": DROP},
        ],
    )
    def test_what_passes_is_tried_again_later(self, office, manner):
        office.behave(manner)
        mail = sent(wished())
        assert (mail.status, mail.attempts) == ("pending", 1)
        assert mail.reason
        assert mail.claimed_until > timezone.now() + timedelta(seconds=20)
        assert not any(one.words.strip() == WORDS for one in office.letters if "end" not in manner)
        assert sent(mail).status == "ready"

    @pytest.mark.parametrize("step", ["greeting", "RCPT", "end"])
    def test_a_silent_server_is_left_after_a_while(self, office, settings, step):
        settings.EMAIL_TIMEOUT = 0.3
        office.behave({step: STALL})
        mail = sent(wished())
        assert (mail.status, mail.attempts) == ("pending", 1)
        assert "reach the mail server: " in mail.reason

    def test_nobody_is_at_home(self, office, settings):
        settings.EMAIL_PORT = 1
        mail = sent(wished())
        assert mail.status == "pending"
        assert mail.reason == "Can't reach the mail server: ConnectionRefusedError."

    def test_a_letter_that_was_taken_in_silence_comes_twice_as_one(self, office):
        office.behave({"end": DROP})
        mail = sent(wished())
        assert mail.status == "pending"
        assert sent(mail).status == "ready"
        first, second = office.letters
        assert first.message["Message-ID"] == second.message["Message-ID"]

    def test_a_server_may_be_away_for_a_night(self, office, settings):
        settings.EMAIL_PORT = 1
        mail, waited = wished(), timedelta()
        for _ in range(work.MOST_ATTEMPTS):
            assert mail.status == "pending"
            sent(mail)
            if mail.claimed_until:
                waited += mail.claimed_until - timezone.now()
        assert mail.status == "failed"
        assert waited > timedelta(hours=12)

    def test_one_that_failed_is_sent_again_when_a_person_wants_it(self, office):
        office.behave({"RCPT": "550 no"})
        mail = sent(wished())
        assert work.send_again(mail)
        assert sent(mail).status == "ready"
        assert not work.send_again(mail)
        assert len(office.letters) == 1

    @pytest.mark.parametrize("manner", [{}, {"RCPT": f"550 {TO} is unknown"}, {"end": DROP}])
    def test_neither_words_nor_addresses_are_kept_or_logged(self, office, manner, caplog):
        caplog.set_level(logging.DEBUG)
        office.behave(manner)
        mail = sent(wished())
        kept = repr([value for name, value in vars(mail).items() if name != "to"])
        for text in (SUBJECT, WORDS, TO):
            assert text not in kept
            assert text not in caplog.text


class TestInLine:
    """Alerts wait behind no invitations."""

    @pytest.fixture
    def benches(self, monkeypatch) -> dict[str, list]:
        """What was put where; nobody takes it."""
        put: dict[str, list] = {}

        class Bench(list):
            put = list.append

            def empty(self) -> bool:
                return not self

        monkeypatch.setattr(jobs, "_serving", True)
        monkeypatch.setattr(jobs, "_thread_queue", lambda name: put.setdefault(name, Bench()))
        return put

    def test_an_alert_has_a_thread_of_its_own(self, office, benches):
        invitation = Invitation.objects.create(bot=make_bot(), email=TO)
        request(Mail.Kind.INVITATION, to=TO, invitation=invitation)
        wished()
        assert {name: len(waiting) for name, waiting in benches.items()} == {"Mail": 1, "alerts": 1}
        benches["alerts"].pop()()
        assert Mail.objects.get(kind=Mail.Kind.ALERT).status == "ready"

    def test_a_sweep_hands_it_out_while_invitations_wait(self, office, benches):
        invitation = Invitation.objects.create(bot=make_bot(), email=TO)
        request(Mail.Kind.INVITATION, to=TO, invitation=invitation)
        wished()
        benches["alerts"].clear()
        assert work.sweep() == 1
        assert len(benches["alerts"]) == 1

    def test_each_has_a_queue(self, settings):
        from interviews import tasks

        routes = settings.CELERY_TASK_ROUTES
        named = [routes[task.name]["queue"] for task in (tasks.send_alert, tasks.send_letter)]
        assert named == ["alerts", "letters"]
        assert set(named) <= {queue.name for queue in settings.CELERY_TASK_QUEUES}


class TestSettings:
    @pytest.mark.parametrize(
        ("url", "port", "secured"),
        [
            ("smtp://mail.example.org", 25, None),
            ("smtp+tls://mail.example.org", 587, "EMAIL_USE_TLS"),
            ("smtp+ssl://mail.example.org", 465, "EMAIL_USE_SSL"),
            ("smtp+tls://mail.example.org:2525", 2525, "EMAIL_USE_TLS"),
        ],
    )
    def test_the_usual_ports(self, url, port, secured):
        server = env.mail_server("EMAIL_URL", url)
        assert (server["EMAIL_HOST"], server["EMAIL_PORT"]) == ("mail.example.org", port)
        assert {key for key in server if "USE_" in key} == ({secured} if secured else set())

    def test_a_password_may_hold_anything(self):
        server = env.mail_server(
            "EMAIL_URL", "smtp+tls://talks%40example.org:p%40ss%2Fw%2Brd@mail.example.org"
        )
        assert server["EMAIL_HOST_USER"] == "talks@example.org"
        assert server["EMAIL_HOST_PASSWORD"] == "p@ss/w+rd"

    def test_without_one_nothing_is_sent_by_accident(self):
        assert "dummy" in env.mail_server("EMAIL_URL", "")["EMAIL_BACKEND"]

    def test_what_it_does_not_know_is_refused(self):
        with pytest.raises(SystemExit, match=r"EMAIL_URL .* is no address of a mail server"):
            env.mail_server("EMAIL_URL", "pigeon://loft")

    @pytest.mark.parametrize(
        ("mail", "address", "fine"),
        [
            ("", "", True),
            ("smtp://a", "https://talks.example.org", True),
            ("", "https://talks.example.org", True),
            ("smtp://a", "", False),
            ("smtp://a", "talks.example.org", False),
            ("", "ftp://talks.example.org", False),
        ],
    )
    def test_letters_need_the_address_of_the_site(self, settings, mail, address, fine):
        settings.EMAIL_URL, settings.SITE_URL = mail, address
        assert bool(address_in_letters()) is not fine


@given(st.text())
def test_a_subject_is_one_line_that_can_be_sent(text):
    line = header_line(text)
    assert len(line.splitlines()) <= 1
    assert len(line) <= 200
    line.encode()
