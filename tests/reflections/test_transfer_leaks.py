"""What leaves of a handover's products: participants get plain answers, exports take rights."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from interviews.exports.registry import allowed_tables
from interviews.security.access import PARTICIPANT_COOKIE, new_key
from reflections import jobs
from reflections.models import Judgement, Reflection
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.summary import SUMMARY
from reflections.protocols.knowledge_transfer.types import Narrative, SummaryStatement
from reflections.reviews import Opinion, judge
from tests.interviews.exports.reading import column, export, read
from tests.reflections.held import held_session, wished
from tests.reflections.transferred import held_transfer
from tests.scripted import scripted
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
WHY, STATEMENT = "WHY-nobody-but-the-interviewer", "STATEMENT-of-the-model"
PAGES = ("", "summary/", "state/", "earlier/", "transcript/", "transcript.txt", "link/", "end/")
API = ("", "/resume", "/transcript", "/reflections")


@pytest.fixture
def session(settings):
    """A handover with all that is made of it."""
    settings.LLM_PROVIDER = "scripted"
    said = [SummaryStatement(text=STATEMENT, facts=[1])]
    scripted.reply(SUMMARY.name, Narrative(risks=said))
    bot = make_transfer_bot()
    bot.backlog.update(why=WHY)
    made = held_transfer(bot=bot)
    for name in ("summary", makers.SUMMARY):
        jobs.make(wished(made, name).pk)
    for row in Reflection.objects.filter(session=made):
        jobs.make(row.pk)
    assert WHY in str(made.reflections.get(name=makers.PACKAGE).content)
    return made


@pytest.fixture
def participant(session) -> Client:
    """Their browser."""
    client = Client()
    client.cookies[PARTICIPANT_COOKIE] = new_key(session.participant)
    return client


def leaks(content: str) -> list[str]:
    return [secret for secret in (WHY, STATEMENT, "onboarding", "qa_context") if secret in content]


@pytest.mark.parametrize("suffix", PAGES)
def test_no_page_of_a_participant_tells_them(session, participant, suffix):
    response = participant.get(f"/s/{session.pk}/{suffix}")
    assert response.status_code in (200, 302, 303, 404, 405)
    assert leaks(response.content.decode()) == []


@pytest.mark.parametrize("path", API)
def test_no_reply_of_the_api_tells_them(session, participant, path):
    response = participant.get(f"/api/chat/session/{session.pk}{path}")
    assert response.status_code == 200
    assert leaks(response.content.decode()) == []


def test_who_handed_over_gets_the_plain_summary_alone(session, participant):
    told = participant.get(f"/api/chat/session/{session.pk}/reflections").json()
    [summary] = told["reflections"]
    assert (summary["name"], summary["status"]) == ("summary", "ready")
    assert "By feel, more or less." in str(summary["content"])


def test_participants_have_no_way_into_the_admin(session, participant):
    for row in session.reflections.all():
        for suffix in ("change/", "download/", "download/?as=zip", "download/?as=jsonl"):
            response = participant.get(f"/admin/reflections/reflection/{row.pk}/{suffix}")
            assert response.status_code == 302
            assert "/login/" in response["Location"]


def test_a_handover_is_a_row(session):
    [row] = read("transfer_summaries")
    assert (row["session_id"], row["final"], row["review"]) == (str(session.pk), "false", "draft")
    assert (row["made_by"], row["statements"]) == ("model", "1")
    assert row["summary"].startswith("# Summary: prices and paper\n")
    assert f"- {STATEMENT} (1)" in row["summary"]
    assert row["package"].startswith("# Onboarding package: prices and paper\n")
    assert row["package_review"] == "draft"
    assert row["findings"] == "Facts that no statement rests on: 2, 3, 4."


def test_amended_ones_are_final(session):
    made = session.reflections.get(name=makers.SUMMARY)
    content = made.content | {
        "sections": [{"heading": "risks", "title": "Risks", "statements": []}]
    }
    judge(made, Opinion(Judgement.State.AMENDED, "Shorter.", content), "ann", 0)
    [row] = read("transfer_summaries", "jsonl")
    assert (row["final"], row["reviewer"], row["statements"]) == (True, "ann", 0)
    assert STATEMENT not in row["summary"]


def test_other_tables_keep_to_their_own(session):
    held_session()
    assert read("reports") == []
    assert read("all_reports") == []
    assert column(read("transfer_summaries"), "session_id") == [str(session.pk)]


def test_one_that_is_not_made_yet_is_no_row(session):
    wished(held_transfer(), makers.SUMMARY)
    assert len(read("transfer_summaries")) == 1
    session.reflections.filter(name=makers.PACKAGE).delete()
    [row] = read("transfer_summaries")
    assert (row["package"], row["package_review"]) == ("", "")


def test_the_table_takes_the_right_to_read_products(session):
    user = User.objects.create_user("exporter", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="export_session"))
    assert "transfer_summaries" not in allowed_tables(user.has_perm)
    user.user_permissions.add(Permission.objects.get(codename="view_reflection"))
    assert "transfer_summaries" in allowed_tables(User.objects.get(pk=user.pk).has_perm)
    assert WHY.encode() in export("transfer_summaries")
