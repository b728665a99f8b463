"""What follows from a handover's summary: the package and the Q&A context, each exactly once."""

import json
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.turns import actions
from llm.concurrency.threads import in_database
from llm.providers.base import Fault, ProviderError
from plans.jobs import MOST_ATTEMPTS, Job
from reflections import jobs, products
from reflections.exports.files import file_of
from reflections.jobs import make_again
from reflections.models import Judgement, Reflection
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.package import MOST_STATEMENTS, ONBOARDING, Beginning
from reflections.protocols.knowledge_transfer.summary import SUMMARY
from reflections.protocols.knowledge_transfer.types import Narrative, Step, SummaryStatement
from reflections.reviews import Opinion, judge
from tests.interviews.talk import begin
from tests.llm.conftest import QUICK
from tests.reflections.held import again, wished
from tests.reflections.replaced import set_maker
from tests.reflections.transferred import edit, held_transfer, made_of, many_facts
from tests.scripted import scripted
from tests.transfers import QUESTIONS, make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
FOLLOWING = ("onboarding_package", "qa_context")
SAYS = Narrative(rules=[SummaryStatement(text="The factor is 1.35.", facts=[1])])
BEGINS = Beginning(
    orientation=SummaryStatement(text="It is about prices.", facts=[1, 2]),
    steps=[
        Step(text="Open the workbook.", documents=["prices.xlsx"]),
        Step(text="Ask about holidays.", points=[1]),
    ],
)


@pytest.fixture(autouse=True)
def model(settings):
    for name, value in QUICK.items():
        setattr(settings, name, value)
    scripted.always(SUMMARY.name, SAYS)
    scripted.always(ONBOARDING.name, BEGINS)


def names(session) -> list[str]:
    return list(session.reflections.order_by("id").values_list("name", flat=True))


def make(session, name):
    """The product, made now."""
    row = Reflection.objects.filter(session=session, name=name).first() or wished(session, name)
    jobs.make(row.pk)
    return again(row)


def make_all(session):
    """Summary, package, context."""
    return [make(session, name) for name in (makers.SUMMARY, *FOLLOWING)]


def test_both_follow_once_the_summary_is_ready():
    session = held_transfer()
    row = wished(session, makers.SUMMARY)
    assert names(session) == [makers.SUMMARY]
    jobs.make(row.pk)
    assert again(row).reason == ""
    assert names(session) == [makers.SUMMARY, *FOLLOWING]
    assert {made_of(session, name).status for name in FOLLOWING} == {"pending"}
    jobs.make(row.pk)
    assert names(session) == [makers.SUMMARY, *FOLLOWING]
    assert [one.status for one in make_all(session)] == ["ready"] * 3


def test_they_follow_without_a_model_too(settings):
    settings.LLM_PROVIDER = ""
    session = held_transfer()
    summary, package, context = make_all(session)
    assert [one.content["made_by"] for one in (summary, package, context)] == ["rules"] * 3
    start = package.content["start"]
    assert "Facts: 4. Answered questions: 3. Open points: 3." in start["orientation"]["text"]
    assert len(start["steps"]) == 3
    assert "prices.xlsx, reorder.py" in start["steps"][2]["text"]
    assert package.content["sections"] == []


def test_a_summary_that_fails_leads_nowhere(monkeypatch):
    session = held_transfer()
    row = wished(session, makers.SUMMARY)

    def poison(_session):
        raise RuntimeError("poison")

    set_maker(monkeypatch, makers.SUMMARY, poison)
    for _ in range(MOST_ATTEMPTS):
        Reflection.objects.filter(pk=row.pk).update(claimed_until=None)
        jobs.make(row.pk)
    assert again(row).status == "failed"
    assert "poison" in row.reason
    assert names(session) == [makers.SUMMARY]
    monkeypatch.undo()
    make_again(row)
    jobs.make(row.pk)
    assert again(row).status == "ready"
    assert names(session) == [makers.SUMMARY, *FOLLOWING]


def test_what_follows_and_the_summary_are_stored_together(monkeypatch):
    session = held_transfer()
    row = wished(session, makers.SUMMARY)

    def dies(*args, **kwargs):
        raise RuntimeError("killed between the two")

    with monkeypatch.context() as patch:
        patch.setattr(Reflection.objects, "get_or_create", dies)
        jobs.make(row.pk)
    assert (again(row).status, row.content) == ("pending", {})
    assert names(session) == [makers.SUMMARY]


def test_whose_worker_was_killed_it_is_made_by_the_next():
    session = held_transfer()
    make(session, makers.SUMMARY)
    row = made_of(session, makers.PACKAGE)
    gone = timezone.now() - timedelta(seconds=1)
    Reflection.objects.filter(pk=row.pk).update(
        status=Job.Status.RUNNING, claim=row.session_id, claimed_until=gone, attempts=1
    )
    jobs.make(row.pk)
    assert (again(row).status, row.attempts) == ("ready", 2)


def test_a_second_worker_leaves_it_alone():
    session = held_transfer()
    make(session, makers.SUMMARY)
    row = made_of(session, makers.PACKAGE)
    later = timezone.now() + timedelta(minutes=5)
    Reflection.objects.filter(pk=row.pk).update(
        status=Job.Status.RUNNING, claim=row.session_id, claimed_until=later, attempts=1
    )
    before = len(scripted.requests)
    jobs.make(row.pk)
    assert again(row).status == "running"
    assert len(scripted.requests) == before


def test_a_session_that_is_deleted_meanwhile_leaves_nothing(monkeypatch):
    session = held_transfer()
    row = wished(session, makers.SUMMARY)
    summarise = products.PRODUCTS[makers.SUMMARY].make

    def deleted(one):
        content = summarise(one)
        Session.objects.get(pk=one.pk).delete()
        return content

    set_maker(monkeypatch, makers.SUMMARY, deleted)
    jobs.make(row.pk)
    assert not Reflection.objects.exists()


def test_facts_that_are_edited_meanwhile_make_it_out_of_date(monkeypatch):
    session = held_transfer()
    summarise = products.PRODUCTS[makers.SUMMARY].make

    def edited(one):
        content = summarise(one)
        edit(one.facts.get(number=1), "Quite another thing.")
        return content

    set_maker(monkeypatch, makers.SUMMARY, edited)
    summary, package, context = make_all(session)
    assert makers.out_of_date(summary)
    assert not makers.out_of_date(package)
    assert not makers.out_of_date(context)
    assert package.content["questions"][0]["facts"][0]["text"] == "Quite another thing."


def test_a_new_summary_makes_both_anew():
    session = held_transfer()
    summary, *_ = make_all(session)
    edit(session.facts.get(number=1), "The factor became 1.40.")
    assert all(map(makers.out_of_date, session.reflections.all()))
    make_again(summary)
    jobs.make(summary.pk)
    assert {made_of(session, name).status for name in FOLLOWING} == {"pending"}
    assert all(made_of(session, name).content for name in FOLLOWING)
    _, package, context = make_all(session)
    assert not any(map(makers.out_of_date, session.reflections.all()))
    assert package.content["questions"][0]["facts"][0]["edited"] is True
    assert context.content["rows"][0]["fact"] == "The factor became 1.40."


def test_who_makes_one_from_the_old_summary_stores_nothing(monkeypatch):
    session = held_transfer()
    summary, package, _ = make_all(session)
    made_before = package.content
    make_again(package)
    pack = products.PRODUCTS[makers.PACKAGE].make

    def overtaken(one):
        content = pack(one)
        make_again(summary)
        jobs.make(summary.pk)
        return content | {"title": "old"}

    set_maker(monkeypatch, makers.PACKAGE, overtaken)
    jobs.make(package.pk)
    assert (again(package).status, package.content) == ("pending", made_before)
    monkeypatch.undo()
    jobs.make(package.pk)
    assert again(package).content["title"] == "A handover"


def test_a_reviewed_package_stays_until_it_is_opened_again():
    session = held_transfer()
    summary, package, _ = make_all(session)
    judge(package, Opinion(Judgement.State.ACCEPTED), "ann", 0)
    edit(session.facts.get(number=1), "Another thing.")
    make_again(summary)
    jobs.make(summary.pk)
    assert made_of(session, makers.PACKAGE).status == "ready"
    assert made_of(session, makers.CONTEXT).status == "pending"
    assert makers.out_of_date(again(package))


@pytest.mark.parametrize("rejected", [False, True])
def test_the_package_rests_on_the_summary_as_it_was_reviewed(rejected):
    session = held_transfer()
    summary, package, _ = make_all(session)
    content = json.loads(json.dumps(summary.content))
    content["sections"][0]["statements"] = [{"text": "In Ann's words.", "facts": []}]
    amended = Opinion(Judgement.State.AMENDED, "", content)
    judge(summary, Opinion(Judgement.State.REJECTED, "no") if rejected else amended, "ann", 0)
    assert makers.out_of_date(package) == (
        "The summary was changed or reviewed after this was generated."
    )
    make_again(package)
    jobs.make(package.pk)
    assert not makers.out_of_date(again(package))
    told = json.dumps(package.content["sections"])
    assert ("In Ann's words." in told) is not rejected
    assert (package.content["sections"] == []) is rejected


def test_without_a_summary_there_is_no_package():
    row = wished(held_transfer(), makers.PACKAGE)
    jobs.make(row.pk)
    assert (again(row).status, row.attempts) == ("pending", 1)
    assert row.reason == "There is no summary yet; this follows it."


def test_a_model_says_how_to_begin():
    _, package, _ = make_all(held_transfer())
    assert package.content["made_by"] == "model"
    assert package.content["start"]["orientation"]["text"] == "It is about prices."
    assert [one["text"] for one in package.content["start"]["steps"]] == [
        "Open the workbook.",
        "Ask about holidays.",
    ]
    [asked] = scripted.asked(ONBOARDING.name)
    assert "The factor is 1.35." in asked.messages[-1].text


def test_how_to_begin_rests_on_what_there_is():
    scripted.always(
        ONBOARDING.name,
        Beginning(
            orientation=SummaryStatement(text="They are a genius.", facts=[99]),
            steps=[
                Step(text="Trust nobody."),
                Step(text="Read what isn't there.", documents=["secret.docx"], points=[17]),
                Step(text=ONBOARDING.template.read_text().split("\n\n")[2], facts=[1]),
                Step(text="Look at the factor.", facts=[1, 99]),
            ],
        ),
    )
    _, package, _ = make_all(held_transfer())
    start = package.content["start"]
    assert "Facts: 4" in start["orientation"]["text"]
    assert start["steps"] == [
        {"text": "Look at the factor.", "facts": [1], "points": [], "documents": []}
    ]
    checks = [one["check"] for one in package.content["findings"]]
    assert checks.count("left_out") == 4
    assert checks.count("unknown_fact") == 2


@pytest.mark.parametrize("says", ["garbage", "{}", ProviderError(Fault.BAD_REQUEST, "no")])
def test_without_a_usable_beginning_there_is_the_fixed_one(says):
    scripted.always(ONBOARDING.name, says)
    _, package, _ = make_all(held_transfer())
    assert (package.status, package.content["made_by"]) == ("ready", "rules")
    assert package.content["reason"]
    assert package.content["start"]["steps"]
    assert package.content["sections"][1]["statements"][0]["text"] == "The factor is 1.35."


def test_open_points_say_why_they_matter_and_where_they_come_from():
    bot = make_transfer_bot()
    bot.backlog.filter(key="recycled").update(why="The lead time decides when to order.")
    session = held_transfer(bot=bot)
    session.state["items"][3]["status"] = "SKIPPED"
    session.save()
    _, package, _ = make_all(session)
    points = {one["id"]: one for one in package.content["open_points"]}
    assert {key: one["open_because"] for key, one in points.items()} == {
        "small-orders": "skipped",
        "holidays": "vague",
        "recycled": "not_asked",
    }
    assert points["recycled"]["why"] == "The lead time decides when to order."
    assert points["small-orders"]["documents"] == [{"name": "prices.xlsx", "place": ""}]


def test_what_came_up_in_the_interview_comes_from_its_roots_documents():
    session = held_transfer()
    item = {"priority": "P1", "origin": "DISCOVERED"}
    up = {"priority": "P0", "origin": "FOLLOW_UP"}
    session.state["items"] += [
        {"id": "followup-1", "text": "Why so?", "parent": "safety", **up},
        {"id": "discovered-1", "text": "And now?", "parent": "followup-1", **item},
        {"id": "discovered-2", "text": "Lost?", "parent": "discovered-2", **item},
    ]
    session.save()
    _, package, _ = make_all(session)
    points = {one["id"]: one["documents"] for one in package.content["open_points"]}
    assert points["discovered-1"] == [{"name": "reorder.py", "place": ""}]
    assert points["discovered-2"] == []
    told = file_of(made_of(session, makers.PACKAGE), "markdown")[-1].decode()
    assert "Follow-up to: Why must the safety of 1.17 in the paper script stay?" in told
    assert "Came up while discussing: Why so?" in told


def test_three_hundred_facts():
    _, package, context = make_all(held_transfer(many_facts(300)))
    facts = [fact["number"] for one in package.content["questions"] for fact in one["facts"]]
    assert sorted(facts) == list(range(1, 301))
    rows = [row for row in context.content["rows"] if row["type"] == "fact"]
    assert [row["number"] for row in rows] == list(range(1, 301))


def test_what_a_model_could_not_read_is_told():
    scripted.always(SUMMARY.name, ProviderError(Fault.BAD_REQUEST, "no"))
    count = len([q for q in QUESTIONS if q[1] != "P2"]) * (MOST_STATEMENTS // 2)
    _, package, _ = make_all(held_transfer(many_facts(count)))
    [found] = [one for one in package.content["findings"] if one["check"] == "unread"]
    assert found["text"] == f"“Start here” was written from 80 of {count} statements."


def test_the_context_has_each_fact_with_its_sources():
    session = held_transfer()
    edit(session.facts.get(number=2), "Vera from the office agreed.")
    *_, context = make_all(session)
    first, second, *_ = context.content["rows"]
    assert first == {
        "type": "fact",
        "id": f"{session.pk}-fact-1",
        "number": 1,
        "fact": "The rush factor is 1.35 because 1.5 lost the theatre as a customer in 2019.",
        "question_id": "rush-factor",
        "question": "How did you arrive at a rush factor of 1.35?",
        "asked": "And now: How did you arrive at a rush factor of 1.35?",
        "came_up_with": "",
        "answer": "We tried 1.5 and lost the theatre, so Vera and I settled on 1.35 in 2019.",
        "confidence": 0.9,
        "status": "ANSWERED_BY_INTERVIEW",
        "session": str(session.pk),
        "position": 3,
        "documents": [{"name": "prices.xlsx", "place": ""}],
        "edited": False,
        "merged": [],
        "contradicts": [],
    }
    assert (second["fact"], second["edited"]) == ("Vera from the office agreed.", True)
    kinds = [row["type"] for row in context.content["rows"]]
    assert kinds == ["fact"] * 4 + ["open_question"] * 3


async def test_from_the_first_question_to_the_package(settings):
    settings.LLM_PROVIDER = ""
    bot = await in_database(make_transfer_bot)
    talk = await begin(bot)
    await talk.say("We tried 1.5 first and lost customers over it, so it became 1.35.")
    await talk.say("", "skip")  # the follow-up, then a question
    await talk.say("", "skip")
    await actions.end(await talk.session(), "bye")
    session = await talk.session()
    assert session.status == SessionStatus.STOPPED
    wished_for = {"summary", "facts", "coverage", makers.SUMMARY}
    assert set(await in_database(names, session)) == wished_for
    _, package, context = await in_database(make_all, session)
    (answer,) = package.content["questions"][0]["answers"]
    assert answer["text"].startswith("We tried 1.5 first")
    assert {one["open_because"] for one in package.content["open_points"]} >= {
        "skipped",
        "not_reached",
        "not_asked",
    }
    first = context.content["rows"][0]
    assert (first["type"], first["answer"]) == ("answer", answer["text"])
    assert first["position"] > 1


def test_the_page_of_the_context_tells_answers_from_open_questions():
    rows = [
        {"type": "answer", "question": "Who has the key?", "answer": "Ask Vera.", "position": 3},
        {"type": "open_question", "question": "Why 1.35?", "open_because": "not_known"},
    ]
    page = render_to_string("admin/reflections/qa_context.html", {"content": {"rows": rows}})
    answer, open_question = page.split("<li>")[1:]
    assert "Ask Vera." in answer
    assert "Open" not in answer
    assert "<b>Open</b> Why 1.35?" in open_question
    assert "not known to the participant" in open_question
