"""Prolific's submissions beside our interviews, and what people from Prolific are given."""

import time

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from interviews.choices import SessionStatus
from interviews.measures.rewards import reward_for
from interviews.models import Session
from interviews.recruitment.prolific import NotProlific, compare, read_submissions
from interviews.recruitment.start_page import build_start_page
from plans.models import Bot, Experiment, ExperimentArm
from plans.protocols import RewardOptions
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.pages import markup

pytestmark = pytest.mark.django_db
S = SessionStatus
HEADING = "Submission id,Participant id,Status,Started at,Completed at,Completion code\n"
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


@pytest.fixture
def study(db) -> Bot:
    return make_bot(status=Bot.Status.LIVE, recruitment=Bot.Recruitment.PROLIFIC)


@pytest.fixture
def manager(client):
    user = User.objects.create_user("manager", password="x", is_staff=True)
    rights = ("view_bot", "view_session")
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    return client


def given(bot: Bot, pid: str, status=S.COMPLETED, code: str = "OK1", **fields) -> Session:
    reward = {"kind": "fixed", "code": code, "url": ""} if code else {}
    params = {"PROLIFIC_PID": pid}
    return SessionFactory(bot=bot, status=status, params=params, reward=reward, **fields)


def line(pid: str, status: str = "AWAITING REVIEW", code: str = "OK1") -> str:
    return f"s-{pid},{pid},{status},2026-03-01,2026-03-01,{code}\n"


def findings(bot: Bot, *lines: str) -> dict[str, str]:
    found = compare(bot, read_submissions(HEADING + "".join(lines)))
    return {one.participant: one.finding for one in found.differences}


@pytest.mark.parametrize(
    ("state", "code", "there", "typed", "expected"),
    [
        (S.COMPLETED, "OK1", "AWAITING REVIEW", "OK1", ""),
        (S.COMPLETED, "OK1", "APPROVED", "ok1", ""),
        (S.COMPLETED, "OK1", "AWAITING REVIEW", "XX", "wrong_code"),
        (S.COMPLETED, "OK1", "AWAITING REVIEW", "", "no_code"),
        (S.COMPLETED, "OK1", "AWAITING REVIEW", "NOCODE", "no_code"),
        (S.COMPLETED, "OK1", "AWAITING REVIEW", "No code provided", "no_code"),
        (S.COMPLETED, "", "AWAITING REVIEW", "NOCODE", ""),
        (S.COMPLETED, "OK1", "RETURNED", "", "given_up"),
        (S.COMPLETED, "OK1", "TIMED-OUT", "", "given_up"),
        (S.WAITING_ANSWER, "", "AWAITING REVIEW", "OK1", "unfinished"),
        (S.STOPPED, "", "AWAITING REVIEW", "OK1", "unfinished"),
        (S.STOPPED, "EARLY", "AWAITING REVIEW", "EARLY", ""),
        (S.WAITING_ANSWER, "", "ACTIVE", "", ""),
        (S.WAITING_ANSWER, "", "RETURNED", "", ""),
    ],
)
def test_compares_each_submission_with_its_interview(study, state, code, there, typed, expected):
    given(study, "5f", state, code)
    assert findings(study, line("5f", there, typed)).get("5f", "") == expected


def test_the_name_of_the_parameter_is_a_heading_too(study):
    given(study, "5f")
    found = compare(study, read_submissions("PROLIFIC_PID,Status,Completion code\n5f,APPROVED,OK1"))
    assert (found.agreeing, found.differences) == (1, [])


def test_names_who_is_missing_on_either_side(study):
    given(study, "here")
    assert findings(study, line("there")) == {"there": "no_interview", "here": "absent"}


def test_previews_and_simulated_interviews_do_not_count(study):
    given(study, "5f", preview=True)
    given(study, "6a", synthetic=True)
    assert findings(study, line("5f")) == {"5f": "no_interview"}


def test_the_finished_one_of_several_interviews_counts(study):
    for status in (S.ARCHIVED, S.STOPPED, S.COMPLETED):
        given(study, "5f", status)
    assert findings(study, line("5F")) == {}


def test_interviews_from_before_the_parameter_was_renamed_are_found(study):
    given(study, "5f")
    study.link_params = [{"name": "panel_id", "aliases": ["prolific_pid"], "once": True}]
    study.save()
    assert findings(study, line("5f")) == {}


def test_a_redirects_code_is_compared(study):
    session = given(study, "5f")
    session.reward = {"kind": "redirect", "code": "", "url": f"{PROLIFIC}OK1"}
    session.save()
    assert findings(study, line("5f")) == {}
    assert findings(study, line("5f", code="XX")) == {"5f": "wrong_code"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "Participant id"),
        ("a,b\n1,2\n", "Participant id"),
        ("Participant id,Status\n1,2\n", "Completion code"),
        (HEADING, "no submission"),
        ("\x00", "Participant id"),
    ],
)
def test_another_file_is_refused_with_a_reason(text, what):
    with pytest.raises(NotProlific, match=what):
        read_submissions(text)


def test_ten_thousand_submissions_are_compared_at_once(study):
    for number in range(30):
        given(study, f"p{number}")
    text = HEADING + "".join(line(f"p{number}") for number in range(10_000))
    began = time.process_time()
    found = compare(study, read_submissions(text))
    assert (found.submissions, found.agreeing) == (10_000, 30)
    assert time.process_time() - began < 2


def upload(client, bot: Bot, content: bytes, **also):
    file = SimpleUploadedFile("submissions.csv", content, "text/csv")
    url = reverse("admin:interviews_session_prolific", args=[bot.pk])
    return client.post(url, {"file": file, **also})


def test_the_page_leads_to_the_interviews_and_offers_a_csv(manager, study):
    session = given(study, "5f", S.WAITING_ANSWER, "")
    content = ("\ufeff" + HEADING + line("5f") + line("=1+1")).encode()
    page = markup(upload(manager, study, content))
    assert "Asks for pay, but the interview isn’t finished" in page
    assert f"/admin/interviews/session/{session.pk}/change/" in page
    table = upload(manager, study, content, download="").content.decode()
    assert f"unfinished,5f,AWAITING REVIEW,OK1,{session.pk}" in table
    assert ",=1+1" not in table


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"\xff\xfe\x00", b"x" * (2**21 + 1)])
def test_a_broken_file_is_told_at_the_file(manager, study, content):
    answer = upload(manager, study, content)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()


def test_only_those_who_may_see_interviews(client, study):
    user = User.objects.create_user("other", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_bot"))
    client.force_login(user)
    assert upload(client, study, b"").status_code == 403


def test_people_from_prolific_get_its_page_with_the_code(study):
    session = given(study, "5f", S.WAITING_ANSWER, "")
    reward = reward_for(session, RewardOptions(kind="fixed", code="C 1"), early=False)
    assert (reward.code, reward.url) == ("C 1", f"{PROLIFIC}C%201")
    study.recruitment = Bot.Recruitment.PANEL
    study.save()
    again = Session.objects.get(pk=session.pk)
    assert reward_for(again, RewardOptions(kind="fixed", code="C 1"), early=False).url == ""


def test_people_who_find_it_full_get_prolifics_page_with_that_code(study):
    Bot.objects.filter(pk=study.pk).update(quota=1, outcomes={"full": {"code": "FULL"}})
    given(study, "5f")
    page = build_start_page(study.slug, [], None, {"PROLIFIC_PID": "6a"})
    assert page.state == "full"
    assert page.outcome.url == f"{PROLIFIC}FULL"


def test_an_interview_in_another_arm_counts(study):
    other = make_bot(slug="other-arm", status=Bot.Status.LIVE, recruitment=Bot.Recruitment.PROLIFIC)
    trial = Experiment.objects.create(
        slug="trial", title="Trial", seed=7, status=Experiment.Status.LIVE
    )
    for name, bot in (("A", study), ("B", other)):
        ExperimentArm.objects.create(experiment=trial, name=name, bot=bot, weight=1)
    given(study, "5f")
    given(other, "6a")
    assert findings(study, line("5f"), line("6a")) == {}
    assert findings(study, line("5f")) == {}  # whoever is absent is named at their own arm
