"""Reviewing: by the admin's pages, with the original kept and nobody's words lost."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from reflections import jobs
from reflections.models import Judgement, Reflection, Review, StudyReport
from reflections.reviews import FINAL, Opinion, Stale, final, judge, review_of
from tests.pages import markup
from tests.people import somebody
from tests.reflections.coding import code_some, report_on
from tests.reflections.held import NOTE, THOUGHT, again, held_session, wished
from tests.reflections.telling import told_session

pytestmark = pytest.mark.django_db(transaction=True)  # as after-work is made
State = Judgement.State


@pytest.fixture
def row(settings):
    """A report, computed."""
    settings.LLM_PROVIDER = ""
    made = wished(held_session(name="Cassiopeia"))
    jobs.make(made.pk)
    return again(made)


def page(row, suffix="change") -> str:
    return reverse(f"admin:reflections_reflection_{suffix}", args=[row.pk])


def text(response, status=200) -> str:
    assert response.status_code == status
    return markup(response)


def review(client, row, do, version=0, **more):
    return client.post(page(row), {"do": do, "version": version, "comment": "", **more})


def amended(row, **changes):
    """The fields of a form that leaves the report as it is, but for these."""
    from reflections.protocols.technical_assessment.pages import ReportForm
    from reflections.protocols.technical_assessment.report.types import StoredReport

    stored = StoredReport.model_validate(row.content)
    fields = {f"report-{name}": value for name, value in ReportForm(stored).initial.items()}
    return fields | {f"report-{name}": value for name, value in changes.items()}


# -- reading


def test_the_page_shows_the_report_with_its_answers(admin_client, row):
    shown = text(admin_client.get(page(row)))
    assert "Advice to a human reviewer" in shown
    assert "Computed from the observations" in shown
    assert "Cassiopeia" in shown
    assert "<b>Hire</b>" in shown
    assert 'href="#e7"' in shown
    assert 'id="e7"' in shown
    assert "Automatic checks" not in shown  # there is nothing to find
    assert THOUGHT not in shown


def test_rights(client, row):
    user = somebody(client)
    assert client.get(page(row)).status_code == 403
    user.user_permissions.set(Permission.objects.filter(codename="view_reflection"))
    shown = text(client.get(page(row)))
    assert "Cassiopeia" not in shown
    assert "Accept" not in shown
    assert 'id="e7"' not in shown
    assert review(client, row, "accepted").status_code == 403
    assert not Review.objects.exists()
    user.user_permissions.add(*Permission.objects.filter(codename="view_session"))
    shown = text(client.get(page(row)))
    assert 'id="e7"' in shown
    assert "correctness 0.90" not in shown
    user.user_permissions.add(Permission.objects.get(codename="view_observations"))
    assert "correctness 0.90" in text(client.get(page(row)))


def test_words_are_escaped(admin_client, settings):
    settings.LLM_PROVIDER = ""
    session = held_session()
    session.entries.filter(role="participant").update(text="<script>alert(1)</script>")
    session.start_answers = {"experience": "<img src=x onerror=alert(2)>"}
    session.save()
    made = wished(session)
    jobs.make(made.pk)
    shown = text(admin_client.get(page(made)))
    assert "<script>alert(1)" not in shown
    assert "<img src=x" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_the_list_finds_and_filters(admin_client, row):
    other = wished(row.session, "summary")
    url = reverse("admin:reflections_reflection_changelist")
    assert page(other) in text(admin_client.get(url))
    assert page(other) not in text(admin_client.get(url, {"name": "report"}))
    assert page(row) in text(admin_client.get(url, {"review": "draft"}))
    assert page(row) not in text(admin_client.get(url, {"review": "accepted"}))
    judge(row, Opinion(State.ACCEPTED), "ann", 0)
    assert page(row) not in text(admin_client.get(url, {"review": "draft"}))
    assert page(row) in text(admin_client.get(url, {"review": "accepted"}))
    assert page(row) in text(admin_client.get(url, {"q": str(row.session_id)[:8]}))


def test_the_download_holds_report_and_review(admin_client, row):
    review(admin_client, row, "accepted", comment="Yes.")
    told = json.loads(text(admin_client.get(page(row, "download"))))
    assert told["content"] == row.content
    assert (told["review"]["state"], told["review"]["comment"]) == ("accepted", "Yes.")
    assert THOUGHT not in json.dumps(told)


# -- reviewing


def test_accept_reject_and_open_again(admin_client, row):
    assert review(admin_client, row, "accepted", comment="Fair.").status_code == 302
    found = review_of(row)
    assert (found.state, found.reviewer, found.version) == ("accepted", "admin", 1)
    assert final(row, found) == row.content
    assert "needs" not in text(review(admin_client, row, "rejected", 1))
    assert review_of(row).state == "accepted"  # a rejection says why
    assert review(admin_client, row, "rejected", 1, comment="Unfair.").status_code == 302
    assert review(admin_client, row, "draft", 2).status_code == 302
    found = review_of(row)
    assert (found.state, found.reviewer, found.reviewed_at) == ("draft", "", None)
    assert final(row, found) is None
    steps = list(found.steps.values_list("state", "reviewer", "comment"))
    assert steps == [
        ("accepted", "admin", "Fair."),
        ("rejected", "admin", "Unfair."),
        ("draft", "admin", ""),
    ]
    assert "Unfair." in text(admin_client.get(page(row)))


def test_amending_keeps_the_original(admin_client, row):
    before = row.content
    changes = {
        "recommendation": "No Hire",
        "topic_0_notes": "Only the basics.",
        "confirmed_skills": "Python: lists\n\n",
        "personal_roadmap": "Databases | a book; a course",
    }
    assert review(admin_client, row, "amended", **amended(row, **changes)).status_code == 302
    found = review_of(row)
    assert again(row).content == before
    report = found.content["report"]
    assert report["verdict"]["recommendation"] == "No Hire"
    assert report["technical_review"]["topics"][0]["notes"] == "Only the basics."
    assert report["technical_review"]["confirmed_skills"] == ["Python: lists"]
    assert report["personal_roadmap"] == [
        {"topic": "Databases", "resources": ["a book", "a course"]}
    ]
    assert found.content["evidence"]["confirmed_skills"][0]["positions"]
    assert [one["check"] for one in found.content["findings"]] == ["other_verdict"]
    assert final(row, found) == found.content
    assert "Only the basics." in text(admin_client.get(page(row)))
    assert NOTE in text(admin_client.get(page(row), {"original": ""}))


def test_what_can_not_be_is_shown_again(admin_client, row):
    fields = amended(row, confidence_score=400, knowledge_gaps="Kept words")
    shown = text(review(admin_client, row, "amended", comment="My words", **fields))
    assert "Kept words" in shown
    assert "My words" in shown
    assert "<details" in shown
    assert not Review.objects.exists()


def test_two_at_once_lose_nothing(admin_client, row):
    review(admin_client, row, "accepted", comment="First.")
    late = review(admin_client, row, "rejected", comment="Second, and long.")
    shown = text(late, 409)
    assert "admin has reviewed it in the meantime (accepted)" in shown
    assert "Second, and long." in shown
    assert review_of(row).comment == "First."
    with pytest.raises(Stale):
        judge(row, Opinion(State.ACCEPTED), "ann", 0)


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_same_moment_one_wins(row):
    together = threading.Barrier(4)

    def review_by(name: str) -> bool:
        together.wait()
        try:
            judge(row, Opinion(State.ACCEPTED, f"By {name}."), name, 0)
        except Stale:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(review_by, "abcd")) == 1
    found = review_of(row)
    assert found.version == found.steps.count() == 1
    assert found.comment == f"By {found.reviewer}."


def test_what_is_being_made_can_not_be_reviewed(admin_client, row):
    Reflection.objects.update(status="pending")
    with pytest.raises(Stale, match="in progress"):
        judge(row, Opinion(State.ACCEPTED), "ann", 0)
    assert "It is in progress" in text(review(admin_client, row, "accepted"), 409)
    assert not Review.objects.exists()


def test_made_again_only_while_nobody_has_judged_it(admin_client, row):
    review(admin_client, row, "accepted")
    review(admin_client, row, "again")
    assert again(row).status == "ready"
    review(admin_client, row, "draft", 1)
    review(admin_client, row, "again")
    assert again(row).status == "pending"
    assert row.content  # until there is another


def test_every_product_can_be_reviewed(admin_client, row):
    summary = wished(row.session, "summary")
    jobs.make(summary.pk)
    assert "Amend" not in text(admin_client.get(page(summary)))
    assert review(admin_client, summary, "accepted").status_code == 302
    assert "can be accepted" in text(review(admin_client, summary, "amended", 1), 409)


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "accepted"},
        {"state": "draft", "reviewer": "ann", "reviewed_at": timezone.now()},
        {"state": "amended", "reviewer": "ann", "reviewed_at": timezone.now()},
        {"content": {"a": 1}},
        {"state": "unheard of", "reviewer": "ann", "reviewed_at": timezone.now()},
    ],
)
def test_the_database_holds_the_rules(row, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create(reflection=row, **wrong)


def test_only_what_a_person_has_let_pass_is_final(row):
    assert {str(state) for state in FINAL} == {"accepted", "amended"}


# -- what takes a word of the reviewer's


def test_accepting_with_open_findings_takes_a_comment(admin_client, row):
    found = {"check": "other_verdict", "weight": "serious", "text": "The rules give No Hire."}
    Reflection.objects.filter(pk=row.pk).update(content=row.content | {"findings": [found]})
    assert "Say why you accept it" in text(review(admin_client, row, "accepted"))
    assert not Review.objects.exclude(state="draft").exists()
    response = review(admin_client, row, "accepted", comment="I have read all answers.")
    assert response.status_code == 302
    assert Review.objects.get().state == "accepted"


def test_a_headline_that_needs_a_person_is_shown_with_both_verdicts(admin_client, row):
    far = "The model says No Hire; the rules give Strong Hire."
    Reflection.objects.filter(pk=row.pk).update(content=row.content | {"needs_person": [far]})
    shown = text(admin_client.get(page(row)))
    assert "<b>Needs a person</b>" in shown
    assert far in shown
    assert "Confidence " not in shown.partition("Your review")[0]


def test_a_report_of_answers_not_judged_says_so_first_and_takes_a_persons_verdict(
    admin_client, settings
):
    settings.LLM_PROVIDER = ""
    session = held_session(name="Cassiopeia")
    nothing = {"status": "not_judged", "scored": False, "correctness": None, "confidence": None}
    for one in session.state["observations"]:
        one.update(nothing)
    session.save()
    made = wished(session)
    jobs.make(made.pk)
    row = again(made)
    shown = text(admin_client.get(page(row)))
    assert "Not judged: no model judged these answers." in shown
    assert "Collected without a model" in shown
    main = shown.partition("Your review")[0]
    assert not [word for word in ("<b>Hire", "No Hire", "Confidence", "Honesty") if word in main]
    judged = {"recommendation": "Hire", "grade": "Middle", "confidence_score": 70}
    judged |= {"clarity": "Good", "honesty": "Clear answers", "engagement": "Neutral"}
    topics = {f"topic_{i}_status": "confirmed" for i in range(2)}
    fields = {f"report-{name}": value for name, value in (judged | topics).items()}
    assert review(admin_client, row, "amended", **fields).status_code == 302
    shown = text(admin_client.get(page(row)))
    assert "<b>Hire</b>" in shown
    assert "The rules give" not in shown
    assert "Collected without a model" in shown


def test_who_may_not_code_is_offered_no_new_report_on_a_study(client):
    session = told_session()
    code_some(session)
    report_on(session.bot)
    url = reverse("admin:interviews_session_study_report", args=[session.bot.pk])
    rights = ("view_session", "view_excerpt", "review_reflection")
    user = somebody(client, *rights)
    for status, offers in (("ready", "Regenerate"), ("failed", "Generate now")):
        StudyReport.objects.update(status=status)
        assert f">{offers}<" not in markup(client.get(url))
        user.user_permissions.set(
            Permission.objects.filter(codename__in=(*rights, "change_excerpt"))
        )
        assert f">{offers}<" in markup(client.get(url))
        user.user_permissions.set(Permission.objects.filter(codename__in=rights))
