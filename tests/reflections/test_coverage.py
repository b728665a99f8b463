"""How far each topic was talked about, for every protocol, by rules."""

from collections import Counter

import pytest
from django.urls import reverse
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import EntryKind, SpeakerRole
from interviews.models import Session
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.models import Section
from reflections.evidence.topics import Topic
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.summaries.coverage import (
    _answers_elsewhere,
    _topic_row,
    _totals,
    _Unanswered,
    coverage,
)
from tests.assessments import make_assessment_bot
from tests.conftest import make_topic_bot
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.interviews.exports.reading import read
from tests.interviews.graphed import make_ladder_bot
from tests.interviews.talk import begin
from tests.reflections.held import held_session
from tests.reflections.narrated import ANSWERS, product, story_bot, told_story
from tests.reflections.transferred import held_transfer

pytestmark = pytest.mark.django_db(transaction=True)
RICH = (
    "In 2019 the old kettle from Moulinex broke, which was a real problem for the five of us, and "
    "I was so angry that I went to three shops in Leeds the same day to compare what they had."
)
AS_EXPORTED = (
    *("label", "turns", "bonus_turns", "deepening_turns"),
    *("sub_goals", "covered", "coverage"),
)


@pytest.fixture(autouse=True)
def no_model(settings) -> None:
    settings.LLM_PROVIDER = "offline"


def by_key(made: dict) -> dict[str, dict]:
    return {topic["key"]: topic for topic in made["topics"]}


# -- a script


def test_sections_are_topics_and_their_questions_sub_goals():
    made = coverage(told_story(answers=(RICH, *ANSWERS["en"][1:3])))
    early, work = made["topics"]
    assert (early["key"], early["label"], early["coverage"]) == (
        "early-years",
        "Early years",
        "full",
    )
    assert (early["answers"], early["sub_goals"], early["covered"]) == (2, 2, 2)
    assert early["words"] == len(RICH.split()) + len(ANSWERS["en"][1].split())
    assert early["key_insight"].startswith("In 2019 the old kettle")
    assert (work["coverage"], work["covered"], work["answers"]) == ("partial", 1, 1)
    assert made["totals"] | {"signal": 0} == {
        "topics": 2,
        "none": 0,
        "partial": 1,
        "full": 1,
        "turns": 3,
        "sub_goals": 4,
        "covered": 3,
        "answers": 3,
        "elsewhere": 0,
        "skipped": 0,
        "words": early["words"] + work["words"],
        "signal": 0,
    }
    assert made["made_by"] == "rules"


def test_what_was_skipped_or_left_out_is_counted():
    session = told_story(answers=ANSWERS["en"][:3])
    last = session.turns.order_by("number").last()
    last.decision = {"reason": "skipped", "details": {"met": {"work-2": 4}}}
    last.save()
    made = by_key(coverage(session))
    work = made["work"]
    assert (work["answers"], work["skipped"], work["left_out"], work["turns"]) == (0, 1, 1, 1)
    assert (work["covered"], work["coverage"]) == (1, "partial")
    assert made["early-years"]["skipped"] == 0


def test_what_is_answered_after_all_was_not_left_out():
    session = told_story()
    first = session.turns.order_by("number")[1]
    first.decision = {"reason": "next", "details": {"met": {"work-2": 4}}}
    first.save()
    work = by_key(coverage(session))["work"]
    assert (work["left_out"], work["covered"]) == (0, 2)


def test_follow_ups_belong_to_their_question():
    session = told_story(answers=ANSWERS["en"][:1])
    turn = session.turns.order_by("number").last()
    EntryFactory(turn=turn, kind=EntryKind.FOLLOW_UP, text="And then?", question="early-years-1")
    AnswerFactory(turn=TurnFactory(session=session), text="Then we moved to Leeds.")
    early = by_key(coverage(session))["early-years"]
    assert (early["answers"], early["turns"], early["covered"]) == (2, 2, 1)


@pytest.mark.parametrize("language", ["it", "ru"])
def test_labels_are_the_scripts_titles_in_that_language(language):
    made = coverage(told_story(language))
    titles = list(Section.objects.order_by("position").values_list("title", flat=True))
    assert [topic["label"] for topic in made["topics"]] == titles
    assert made["language"] == language


def test_without_the_bot_keys_are_labels():
    session = told_story("ru")
    bot = session.bot
    Session.objects.filter(pk=session.pk).update(bot=None)
    bot.delete()
    made = coverage(Session.objects.get(pk=session.pk))
    assert [topic["label"] for topic in made["topics"]] == ["Early years", "Work"]


def test_an_interview_in_which_nothing_was_said():
    made = coverage(SessionFactory(bot=story_bot()))
    assert [topic["coverage"] for topic in made["topics"]] == ["none", "none"]
    assert (made["totals"]["answers"], made["totals"]["signal"]) == (0, 0)


async def test_a_cry_for_help_is_not_counted_as_an_answer():
    session = await in_database(told_story)
    await in_database(_cried, session)
    made = await in_database(coverage, session)
    assert made["totals"]["answers"] == 3


def _cried(session: Session) -> None:
    turn = session.turns.order_by("number").last()
    turn.decision = {"reason": "distress"}
    turn.save()


# -- an assessment


def test_questions_of_the_interviewers_own_count_for_their_topic():
    bot = make_assessment_bot()
    session = SessionFactory(bot=bot)
    script = session.plan.content["material"]["scripts"]["en"]
    first = next(q["key"] for q in script["questions"] if q["topic"] == "python")
    turn = TurnFactory(session=session, trigger="opening")
    for key in ("experience", "python", first):
        EntryFactory(turn=turn, kind=EntryKind.QUESTION, question=key)
        turn = TurnFactory(session=session)
        AnswerFactory(turn=turn)
    made = coverage(session)
    python = by_key(made)["python"]
    assert (python["answers"], python["covered"], python["coverage"]) == (2, 1, "partial")
    assert made["totals"]["elsewhere"] == 1
    assert by_key(made)["databases"]["coverage"] == "none"


def test_nothing_that_was_judged_is_in_it():
    made = coverage(held_session())
    assert made["topics"][0].keys() & {"correctness", "level", "status"} == set()


# -- a handover


def test_questions_of_a_backlog_are_topics():
    made = coverage(held_transfer())
    assert [topic["coverage"] for topic in made["topics"]] == ["full"] * 3 + ["none"] * 2
    assert made["topics"][0]["label"] == "How did you arrive at a rush factor of 1.35?"
    assert (made["totals"]["covered"], made["totals"]["sub_goals"]) == (3, 5)


def test_follow_ups_of_a_backlog_are_sub_goals_of_their_question():
    session = held_transfer()
    follow_up = {
        "id": "followup-1",
        "text": "Since when?",
        "priority": "P1",
        "origin": "FOLLOW_UP",
        "parent": "rush-factor",
    }
    session.state["items"].append(follow_up)
    session.save()
    rush = by_key(coverage(session))["rush-factor"]
    assert (rush["sub_goals"], rush["covered"], rush["coverage"]) == (2, 1, "partial")


# -- topics and graphs: the protocol's own figures


async def test_topics_are_told_as_the_export_tells_them():
    bot = await in_database(make_topic_bot)
    talk = await begin(bot)
    for text in (RICH, "no", "not much", "nothing", RICH, "no", "no", "no"):
        if (await talk.session()).state["exploration"]["phase"] == "DATA_COLLECTION":
            break
        await talk.say(text)
    await talk.say("Yes, that is fine.")
    session = await talk.session()
    made = await in_database(coverage, session)
    exported = await in_database(read, "coverage")
    for topic, row in zip(made["topics"], exported, strict=True):
        assert topic["key"] == row["topic"]
        assert [str(topic[name]) for name in AS_EXPORTED] == [row[name] for name in AS_EXPORTED]
        assert topic["signal"] == float(row["engagement"])
        assert topic["answers"] == topic["turns"] + topic["deepening_turns"]
    assert made["totals"]["elsewhere"] == 1  # to the closing question; the consent is no answer


async def test_elements_of_a_graph_hold_the_answers_that_speak_of_them():
    bot = await in_database(make_ladder_bot)
    talk = await begin(bot)
    await talk.say("The warm light matters, because it does not hurt my eyes.")
    await talk.say("", "skip")
    await talk.say("If my eyes don't hurt, I can read longer, so I feel calm.")
    await actions.end(await talk.session(), "bye")
    session = await talk.session()
    made = await in_database(coverage, session)
    warm = by_key(made)["warm_light"]
    assert warm["answers"] >= 1
    assert warm["coverage"] == "partial"
    assert warm["sub_goals"] == 5
    assert made["totals"]["skipped"] == 1
    assert made["totals"]["answers"] == 2
    exported = await in_database(read, "coverage")
    assert [row["covered"] for row in exported] == [str(t["covered"]) for t in made["topics"]]


@pytest.mark.parametrize(
    "make", [told_story, held_session, held_transfer], ids=["story", "assessment", "handover"]
)
def test_it_is_made_once_and_stored(make):
    row = product(make(), "coverage")
    assert (row.status, row.reason) == ("ready", "")
    assert row.content["totals"]["topics"] == len(row.content["topics"])


# -- in the admin


@pytest.mark.parametrize(
    "make", [told_story, held_session, held_transfer], ids=["story", "assessment", "handover"]
)
def test_it_can_be_read(make, admin_client):
    row = product(make(), "coverage")
    shown = admin_client.get(reverse("admin:reflections_reflection_change", args=[row.pk]))
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "Topic by topic" in text
    assert all(escape(topic["label"]) in text for topic in row.content["topics"])


def test_what_people_wrote_stays_words(admin_client):
    session = told_story()
    Section.objects.filter(key="work").update(title="<img src=x onerror=alert(1)>")
    row = product(session, "coverage")
    shown = admin_client.get(reverse("admin:reflections_reflection_change", args=[row.pk]))
    assert "<img src=x" not in shown.content.decode()
    assert "&lt;img src=x" in shown.content.decode()


def test_three_hundred_answers_take_no_more_queries(django_assert_max_num_queries):
    session = told_story(answers=[f"Answer {n} of many." for n in range(300)])
    with django_assert_max_num_queries(10):
        made = coverage(session)
    assert made["totals"]["answers"] == 300


# -- whatever was said

KEYS = ("a1", "a2", "b1", "c")
TOPICS = (
    Topic("a", "A", frozenset({"a", "a1", "a2"}), planned=("a1", "a2")),
    Topic("b", "B", frozenset({"b", "b1"}), planned=("b1",)),
    Topic("c", "C", frozenset({"c"})),
)
said = st.tuples(
    st.sampled_from([str(SpeakerRole.INTERVIEWER), str(SpeakerRole.PARTICIPANT)]),
    st.sampled_from([*KEYS, "", "other"]),
    st.text(min_size=1, max_size=40),
)


@given(
    spoken=st.lists(said, max_size=30),
    skipped=st.dictionaries(st.sampled_from(KEYS), st.integers(0, 3)),
    left_out=st.frozensets(st.sampled_from(KEYS)),
    language=st.sampled_from(["en", "it", "ru", "ja"]),
)
def test_figures_always_fit_together(spoken, skipped, left_out, language):
    lines = tuple(
        TranscriptLine(n, role, text, key) for n, (role, key, text) in enumerate(spoken, 1)
    )
    transcript, passed = Transcript(language, "", lines), _Unanswered(Counter(skipped), left_out)
    rows = [_topic_row(topic, transcript, passed) for topic in TOPICS]
    totals = _totals(rows, _answers_elsewhere(TOPICS, transcript), transcript, passed)
    assert totals.none + totals.partial + totals.full == totals.topics == 3
    assert sum(row.answers for row in rows) + totals.elsewhere == totals.answers
    assert sum(row.skipped for row in rows) == totals.skipped
    for row in rows:
        assert 0 <= row.covered <= row.sub_goals
        assert 0 <= row.signal <= 1
        assert row.left_out <= row.covered
        assert (row.coverage == "none") == (not row.covered and not row.answers)
        assert row.turns == row.answers + row.skipped
