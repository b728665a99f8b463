"""Signs of distress in the admin: found at once, looked at by a person, and the flag stays."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from interviews.measures import distress_review
from interviews.models import DistressReview, Mail, Session
from interviews.turns.withdrawal import withdraw
from tests.factories import SessionFactory, TurnFactory
from tests.pages import markup
from tests.people import somebody
from tests.queries import counted

pytestmark = pytest.mark.django_db
LIST = "/admin/interviews/session/"
WANTED = "/admin/interviews/session/?look=wanted"
DISTRESS = {"reason": "distress", "firings": [], "details": {}}


def flagged(**fields) -> Session:
    """An interview in which somebody was in distress just now."""
    session = SessionFactory(flagged=True, flagged_at=timezone.now(), **fields)
    TurnFactory(session=session, decision=DISTRESS)
    return session


def page(session: Session) -> str:
    return reverse("admin:interviews_session_change", args=[session.pk])


def mark(client, session: Session, note: str = ""):
    return client.post(
        reverse("admin:interviews_session_look", args=[session.pk]), {"note": note}, follow=True
    )


def text(response) -> str:
    assert response.status_code == 200
    return markup(response)


@pytest.mark.parametrize("where", ["/admin/", LIST])
def test_whoever_comes_in_is_told_at_once(admin_client, where):
    SessionFactory()
    assert "look-wanted" not in text(admin_client.get(where))
    flagged()
    assert "1 interview needs review" in text(admin_client.get(where))
    flagged()
    shown = text(admin_client.get(where))
    assert "2 interviews need review" in shown
    assert WANTED in shown


def test_simulated_participants_are_in_no_distress(admin_client):
    session = flagged(synthetic=True)
    assert "look-wanted" not in text(admin_client.get("/admin/"))
    assert page(session) not in text(admin_client.get(WANTED))


def test_who_may_not_see_interviews_is_told_nothing(client):
    flagged()
    somebody(client, "view_bot")
    assert "look-wanted" not in text(client.get("/admin/"))


def test_a_person_marks_it_with_a_note_and_it_wants_no_look_any_more(admin_client):
    session = flagged()
    shown = text(mark(admin_client, session, "Rang her. <b>She is safe.</b>"))
    assert "</b> reviewed this" in shown
    assert "Rang her. &lt;b&gt;She is safe.&lt;/b&gt;" in shown
    (made,) = session.looks.all()
    assert (made.by, made.user.username) == ("admin", "admin")
    assert made.at > session.flagged_at
    assert "look-wanted" not in text(admin_client.get(LIST))
    session.refresh_from_db()
    assert session.flagged  # for exports it stays


def test_a_later_sign_wants_another_look(admin_client):
    session = flagged()
    mark(admin_client, session)
    Session.objects.update(flagged_at=timezone.now() + timedelta(seconds=1))
    assert list(distress_review.wanting(Session.objects.all())) == [session]


def test_a_sign_that_nobody_has_read_is_not_marked_with_the_one_before(admin_client):
    session = flagged()
    seen = re.search('name="seen" value="([^"]+)"', text(admin_client.get(page(session))))[1]
    Session.objects.update(flagged_at=timezone.now())
    marking = reverse("admin:interviews_session_look", args=[session.pk])
    shown = text(admin_client.post(marking, {"note": "Rang her.", "seen": seen}, follow=True))
    assert "another sign of distress since you opened this page" in shown
    assert "Your note was: “Rang her.”" in shown
    assert list(distress_review.wanting(Session.objects.all())) == [session]
    seen = re.search('name="seen" value="([^"]+)"', shown)[1]
    admin_client.post(marking, {"note": "Rang her twice.", "seen": seen})
    assert not distress_review.wanting(Session.objects.all()).exists()


def test_the_list_can_be_narrowed_to_each(admin_client):
    calm, new, old = SessionFactory(), flagged(), flagged()
    mark(admin_client, old)
    wanted, done = (text(admin_client.get(f"{LIST}?look={one}")) for one in ("wanted", "done"))
    assert [page(one) in wanted for one in (calm, new, old)] == [False, True, False]
    assert [page(one) in done for one in (calm, new, old)] == [False, False, True]


def test_the_list_asks_no_more_however_many_there_are(admin_client):
    flagged()
    admin_client.get(LIST)
    with counted() as few:
        admin_client.get(LIST)
    for _ in range(4):
        mark(admin_client, flagged())
    with counted() as many:
        admin_client.get(LIST)
    assert len(many) <= len(few) + 3  # one more for each of the new bots' plans at most


def test_marking_takes_a_right(client):
    session = flagged()
    user = somebody(client, "view_session")
    assert mark(client, session).status_code == 403
    shown = text(client.get(page(session)))
    assert "Nobody has reviewed this yet." in shown
    assert "look-note" not in shown
    user.user_permissions.add(Permission.objects.get(codename="add_look"))
    assert text(mark(client, session))
    assert DistressReview.objects.count() == 1


def test_a_link_marks_nothing(admin_client):
    session = flagged()
    reply = admin_client.get(reverse("admin:interviews_session_look", args=[session.pk]))
    assert reply.status_code == 405
    assert not DistressReview.objects.exists()


def test_the_page_leads_to_the_turns_and_says_who_was_told(admin_client):
    session = flagged()
    shown = text(admin_client.get(page(session)))
    assert f'href="#t{session.turns.get().number}"' in shown
    assert "has no safety contact" in shown
    about = {"kind": Mail.Kind.ALERT, "session": session, "number": 1}
    Mail.objects.create(**about, to="anna@example.org", status="ready")
    Mail.objects.create(**about, to="boris@example.org", status="failed", reason="550 nobody")
    shown = text(admin_client.get(page(session)))
    assert "1 e-mail sent." in shown
    assert "1 e-mail not sent. 550 nobody" in shown


def test_without_signs_there_is_nothing_of_it(admin_client):
    assert 'id="signs"' not in text(admin_client.get(page(SessionFactory())))


def test_who_withdraws_takes_the_notes_with_them(admin_client):
    session = flagged()
    mark(admin_client, session, "Rang her.")
    session.refresh_from_db()
    withdraw(session)
    session.refresh_from_db()
    assert not DistressReview.objects.exists()
    assert (session.flagged, session.flagged_at) == (False, None)


def test_a_note_is_kept_within_bounds(admin_client):
    session = flagged()
    mark(admin_client, session, "x\0" + "y" * 5000)
    assert len(session.looks.get().note) == distress_review.LONGEST_NOTE
    assert "\0" not in session.looks.get().note
