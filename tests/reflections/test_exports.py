"""Tables of what was judged and reported."""

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from interviews.exports.registry import TABLES, allowed_tables
from reflections import jobs
from reflections.models import Judgement
from reflections.reviews import Opinion, judge
from tests.interviews.exports.reading import column, export, read
from tests.reflections.held import NOTE, RIGHT, THOUGHT, again, held_session, wished

pytestmark = pytest.mark.django_db(transaction=True)  # as after-work is made
State = Judgement.State
PRODUCTS = ("reflections", "all_reflections", "products", "reviews")
OWN = ("observations", "reports", "all_reports", *PRODUCTS)


@pytest.fixture
def row(settings):
    settings.LLM_PROVIDER = ""
    made = wished(held_session(name="Cassiopeia"))
    jobs.make(made.pk)
    return again(made)


def test_every_judged_answer_is_a_row(row):
    asked = row.session.plan.content["material"]["scripts"]["en"]["questions"][0]
    state = row.session.state
    state["observations"][0]["question"] = asked["text"]
    state["observations"][0]["flags"] = {"clarification": "why", "role_reversal": ""}
    row.session.save()
    rows = read("observations")
    assert rows[0]["flags"] == "role_reversal\nclarification: why"  # as on every database
    assert column(rows, "position") == ["3", "5", "7", "9"]
    assert column(rows, "judged_as") == ["confirmed", "confirmed", "gap", "confirmed"]
    assert column(rows, "expected")[:2] == [asked["expected"], ""]
    assert set(column(rows, "observer_thoughts")) == {THOUGHT}
    assert rows[2]["correct_answer"] == RIGHT
    assert rows[0]["hallucination"] == "false"


def test_thoughts_stand_in_that_table_alone(row):
    for name in TABLES:
        content = export(name).decode()
        assert (THOUGHT in content) == (name == "observations"), name
        if name not in OWN:
            assert NOTE not in content
            assert RIGHT not in content


def test_drafts_and_rejected_ones_are_not_final(row):
    assert read("reports") == []
    (draft,) = read("all_reports")
    assert (draft["final"], draft["review"], draft["made_by"]) == ("false", "draft", "rules")
    judge(row, Opinion(State.REJECTED, "No."), "ann", 0)
    assert read("reports") == []
    (rejected,) = read("all_reports")
    assert (rejected["final"], rejected["review"], rejected["reviewer"]) == (
        "false",
        "rejected",
        "ann",
    )


def test_accepted_ones_are(row):
    judge(row, Opinion(State.ACCEPTED, "Yes."), "ann", 0)
    (told,) = read("reports")
    assert (told["final"], told["comment"], told["recommendation"]) == ("true", "Yes.", "Hire")
    assert json.loads(told["report"]) == row.content["report"]
    assert told["original"] == ""
    assert (told["scored_answers"], told["confirmed_share"]) == ("4", "1.0")
    assert read("all_reports") == [told]


def test_where_nothing_was_judged_there_is_no_mean(settings):
    settings.LLM_PROVIDER = ""
    jobs.make(wished(held_session(())).pk)
    (told,) = read("all_reports")
    assert told["scored_answers"] == "0"
    assert (told["mean_correctness"], told["mean_confidence"]) == ("", "")


def test_amended_ones_are_with_the_original_beside(row):
    content = json.loads(json.dumps(row.content))
    content["report"]["verdict"]["recommendation"] = "No Hire"
    judge(row, Opinion(State.AMENDED, "", content), "ann", 0)
    (told,) = read("reports", "jsonl")
    assert told["recommendation"] == "No Hire"
    assert json.loads(told["report"])["verdict"]["recommendation"] == "No Hire"
    assert json.loads(told["original"]) == row.content["report"]
    for name in ("report", "original"):
        kept = json.loads(told[name])
        assert told[name] == json.dumps(kept, ensure_ascii=False, sort_keys=True)


def test_each_takes_a_right_of_its_own(client, row):
    user = User.objects.create_user("exporter", is_staff=True)
    rights = Permission.objects.filter(codename__in=["export_session", "view_session"])
    user.user_permissions.set(rights)
    client.force_login(user)
    assert not set(OWN) & allowed_tables(user.has_perm).keys()
    url = reverse("admin:interviews_session_export")
    for name in OWN:
        refused = client.post(url, {"table": name, "format": "csv"})
        assert THOUGHT.encode() not in (
            refused.getvalue() if refused.streaming else refused.content
        )
    more = ["view_observations", "view_reflection"]
    user.user_permissions.add(*Permission.objects.filter(codename__in=more))
    user = User.objects.get(pk=user.pk)
    assert set(OWN) <= allowed_tables(user.has_perm).keys()
