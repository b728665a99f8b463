"""Topics in files: out and in again, and what is wrong with a file."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plans.models import Bot, RewardCode, SubGoal
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.documents import BotDocument, TopicsDocument
from plans.portability.formats import write
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_bot, read_topics
from plans.portability.topics import apply_topics, topics_changes, topics_document
from plans.text import strip_blank
from tests.each import each
from tests.examples import examples
from tests.plans.pages import form_of, text_of
from tests.plans.study_files import FULL, KEYS
from tests.plans.topical import make_topic_bot

ROUNDS = settings(
    max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck)
)


def _visible(text: str, most: int) -> str:
    """Return the text cut to so many characters, or "x" if there is nothing to see in it."""
    cut = text.strip()[:most].strip()
    return cut if strip_blank(cut) else "x"


LABELS = FULL.map(lambda text: _visible(text, 200))
GOALS = FULL.map(lambda text: _visible(text, 300))
QUESTIONS = st.one_of(st.just(""), FULL.map(lambda text: text[:500]))


@st.composite
def topics(draw):
    return [
        {
            "key": key,
            "label": draw(LABELS),
            "sub_goals": [
                {"text": goal, "question": draw(QUESTIONS)}
                for goal in draw(st.lists(GOALS, max_size=3, unique=True))
            ],
        }
        for key in draw(st.lists(KEYS, max_size=4, unique=True))
    ]


@st.composite
def bots(draw):
    kinds = st.sampled_from(["name", "email", "phone", "company", "role", "free"])
    fields = [
        {"key": key, "kind": draw(kinds), "label": draw(LABELS)}
        for key in draw(st.lists(KEYS, max_size=3, unique=True))
    ]
    reward = {"kind": draw(st.sampled_from(["fixed", "pool", "redirect"])), "code": draw(GOALS)}
    options = {"languages": ["it", "en"], "goal": draw(FULL), "reward": reward}
    head = {"slug": "b", "title": "B", "protocol": "topic_exploration", "options": options}
    return BotDocument.model_validate({**head, "topics": draw(topics()), "data_fields": fields})


@pytest.mark.parametrize("form", ["json", "yaml"])
@ROUNDS
@given(document=bots())
def test_bot_text(form, document):
    again = read_bot(write(document, form), form)

    assert again == document


@ROUNDS
@given(drawn=topics())
def test_topics_as_csv(drawn):
    document = TopicsDocument.model_validate({"topics": drawn})

    assert read_topics(write(document, "csv")) == document


@pytest.mark.django_db
@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(first=bots(), second=bots())
def test_bot_rows(first, second):
    Bot.objects.all().delete()

    bot = apply_bot(first)
    assert bot_changes(bot, first) == []
    apply_bot(second, bot)

    assert bot_document(bot).model_dump() == second.model_dump()


@pytest.mark.django_db
def test_what_stays_keeps_its_history_and_codes_stay_out():
    bot = make_topic_bot()
    RewardCode.objects.create(bot=bot, code="SECRET-1")
    text = write(bot_document(bot), "yaml")
    assert "SECRET" not in text

    saves = SubGoal.history.count()
    apply_bot(read_bot(text), bot)

    assert SubGoal.history.count() == saves
    assert bot.reward_codes.get().code == "SECRET-1"


@pytest.mark.django_db
def test_a_sub_goal_without_a_question_is_a_plain_string_in_a_file():
    bot = make_topic_bot(topics=1)
    SubGoal.objects.filter(position=1).update(question="")
    document = topics_document(bot)

    data = document.model_dump(mode="json")["topics"][0]["sub_goals"]

    first = {"text": "aim 1 of topic 1", "question": "What about aim 1 of topic 1?"}
    assert data == [first, "aim 2 of topic 1"]
    assert TopicsDocument.model_validate(document.model_dump(mode="json")) == document


@pytest.mark.django_db
def test_questions_in_a_file_replace_those_of_the_bot():
    bot = make_topic_bot(topics=1)
    rows = ("t1,the topic 1,aim 1 of topic 1,Really?", "t1,the topic 1,aim 2 of topic 1,")
    document = read_topics("\n".join(["topic_key,topic_label,sub_goal,question", *rows]))

    (change,) = topics_changes(bot, document)
    apply_topics(document, bot)

    assert (change.kind, change.place) == ("changed", "topics › the topic 1 › sub goals")
    assert change.after == "aim 1 of topic 1\nReally?\naim 2 of topic 1"
    assert list(SubGoal.objects.values_list("question", flat=True)) == ["Really?", ""]


@pytest.mark.django_db
def test_an_import_is_a_wish():
    bot = apply_bot(read_bot(write(bot_document(make_topic_bot()), "json")), Bot.objects.get())
    first = bot.intelligence.get()

    apply_topics(read_topics("topic_label,sub_goal\nNights,\n"), bot)

    assert bot.intelligence.get() != first


@pytest.mark.django_db
def test_csv_changes_topics_by_their_keys():
    bot = make_topic_bot()
    rows = ("t2;the topic 2;aim 2 of topic 2", ";Nights;the dark", ";Nights;fear")
    document = read_topics("\n".join(["topic_key;topic_label;sub_goal", *rows]))

    places = [(d.kind, d.place) for d in topics_changes(bot, document)]
    apply_topics(document, bot)

    assert ("removed", "topics › the topic 1") in places
    assert topics_document(bot).model_dump() == document.model_dump()
    assert [t.key for t in bot.topics.all()] == ["t2", "nights"]


BOT = """\
slug: b
title: B
protocol: topic_exploration
options:
  goal: Why
  reward:
    kind: pool
topics:
  - label: One
    sub_goals: [a, b]
  - key: one
    label: Two
    sub_goals:
      - a
      - b
data_fields:
  - label: Name
    kind: name
"""


@each(
    ("change", "problem"),
    [
        (("pool", "bribe"), "line 7, options.reward.kind: must be 'none', 'fixed', 'pool' or"),
        (("- b\ndata", "- a\ndata"), "line 15, topics[1].sub_goals[1]: stands in this topic"),
        (("kind: name", "kind: shoe"), "line 18, data_fields[0].kind: must be"),
        (("    label: Two\n", ""), "line 11, topics[1].label: is missing"),
        (("sub_goals: [a, b]", "subgoals: [a]"), "did you mean “sub_goals”?"),
        (("sub_goals: [a, b]", "sub_goals: [a, '']"), "sub_goals[1]: may not be empty"),
        (("[a, b]", "[a, {text: b, question: [c]}]"), "sub_goals[1].question: must be text"),
        (("[a, b]", "[a, {text: b, questoin: c}]"), "did you mean “question”?"),
        (("topic_exploration", "life_story"), "is nothing that a bot of the kind life_story has"),
        (("  - key: one\n    label: Two", "  - key: o n e\n    label: Two"), "may hold only"),
        (("title: B", "title: B\nscripts:\n  - {name: S, language: en, intro: x, outro: x}"),
         "line 3, scripts: is nothing that a bot of the kind topic_exploration has"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_bot_is_said_with_its_line(change, problem):
    with pytest.raises(BrokenDocument) as broken:
        read_bot(BOT.replace(*change))

    assert problem in str(broken.value)


def test_keys_are_made_where_there_are_none():
    document = read_bot(BOT)

    assert [topic.key for topic in document.topics] == ["one-2", "one"]
    assert document.data_fields[0].key == "name"


@each(
    ("text", "problem"),
    [
        ("topic_label\nOne", "the column “sub_goal” is missing"),
        ("topic_label,sub_goal,mood\nOne,a,b", "there is no column “mood”"),
        ("topic_label,sub_goal\nOne,a,b", "line 2: 3 cells, but the heading has 2"),
        ("topic_label,sub_goal\nOne,a\nOne,a", "line 3, sub_goal: stands in this topic already"),
        ("topic_label,sub_goal,question\nOne,,b", "line 2, sub_goal: may not be empty"),
        (
            "topic_label,sub_goal,question\nOne,a," + "x" * 501,
            "line 2, question: may have at most 500",
        ),
        ("topic_label,sub_goal\n,a", "line 2, topic_label: may not be empty"),
        ("topic_label,sub_goal\nOne," + "x" * 301, "line 2, sub_goal: may have at most 300"),
        (
            "topic_key,topic_label,sub_goal\nk,One,a\nk,Two,b",
            "line 3, topic_label: is “One” in an earlier row",
        ),
        ("topic_key,topic_label,sub_goal\nk k,One,a", "line 2, topic_key: may hold only"),
        ('topic_label,sub_goal\n"One,a', "not valid CSV"),
        ("", "There is nothing in it"),
    ],
)
def test_what_is_wrong_with_a_csv_is_said_with_its_line(text, problem):
    with pytest.raises(BrokenDocument) as broken:
        read_topics(text)

    assert problem in str(broken.value)


def test_more_topics_than_an_interview_can_hold():
    rows = "\n".join(f"Topic {n},x" for n in range(61))
    with pytest.raises(BrokenDocument, match="at most 60 entries"):
        read_topics(f"topic_label,sub_goal\n{rows}")


def test_more_topics_with_those_that_stay_than_an_interview_can_hold(owner):
    bot = make_topic_bot()
    rows = "\n".join(f"Topic {n},x" for n in range(58))
    where = f"/admin/plans/bot/{bot.pk}/import_topics/"

    page = text_of(owner.post(where, {"text": f"topic_label,sub_goal\n{rows}"}))

    assert "The bot would have 61 topics. The maximum is 60." in page


def test_topics_go_out_and_in_by_the_admin(owner):
    bot = make_topic_bot()
    where = f"/admin/plans/bot/{bot.pk}"
    content = owner.get(f"{where}/export_topics/").content
    assert content.startswith(b"\xef\xbb\xbftopic_key,topic_label,sub_goal")

    text = content.decode("utf-8-sig").replace("aim 1 of topic 1", "a new aim")
    page = owner.post(f"{where}/import_topics/", {"text": text})
    assert "a new aim" not in set(SubGoal.objects.values_list("text", flat=True))
    owner.post(f"{where}/import_topics/", form_of(page))

    assert "a new aim" in set(SubGoal.objects.values_list("text", flat=True))
    wrong = text_of(owner.post(f"{where}/import_topics/", {"text": "topic_label\nx"}))
    assert "the column “sub_goal” is missing" in wrong


def test_a_sub_goal_that_no_file_could_hold_twice_is_not_saved_twice(owner):
    topic = make_topic_bot(topics=1).topics.get()
    where = f"/admin/plans/topic/{topic.pk}/change/"
    first = topic.sub_goals.first().text

    page = owner.post(where, form_of(owner.get(where)) | {"sub_goals-1-text": first})

    assert f"“{first}” is there twice. Keep one." in text_of(page)


def test_a_new_topic_takes_no_key_of_another(owner):
    bot = make_topic_bot(topics=0)
    bot.topics.create(key="topic-001", label="السكن").sub_goals.create(text="x")
    where = f"/admin/plans/bot/{bot.pk}/import_topics/"
    page = owner.post(where, {"text": "topic_label,sub_goal\nالعمل,y\n"})
    owner.post(where, form_of(page))
    assert list(bot.topics.values_list("label", flat=True)) == ["العمل", "السكن"]


@pytest.mark.parametrize(
    ("changes", "questions"),
    [
        ({"sub_goals-0-question": "Mine?", "more": "one more"}, ["Mine?", "Drafted?", ""]),
        ({"sub_goals-0-position": "1", "sub_goals-1-position": "0"}, ["Drafted?", ""]),  # dragged
    ],
)
def test_questions_drafted_while_a_topic_s_page_is_open_stay(owner, changes, questions):
    topic = make_topic_bot(topics=1).topics.get()
    topic.sub_goals.update(question="")
    where = f"/admin/plans/topic/{topic.pk}/change/"
    form = form_of(owner.get(where))
    topic.sub_goals.filter(position=1).update(question="Drafted?")

    owner.post(where, form | changes)

    assert list(topic.sub_goals.values_list("question", flat=True)) == questions
