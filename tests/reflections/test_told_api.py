"""What the API tells of products: all of it to who may read them, and nothing to anybody else."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from interviews.models import AccessRecord
from interviews.security.access import PARTICIPANT_COOKIE, new_key
from plans.models import Team
from reflections.models import Judgement, Reflection
from reflections.reviews import Opinion, judge
from tests.reflections.held import wished
from tests.reflections.telling import BEES, reflected, told_product

pytestmark = pytest.mark.django_db(transaction=True)
State = Judgement.State


@pytest.fixture
def row():
    return told_product()


def address(session_id) -> str:
    return f"/api/sessions/{session_id}/reflections"


def reader(*rights: str, name: str = "reader") -> Client:
    """The browser of somebody with these rights."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(user)
    return client


def test_a_reader_gets_all_of_it(row):
    waiting = wished(row.session, "expert:economist")
    Reflection.objects.filter(pk=waiting.pk).update(reason="No model is configured.")
    response = reader("view_reflection").get(address(row.session_id))
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    told = response.json()
    assert told["session_id"] == str(row.session_id)
    first, second = told["reflections"]
    assert (first["name"], first["title"]) == ("expert:psychologist", "Reflection: Psychologist")
    assert (first["status"], first["content"], first["final"]) == ("ready", reflected(), False)
    assert first["review"] == {
        "state": "draft",
        "reviewer": "",
        "reviewed_at": None,
        "comment": "",
        "amended": None,
    }
    assert (second["status"], second["reason"]) == ("pending", "No model is configured.")


def test_reviews_are_told_with_what_they_changed(row):
    amended = reflected(sections=[])
    judge(row, Opinion(State.AMENDED, "Thin.", amended), "ann", 0)
    (told,) = reader("view_reflection").get(address(row.session_id)).json()["reflections"]
    assert told["final"] is True
    assert told["content"] == reflected()
    assert (told["review"]["state"], told["review"]["amended"]) == ("amended", amended)


def test_reading_is_on_record_once(row):
    client = reader("view_reflection")
    for _ in range(2):
        assert client.get(address(row.session_id)).status_code == 200
    (record,) = AccessRecord.objects.all()
    assert (record.session, record.name) == (row.session_id, "reader")


def test_to_anybody_else_it_looks_as_if_there_were_nothing(row):
    unknown = reader("view_reflection").get(address(uuid4()))
    assert unknown.status_code == 404
    participant = Client()
    participant.cookies[PARTICIPANT_COOKIE] = new_key(row.session.participant)
    others = [Client(), participant, reader("view_session", "review_reflection", name="other")]
    for client in others:
        response = client.get(address(row.session_id))
        assert response.status_code == 404
        assert response.json() == unknown.json()
        assert BEES not in response.content.decode()
    assert not AccessRecord.objects.exists()


def test_who_has_left_reads_nothing(row):
    client = reader("view_reflection")
    User.objects.update(is_active=False)
    assert client.get(address(row.session_id)).status_code == 404


def test_a_team_reads_its_own_alone(row):
    client, team = reader("view_reflection"), Team.objects.create(name="Ours")
    team.members.add(User.objects.get())
    assert client.get(address(row.session_id)).status_code == 404
    team.bots.add(row.session.bot)
    assert client.get(address(row.session_id)).status_code == 200


def test_a_participants_token_opens_it_as_little(row):
    token = new_key(row.session.participant, row.session)
    headers = {"Authorization": f"Bearer {token}"}
    assert Client().get(address(row.session_id), headers=headers).status_code == 404


def test_participants_get_neither_experts_nor_facts(row):
    told_product(row.session, name="facts", expert=None)
    told_product(row.session, name="summary", expert=None)
    client = Client()
    client.cookies[PARTICIPANT_COOKIE] = new_key(row.session.participant)
    told = client.get(f"/api/chat/session/{row.session_id}/reflections").json()
    assert [one["name"] for one in told["reflections"]] == ["summary"]


def test_it_is_described_in_the_openapi():
    described = Client().get("/api/openapi.json").json()
    operation = described["paths"]["/api/sessions/{session_id}/reflections"]["get"]
    assert operation["security"] == [{"Reader": []}]
    assert described["components"]["securitySchemes"]["Reader"]["in"] == "cookie"
