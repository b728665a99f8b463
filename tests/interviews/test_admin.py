"""The admin of the fieldwork: found, read, escaped, deleted as a whole, and never changed."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from interviews.admin import querysets
from interviews.admin.sessions import SessionAdmin
from interviews.choices import SessionStatus
from interviews.exports.pseudonyms import pseudonym
from interviews.models import (
    AccessKey,
    AccessRecord,
    Note,
    Participant,
    Session,
    TranscriptEntry,
    Turn,
)
from llm.models import LLMCall
from tests.factories import CallFactory, NoteFactory, SessionFactory, TurnFactory, talk
from tests.pages import markup
from tests.people import somebody

pytestmark = pytest.mark.django_db
LIST = "/admin/interviews/session/"
NASTY = '<script>alert("x")</script><img src=x onerror=alert(1)>{{ 7|add:7 }}'


def page(session: Session) -> str:
    return reverse("admin:interviews_session_change", args=[session.pk])


def text(response) -> str:
    assert response.status_code == 200
    return markup(response)


# -- the list


def test_an_empty_list_says_how_to_begin(admin_client):
    assert "Interviews appear here as soon as somebody starts one." in text(admin_client.get(LIST))


def test_only_a_list_that_is_narrowed_leads_to_all(admin_client):
    SessionFactory()
    queries = {"": False, "?o=1": False, "?q=kettle": True, "?language=en": True}
    for query, narrowed in queries.items():
        assert ("Show all" in text(admin_client.get(LIST + query))) == narrowed, query


def test_names_are_for_who_may_see_them(client):
    session = SessionFactory(participant__name="Cassiopeia")
    user = somebody(client, "view_session")
    for address in (LIST, page(session)):
        shown = text(client.get(address))
        assert "Cassiopeia" not in shown
        assert pseudonym(session.participant_id) in shown
    assert found(client, "Cassiopeia") == set()
    user.user_permissions.add(Permission.objects.get(codename="view_participant"))
    for address in (LIST, page(session), f"{LIST}?q=cassio"):
        assert "Cassiopeia" in text(client.get(address))


def found(client, words: str) -> set[str]:
    """Ids of the interviews that a search shows."""
    shown = text(client.get(LIST, {"q": words}))
    return {str(s.pk) for s in Session.objects.all() if page(s) in shown}


def test_search_goes_through_what_was_said(admin_client):
    first = talk(SessionFactory(), ["We lived over a bakery in Riga, 100% of us."])
    other = talk(SessionFactory(bot=first.bot), ["Моя Бабушка пекла хлеб."])
    assert found(admin_client, "BAKERY in riga") == {str(first.pk)}
    assert found(admin_client, "бабушка") == {str(other.pk)}
    assert found(admin_client, "100%") == {str(first.pk)}
    assert found(admin_client, "nowhere") == set()
    assert found(admin_client, str(other.pk)) == {str(other.pk)}
    assert found(admin_client, str(first.pk)[:8]) == {str(first.pk)}


def test_a_search_that_finds_too_much_says_so(admin_client, monkeypatch):
    monkeypatch.setattr(querysets, "MOST_FOUND", 2)
    session = talk(SessionFactory(), ["again"])
    assert "some are listed" not in text(admin_client.get(f"{LIST}?q=again"))
    for _ in range(2):
        talk(SessionFactory(bot=session.bot), ["again"])
    assert len(found(admin_client, "again")) == 2
    assert "some are listed" in text(admin_client.get(f"{LIST}?q=again"))
    for _ in range(2):
        SessionFactory(bot=session.bot, participant__name="Cassiopeia")
    assert len(found(admin_client, "cassio")) == 2
    assert "some are listed" in text(admin_client.get(f"{LIST}?q=cassio"))


def test_a_later_page_goes_on_where_the_one_before_ended(admin_client, monkeypatch):
    monkeypatch.setattr(SessionAdmin, "list_per_page", 2)
    bot = SessionFactory().bot
    for number in range(1, 5):
        talk(SessionFactory(bot=bot), [f"Answer {one}" for one in range(number)])
    shown = "".join(text(admin_client.get(f"{LIST}?p={number}")) for number in (1, 2, 3))
    rows = re.findall(r'<th class="field-participant_shown.*?</tr>', shown, re.DOTALL)
    assert all(page(one) in row for one, row in zip(Session.objects.all(), rows, strict=True))
    answers = [re.search(r"field-answers_shown[^>]*>(\d+)", row).group(1) for row in rows]
    assert answers == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize(
    "query",
    [
        "status__exact=COMPLETED",
        "flagged__exact=1",
        "preview__exact=0",
        "synthetic__exact=0",
        "language=en",
        "started_at__year=2026",
        "q=some",
        "o=9",
    ],
)
def test_filters_and_order(admin_client, query):
    session = talk(SessionFactory(flagged=True), ["something"])
    assert page(session) in text(admin_client.get(f"{LIST}?{query}"))


@pytest.mark.parametrize(
    "address",
    [
        LIST,
        f"{LIST}?q=one",
        "/admin/interviews/participant/",
        "/admin/interviews/transcriptentry/",
        "/admin/interviews/turn/",
    ],
)
def test_the_number_of_queries_stays_the_same(admin_client, django_assert_max_num_queries, address):
    session = talk(SessionFactory(), ["one"])
    text(admin_client.get(address))
    with django_assert_max_num_queries(100) as few:
        text(admin_client.get(address))
    for _ in range(12):
        talk(SessionFactory(bot=session.bot), ["one"])
    with django_assert_max_num_queries(len(few)):
        text(admin_client.get(address))


# -- the page


def test_the_page_has_all_that_was_said_and_why(admin_client):
    session = talk(SessionFactory(params={"PROLIFIC_PID": "5f0"}), ["I was born in Riga."])
    turn = session.turns.get(number=1)
    turn.readings = {
        "lead": {
            "task": "life_story.lead",
            "value": {"heard": "fully q2", "say": "Where was the house?"},
            "source": "model",
            "reason": "",
        }
    }
    turn.decision = {
        "reason": "next",
        "firings": [{"guard": "bridge", "reason": "not usable", "before": "So what?"}],
        "details": {"met": {"q9": 9}},
    }
    turn.save()
    NoteFactory(entry=turn.entries.get(slot=0), key="birth_place", text="Riga, by the river")
    call = CallFactory(session=str(session.pk), turn=1, cost="0.00123")
    shown = text(admin_client.get(page(session)))
    for entry in session.entries.all():
        assert f'id="e{entry.position}"' in shown
    for piece in (
        "I was born in Riga.",
        "The next open question.",
        "A guard stepped in.",
        "So what?",
        "told already, in an answer to another question",
        "Where was the house?",
        "Riga, by the river",
        'href="#e3"',
        "0.00123",
        "after 400 ms",
        "5f0",
        reverse("admin:llm_llmcall_change", args=[call.pk]),
    ):
        assert piece in shown, piece
    conversation = shown[shown.index('<div class="talk">') : shown.index("</ol></div>")]
    assert "{&#x27;" not in conversation  # nothing is shown as it is stored


def test_what_people_say_is_text(admin_client):
    session = talk(
        SessionFactory(participant__name=NASTY, title=NASTY, params={NASTY: NASTY}), [NASTY]
    )
    turn = session.turns.get(number=1)
    turn.decision = {
        "reason": NASTY,
        "firings": [{"guard": NASTY, "reason": NASTY, "before": NASTY}],
        "details": {NASTY: NASTY, "met": {NASTY: NASTY}},
    }
    turn.readings = {NASTY: {"task": NASTY, "value": {NASTY: [NASTY]}, "source": "", "reason": ""}}
    turn.save()
    NoteFactory(entry=turn.entries.get(slot=0), key=NASTY[:80], text=NASTY)
    for address in (
        page(session),
        LIST,
        "/admin/interviews/participant/",
        reverse("admin:interviews_participant_change", args=[session.participant_id]),
        "/admin/interviews/transcriptentry/",
        "/admin/interviews/turn/",
        "/admin/interviews/session/export/",
    ):
        shown = text(admin_client.get(address))
        assert "<script>alert" not in shown, address
        assert "<img src=x" not in shown, address


def test_the_number_of_queries_of_the_page_stays_the_same(
    admin_client, django_assert_max_num_queries
):
    session = talk(SessionFactory(), ["one"])
    text(admin_client.get(page(session)))
    with django_assert_max_num_queries(100) as few:
        text(admin_client.get(page(session)))
    for _ in range(10):
        turn = TurnFactory(session=session)
        CallFactory(session=str(session.pk), turn=turn.number)
    with django_assert_max_num_queries(len(few)):
        text(admin_client.get(page(session)))


def test_a_turn_under_way_and_a_withdrawn_interview(admin_client):
    session = talk(SessionFactory(status=SessionStatus.ASKING), ["one"])
    TurnFactory(session=session, status="running", lease_owner="1" * 32)
    assert "The interviewer is preparing the reply." in text(admin_client.get(page(session)))
    gone = SessionFactory(bot=session.bot, status=SessionStatus.WITHDRAWN, participant=None)
    assert "the participant has withdrawn" in text(admin_client.get(page(gone)))


def test_reading_is_on_record_once_for_one_reading(admin_client, admin_user):
    session = SessionFactory()
    for _ in range(3):
        text(admin_client.get(page(session)))
    record = AccessRecord.objects.get()
    assert (record.user, record.session, record.bot) == (admin_user, session.pk, session.bot)


@pytest.mark.parametrize("model", ["session", "participant", "transcriptentry", "turn"])
def test_nothing_can_be_added_or_changed(admin_client, model):
    session = talk(SessionFactory(), ["one"])
    rows = {
        "session": session,
        "participant": session.participant,
        "transcriptentry": session.entries.first(),
        "turn": session.turns.first(),
    }
    change = reverse(f"admin:interviews_{model}_change", args=[rows[model].pk])
    assert admin_client.post(change, {"text": "other", "name": "other"}).status_code == 403
    assert admin_client.get(reverse(f"admin:interviews_{model}_add")).status_code == 403


def test_access_keys_are_not_in_the_admin(admin_client):
    assert admin_client.get("/admin/interviews/accesskey/").status_code == 404


def test_without_the_right_nothing_is_shown(client):
    session = talk(SessionFactory(), ["one"])
    somebody(client, "view_bot")
    for address in (LIST, page(session), "/admin/interviews/transcriptentry/"):
        assert client.get(address).status_code == 403
    assert not AccessRecord.objects.exists()


# -- deleting


def test_deleting_says_what_goes_and_takes_it(admin_client):
    session = talk(SessionFactory(), ["one"])
    NoteFactory(entry=session.entries.get(kind="user_answer"))
    CallFactory(session=str(session.pk), turn=1)
    AccessKey.objects.create(digest="x", participant=session.participant, session=session)
    other = talk(SessionFactory(bot=session.bot), ["stays"])
    address = reverse("admin:interviews_session_delete", args=[session.pk])
    asked = text(admin_client.get(address))
    for piece in ("4 utterances", "2 turns with their traces", "1 note", "1 logged model call"):
        assert piece in asked, piece
    assert Session.objects.count() == 2
    admin_client.post(address, {"post": "yes"})
    assert list(Session.objects.all()) == [other]
    assert list(Participant.objects.all()) == [other.participant]
    assert TranscriptEntry.objects.count() == 4
    assert Turn.objects.count() == 2
    assert not Note.objects.exists()
    assert not LLMCall.objects.exists()
    assert not AccessKey.objects.exists()


def test_who_gave_another_interview_stays(admin_client):
    session = SessionFactory()
    SessionFactory(bot=session.bot, participant=session.participant)
    picked = {"action": "delete_selected", "_selected_action": [str(session.pk)], "post": "yes"}
    admin_client.post(LIST, picked)
    assert Session.objects.count() == 1
    assert Participant.objects.count() == 1


def test_deleting_needs_its_right(client):
    session = SessionFactory()
    somebody(client, "view_session", "export_session")
    address = reverse("admin:interviews_session_delete", args=[session.pk])
    assert client.post(address, {"post": "yes"}).status_code == 403
    picked = {"action": "delete_selected", "_selected_action": [str(session.pk)], "post": "yes"}
    client.post(LIST, picked)
    assert Session.objects.exists()


def test_a_participants_page_says_how_far_each_interview_came(admin_client):
    session = SessionFactory(progress={"current": 3, "total": 10, "unit": "question"})
    url = reverse("admin:interviews_participant_change", args=[session.participant_id])
    assert "3 of 10" in text(admin_client.get(url))
