"""A bot's overview: what is counted, kept as rows, counted again when it changes, and shared."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Consent, ConsentText, OverviewDay, Session, SharedOverview, TurnedAway
from interviews.models.updates import advance
from interviews.overview import days
from interviews.overview.days import counted
from interviews.overview.figures import overview
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw
from llm.models import Spending
from plans.bots.compile import plan_for
from plans.models import Bot
from tests.conftest import make_bot
from tests.factories import AnswerFactory, SessionFactory, TurnFactory
from tests.pages import markup
from tests.people import somebody
from tests.queries import counted as queries

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
S = SessionStatus


@pytest.fixture
def study(db, monkeypatch) -> Bot:
    cache.clear()
    monkeypatch.setattr(days, "LOOK", 60)  # on a busy machine, too
    return make_bot(status=Bot.Status.LIVE, quota=20, minutes=14)


def interview(bot: Bot, ago: timedelta, status=S.COMPLETED, at: int = 4, **fields) -> Session:
    """An interview that started so long ago and took fifteen minutes, as far as question `at`."""
    started = NOW - ago
    if status in (S.COMPLETED, S.STOPPED):
        fields.setdefault("ended_at", started + timedelta(minutes=15))
    progress = {"current": at, "total": 4, "unit": "questions"}
    session = SessionFactory(
        bot=bot, status=status, started_at=started, progress=progress, **fields
    )
    TurnFactory(session=session, received_at=started + timedelta(minutes=15))
    return session


def decline(bot: Bot, ago: timedelta) -> None:
    text, _ = ConsentText.objects.get_or_create(digest="d" * 64, language="en", text="Yes?")
    Consent.objects.create(bot=bot, text=text, decision="declined", at=NOW - ago)


def listed_by(client, url: str) -> int:
    return len(set(re.findall(r"/session/([0-9a-f-]{36})/change/", markup(client.get(url)))))


def test_counts_each_interview_once_under_what_became_of_it(study):
    interview(study, 5 * DAY)
    interview(study, timedelta(minutes=20), S.WAITING_ANSWER, at=2)
    interview(study, timedelta(hours=3), S.PAUSED, at=1)
    interview(study, 3 * DAY, S.WAITING_ANSWER, at=3)
    interview(study, 2 * DAY, S.STOPPED, at=3)
    interview(study, 2 * DAY, S.ARCHIVED)
    interview(study, DAY, preview=True)
    interview(study, DAY, synthetic=True)
    found = overview(study, NOW)
    assert (found.started, found.completed, found.running, found.away) == (5, 1, 1, 1)
    assert (found.dropped, found.stopped, found.left, found.replaced) == (1, 1, 2, 1)
    assert [(step.reached, step.left) for step in found.steps] == [(5, 0), (4, 0), (3, 2), (1, 0)]
    assert found.median_clock == "15:00"


def test_a_day_that_is_over_is_counted_once(study):
    interview(study, 5 * DAY)
    overview(study, NOW)
    Session.objects.filter(bot=study).update(status=S.STOPPED)  # past every way of the site
    assert overview(study, NOW).completed == 1


@pytest.mark.parametrize("change", ["withdrawn", "deleted", "resumed"])
def test_a_day_is_counted_again_when_one_of_its_interviews_changes(study, change):
    session = interview(study, 5 * DAY, S.WAITING_ANSWER if change == "resumed" else S.COMPLETED)
    before = counted(study, NOW)[0]["state"]
    assert before["dropped" if change == "resumed" else "completed"] == 1
    if change == "withdrawn":
        withdraw(session)
    elif change == "deleted":
        delete_sessions(Session.objects.filter(pk=session.pk))
    else:
        TurnFactory(session=session, number=1, message_id="back", received_at=NOW)
        advance(session)
    after = counted(study, NOW)[0]["state"]
    expected = {"withdrawn": "withdrawn", "deleted": "", "resumed": "running"}[change]
    assert after["dropped"] == after["completed"] == 0
    assert not expected or after[expected] == 1


def test_today_is_counted_again_after_some_seconds(study):
    interview(study, timedelta(minutes=5), S.WAITING_ANSWER)
    assert overview(study, NOW).running == 1
    interview(study, timedelta(minutes=4), S.WAITING_ANSWER)
    assert overview(study, NOW + timedelta(seconds=5)).running == 1
    assert overview(study, NOW + timedelta(minutes=1)).running == 2


def test_the_number_of_queries_does_not_grow_with_days_or_interviews(study):
    for day in range(3):
        interview(study, day * DAY)
    overview(study, NOW)
    with queries() as few:
        overview(study, NOW + timedelta(seconds=1))
    for day in range(30):
        interview(study, (day + 1) * DAY)
    while overview(study, NOW + timedelta(minutes=1)).uncounted:
        pass
    with queries() as many:
        overview(study, NOW + timedelta(seconds=61))
    assert len(many) <= len(few) <= 10


def test_the_first_look_after_an_import_asks_for_no_day_by_itself(study, monkeypatch):
    def first_look() -> int:
        OverviewDay.objects.all().delete()
        cache.clear()
        with queries() as asked:
            assert counted(study, NOW, share=0)[1] > 0  # days left to the next looks
        return len(asked)

    decline(study, 70 * DAY)
    for day in (0, 1, 40, 71):
        interview(study, day * DAY)
    few = first_look()
    assert OverviewDay.objects.exclude(fresh_until=None).count() == 5
    for day in range(60):
        interview(study, day * DAY)
        decline(study, day * DAY)
    assert first_look() == few
    assert OverviewDay.objects.exclude(fresh_until=None).count() == 62


@pytest.mark.parametrize("seconds", [0, 0.000_001, 1, 86_399.999_999])
def test_a_day_begins_at_midnight(study, seconds):
    started = NOW.replace(hour=0) - 5 * DAY + timedelta(seconds=seconds)
    SessionFactory(bot=study, status=S.COMPLETED, started_at=started, ended_at=started)
    interview(study, timedelta(0))
    for _ in range(9):
        counted(study, NOW)
    found = OverviewDay.objects.exclude(counts={}).exclude(day__gte=NOW.date() - 2 * DAY)
    assert [row.day for row in found] == [started.date()]


def test_length_of_answers_cost_and_pace(study):
    for day in (1, 2, 3):
        session = interview(study, day * DAY)
        AnswerFactory(turn=session.turns.get(), text="one two three four five")
    account = str(study.pk)
    Spending.objects.create(account=account, hour=NOW.replace(hour=9, minute=0), cost="0.30")
    Spending.objects.create(account=account, hour=NOW - 3 * DAY, cost="0.60")
    found = overview(study, NOW)
    assert found.median_words == 5
    assert (found.cost_each, found.cost_today) == (Decimal("0.30"), Decimal("0.30"))
    assert found.full_on == NOW.date() + timedelta(days=40)  # 17 places at 3 a week
    assert [bar.number for bar in found.days[-4:]] == [1, 1, 1, 0]


def test_length_in_turns_is_that_of_completed_interviews(client, study):
    for turns, status in ((8, S.COMPLETED), (11, S.COMPLETED), (1, S.STOPPED)):
        interview(study, DAY, status, turn_count=turns)
    assert overview(study, NOW).recent.length == 9.5
    somebody(client, "view_bot", "view_overviewday")
    page = markup(client.get(reverse("admin:interviews_session_overview", args=[study.pk])))
    assert 'Turns in a completed interview, median</th><td class="ov-number">9.5</td>' in page


def test_shows_where_people_leave_and_leads_to_these_interviews(client, study):
    for number in range(24):
        left = number < 8
        interview(study, 2 * DAY, S.STOPPED if left else S.COMPLETED, at=2 if left else 4)
    somebody(client, "view_bot", "view_session")
    page = markup(client.get(reverse("admin:interviews_session_overview", args=[study.pk])))
    assert "loses 33 % of those who come so far" in page
    listed = f"/admin/interviews/session/?bot__id__exact={study.pk}"
    listed += "&preview__exact=0&synthetic__exact=0"
    assert f'href="{listed}&left_at=2"' in page.replace("&amp;", "&")
    assert listed_by(client, listed + "&left_at=2") == 8
    assert listed_by(client, listed + "&left_at=3") == 0
    assert listed_by(client, listed + "&stage=left") == 8
    for odd in ("&left_at=x", "&left_at=99999999999999", "&stage=nothing"):
        assert client.get(listed + odd).status_code == 200


def test_a_bot_that_became_another_kind_still_shows_its_interviews(study):
    SessionFactory(bot=study, plan=plan_for(study), status=S.COMPLETED, started_at=NOW - DAY)
    study.protocol = "topic_exploration"  # by a file that was imported
    study.save()
    assert overview(study, NOW).steps[0].reached == 1


def test_who_leaves_before_the_first_step_is_over_is_counted_and_listed_at_it(client, study):
    for at in (0, 0, 0, 1, 4):
        interview(study, 2 * DAY, S.STOPPED if at < 4 else S.COMPLETED, at=at)
    Session.objects.filter(progress__current=0).first().delete()
    SessionFactory(bot=study, status=S.STOPPED, started_at=NOW - DAY, ended_at=NOW - DAY)
    first = overview(study, NOW).steps[0]
    assert (first.reached, first.left, first.share, first.lost) == (5, 4, 100, 80)
    somebody(client, "view_bot", "view_session")
    assert listed_by(client, "/admin/interviews/session/?left_at=1") == first.left


def test_each_bar_leads_to_as_many_interviews_as_it_shows(client, study):
    today = timezone.now().replace(hour=12, minute=0)
    for number, minutes in enumerate((2, 4.95, 5, 9.9, 12, 29, 200)):
        ago = today - timedelta(days=number % 3)
        away = 60.0 * number
        SessionFactory(
            bot=study,
            status=S.COMPLETED,
            started_at=ago - timedelta(minutes=minutes, seconds=away),
            ended_at=ago,
            away_total=away,
        )
    interview(study, DAY, S.STOPPED)
    somebody(client, "view_bot", "view_session")
    found = overview(study, timezone.now())
    bars = [bar for bar in (*found.days, *found.lengths) if bar.number]
    assert sum(bar.number for bar in found.lengths) == sum(bar.number for bar in found.days) == 7
    for bar in bars:
        assert listed_by(client, f"/admin/interviews/session/?{bar.query[1:]}") == bar.number, bar
    page = client.get(reverse("admin:interviews_session_overview", args=[study.pk]))
    assert markup(page).replace("&amp;", "&").count("&completed_on=") == 3
    for odd in ("completed_on=2026-02-31", "completed_on=x", "minutes=-", "minutes=9-3"):
        assert client.get(f"/admin/interviews/session/?{odd}").status_code == 200


def test_days_that_take_long_are_counted_at_the_next_looks(client, study):
    for day in range(4):
        interview(study, day * DAY)
    days = [counted(study, NOW, share=0) for _ in range(4)]
    assert [(counts["state"]["completed"], left) for counts, left in days] == [
        (1, 3),
        (2, 2),
        (3, 1),
        (4, 0),
    ]


def test_filters_by_stage_agree_with_the_counts(client, study):
    now = timezone.now()
    for minutes in (5, 90, 60 * 30):
        at = now - timedelta(minutes=minutes)
        session = SessionFactory(bot=study, status=S.WAITING_ANSWER, started_at=at)
        TurnFactory(session=session, received_at=at)
    somebody(client, "view_bot", "view_session")
    found = overview(study, now)
    for stage in ("running", "away", "dropped", "left"):
        listed = listed_by(client, f"/admin/interviews/session/?stage={stage}")
        assert listed == getattr(found, stage)


def test_figures_only_for_those_who_may_not_read_interviews(client, study):
    interview(study, 2 * DAY, S.STOPPED)
    somebody(client, "view_bot", "view_overviewday")
    page = markup(client.get(reverse("admin:interviews_session_overview", args=[study.pk])))
    assert "Where people stop" in page
    assert "/admin/interviews/session/?" not in page


@pytest.mark.parametrize("rights", [(), ("view_bot",), ("view_session",)])
def test_nobody_else_sees_it(client, study, rights):
    somebody(client, *rights)
    url = reverse("admin:interviews_session_overview", args=[study.pk])
    assert client.get(url).status_code == 403
    assert (
        client.post(reverse("admin:interviews_session_overview_share", args=[study.pk])).status_code
        == 403
    )


def test_an_unknown_bot_is_not_found(client, study):
    somebody(client, "view_bot", "view_session")
    assert client.get("/admin/interviews/session/overview/999999/").status_code == 404


def test_a_shared_link_shows_figures_until_it_is_revoked(client, study):
    session = interview(study, 2 * DAY, S.STOPPED)
    AnswerFactory(turn=session.turns.get(), text="A secret of mine")
    somebody(client, "view_bot", "view_session", "share_overview")
    own = reverse("admin:interviews_session_overview", args=[study.pk])
    sharing = reverse("admin:interviews_session_overview_share", args=[study.pk])
    client.post(sharing)
    first = SharedOverview.objects.get().key
    assert f"/overview/{first}/" in markup(client.get(own))
    for asked_first in ({}, {"revoke": ""}):
        page = markup(client.post(sharing, asked_first, follow=True))
        assert "Tick the box to confirm that the link stops working." in page
        assert SharedOverview.objects.get().key == first
    client.post(sharing, {"sure": "on"})
    second = SharedOverview.objects.get().key
    client.logout()
    assert client.get(f"/overview/{first}/").status_code == 404
    answer = client.get(f"/overview/{second}/")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    page = markup(answer)
    assert "left early" in page
    assert " UTC. Refreshes automatically." in page
    assert "secret of mine" not in page
    assert "/admin/" not in page
    admin2 = User.objects.get()
    client.force_login(admin2)
    client.post(sharing, {"revoke": "", "sure": "on"})
    assert client.get(f"/overview/{second}/").status_code == 404


def test_the_first_page_lists_running_studies(client, study):
    interview(study, 2 * DAY)
    make_bot(title="A draft", slug="draft", status=Bot.Status.DRAFT)
    somebody(client, "view_bot", "view_session")
    page = markup(client.get("/admin/"))
    assert "Running studies" in page
    assert "1 of 20" in page
    assert "A draft" not in page


def test_pages_about_a_bot_lead_back_to_it(client, study, admin_user):
    client.force_login(admin_user)
    bot = f'<a href="{reverse("admin:plans_bot_change", args=[study.pk])}"'
    names = [f"interviews_session_{name}" for name in ("overview", "prolific", "findings")]
    for name in (*names, "reflections_batch_of_bot", "reflections_evaluation_of_bot"):
        page = markup(client.get(reverse(f"admin:{name}", args=[study.pk])))
        assert bot in page.partition("</h1>")[0]
    exports = markup(client.get(reverse("admin:interviews_session_export"))).partition("</h1>")[0]
    assert "Export interviews" in exports
    assert "Sessions" not in exports.rpartition("<h1")[2]


@pytest.mark.parametrize(("status", "colour"), [("live", "green"), ("draft", "blue")])
def test_the_overview_shows_the_status_in_the_colour_of_lists(client, study, status, colour):
    Bot.objects.update(status=status)
    somebody(client, "view_bot", "view_session")
    page = markup(client.get(reverse("admin:interviews_session_overview", args=[study.pk])))
    assert f"bg-{colour}-100" in page.partition("ov-title")[2].partition("</h1>")[0]


def test_the_first_page_tells_who_has_opened_no_bot_yet_how_to_begin(client, study):
    somebody(client, "add_bot")
    told = "Set up your first interview"
    changes = (({"demo": True}, True), ({"demo": False}, False), ({"status": "draft"}, True))
    for fields, shown in changes:
        Bot.objects.update(**fields)
        assert (told in markup(client.get("/admin/"))) is shown
    User.objects.get().user_permissions.clear()
    assert told not in markup(client.get("/admin/"))


def test_the_overview_says_that_all_places_are_taken_before_as_many_are_completed(client, study):
    somebody(client, "view_bot", "view_session")
    address = reverse("admin:interviews_session_overview", args=[study.pk])
    interview(study, 2 * DAY, S.STOPPED)
    interview(study, 2 * DAY)
    for quota, told in ((3, False), (2, True)):
        Bot.objects.update(quota=quota)
        assert ("all places are taken" in markup(client.get(address))) is told


def test_an_empty_study_says_so(client, study):
    somebody(client, "view_bot", "view_session")
    page = markup(client.get(reverse("admin:interviews_session_overview", args=[study.pk])))
    assert "Nobody has started yet" in page


@pytest.mark.django_db(transaction=True)
def test_people_who_are_turned_away_are_counted_once_an_hour(client, study):
    Bot.objects.filter(pk=study.pk).update(status=Bot.Status.CLOSED)
    for _ in range(3):
        client.get(f"/i/{study.slug}/")
    client.get(f"/i/{study.slug}/", REMOTE_ADDR="203.0.113.7")
    assert TurnedAway.objects.get().people == 2
    assert overview(study, NOW).turned_away == {"closed": 2}
    assert OverviewDay.objects.filter(bot=study).count() == 0


def test_the_only_interview_of_today_is_counted_no_more_once_it_is_deleted(study):
    now = timezone.now()
    session = SessionFactory(bot=study, started_at=now, ended_at=now, status=S.COMPLETED)
    assert overview(study, now).started == 1
    delete_sessions(Session.objects.filter(pk=session.pk))
    assert overview(study, now + 3 * DAY).started == 0


def test_the_length_of_answers_is_that_of_interviews_that_count(study):
    for status, words in (
        (S.COMPLETED, "one\n\ntwo\nthree"),
        (S.ARCHIVED, "one"),
        (S.ARCHIVED, "one"),
    ):
        session = interview(study, DAY, status)
        AnswerFactory(turn=session.turns.get(), text=words)
    assert overview(study, NOW).median_words == 3


def test_an_interview_that_stays_quiet_is_dropped_also_if_its_day_was_over(study):
    session = interview(study, 5 * DAY, S.WAITING_ANSWER)
    session.turns.update(received_at=NOW)
    assert overview(study, NOW).running == 1
    later = overview(study, NOW + 2 * DAY)
    assert (later.running, later.dropped) == (0, 1)


def test_places_are_not_taken_by_the_withdrawn_and_the_pace_is_of_whole_days(study):
    for day in (0, 1, 2, 3):
        interview(study, day * DAY)
    interview(study, DAY, S.WITHDRAWN)
    found = overview(study, NOW)
    assert found.places.taken == 4
    assert found.full_on == NOW.date() + timedelta(days=38)  # 16 places at 3 a week


def test_very_long_answers_are_counted_together(study):
    AnswerFactory(turn=interview(study, DAY).turns.get(), text="word " * 500)
    assert overview(study, NOW).median_words == 400
    AnswerFactory(turn=interview(study, 2 * DAY).turns.get(), text="One two.")
    assert overview(study, NOW + timedelta(minutes=1)).median_words == 201


def test_what_was_deleted_in_several_sweeps_stays_counted(study):
    for one in [interview(study, 5 * DAY) for _ in range(3)][:2]:
        days._keep(study, [one.pk])
        delete_sessions(Session.objects.filter(pk=one.pk), recount=False)
    OverviewDay.objects.update(fresh_until=NOW)
    assert counted(study, NOW)[0]["state"]["completed"] == 3
