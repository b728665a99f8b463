"""Experiments: arms by blocks and strata, places on completes and living interviews, exports."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from statistics import fmean

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import AsyncClient, Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.choices import SessionStatus
from interviews.exports.selection import Selection
from interviews.measures.arm_results import arm_results, bootstrap, wilson
from interviews.models import Assignment, Session, TranscriptEntry
from interviews.recruitment.arms import arm_at, take_place
from interviews.turns import retention
from interviews.turns.withdrawal import withdraw
from interviews.validation import RequestRefused
from plans.bots.compile import plan_for
from plans.bots.experiments import experiment_gaps
from plans.bots.previews import preview_path
from plans.models import Bot, Experiment, ExperimentArm, Script
from plans.scripts import duplicate_script
from tests.conftest import make_bot
from tests.examples import examples
from tests.factories import AnswerFactory, SessionFactory, TurnFactory
from tests.interviews.exports.reading import read
from tests.pages import markup
from tests.plans.pages import form_of

S = SessionStatus
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
TEXTS = {"summary": "a", "consent": "b", "about": "c", "care": "d"}


def make_experiment(arms: int = 2, weights=(), targets=(), **fields) -> Experiment:
    fields = {"status": Experiment.Status.LIVE, "slug": "trial", "title": "Trial"} | fields
    experiment = Experiment.objects.create(seed=7, **fields)
    for number in range(arms):
        bot = make_bot(title=f"Bot {number}", slug=f"bot-{number}", status=Bot.Status.LIVE)
        bot.texts.get_or_create(language="en", defaults=TEXTS)
        ExperimentArm.objects.create(
            experiment=experiment,
            name="ABCDEF"[number],
            bot=bot,
            weight=weights[number] if weights else 1,
            target=targets[number] if targets else None,
        )
    return experiment


def start(experiment: Experiment, at: datetime = NOW, **given: str) -> Session:
    """Somebody starts: an assignment and its interview, in one transaction."""
    with transaction.atomic():
        assignment = take_place(experiment, None, given, at)
        session = SessionFactory(
            bot=assignment.arm.bot, status=S.WAITING_ANSWER, started_at=at, params=given
        )
        assignment.session = session
        assignment.save()
        TurnFactory(session=session, received_at=at)
    return session


def end(session: Session, status: SessionStatus) -> None:
    Session.objects.filter(pk=session.pk).update(status=status)


def completes(experiment: Experiment) -> dict[str, int]:
    done = Assignment.objects.filter(session__status=S.COMPLETED)
    return {arm.name: done.filter(arm=arm).count() for arm in experiment.arms.all()}


@pytest.mark.django_db
def test_places_stay_taken_when_their_interviews_are_past_their_time():
    experiment = make_experiment(2, targets=(1, 1))
    end(start(experiment), S.COMPLETED)
    end(start(experiment), S.STOPPED)
    Bot.objects.update(keep_days=1)
    assert retention.sweep(True) == 2
    end(start(experiment), S.COMPLETED)  # in the place of who left
    assert retention.sweep(True) == 1
    assert {one.name: one.assignments.count() for one in experiment.arms.all()} == {"A": 1, "B": 1}
    with pytest.raises(RequestRefused):
        start(experiment)


@pytest.mark.django_db
def test_each_block_holds_each_arm_by_its_weight():
    experiment = make_experiment(3, weights=(1, 1, 2), rounds=2)
    arms = list(experiment.arms.all())
    order = [arm_at(experiment, arms, "", place).name for place in range(80)]
    for first in range(0, 80, 8):
        assert sorted(order[first : first + 8]) == sorted("AABBCCCC")
    assert order == [arm_at(experiment, arms, "", place).name for place in range(80)]
    other = [arm_at(experiment, arms, "gender: f", place).name for place in range(80)]
    assert other != order


@pytest.mark.django_db
@settings(max_examples=examples(4), deadline=None)
@given(seed=st.integers(0, 2**16), share=st.floats(0, 0.6), rounds=st.integers(1, 3))
def test_dropouts_are_replaced_in_their_own_arm(seed, share, rounds):
    with transaction.atomic():
        experiment = make_experiment(2, rounds=rounds, strata=["gender"])
        dice, at, running = random.Random(seed), NOW, []
        for _ in range(40):
            at += timedelta(seconds=50)  # all within the hour
            running.append(start(experiment, at, gender=dice.choice("fm")))
            if len(running) > 4:
                gone = running.pop(dice.randrange(len(running)))
                dropped = dice.random() < share
                end(gone, dice.choice((S.STOPPED, S.ARCHIVED)) if dropped else S.COMPLETED)
        for session in running:
            end(session, S.COMPLETED)
        for gender in "fm":
            done = Assignment.objects.filter(
                stratum=f"gender: {gender}", session__status=S.COMPLETED
            )
            numbers = [done.filter(arm=arm).count() for arm in experiment.arms.all()]
            # places that somebody left and nobody came to take again
            holes = max(done.values_list("place", flat=True)) + 1 - sum(numbers)
            assert max(numbers) - min(numbers) <= rounds + holes
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_nobody_is_sent_to_an_arm_whose_bot_is_closed():
    experiment = make_experiment(2)
    both = [start(experiment, NOW + timedelta(seconds=number)) for number in range(2)]
    (held,) = (one for one in both if one.bot.slug == "bot-1")
    Bot.objects.filter(slug="bot-1").update(status=Bot.Status.CLOSED)
    later = [start(experiment, NOW + timedelta(minutes=number)) for number in range(1, 5)]
    assert {one.bot.slug for one in later} == {"bot-0"}
    with pytest.raises(RequestRefused) as refused:
        take_place(experiment, held.participant, {}, NOW)
    assert refused.value.code == "not_open"
    Bot.objects.update(status=Bot.Status.CLOSED)
    with pytest.raises(RequestRefused) as refused:
        start(experiment)
    assert refused.value.code == "full"


@pytest.mark.django_db(transaction=True)
def test_an_arm_whose_bot_lacks_something_says_that_it_is_not_ready(client):
    experiment = make_experiment(2)
    for bot in Bot.objects.exclude(pk=experiment.arms.first().bot_id):
        bot.scripts.clear()
    link = "/e/trial/?language=en"
    digest = markup(client.get(link)).partition('name="consent" value="')[2].partition('"')[0]
    form = {"decision": "agreed", "consent": digest}
    answers = [Client().post(link, form) for _ in range(2)]
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    assert "isn’t ready yet" in "".join(map(markup, answers))


@pytest.mark.django_db
def test_many_with_a_third_dropping_out():
    people = examples(300)
    experiment = make_experiment(2, rounds=2, strata=["gender", "language"])
    dice, at = random.Random(3), NOW
    for _ in range(people):
        at += timedelta(minutes=3)
        given_by = {"gender": dice.choice("fm"), "language": dice.choice(["en", "it"])}
        session = start(experiment, at, **given_by)
        end(session, S.COMPLETED if dice.random() > 0.3 else S.STOPPED)
    numbers = completes(experiment)
    assert sum(numbers.values()) > 0.6 * people
    assert abs(numbers["A"] - numbers["B"]) <= 2 * 4  # half a block in each of four strata


@pytest.mark.django_db
def test_who_is_quiet_for_an_hour_frees_the_place():
    experiment = make_experiment(2)
    first = start(experiment)
    again = start(experiment, NOW + timedelta(minutes=61))
    assert again.assignment.place == first.assignment.place
    assert again.assignment.arm == first.assignment.arm
    third = start(experiment, NOW + timedelta(minutes=62))
    assert third.assignment.place == 1


@pytest.mark.django_db
def test_targets_are_not_exceeded_and_then_it_is_full():
    experiment = make_experiment(2, targets=(2, 3))
    for _ in range(5):
        end(start(experiment), S.COMPLETED)
    assert completes(experiment) == {"A": 2, "B": 3}
    with pytest.raises(RequestRefused) as refused:
        start(experiment)
    assert refused.value.code == "full"


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_do_not_exceed_a_target():
    experiment = make_experiment(2, targets=(5, 5))

    def one(number: int) -> bool:
        try:
            start(experiment, timezone.now())
        except RequestRefused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(10) as pool:
        started = list(pool.map(one, range(50)))
    assert sum(started) == 10
    by_arm = [arm.assignments.count() for arm in experiment.arms.all()]
    assert by_arm == [5, 5]
    assert sorted(Assignment.objects.values_list("place", flat=True)) == list(range(10))


@pytest.mark.django_db(transaction=True)
async def test_the_link_starts_an_interview_in_an_arm_and_leads_back_to_it():
    experiment = await Experiment.objects.acreate(
        seed=7, status="live", slug="trial", title="Trial"
    )
    from asgiref.sync import sync_to_async

    await sync_to_async(_fill)(experiment)
    client = AsyncClient()
    page = await client.get("/e/trial/?PROLIFIC_PID=5f&language=en")
    assert page.status_code == 200
    assert "Bot 0" in page.content.decode()
    digest = page.content.decode().partition('name="consent" value="')[2].partition('"')[0]
    form = {"name": "Ann", "decision": "agreed", "consent": digest, "language": "en"}
    answer = await client.post("/e/trial/?PROLIFIC_PID=5f&language=en", form)
    assert answer.status_code == 303, answer.content.decode()
    assignment = await Assignment.objects.select_related("arm", "session").aget()
    assert assignment.session.bot_id == assignment.arm.bot_id
    again = (await client.get("/e/trial/?PROLIFIC_PID=5f&language=en")).content.decode()
    assert f"/s/{assignment.session_id}/" in again
    elsewhere = (await AsyncClient().get("/e/trial/?PROLIFIC_PID=5f")).content.decode()
    assert "another browser" in elsewhere
    await client.post("/e/trial/?PROLIFIC_PID=5f&language=en", form)
    both = [one async for one in Assignment.objects.order_by("id")]
    assert len({(one.arm_id, one.place) for one in both}) == 1


@pytest.mark.django_db(transaction=True)
def test_a_link_that_nobody_filled_in_takes_no_place(client):
    make_experiment(2)
    link = "/e/trial/?language=en&PROLIFIC_PID={{%25PROLIFIC_PID%25}}"
    assert "This link is incomplete" in markup(client.get(link))
    assert client.post(link, {"decision": "agreed", "language": "en"}).status_code == 422
    assert not Assignment.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_who_began_another_interview_meanwhile_is_led_back_to_the_one_of_the_experiment(client):
    make_experiment(2)
    make_bot(title="Other", slug="other", status=Bot.Status.LIVE)
    for address in ("/e/trial/", "/i/other/"):
        digest = re.search('name="consent" value="(.*?)"', markup(client.get(address)))[1]
        begun = client.post(address, {"decision": "agreed", "consent": digest, "language": "en"})
        assert begun.status_code == 303
    assert f"/s/{Assignment.objects.get().session_id}/" in markup(client.get("/e/trial/"))


def _fill(experiment: Experiment) -> None:
    for number in range(2):
        bot = make_bot(title=f"Bot {number}", slug=f"bot-{number}", status=Bot.Status.LIVE)
        bot.texts.get_or_create(language="en", defaults=TEXTS)
        ExperimentArm.objects.create(experiment=experiment, name="AB"[number], bot=bot)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("status", "shown"), [("draft", 404), ("closed", 200)])
def test_a_draft_is_not_there_and_a_closed_one_says_so(client, status, shown):
    make_experiment(status=status)
    answer = client.get("/e/trial/")
    assert answer.status_code == shown
    assert client.get("/e/unknown/").status_code == 404
    if shown == 200:
        assert "<form" not in answer.content.decode()
        assert client.post("/e/trial/", {"decision": "agreed"}).status_code in (403, 409)
        assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_link_to_try_an_arms_bot_opens_no_experiment(client):
    tried = preview_path(make_experiment().arms.first().bot).partition("?")[2]
    assert client.get("/e/trial/").status_code == 200
    assert client.get(f"/e/trial/?{tried}").status_code == 404


@pytest.mark.django_db
def test_the_arm_is_the_last_column_of_every_table():
    experiment = make_experiment(2)
    session = start(experiment)
    outside = SessionFactory(bot=session.bot)
    end(session, S.COMPLETED)
    found = {row["session_id"]: row for row in read("sessions")}
    assert list(found[str(session.pk)])[-2:] == ["experiment", "arm"]
    assert found[str(session.pk)]["arm"] == session.assignment.arm.name
    assert found[str(session.pk)]["experiment"] == "trial"
    assert found[str(outside.pk)]["arm"] == ""


@pytest.mark.django_db
def test_an_arm_may_be_one_version_of_a_bot():
    experiment = make_experiment(2)
    arm = experiment.arms.first()
    old = plan_for(arm.bot)
    arm.plan = old
    arm.full_clean()
    arm.bot = experiment.arms.last().bot
    with pytest.raises(Exception, match="another bot"):
        arm.full_clean()


@pytest.mark.django_db
def test_what_an_experiment_lacks(client):
    experiment = make_experiment(1)
    assert "Add at least two arms." in experiment_gaps(experiment)
    bot = make_bot(title="Other", slug="other", status=Bot.Status.DRAFT)
    ExperimentArm.objects.create(experiment=experiment, name="B", bot=bot)
    assert any("“B” isn’t live" in gap for gap in experiment_gaps(experiment))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changes", [{"keeps_paradata": False}, {"keep_days": 30}, {"keep_contact_days": 30}]
)
def test_people_are_told_what_is_kept_in_every_arm(changes):
    experiment = make_experiment(2)
    from_prolific(experiment)
    assert experiment_gaps(experiment) == []
    Bot.objects.filter(pk=experiment.arms.first().bot_id).update(**changes)
    (gap,) = experiment_gaps(experiment)
    assert "“B” records or keeps other data than the first one" in gap


@pytest.mark.django_db
def test_a_version_that_lacks_a_language_of_the_start_page_is_told():
    experiment = make_experiment(2)
    from_prolific(experiment)
    arm = experiment.arms.first()
    ExperimentArm.objects.filter(pk=arm.pk).update(plan=plan_for(arm.bot))
    assert experiment_gaps(experiment) == []
    for one in experiment.arms.all():
        script = duplicate_script(one.bot.scripts.get())
        Script.objects.filter(pk=script.pk).update(language="it")
        one.bot.scripts.add(script)
        one.bot.texts.create(language="it", **TEXTS)
    (gap,) = experiment_gaps(experiment)
    assert "“A” is in a language that this version isn’t in" in gap


def from_prolific(experiment: Experiment, **changes) -> None:
    """Give the arms' bots what they need from there, and no code for a full experiment."""
    fields = {
        "recruitment": "prolific",
        "options": {"reward": {"kind": "fixed", "code": "OK"}},
        "outcomes": {"declined": {"code": "NO"}},
        "host": "The lab",
        "contact": "lab@example.org",
    }
    Bot.objects.filter(arms__experiment=experiment).update(**fields | changes)


@pytest.mark.django_db
def test_an_experiment_of_a_panel_needs_a_code_for_those_who_find_it_full():
    experiment = make_experiment(2, targets=(1, 1))
    from_prolific(experiment)
    (gap,) = experiment_gaps(experiment)
    assert "of the arm “A” has no code for a full experiment. Under Ending, write “Code" in gap
    assert f'href="/admin/plans/bot/{experiment.arms.first().bot_id}/change/#ending"' in gap
    experiment.arms.filter(name="B").update(target=None)
    assert experiment_gaps(experiment) == []
    experiment.arms.filter(name="B").update(target=1)
    from_prolific(experiment, outcomes={"declined": {"code": "NO"}, "full": {"code": "FULL"}})
    assert experiment_gaps(experiment) == []


@pytest.mark.django_db
def test_every_arm_of_a_panels_experiment_gives_a_completion_code():
    experiment = make_experiment(2)
    arm = experiment.arms.last()
    plain = plan_for(arm.bot)
    from_prolific(experiment)
    assert experiment_gaps(experiment) == []
    ExperimentArm.objects.filter(pk=arm.pk).update(plan=plain)
    (gap,) = experiment_gaps(experiment)
    assert "“B” has no reward in this version" in gap
    ExperimentArm.objects.filter(pk=arm.pk).update(plan=None)
    Bot.objects.filter(pk=arm.bot_id).update(recruitment="link")
    (gap,) = experiment_gaps(experiment)
    assert "“B” has participants from elsewhere than the first one" in gap


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("changes", "code"), [({}, "FULL"), ({"status": "closed"}, "SHUT")])
def test_who_finds_it_full_or_closed_is_shown_the_panels_code(client, changes, code):
    experiment = make_experiment(2, targets=(1, 1), **changes)
    from_prolific(experiment, outcomes={"full": {"code": "FULL"}, "closed": {"code": "SHUT"}})
    for _ in range(2):
        end(start(experiment), S.COMPLETED)
    page = markup(client.get("/e/trial/?PROLIFIC_PID=5f&language=en"))
    assert f'value="{code}"' in page
    assert f"https://app.prolific.com/submissions/complete?cc={code}" in page


@pytest.mark.django_db
def test_an_experiment_that_lacks_something_stays_a_draft_and_says_what(client):
    experiment = make_experiment(2, targets=(1, 1), status=Experiment.Status.DRAFT)
    from_prolific(experiment)
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    answer = client.post(url, form_of(client.get(url)) | {"status": "live"}, follow=True)
    said = markup(answer)
    assert "Not live yet." in said
    bot = experiment.arms.first().bot_id
    link = f'<a class="study-link" href="/admin/plans/bot/{bot}/change/#ending">bot</a>'
    assert link in said
    assert link in markup(client.get(url))
    experiment.refresh_from_db()
    assert experiment.status == Experiment.Status.DRAFT


@pytest.mark.django_db
def test_a_live_experiment_stays_so_when_it_is_saved_after_the_bot_of_an_arm_was_closed(client):
    experiment = make_experiment(2)
    start(experiment)
    Bot.objects.filter(slug="bot-1").update(status=Bot.Status.CLOSED)
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    shown = client.get(url)
    assert "Live, but 1 item is missing" in markup(shown)
    page = client.post(url, form_of(shown) | {"title": "Renamed", "_continue": ""}, follow=True)
    assert "It is live, but something is missing. The " in markup(page)
    experiment.refresh_from_db()
    assert (experiment.title, experiment.status) == ("Renamed", Experiment.Status.LIVE)


@pytest.mark.django_db
def test_the_page_of_an_arms_bot_says_what_closing_it_does(client):
    experiment = make_experiment(2)
    client.force_login(User.objects.create_superuser("owner"))
    page = markup(client.get(f"/admin/plans/bot/{experiment.arms.first().bot_id}/change/"))
    link = f'href="/admin/plans/experiment/{experiment.pk}/change/">Trial</a>.'
    assert f"{link} If you close this bot" in page


@pytest.mark.django_db
def test_results_stand_side_by_side_with_intervals(client):
    experiment = make_experiment(2)
    for number in range(40):
        session = start(experiment)
        end(session, S.COMPLETED if number % 4 else S.STOPPED)
        minutes = timedelta(minutes=10 + number % 5)
        Session.objects.filter(pk=session.pk).update(ended_at=NOW + minutes)
    first, second = arm_results(experiment, NOW)
    assert first.counts["completed"] + second.counts["completed"] == 30
    completion = first.measures["completion"]
    assert completion.low < completion.value < completion.high
    assert 10 <= first.measures["minutes"].value <= 14
    assert arm_results(experiment, NOW) == [first, second]
    client.force_login(User.objects.create_superuser("owner"))
    page = markup(client.get(f"/admin/interviews/session/experiment/{experiment.pk}/"))
    assert "Side by side" in page
    assert f"] n = {first.measures['minutes'].n}" in page
    assert client.get("/admin/interviews/session/experiment/999/").status_code == 404


@pytest.mark.django_db
def test_a_withdrawn_interview_counts_in_its_arm_once_and_says_no_more():
    experiment = make_experiment(2, strata=["gender"])
    earlier = start(experiment, gender="f")
    session = SessionFactory(bot=earlier.bot, participant=earlier.participant)
    own = earlier.assignment
    Assignment.objects.create(session=session, arm=own.arm, stratum=own.stratum, place=own.place)
    end(earlier, S.ARCHIVED)
    withdraw(session)
    (arm,) = (one for one in arm_results(experiment, NOW) if one.arm == own.arm)
    assert (arm.counts["started"], arm.counts["withdrawn"]) == (1, 1)
    assert sum(int(row["withdrawn"]) for row in read("experiments")) == 1
    assert Assignment.objects.get().stratum == ""
    assert start(experiment, gender="f").assignment.place == own.place


def test_intervals_are_those_of_the_textbooks():
    found = wilson(8, 10)
    assert (round(found.low, 1), round(found.high, 1)) == (49.0, 94.3)
    assert wilson(0, 0) is None
    assert bootstrap([], max, 1) is None
    assert bootstrap([3.0], max, 1).value == 3.0


@pytest.mark.django_db
def test_the_design_is_fixed_once_somebody_has_started(client):
    experiment = make_experiment(2)
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    field = re.compile(r'<input[^>]*name="seed"[^>]*>')
    disabled = re.compile(r"\sdisabled[\s>]")
    assert not disabled.search(field.search(markup(client.get(url)))[0])
    start(experiment)
    page = markup(client.get(url))
    assert disabled.search(field.search(page)[0])
    assert 'name="arms-0-weight"' not in page
    assert TranscriptEntry.objects.count() == 0


@pytest.mark.django_db
def test_an_experiment_that_somebody_has_started_is_closed_in_the_admin(client):
    experiment = make_experiment(2, strata=["gender", "age"])
    start(experiment, gender="f")
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    answer = client.post(url, form_of(client.get(url)) | {"status": "closed"})
    assert answer.status_code == 302, markup(answer)
    experiment.refresh_from_db()
    assert (experiment.status, experiment.strata) == ("closed", ["gender", "age"])


@pytest.mark.django_db
def test_a_page_from_before_it_went_live_takes_no_experiment_back(client):
    experiment = make_experiment(status=Experiment.Status.DRAFT)
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    mine, theirs = (form_of(client.get(url)) for _ in range(2))
    from_prolific(experiment)  # nothing is missing
    assert client.post(url, mine | {"status": "live"}).status_code == 302
    answer = client.post(url, theirs | {"title": "Renamed"})
    assert "Somebody else has saved it since you opened it" in markup(answer)
    experiment.refresh_from_db()
    assert (experiment.status, experiment.title) == ("live", "Trial")
    again = form_of(answer) | {"status": "live"}
    assert client.post(url, again).status_code == 302
    experiment.refresh_from_db()
    assert (experiment.status, experiment.title) == ("live", "Renamed")


@pytest.mark.django_db
def test_an_experiment_is_made_in_the_admin(client):
    bots = [make_bot(title=f"B{n}", slug=f"b{n}", status=Bot.Status.LIVE) for n in range(2)]
    client.force_login(User.objects.create_superuser("owner"))
    arms = {
        f"arms-{n}-{name}": value
        for n, bot in enumerate(bots)
        for name, value in (("name", "AB"[n]), ("bot", bot.pk), ("weight", 1))
    }
    management = {"arms-TOTAL_FORMS": 2, "arms-INITIAL_FORMS": 0}
    data = {"title": "Two", "slug": "two", "status": "draft", "rounds": 2, "seed": 5}
    answer = client.post(
        "/admin/plans/experiment/add/", data | {"strata": "gender, age"} | management | arms
    )
    assert answer.status_code == 302, markup(answer)
    made = Experiment.objects.get()
    assert made.strata == ["gender", "age"]
    assert [arm.name for arm in made.arms.all()] == ["A", "B"]


@pytest.mark.django_db
def test_two_arms_of_one_name_are_told_as_such(client):
    experiment = make_experiment(2, status=Experiment.Status.DRAFT)
    client.force_login(User.objects.create_superuser("owner"))
    url = f"/admin/plans/experiment/{experiment.pk}/change/"
    page = markup(client.post(url, form_of(client.get(url)) | {"arms-1-name": "A"}))
    assert "Two arms have the same name." in page
    assert "Another arm has this name." in page
    assert "duplicate" not in page


@pytest.mark.django_db
def test_deleting_an_experiment_says_that_exports_lose_the_arms(client):
    experiment = make_experiment()
    session = start(experiment)
    client.force_login(User.objects.create_superuser("owner"))
    url, lost = "/admin/plans/experiment/", "not which arm each interview was in"
    picked = {"action": "delete_selected", "_selected_action": [experiment.pk]}
    assert lost in markup(client.post(url, picked))
    assert lost in markup(client.get(f"{url}{experiment.pk}/delete/"))
    client.post(f"{url}{experiment.pk}/delete/", {"post": "yes"})
    assert not Experiment.objects.exists()
    assert Session.objects.filter(pk=session.pk).exists()


@pytest.mark.django_db
def test_the_table_of_experiments_counts_what_is_selected():
    experiment = make_experiment(weights=(1, 2), targets=(5, None), strata=["age"])
    for number in range(6):
        session = start(experiment, NOW + timedelta(minutes=number), language="en")
        end(session, S.COMPLETED if number % 2 else S.STOPPED)
    first, second = read("experiments")
    assert (first["experiment"], first["arm"], first["bot"]) == ("trial", "A", "bot-0")
    assert (first["target"], second["target"], second["weight"]) == ("5", "", "2")
    assert (first["strata"], first["seed"], first["plan_version"]) == ("age", "7", "")
    figures = ("interviews", "completed", "stopped", "withdrawn")
    assert [sum(int(row[f]) for row in (first, second)) for f in figures] == [6, 3, 3, 0]
    assert [int(row["interviews"]) for row in (first, second)] == [2, 4]
    late = read("experiments", chosen=Selection(since=NOW + timedelta(minutes=5)))
    assert sum(int(row["interviews"]) for row in late) == 1
    only = read("experiments", chosen=Selection(bot=session.bot_id))
    assert [row["bot"] for row in only] == [session.bot.slug]


@pytest.mark.django_db
def test_who_starts_again_is_told_apart_from_a_second_person():
    experiment = make_experiment(arms=1)
    earlier = start(experiment)
    end(earlier, S.ARCHIVED)
    again = SessionFactory(bot=earlier.bot, participant=earlier.participant)
    Assignment.objects.create(session=again, arm=earlier.assignment.arm, place=0)
    [row] = read("experiments")
    figures = ("interviews", "replaced", "completed")
    assert [row[name] for name in figures] == ["2", "1", "1"]


@pytest.mark.django_db
def test_the_figures_of_an_arm_are_those_worked_out_by_hand():
    experiment = make_experiment(arms=1)
    for status, minutes, words, fields in (
        (S.COMPLETED, 10, 4, {}),
        (S.COMPLETED, 25, 6, {"away_total": 300}),  # twenty minutes
        (S.COMPLETED, 30, 8, {}),
        (S.COMPLETED, 90, 90, {"preview": True}),
        (S.STOPPED, 90, 90, {}),
        (S.ARCHIVED, 90, 90, {}),
        (S.WAITING_ANSWER, 0, 90, {}),
    ):
        session = start(experiment)
        AnswerFactory(turn=session.turns.get(), text="\n".join(["word"] * words))
        ended = NOW + timedelta(minutes=minutes)
        Session.objects.filter(pk=session.pk).update(status=status, ended_at=ended, **fields)
    [arm] = arm_results(experiment, NOW)
    assert arm.counts == {"started": 5, "completed": 3, "running": 1, "left": 1, "withdrawn": 0}
    figures = {name: one and (one.value, one.n) for name, one in arm.measures.items()}
    assert figures == {
        **{"completion": (75, 4), "minutes": (20, 3), "words": (6, 3)},
        **{"heard": None, "ease": None},
    }


def test_an_interval_holds_95_of_100_means():
    found = bootstrap([0.0] * 50 + [1.0] * 50, fmean, 7)
    assert (found.low, found.high) == (pytest.approx(0.4, abs=0.02), pytest.approx(0.6, abs=0.02))
