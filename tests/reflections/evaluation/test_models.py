"""Participants and judges played by models."""

from decimal import Decimal

import pytest

from interviews.models import Session
from interviews.turns.budgets import budget_for_turn
from llm.costs import prices
from llm.models import LLMCall, LLMPrice
from plans.jobs import Job
from reflections.evaluation import findings, runs
from reflections.evaluation.llm_tasks import InterviewVerdict, Responded, TopicVerdict, TurnVerdict
from tests.conftest import make_topic_bot
from tests.reflections.evaluation.cast import DENT, HINTER, KETTLE
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)
RESPOND, JUDGE = "evaluation.respond", "evaluation.judge"
STOP = Responded(act="stop", text="I want to stop.")
YES = Responded(act="agree", text="Yes.")
BY_MODEL = runs.EvaluationPlan(respondents="model", count=1)
JUDGED = runs.EvaluationPlan(respondents="model", count=1, judged=True)


@pytest.fixture
def topics(settings):
    settings.LLM_PROVIDER = "scripted"
    return make_topic_bot(fields=False)


def made(bot, plan, *says):
    scripted.reply(RESPOND, *says)
    evaluation = runs.request(bot, "Run", plan)
    runs.work_through(evaluation, lambda number, of: None)
    return evaluation.interviews.get()


def test_what_a_model_gave_away_is_read_from_its_answer(topics):
    tells = Responded(act="small", text="It " + KETTLE["gives_away"][0] + ", that is all.")
    claims = Responded(act="tell", text="I have told you everything.")
    row = made(topics, BY_MODEL, tells, claims, STOP, YES)
    assert row.status == Job.Status.READY
    assert row.content["counts"]["elicited_asked"] == [1, 2]
    assert [act for _, act in row.content["acts"]] == ["small", "tell", "stop", "agree"]
    sheet = scripted.asked(RESPOND)
    assert KETTLE["text"] in sheet[0].system
    assert KETTLE["text"] not in sheet[1].system  # it has told that
    assert LLMCall.objects.filter(task=RESPOND, session=str(row.session_id)).count() == 4


def test_it_hints_in_the_sheets_words_and_knows_what_is_behind_them_from_then_on(
    topics, monkeypatch
):
    monkeypatch.setattr(runs, "load", lambda protocol: [HINTER])
    row = made(topics, BY_MODEL, Responded(act="small", text="Well."), STOP, YES)
    first = row.session.entries.filter(role="participant").first()
    assert first.text == f"Well. {DENT['hint']}"
    before, after, _ = (DENT["text"] in one.system for one in scripted.asked(RESPOND))
    assert (before, after) == (False, True)
    assert row.content["counts"]["hints"][1] == 1


def test_another_model_than_the_interviewers_plays_where_one_is_set(topics, settings):
    settings.LLM_MAIN_FALLBACK = "scripted:second"
    made(topics, BY_MODEL, STOP, YES)
    assert {request.model for request in scripted.asked(RESPOND)} == {"second"}


def test_who_is_played_by_a_model_spends_nothing_of_the_interviews_budget(topics):
    topics.session_budget = Decimal(5)
    topics.save()
    row = made(topics, BY_MODEL, STOP, YES)
    LLMCall.objects.filter(task=RESPOND).update(cost=4)
    assert budget_for_turn(row.session).left == 5


def test_what_a_model_without_a_price_cost_is_not_known(topics):
    LLMPrice.objects.all().delete()
    prices.clear_cache()
    evaluation = made(topics, BY_MODEL, STOP, YES).evaluation
    assert evaluation.figures["figures"]["calls"]["value"] == 1
    assert evaluation.figures["figures"]["money"]["value"] is None
    told = " ".join(findings.findings(evaluation))
    assert "1 model calls" in told
    assert "0.00" not in told


def test_no_answer_of_the_model_is_a_failure_and_never_an_answer(topics):
    row = made(topics, BY_MODEL)
    assert row.status == Job.Status.PENDING
    assert "No model answered as talker" in row.reason
    assert not Session.objects.get().entries.filter(role="participant").exists()


def verdict(score, **changes):
    turn = {"turn": 1, "builds": True, "leads": False, "empathy": "missing"} | changes
    return InterviewVerdict(
        turns=(TurnVerdict(**turn),), coverage=(TopicVerdict(number=1, score=score),)
    )


def test_two_judges_are_asked_where_there_are_two_and_their_agreement_is_told(topics, settings):
    settings.LLM_MAIN_FALLBACK = "scripted:second"
    scripted.reply(JUDGE, verdict(4), verdict(3, builds=False))
    counts = made(topics, JUDGED, STOP, YES).content["counts"]
    assert counts["judged_coverage"] == [7, 2]
    assert counts["judged_contingent"] == [1, 2]
    assert counts["judged_empathy"] == [0, 2]
    assert counts["judges_agree"] == [3, 4]  # not on what builds; scores differ by one
    assert [one.model for one in scripted.asked(JUDGE)] == ["scripted-main", "second"]
    assert "[1] Participant: I want to stop." in scripted.asked(JUDGE)[0].messages[-1].text


def test_turns_and_topics_that_there_are_not_or_that_come_twice_do_not_count(topics):
    (turn,), (topic,) = verdict(4).turns, verdict(4).coverage
    elsewhere = turn.model_copy(update={"turn": 77})
    unknown = topic.model_copy(update={"number": 77})
    scripted.reply(
        JUDGE, InterviewVerdict(turns=(turn, turn, elsewhere), coverage=(topic, topic, unknown))
    )
    counts = made(topics, JUDGED, STOP, YES).content["counts"]
    assert counts["judged_contingent"] == [1, 1]
    assert counts["judged_coverage"] == [4, 1]


def test_a_judge_who_fails_gives_no_marks(topics):
    scripted.reply(JUDGE, "no JSON", "no JSON")
    counts = made(topics, JUDGED, STOP, YES).content["counts"]
    assert counts["judges_failed"] == [1, 1]
    assert counts["judged_leading"] == [0, 0]
