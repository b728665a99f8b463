"""The pages of evaluations: a new one, its progress, its figures beside another's."""

import html
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from interviews.models import Session
from plans.jobs import Job
from reflections.evaluation import runs
from reflections.evaluation.figures import compare
from reflections.evaluation.findings import estimate
from reflections.models import Evaluation
from tests.conftest import make_topic_bot
from tests.factories import CallFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def topics(db):
    return make_topic_bot()


@pytest.fixture
def admin(client, admin_user):
    client.force_login(admin_user)
    return client


def words(response):
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(html.unescape(text).split())


def new_url(bot):
    return reverse("admin:reflections_evaluation_of_bot", args=[bot.pk])


def page_url(evaluation):
    return reverse("admin:reflections_evaluation_change", args=[evaluation.pk])


CONTENT = {
    "counts": {"elicited_asked": (1, 4), "double": (1, 4), "minutes": (9, 1), "turns": (12, 1)},
    "moments": [{"turn": 2, "position": 5, "what": "double", "text": "What? And <who>?"}],
    "questions": {"q": {"text": "What set it off?", "asked": 4, "unclear": 3}},
    "topics": [{"key": "a", "label": "choosing a kettle", "answered": False}],
}


def over(bot, name, **counts) -> Evaluation:
    """An evaluation that is over, with sessions to read."""
    evaluation = runs.request(bot, name)
    for row in evaluation.interviews.all():
        row.session = Session.objects.create(
            bot=bot, plan=bot.plans.get(), synthetic=True, started_at=evaluation.created_at
        )
        row.content = {**CONTENT, "counts": {**CONTENT["counts"], **counts}}
        row.status = Job.Status.READY
        row.save()
    runs.cancel(evaluation)
    evaluation.refresh_from_db()
    return evaluation


def test_a_bots_page_leads_to_a_new_one_that_says_what_it_costs(admin, topics):
    action = admin.get(reverse("admin:plans_bot_try_out", args=[topics.pk]))
    page = words(admin.get(action.url))
    assert action.url == new_url(topics)
    assert "It costs nothing" in page
    admin.post(new_url(topics), {"count": "1", "respondents": "rules"})
    assert Evaluation.objects.get().interviews.count() == 1
    assert "Pilot 1" in words(admin.get(new_url(topics)))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"count": "0", "respondents": "rules"}, "greater than or equal to 1"),
        ({"count": "many", "respondents": "rules"}, "whole number"),
        ({"count": "2", "respondents": "model"}, "No model is configured"),
    ],
)
def test_what_cannot_be_started_says_why(admin, topics, data, said):
    assert said in words(admin.post(new_url(topics), data))
    assert not Evaluation.objects.exists()


def test_a_bot_that_is_not_ready_says_why(admin, topics):
    topics.topics.all().delete()
    page = words(admin.post(new_url(topics), {"count": "2", "respondents": "rules"}))
    assert "isn’t ready" in page


def test_progress_asks_for_itself_until_all_is_over(admin, topics):
    evaluation = runs.request(topics, "Run")
    page = admin.get(page_url(evaluation))
    assert "0 of 2 interviews are over" in words(page)
    assert "hx-get" in page.content.decode()
    part = admin.get(page_url(evaluation) + "?part=progress")
    assert "HX-Refresh" not in part.headers
    assert "Cancelled: 2 fewer interviews" in words(admin.post(page_url(evaluation), follow=True))
    assert "HX-Refresh" in admin.get(page_url(evaluation) + "?part=progress").headers


def test_figures_are_shown_with_aims_and_turns_to_read(admin, topics):
    evaluation = over(topics, "Run")
    response = admin.get(page_url(evaluation))
    page = words(response)
    assert "It takes about 9 minutes and 12 answers." in page
    assert "choosing a kettle (0 of 2)" in page
    assert "“What set it off?” 6 of 8 times" in page
    assert "at least 50 %: missed" in page
    assert "And <who>?" in page
    assert "#e5" in response.content.decode()
    assert "leaver" not in page  # is held back
    found = admin.get(page_url(evaluation) + "?format=json").json()
    assert found["figures"]["figures"]["double"]["value"] == 0.25


def test_two_are_shown_side_by_side(admin, topics):
    before, after = over(topics, "Before"), over(topics, "After", elicited_asked=(4, 4))
    page = words(admin.get(f"{page_url(after)}?against={before.pk}"))
    assert "Better: Facts told that a question sets free. Worse: nothing." in page
    assert "25 % (25 to 25) 100 % (100 to 100) better at least 50 %: met" in page
    found = admin.get(f"{page_url(after)}?format=json&against={before.pk}").json()["against"]
    assert found["name"] == "Before"
    assert found["changes"]["elicited_asked"]["verdict"] == "better"
    assert admin.get(f"{page_url(after)}?against=nobody").status_code == 200


def test_deleting_one_deletes_its_interviews(admin, topics):
    evaluation = over(topics, "Run")
    delete = reverse("admin:reflections_evaluation_delete", args=[evaluation.pk])
    assert admin.get(delete).status_code == 200
    admin.post(delete, {"post": "yes"})
    assert not Session.objects.exists()


def test_rights_are_needed(client, topics):
    evaluation = runs.request(topics, "Run")
    user = User.objects.create_user("ann", is_staff=True)
    client.force_login(user)
    assert client.get(page_url(evaluation)).status_code == 403
    assert client.get(new_url(topics)).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_evaluation"))
    assert client.get(page_url(evaluation)).status_code == 200
    assert client.post(page_url(evaluation)).status_code == 403
    assert client.get(page_url(evaluation).replace(str(evaluation.pk), "x")).status_code == 404
    assert words(client.get(reverse("admin:reflections_evaluation_changelist")))


def test_the_estimate_is_of_the_interviewers_calls_alone(topics, monkeypatch):
    monkeypatch.setattr("reflections.evaluation.findings.has_model", lambda: True)
    own = {"bot": str(topics.pk), "session": "one"}
    CallFactory(**own, turn=1, cost="0.10")
    for task in ("replica.answer", "reflections.expert", "evaluation.respond"):
        CallFactory(**own, turn=None, task=task, cost="0.30")
    assert "has cost 0.10 on average" in estimate(topics)


def test_nor_is_it_of_what_unpriced_interviews_cost_in_part(topics, monkeypatch):
    monkeypatch.setattr("reflections.evaluation.findings.has_model", lambda: True)
    for session, cost in (("one", "0.10"), ("one", None), ("two", "0.50"), ("three", None)):
        CallFactory(bot=str(topics.pk), session=session, turn=1, cost=cost)
    assert "has cost 0.50 on average" in estimate(topics)


def test_what_an_unpriced_interview_cost_in_part_changes_no_difference(topics):
    before, after = (over(topics, name, money=(0.1, 1)) for name in ("A", "B"))
    for row in list(after.interviews.order_by("pk"))[::2]:
        row.content["counts"]["money"] = (0.4, 0)
        row.save()
    [money] = [one for one in compare(before, after) if one.figure.key == "money"]
    assert (money.difference.value, money.verdict) == (0, "")
