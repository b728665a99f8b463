"""The admin of topic explorations, as people use it."""

import uuid

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from llm.routing.routes import NO_MODEL
from plans.models import Bot, Intelligence, RewardCode, Topic
from plans.protocols.topic_exploration.topic_guides import job
from plans.protocols.topic_exploration.topic_guides.job import request_guides, write_guides
from tests.plans.pages import form_of, text_of, words_of
from tests.plans.topical import lists, make_topic_bot

LIST = "/admin/plans/bot/"
PAGES = (
    *("change", "history", "preview", "versions", "intelligence", "reward_codes"),
    *("export_yaml", "export_json", "export_topics", "budget"),
)
WRITING = ("delete", "import", "duplicate", "set_closed", "make_again", "import_topics")


@pytest.fixture
def sleep(db) -> Bot:
    return make_topic_bot()


@pytest.fixture
def looker(db) -> Client:
    """May look at everything of studies but reward codes."""
    user = User.objects.create_user("looker", is_staff=True)
    seen = Permission.objects.filter(content_type__app_label="plans", codename__startswith="view_")
    user.user_permissions.set(seen.exclude(codename="view_rewardcode"))
    client = Client()
    client.force_login(user)
    return client


def url(bot, page="change"):
    return f"{LIST}{bot.pk}/{page}/"


def topic_url(topic, page="change"):
    return f"/admin/plans/topic/{topic.pk}/{page}/"


def save(client, where, **changes):
    return client.post(where, form_of(client.get(where)) | changes)


@pytest.mark.parametrize("where", [*PAGES, *WRITING])
def test_pages_by_role(owner, looker, stranger, sleep, where):
    assert owner.get(url(sleep, where)).status_code == 200
    seen = where in PAGES and where != "reward_codes"
    assert looker.get(url(sleep, where)).status_code == (200 if seen else 403)
    assert stranger.get(url(sleep, where)).status_code == 403


def test_who_may_look_changes_nothing(looker, sleep):
    request_guides(sleep)
    for page in ("intelligence", "reward_codes", "make_again", "change"):
        data = {"codes": "A", "_form_submitted": "True", "title": "X"}
        assert looker.post(url(sleep, page), data).status_code == 403
    page = text_of(looker.get(url(sleep)))
    assert "_save" not in page
    assert "the topic 1" in page
    topic = topic_url(sleep.topics.first())
    assert "Add sub-goals" not in text_of(looker.get(topic))
    assert looker.post(topic, {}).status_code == 403


def test_what_belongs_to_topics_is_only_there_with_topics(owner, bot):
    for page in ("intelligence", "export_topics", "import_topics", "budget"):
        assert owner.get(url(bot, page)).status_code == 404
    page = text_of(owner.get(url(bot)))
    assert "Contact data" not in page


def test_the_kind_is_chosen_first(owner):
    page = text_of(owner.get(f"{LIST}add/"))
    assert "?protocol=life_story" in page
    assert "?protocol=topic_exploration" in page

    form = owner.get(f"{LIST}add/?protocol=topic_exploration")
    assert "Research goal" in text_of(form)
    assert "id_scripts" not in text_of(form)
    assert "id_scripts" in text_of(owner.get(f"{LIST}add/?protocol=life_story"))
    assert "?protocol=" in text_of(owner.get(f"{LIST}add/?protocol=seance"))


def test_a_new_bot_of_topics(owner):
    add = f"{LIST}add/?protocol=topic_exploration"
    data = {"title": "Mine", "slug": "mine", "option__languages": "it, en; it"}
    answer = owner.post(add, form_of(owner.get(add)) | data | {"option__goal": "Why."})

    bot = Bot.objects.get(slug="mine")
    assert (bot.protocol, bot.status) == ("topic_exploration", "draft")
    assert bot.options == {"languages": ["it", "en"], "goal": "Why."}
    page = text_of(owner.get(answer.headers["Location"]))
    assert "Add topics <a" in page
    assert "Texts in Italian" in page


def test_saving_without_a_change_changes_nothing(owner, sleep):
    sleep.options = {**sleep.options, "reward": {"kind": "fixed", "code": "A", "early": True}}
    sleep.save()
    before = sleep.options

    assert save(owner, url(sleep)).status_code == 302

    sleep.refresh_from_db()
    assert sleep.options == before
    assert sleep.topics.count() == 3
    assert sleep.data_fields.count() == 2


def test_topics_are_dragged_added_and_keyed(owner, sleep):
    page = form_of(owner.get(url(sleep)))
    page |= {"topics-0-position": ["2"], "topics-2-position": ["0"], "topics-TOTAL_FORMS": ["4"]}
    page |= {"topics-3-label": "Città e mare", "topics-3-id": "", "topics-3-bot": str(sleep.pk)}
    page |= {"topics-3-key": "", "topics-3-position": "0"}

    assert owner.post(url(sleep), page).status_code == 302

    assert list(sleep.topics.values_list("key", flat=True)) == ["t3", "t2", "t1", "citta-e-mare"]


def test_fields_are_dragged_and_changed(owner, sleep):
    page = form_of(owner.get(url(sleep)))
    page |= {"data_fields-0-position": ["1"], "data_fields-1-position": ["0"]}
    page |= {"data_fields-0-kind": "company"}

    owner.post(url(sleep), page)

    assert list(sleep.data_fields.values_list("key", "kind")) == [
        ("email", "email"),
        ("name", "company"),
    ]


def test_sub_goals_are_dragged_and_pasted(owner, sleep):
    topic = sleep.topics.first()
    page = form_of(owner.get(topic_url(topic)))
    page |= {"sub_goals-0-position": ["1"], "sub_goals-1-position": ["0"]}

    answer = owner.post(topic_url(topic), page | {"more": "third\r\n\r\n fourth \r\n"})

    assert answer.headers["Location"] == url(sleep) + "#interview"
    assert list(topic.sub_goals.values_list("text", flat=True)) == [
        "aim 2 of topic 1",
        "aim 1 of topic 1",
        "third",
        "fourth",
    ]


def test_rows_that_somebody_else_deleted_are_named(owner, sleep):
    data, topic = form_of(owner.get(url(sleep))), sleep.topics.first()
    inner = form_of(owner.get(topic_url(topic)))
    goal = topic.sub_goals.first()
    goal.delete()
    page = text_of(owner.post(topic_url(topic), inner))
    assert f"Somebody else has deleted “{goal.text}”." in page
    topic.delete()
    page = text_of(owner.post(url(sleep), data))
    assert f"Somebody else has deleted “{topic.label}”." in page


def test_a_page_from_before_a_topic_was_renamed_takes_no_name_back(owner, sleep):
    topic = sleep.topics.first()
    theirs = form_of(owner.get(topic_url(topic)))
    save(owner, topic_url(topic), label="Falling asleep")
    page = owner.post(topic_url(topic), theirs | {"more": "the hour before"})
    assert "Somebody else has saved it since you opened it" in text_of(page)
    topic.refresh_from_db()
    assert topic.label == "Falling asleep"


def test_a_question_is_written_beside_its_sub_goal(owner, sleep):
    topic = sleep.topics.first()

    save(owner, topic_url(topic), **{"sub_goals-1-question": " Who else? "})

    assert topic.sub_goals.last().question == "Who else?"
    assert "Who else?" in text_of(owner.get(url(sleep, "preview")))


def test_a_line_too_long_for_a_sub_goal_is_named(owner, sleep):
    answer = save(owner, topic_url(sleep.topics.first()), more="short\n" + "x" * 301)

    assert "Line 2 is longer than 300 characters." in text_of(answer)


def test_a_topic_knows_its_neighbours_and_goes(owner, sleep):
    first, second, _ = sleep.topics.all()
    assert topic_url(first) in text_of(owner.get(topic_url(second)))
    assert "2 sub-goals" in text_of(owner.get(topic_url(second, "delete")))

    answer = owner.post(topic_url(second, "delete"), {"post": "yes"})

    assert answer.headers["Location"] == url(sleep) + "#interview"
    assert not Topic.objects.filter(pk=second.pk).exists()
    assert owner.get(topic_url(first, "history")).headers["Location"] == url(sleep, "history")
    assert owner.get("/admin/plans/topic/").headers["Location"] == LIST


@pytest.mark.parametrize(
    "edit",
    [
        lambda owner, bot: save(owner, url(bot), minutes="30"),
        lambda owner, bot: save(owner, url(bot), option__goal="Another."),
        lambda owner, bot: save(owner, url(bot), **{"topics-0-label": "renamed"}),
        lambda owner, bot: save(owner, topic_url(bot.topics.first()), more="one more"),
        lambda owner, bot: owner.post(topic_url(bot.topics.first(), "delete"), {"post": "yes"}),
    ],
)
def test_a_change_of_the_topics_is_a_wish(owner, sleep, edit, django_capture_on_commit_callbacks):
    row = request_guides(sleep)
    write_guides(row, {"t1": lists("x")})

    with django_capture_on_commit_callbacks() as handed_out:
        edit(owner, sleep)

    assert sleep.intelligence.count() == 2
    assert [call.func for call in handed_out] == [job.JOB.enqueue]


def test_a_change_of_anything_else_is_none(owner, sleep):
    request_guides(sleep)

    save(owner, url(sleep), persona="Brisk.", option__data_kept="A day.")

    assert sleep.intelligence.count() == 1


MISTAKES = [
    ({"option__languages": "en, klingonish"}, "Use a language tag"),
    ({"option__languages": "en, qq"}, "No language has the tag"),
    ({"option__languages": " "}, "This field is required"),
    ({"option__reward__kind": "bribe"}, "Select a valid choice"),
    ({"option__reward__kind": "fixed"}, "Write the code under Ending."),
    ({"option__reward__kind": "redirect", "option__reward__url": "nowhere"}, "https://"),
    ({"option__manual_guide": "x" * 20_001}, "at most 20000 characters"),
    ({"topics-0-label": ""}, "This field is required"),
    ({"topics-1-key": "t1"}, "Two rows have the same key."),
    ({"topics-1-key": "a b"}, "Use only Latin letters, digits, - and _."),
]


def test_what_does_not_fit_is_said(owner, sleep):
    form = form_of(owner.get(url(sleep)))
    for changes, message in MISTAKES:
        answer = owner.post(url(sleep), form | changes)
        assert answer.status_code == 200, changes
        assert message in words_of(answer).replace("&quot;", "”"), changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"option__data_purpose": ""}, "The bot is live, but something is missing."),
        ({"option__reward__kind": "pool"}, "The pool is empty"),
    ],
)
def test_a_live_one_may_lack_something_and_says_so(owner, sleep, changes, message):
    assert save(owner, url(sleep), **changes).status_code == 302
    assert message in words_of(owner.get(url(sleep)))


def test_a_topic_says_what_a_live_bot_lacks_since_it_was_saved(owner, sleep):
    saved = save(owner, topic_url(sleep.topics.first()), more="A new one", _continue="")
    page = words_of(owner.get(saved.headers["Location"]))
    assert "The bot is live, but something is missing. Write a question for each sub-goal" in page


def test_the_first_topic_and_going_live_in_one_save(owner):
    bot = make_topic_bot(topics=0, status="draft")
    page = form_of(owner.get(url(bot)))
    topic = {"topics-0-label": "sleep", "topics-0-id": "", "topics-0-bot": str(bot.pk)}
    topic |= {"topics-0-key": "", "topics-0-position": "0", "topics-TOTAL_FORMS": "1"}

    owner.post(url(bot), page | topic | {"status": "live"})

    bot.refresh_from_db()
    assert (bot.status, bot.topics.get().key) == ("live", "sleep")


def test_opening_a_bot_without_topics_by_the_form_is_refused(owner):
    bot = make_topic_bot(topics=0, status="draft")

    answer = owner.post(url(bot), form_of(owner.get(url(bot))) | {"status": "live"}, follow=True)

    assert "Not live yet. Add topics under Interview." in words_of(answer)
    assert Bot.objects.get().status == "draft"


def test_a_live_bot_says_when_codes_run_out(owner, sleep):
    sleep.options = sleep.options | {"reward": {"kind": "pool"}}
    sleep.save()
    RewardCode.objects.create(bot=sleep, code="last")

    page = text_of(owner.get(url(sleep)))

    assert sleep.status == "live"
    assert "Only 1 left" in page


def test_what_is_missing_is_said_at_once_and_for_itself(owner, template_contexts):
    bot = make_topic_bot(status="draft", options={"data_purpose": "", "data_kept": ""})

    save(owner, url(bot), plans_bot_go_live="1")

    told = words_of(owner.get(url(bot)))
    assert "Not live yet." in told
    assert "Say how long you keep it, under Ending." in told


def upload(name, content):
    return SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())


def test_a_guide_comes_from_a_file(owner, sleep):
    save(owner, url(sleep), guide_file=upload("Guide.MD", "# Sleep\r\n\r\nListen for naps.\n"))

    sleep.refresh_from_db()
    assert sleep.options["manual_guide"] == "# Sleep\n\nListen for naps."
    assert "your own guide" in text_of(owner.get(url(sleep)))
    assert "comes first" in text_of(owner.get(url(sleep, "intelligence")))


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (upload("guide.docx", b"PK"), "is not a text or Markdown file"),
        (upload("guide.txt", b""), "The file is empty"),
        (upload("guide.txt", b"\xff\xfea\x00"), "not in UTF-8"),
        (upload("guide.txt", b"caf\x81"), "encoding isn’t known"),
        (upload("guide.txt", "x" * 20_001), "The maximum is 20,000"),
        (upload("guide.txt", "x" * 205_000), "larger than 200 KB"),
    ],
)
def test_a_file_that_is_no_guide_is_refused(owner, sleep, file, message):
    assert message in text_of(save(owner, url(sleep), guide_file=file))


@pytest.mark.parametrize(
    ("minutes", "says"),
    [("30", "40 turns"), ("2", "3 topics need 3 minutes"), ("x", "20 turns"), ("", "20 turns")],
)
def test_the_budget_follows_the_minutes(owner, sleep, minutes, says):
    part = text_of(owner.get(url(sleep, "budget") + f"?minutes={minutes}"))

    assert says in " ".join(part.replace("<b>", "").replace("</b>", "").split())


STATES = [
    ({"status": "pending"}, "Starting soon", True),
    ({"status": "pending", "reason": NO_MODEL}, "No model is configured", False),
    ({"status": "pending", "reason": "overloaded", "attempts": 2}, "Attempt 2 of 5", True),
    ({"status": "running", "claim": uuid.uuid4()}, "A model is preparing 3 topics", True),
    ({"status": "failed", "reason": "refused", "attempts": 5}, "Generating failed", False),
    ({"status": "ready", "content": {"t1": lists("An item.")}}, "Generated", False),
    ({"status": "ready", "edited": True, "content": {"t1": lists("An item.")}}, "Edited", False),
]


@pytest.mark.parametrize(("fields", "says", "busy"), STATES)
def test_how_far_it_is(owner, looker, sleep, fields, says, busy):
    row = request_guides(sleep)
    Intelligence.objects.filter(pk=row.pk).update(**fields, finished_at=timezone.now())

    for client in (owner, looker):
        assert says in text_of(client.get(url(sleep, "intelligence")))
    part = owner.get(url(sleep, "intelligence") + "?part=status")
    assert ("every 2s" in text_of(part)) is busy
    assert ("HX-Refresh" in part.headers) is not busy
    assert ("An item." in text_of(looker.get(url(sleep, "intelligence")))) is ("content" in fields)


def test_what_somebody_may_be_writing_is_not_swept_away(owner, sleep):
    row = request_guides(sleep)
    page = text_of(owner.get(url(sleep, "intelligence")))
    assert "?part=status&written=1" in page

    write_guides(row, {"t1": lists("x")})
    part = owner.get(url(sleep, "intelligence") + "?part=status&written=1")

    assert "HX-Refresh" not in part.headers
    assert "Show it below" in text_of(part)


def test_intelligence_of_a_bot_that_has_none(owner):
    bot = make_topic_bot(topics=0)
    assert "Add topics first" in text_of(owner.get(url(bot, "intelligence")))
    Topic.objects.create(bot=bot, key="t", label="t")
    assert "No guides for these topics yet" in text_of(owner.get(url(bot, "intelligence")))


def test_intelligence_is_written_by_hand(owner, sleep):
    where = url(sleep, "intelligence")
    save(owner, where, t2__probe_angles="one\r\n\r\n two ")

    row = Intelligence.objects.get()
    assert (row.status, row.edited) == ("ready", True)
    assert row.content["t2"]["probe_angles"] == ["one", "two"]
    assert form_of(owner.get(where))["t2__probe_angles"] == ["one\ntwo"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n".join("abcdef"), "There are 6 lines. The maximum is 5."),
        ("a\n" + "x" * 161, "Line 2 is longer"),
    ],
)
def test_too_much_intelligence_is_refused(owner, sleep, text, message):
    answer = save(owner, url(sleep, "intelligence"), t1__probe_angles=text)

    assert message in text_of(answer)
    assert not Intelligence.objects.filter(edited=True).exists()


def test_make_it_again(owner, sleep):
    row = request_guides(sleep)
    write_guides(row, {"t1": lists("x")})
    assert "and then replaced" in text_of(owner.get(url(sleep, "make_again")))

    answer = owner.post(url(sleep, "make_again"), {"_form_submitted": "True"})

    row.refresh_from_db()
    assert answer.headers["Location"] == url(sleep, "intelligence")
    assert (row.status, row.content) == ("pending", {"t1": lists("x")})


def test_earlier_intelligence_is_shown(owner, sleep):
    write_guides(request_guides(sleep), {"t1": lists("from before")})
    save(owner, url(sleep), minutes="60")

    page = text_of(owner.get(url(sleep, "intelligence")))

    assert "For earlier versions of the topics" in page
    assert "from before" in page


def paste(owner, bot, text, **more):
    return owner.post(url(bot, "reward_codes"), {"codes": text, **more}, follow=True)


def test_codes_are_pasted_counted_and_kept(owner, sleep):
    assert "2 codes added" in text_of(paste(owner, sleep, " A-1 \r\nB-2\r\n\r\n"))
    RewardCode.objects.filter(code="A-1").update(drawn_for=uuid.uuid4(), drawn_at=timezone.now())

    page = text_of(owner.get(url(sleep, "reward_codes")))
    assert "<b>1</b> left" in page
    assert "<b>1</b> drawn" in page
    session = RewardCode.objects.get(code="A-1").drawn_for
    assert f'href="/admin/interviews/session/{session}/change/"' in page

    owner.post(url(sleep, "reward_codes"), {"remove": "1"})
    assert RewardCode.objects.get().code == "A-1"


def test_lines_that_are_no_codes_are_named_and_nothing_is_added(owner, sleep):
    RewardCode.objects.create(bot=sleep, code="old")
    text = "new\n\nnew\nold\n" + "x" * 201 + "\nlast"

    page = paste(owner, sleep, text)

    assert "line 2" not in text_of(page)
    for says in (
        "line 3: “new” is already on line 1",
        "line 4: “old” is already in the pool",
        "line 5: is longer than 200 characters",
        "Add the other 2",
    ):
        assert says in text_of(page)
    assert RewardCode.objects.count() == 1

    paste(owner, sleep, text, anyway="1")
    assert set(RewardCode.objects.values_list("code", flat=True)) == {"old", "new", "last"}


def test_nothing_pasted_adds_nothing(owner, sleep):
    paste(owner, sleep, " \n")

    assert not RewardCode.objects.exists()


def test_many_codes_have_pages(owner, sleep):
    paste(owner, sleep, "\n".join(f"C-{n:04}" for n in range(150)))

    assert "Page 2 of 2" in text_of(owner.get(url(sleep, "reward_codes") + "?p=2"))


def test_the_preview_is_the_way_that_it_takes(owner, sleep):
    page = text_of(owner.get(url(sleep, "preview")))

    assert "aim 2 of topic 3" in page
    assert "We send you the results." in page
    empty = make_topic_bot(topics=0, slug="empty")
    assert "no topics yet" in text_of(owner.get(url(empty, "preview")))


def test_versions_tell_topics_and_budgets(owner, sleep):
    from plans.bots.compile import plan_for

    plan_for(sleep)
    save(owner, url(sleep), minutes="30", **{"topics-0-label": "nights"})
    plan_for(Bot.objects.get())

    page = text_of(owner.get(url(sleep, "versions")))
    assert "topics › nights › label" in page
    assert "turns a topic" in page
    assert "signature" not in page.split("From version")[1]
