"""Topics: what the tables refuse, what a plan holds, how its time is shared."""

import uuid

import pytest
from django.db import IntegrityError

from plans.admin.bot_pages import PAGES
from plans.admin.topic import add_sub_goals
from plans.bots.checklist import check_opening, checklist, gaps
from plans.bots.compile import NotReady, compile_bot, plan_for
from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history
from plans.jobs import Job
from plans.models import DataField, Intelligence, RewardCode, SubGoal, Topic
from plans.portability.differences import differences
from plans.protocols import PROTOCOLS, readable
from plans.protocols.topic_exploration.content import (
    TopicExplorationOptions,
    current_signature,
    signature,
    turn_budget,
)
from tests.plans.pages import form_of, text_of
from tests.plans.topical import lists, make_topic_bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def sleep(db):
    return make_topic_bot()


def test_every_protocol_is_a_kind_with_a_page():
    assert set(PAGES) == set(PROTOCOLS)


@pytest.mark.parametrize(
    "again",
    [
        lambda bot: Topic.objects.create(bot=bot, key="t1", label="x"),
        lambda bot: DataField.objects.create(bot=bot, key="email", label="x"),
        lambda bot: [RewardCode.objects.create(bot=bot, code="A") for _ in range(2)],
        lambda bot: [Intelligence.objects.create(bot=bot, signature="s") for _ in range(2)],
        lambda bot: Intelligence.objects.create(bot=bot, signature="s", status="running"),
    ],
)
def test_what_may_not_be_there_twice_or_unclaimed(sleep, again):
    with pytest.raises(IntegrityError):
        again(sleep)


def test_a_topic_s_page_refuses_the_key_of_another(owner, sleep):
    where = f"/admin/plans/topic/{sleep.topics.first().pk}/change/"

    page = owner.post(where, form_of(owner.get(where)) | {"key": "t2"})

    assert "Another topic already has this key." in text_of(page)


def test_a_session_has_one_reward_code(sleep):
    session = uuid.uuid4()
    RewardCode.objects.create(bot=sleep, code="A", drawn_for=session)
    with pytest.raises(IntegrityError):
        RewardCode.objects.create(bot=sleep, code="B", drawn_for=session)


def signed(bot):
    return signature(bot, TopicExplorationOptions.model_validate(bot.options))


@pytest.mark.parametrize(
    ("edit", "changes"),
    [
        (lambda bot: Topic.objects.filter(key="t1").update(label="x"), True),
        (lambda bot: Topic.objects.filter(key="t1").update(position=9), True),
        (lambda bot: SubGoal.objects.first().delete(), True),
        (
            lambda bot: SubGoal.objects.filter(pk=SubGoal.objects.first().pk).update(position=9),
            True,
        ),
        (lambda bot: setattr(bot, "minutes", 16), True),
        (lambda bot: bot.options.update(goal="Another."), True),
        (lambda bot: SubGoal.objects.update(question="Why?"), False),
        (lambda bot: setattr(bot, "persona", "Brisk."), False),
        (lambda bot: setattr(bot, "title", "Other"), False),
        (lambda bot: bot.options.update(manual_guide="Mine."), False),
        (lambda bot: bot.options.update(data_kept="Never."), False),
        (lambda bot: bot.data_fields.all().delete(), False),
        (lambda bot: bot.texts.all().delete(), False),
    ],
)
def test_what_changes_the_signature(sleep, edit, changes):
    sleep.options = dict(sleep.options)
    before = signed(sleep)

    edit(sleep)

    assert (signed(sleep) != before) is changes
    assert current_signature(sleep) == signed(sleep)


def test_without_topics_there_is_nothing_to_rest_on():
    assert current_signature(make_topic_bot(topics=0)) == ""


def test_the_plan_holds_topics_in_their_order_with_what_was_prepared(sleep):
    Topic.objects.filter(key="t1").update(position=9)
    Intelligence.objects.create(
        bot=sleep, signature=signed(sleep), status="ready", content={"t2": lists("x")}
    )

    material = compile_bot(sleep).material

    assert [(t.key, t.order) for t in material.topics] == [("t2", 1), ("t3", 2), ("t1", 3)]
    assert material.topics[0].intelligence.probe_angles == ("x",)
    assert material.topics[1].intelligence.probe_angles == ()
    assert material.topics[2].sub_goals == ("aim 1 of topic 1", "aim 2 of topic 1")
    assert material.topics[2].question_for(1) == "What about aim 2 of topic 1?"
    assert [(f.key, f.kind) for f in material.fields] == [("name", "name"), ("email", "email")]


def test_a_bot_without_topics_is_not_ready():
    with pytest.raises(NotReady, match="topics"):
        plan_for(make_topic_bot(topics=0))


@pytest.mark.parametrize(
    ("minutes", "topics", "total", "base", "short"),
    [
        (15, 5, 20, 4, False),
        (15, 6, 20, 3, False),
        (3, 4, 4, 2, False),
        (3, 5, 4, 2, True),
        (1, 1, 1, 2, False),
        (20, 0, 26, 26, False),
    ],
)
def test_budgets(minutes, topics, total, base, short):
    share = turn_budget(minutes, topics)

    assert (share.total, share.least, share.base, share.most) == (total, 1, base, base + 2)
    assert share.too_short is short
    assert bool(share.warning) is short


def test_the_budget_shown_is_the_plans(sleep):
    share, topic = turn_budget(sleep.minutes, 3), compile_bot(sleep).material.topics[0]

    assert (topic.min_turns, topic.base_turns, topic.max_turns) == (
        share.least,
        share.base,
        share.most,
    )


def test_a_whole_bot_lacks_nothing(sleep):
    assert all(item.done for item in checklist(sleep))


@pytest.mark.parametrize(
    ("spoil", "gap"),
    [
        (lambda bot: bot.topics.all().delete(), "Add topics under Interview."),
        (
            lambda bot: SubGoal.objects.filter(topic__key="t2").update(question=" "),
            "Write a question for each sub-goal of “the topic 2”: no model is configured.",
        ),
        (lambda bot: bot.texts.all().delete(), "Write the texts in English"),
        (lambda bot: bot.options.update(data_purpose=" "), "for contact data, under Ending"),
        (lambda bot: bot.options.update(languages=["en", "xx"]), "No language has the tag xx"),
        (lambda bot: bot.options.update(languages=[]), "Name the languages"),
        (lambda bot: bot.options.update(reward={"kind": "pool"}), "The pool is empty"),
        (lambda bot: bot.options.update(reward={"kind": "fixed"}), "Write the code"),
        (lambda bot: bot.options.update(reward={"kind": "redirect", "url": "x.y"}), "https://"),
        (
            lambda bot: bot.options.update(
                reward={"kind": "redirect", "url": "javascript:alert(1)"}
            ),
            "https://",
        ),
    ],
)
def test_what_is_missing_is_said(sleep, spoil, gap):
    sleep.options = dict(sleep.options)

    spoil(sleep)

    assert any(gap in found for found in gaps(checklist(sleep)))


@pytest.mark.parametrize(
    ("spoil", "advice"),
    [
        (lambda bot: SubGoal.objects.filter(topic__key="t2").delete(), "No sub-goals in"),
        (lambda bot: setattr(bot, "minutes", 2), "3 topics need 3 minutes"),
        (
            lambda bot: (
                bot.options.update(reward={"kind": "pool"}),
                RewardCode.objects.create(bot=bot, code="last"),
            ),
            "Only 1 left",
        ),
        (
            lambda bot: (
                bot.options.update(languages=["en", "it"]),
                bot.texts.create(language="it", summary="a", consent="b", about="c", care="d"),
            ),
            "people who choose Italian are asked in English, too",
        ),
        (
            lambda bot: (
                bot.options.update(languages=["en", "pt-BR"]),
                bot.texts.create(language="pt-BR", summary="a", consent="b", about="c", care="d"),
            ),
            "There are no word lists in Brazilian Portuguese.",
        ),
    ],
)
def test_what_is_only_advised(sleep, spoil, advice):
    sleep.options = dict(sleep.options)

    spoil(sleep)

    assert gaps(checklist(sleep)) == []
    assert any(advice in item.hint for item in checklist(sleep) if not item.done)


def test_with_a_model_questions_are_only_advised(sleep, settings):
    settings.LLM_PROVIDER = "scripted"
    SubGoal.objects.filter(topic__key="t2").update(question="")

    assert gaps(checklist(sleep)) == []
    (open_item,) = [item for item in checklist(sleep) if not item.done]
    assert "sub-goal of “the topic 2”: it is asked if the model fails" in open_item.hint


def test_a_plan_of_topics_without_questions_holds_none(sleep):
    SubGoal.objects.update(question="")

    topic = compile_bot(sleep).material.topics[0]

    assert (topic.questions, topic.question_for(1)) == ((), "")


def test_an_address_may_hold_parameters(sleep):
    url = "https://panel.example/done?pid={PROLIFIC_PID}"
    sleep.options = {**sleep.options, "reward": {"kind": "redirect", "url": url}}

    assert gaps(checklist(sleep)) == []


def test_who_opens_a_bot_without_topics_is_sent_back(sleep):
    sleep.topics.all().delete()

    assert check_opening(sleep, just_opened=True) == ["Not live yet. Add topics under Interview."]
    sleep.refresh_from_db()
    assert sleep.status == "draft"


def test_a_live_bot_stays_live_and_says_what_is_missing(sleep):
    sleep.topics.all().delete()

    assert "The bot is live, but" in check_opening(sleep, just_opened=False)[0]
    sleep.refresh_from_db()
    assert sleep.status == "live"


def test_a_duplicate_has_its_own_topics_and_what_was_prepared(sleep):
    RewardCode.objects.create(bot=sleep, code="A")
    Intelligence.objects.create(
        bot=sleep, signature=signed(sleep), status="ready", content={"t1": lists("x")}
    )

    copy = duplicate_bot(sleep)

    assert signed(copy) == signed(sleep)
    assert copy.intelligence.get().content == {"t1": lists("x")}
    assert copy.data_fields.count() == 2
    assert compile_bot(copy).material.topics == compile_bot(sleep).material.topics
    assert not copy.reward_codes.exists()
    copy.topics.all().delete()
    assert sleep.topics.count() == 3


def test_a_duplicate_of_an_unprepared_bot_is_wished_for(sleep):
    assert duplicate_bot(sleep).intelligence.get().status == Job.Status.PENDING


def test_lines_become_sub_goals_at_the_end_once(sleep):
    topic = sleep.topics.first()

    add_sub_goals(topic, ["new", "aim 1 of topic 1", "new", "newer"])

    assert [(g.text, g.position) for g in topic.sub_goals.all()] == [
        ("aim 1 of topic 1", 0),
        ("aim 2 of topic 1", 1),
        ("new", 2),
        ("newer", 3),
    ]


def test_differences_of_plans_are_told_in_words(sleep):
    before = plan_for(sleep)
    Topic.objects.filter(key="t2").update(label="the second")
    SubGoal.objects.filter(topic__key="t1", position=1).delete()
    SubGoal.objects.filter(topic__key="t2", position=0).update(question="And now?")
    Topic.objects.filter(key="t3").delete()
    DataField.objects.filter(key="email").update(label="address")
    sleep.minutes = 30
    Intelligence.objects.create(
        bot=sleep, signature=signed(sleep), status="ready", content={"t1": lists("x")}
    )
    after = plan_for(sleep)

    found = differences(
        readable(before.protocol, before.content), readable(after.protocol, after.content)
    )

    assert [(d.kind, d.place) for d in found] == [
        ("changed", "minutes"),
        ("changed", "turns a topic"),
        ("changed", "topics › the topic 1 › sub goals"),
        ("added", "topics › the topic 1 › intelligence"),
        ("changed", "topics › the second › label"),
        ("changed", "topics › the second › sub goals"),
        ("removed", "topics › the topic 3"),
        ("changed", "contact data › address › label"),
    ]
    assert found[1].after == "1 to 22, as a rule 20"
    assert found[5].after.startswith("aim 1 of topic 2: And now?\n")
    assert found[3].after.startswith("How to read answers:\nx\nWhat deserves depth:")


def test_history_holds_topics_sub_goals_and_fields(sleep):
    topic = sleep.topics.first()
    topic.label = "renamed"
    topic.save()
    sleep.data_fields.first().delete()

    subjects = {e.subject for save in bot_history(sleep) for e in save.entries}

    assert {"Topic “renamed”", "Sub-goal “aim 1 of topic 1”", "Contact data “name”"} <= subjects
