"""Reading an interview while it is under way: what is new appears, and nothing twice."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from interviews.choices import SessionStatus
from interviews.models import AccessRecord, Session, Turn
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.pages import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client):
    user = User.objects.create_user("reader", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_session"))
    client.force_login(user)
    return client


@pytest.fixture
def session(db) -> Session:
    session = SessionFactory(status=SessionStatus.WAITING_ANSWER, sequence=3)
    EntryFactory(turn=TurnFactory(session=session), text="Where were you born?")
    return session


def say(session: Session, words: str, reply: str = "") -> None:
    """An answer; without a reply the interviewer is still preparing it."""
    number = session.turns.count()
    running = {} if reply else {"status": Turn.Status.RUNNING, "lease_owner": session.pk}
    turn = TurnFactory(session=session, number=number, message_id=f"m{number}", **running)
    AnswerFactory(turn=turn, text=words)
    if reply:
        EntryFactory(turn=turn, text=reply)
    Session.objects.filter(pk=session.pk).update(sequence=session.sequence + 1)
    session.refresh_from_db()


def live(client, session: Session, sequence: int, turn: int):
    url = reverse("admin:interviews_session_live", args=[session.pk])
    return client.get(f"{url}?sequence={sequence}&turn={turn}")


def test_the_page_of_a_running_interview_asks_for_what_is_new(reader, session):
    page = markup(reader.get(reverse("admin:interviews_session_change", args=[session.pk])))
    url = reverse("admin:interviews_session_live", args=[session.pk])
    assert f"{url}?sequence=3&turn=0" in page.replace("&amp;", "&")


def test_nothing_new_is_answered_without_a_page(reader, session):
    assert live(reader, session, 3, 0).status_code == 204


def test_an_answer_shows_before_its_reply_and_once_with_it(reader, session):
    say(session, "In Tartu.")
    waiting = markup(live(reader, session, 3, 0))
    assert "In Tartu." in waiting
    assert "preparing the reply" in waiting
    assert "Where were you born?" not in waiting
    assert "turn=0" in waiting  # so that the reply comes with its answer
    Turn.objects.filter(session=session, number=1).update(status=Turn.Status.DONE)
    EntryFactory(turn=session.turns.get(number=1), text="What was it like there?")
    Session.objects.update(sequence=5)
    replied = markup(live(reader, session, 4, 0))
    assert replied.count("In Tartu.") == 1
    assert "What was it like there?" in replied
    assert "turn=1" in replied


def test_who_reads_what_is_new_is_on_record(reader, session):
    live(reader, session, 3, 0)
    assert not AccessRecord.objects.exists()
    live(reader, session, 2, 0)
    record = AccessRecord.objects.get()
    assert (record.name, record.session) == ("reader", session.pk)


def test_the_end_is_told_and_nobody_asks_again(reader, session):
    say(session, "That is all.", "Thank you.")
    Session.objects.update(status=SessionStatus.COMPLETED)
    ended = markup(live(reader, session, 3, 0))
    assert "The interview has ended" in ended
    assert "hx-get" not in ended


@pytest.mark.parametrize("turn", ["", "x", "-1", "99999999999999999999"])
def test_an_odd_turn_is_no_error(reader, session, turn):
    say(session, "In Tartu.", "And then?")
    assert live(reader, session, 3, turn).status_code == 200


def test_only_those_who_may_read_interviews(client, session):
    user = User.objects.create_user("other", password="x", is_staff=True)
    client.force_login(user)
    assert live(client, session, 1, 0).status_code == 403


def test_an_unknown_interview_is_not_found(reader, session):
    url = "/admin/interviews/session/00000000-0000-0000-0000-000000000000/live/"
    assert reader.get(url).status_code == 404
