"""Quotas by cell: whom they let in, what others are given, and that none is ever exceeded."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import AsyncClient
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Session, TurnedAway
from interviews.overview.figures import overview
from interviews.recruitment.eligibility.quota_cells import cell_counts, cell_name
from interviews.recruitment.start_page import build_start_page
from interviews.turns import retention
from interviews.turns.session_start import StartRequest, open_session
from interviews.validation import RequestRefused
from plans.models import Bot
from plans.models.eligibility import QuotaCell
from plans.portability.bots import apply_bot, bot_document
from tests.conftest import make_bot
from tests.each import each
from tests.factories import SessionFactory, TurnFactory
from tests.interviews.exports.reading import read
from tests.plans.pages import form_of, text_of

S = SessionStatus
WOMEN = {
    "name": "Women under 40",
    "wanted": 2,
    "when": {"gender": ["f"], "age": ["18-29", "30-39"]},
}
MEN = {"name": "Men", "wanted": 1, "when": {"gender": ["m"]}}
YOUNG = {"gender": "F", "age": " 30-39 "}


@pytest.fixture
def study(transactional_db) -> Bot:
    return make_bot(status=Bot.Status.LIVE, quota_cells=[WOMEN, MEN])


@pytest.fixture
def owner(db, client):
    client.force_login(User.objects.create_superuser("owner"))
    return client


def start(bot: Bot, **params: str) -> Session:
    request = StartRequest(bot.slug, "", "en", params)
    return open_session(request, None)[0].session


def refusal(bot: Bot, **params: str) -> str:
    with pytest.raises(RequestRefused) as refused:
        start(bot, **params)
    return refused.value.code


@each(
    ("given", "name"),
    [
        (YOUNG, "Women under 40"),
        ({"Gender": "f", "AGE": "18-29"}, "Women under 40"),
        ({"gender": "f", "age": "60+"}, ""),
        ({"gender": "f"}, ""),
        ({"gender": "M"}, "Men"),
        ({}, ""),
    ],
)
def test_people_count_in_the_first_cell_that_fits(given, name):
    assert cell_name(Bot(quota_cells=[WOMEN, MEN]), given) == name


def test_a_full_cell_admits_nobody_else_and_others_still_come(study):
    assert start(study, **YOUNG).cell == "Women under 40"
    start(study, **YOUNG)
    assert refusal(study, **YOUNG) == "full"
    assert start(study, gender="m").cell == "Men"
    assert refusal(study, gender="m") == "full"
    assert start(study, gender="f", age="60+").cell == ""


def test_people_in_no_cell_may_be_turned_away(study):
    study.cells_only = True
    study.save()
    assert refusal(study, gender="f", age="60+") == "screened"
    assert refusal(study) == "screened"
    assert not Session.objects.exists()


def test_who_leaves_frees_a_place_and_who_completes_keeps_it(study):
    session = start(study, gender="m")
    Session.objects.filter(pk=session.pk).update(status=S.STOPPED)
    again = start(study, gender="m")
    Session.objects.filter(pk=again.pk).update(status=S.COMPLETED)
    assert refusal(study, gender="m") == "full"


def test_who_is_quiet_for_a_day_frees_a_place(study):
    session = start(study, gender="m")
    earlier = timezone.now() - timedelta(hours=25)
    session.turns.update(received_at=earlier)
    Session.objects.filter(pk=session.pk).update(started_at=earlier)
    assert start(study, gender="m").cell == "Men"


def test_the_same_person_may_start_again_in_a_full_cell(study):
    session = start(study, gender="m")
    request = StartRequest(study.slug, "", "en", {"gender": "m"})
    again = open_session(request, session.participant)[0].session
    assert again.cell == "Men"


def test_twenty_at_once_do_not_exceed_a_cell(study):
    def one(number: int) -> bool:
        try:
            start(study, **YOUNG)
        except RequestRefused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(20))) == 2


def test_random_arrivals_never_exceed_a_cell(study):
    dice, at = random.Random(5), timezone.now()
    for _ in range(40):
        given = {"gender": dice.choice("fm"), "age": dice.choice(["18-29", "60+"])}
        try:
            session = start(study, **given)
        except RequestRefused:
            continue
        status = dice.choice((S.COMPLETED, S.STOPPED, S.WAITING_ANSWER))
        Session.objects.filter(pk=session.pk).update(status=status)
        assert all(cell.taken <= cell.wanted for cell in cell_counts(study, at))


def test_a_bot_without_cells_asks_nothing_more(db, django_assert_num_queries):
    bot = make_bot()
    with django_assert_num_queries(0):
        assert cell_counts(bot, timezone.now()) == []
        assert cell_name(bot, YOUNG) == ""


def test_the_language_of_the_interview_is_a_condition(study):
    italian = {"name": "Italian", "wanted": 1, "when": {"language": ["it"]}}
    english = {"name": "English women", "wanted": 1, "when": {"language": ["en"], "gender": ["f"]}}
    Bot.objects.update(quota_cells=[italian, english], cells_only=True)
    assert start(study, gender="f").cell == "English women"
    assert refusal(study, gender="f") == "full"
    assert refusal(study, gender="m") == "screened"
    assert build_start_page(study.slug, [], None, {"gender": "m"}).state == "open"


def test_the_page_turns_people_away_once_it_knows_enough(study):
    Bot.objects.filter(pk=study.pk).update(
        cells_only=True, outcomes={"full": {"code": "FULL"}, "screened": {"code": "OUT"}}
    )
    assert build_start_page(study.slug, []).state == "open"
    page = build_start_page(study.slug, [], None, {"gender": "x", "age": "1"})
    assert (page.state, page.outcome.code) == ("screened", "OUT")
    start(study, gender="m")
    page = build_start_page(study.slug, [], None, {"gender": "m", "age": "1"})
    assert (page.state, page.outcome.code) == ("full", "FULL")


async def test_somebody_turned_away_on_starting_gets_the_code(study):
    await Bot.objects.aupdate(cells_only=True, outcomes={"screened": {"code": "OUT-7"}})
    page = await AsyncClient().post(f"/i/{study.slug}/?gender=x", {"decision": "agreed"})
    assert page.status_code == 403
    assert "OUT-7" in page.content.decode()
    assert "<form" not in page.content.decode()
    assert (await TurnedAway.objects.aget()).reason == "screened"
    assert not await Session.objects.aexists()


def test_the_cell_is_exported_and_shown(study, owner):
    session = start(study, gender="m")
    (row,) = read("sessions")
    assert row["cell"] == "Men"
    assert session.cell == "Men"
    page = text_of(owner.get(f"/admin/interviews/session/overview/{study.pk}/"))
    assert "Women under 40" in page
    assert "0 / 2" in page
    assert "full" in page
    assert overview(study, timezone.now()).started == 1


def save(owner, bot: Bot, **typed: str):
    url = f"/admin/plans/bot/{bot.pk}/change/"
    return owner.post(url, form_of(owner.get(url)) | typed)


def test_cells_are_typed_in_the_form(owner, bot):
    bot.status = Bot.Status.DRAFT
    bot.save()
    typed = {"cell_0_name": " Women ", "cell_0_wanted": "75", "cell_0_when": "gender = f; age=1, 2"}
    assert save(owner, bot, **typed).status_code == 302
    stored = Bot.objects.get(pk=bot.pk).quota_cells
    assert stored == [{"name": "Women", "wanted": 75, "when": {"gender": ["f"], "age": ["1", "2"]}}]
    assert save(owner, bot).status_code == 302
    assert Bot.objects.get(pk=bot.pk).quota_cells == stored


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"cell_0_name": "W", "cell_0_wanted": "x", "cell_0_when": "a = b"}, "as a number"),
        ({"cell_0_name": "W", "cell_0_wanted": "0", "cell_0_when": "a = b"}, "as a number"),
        ({"cell_0_name": "W", "cell_0_wanted": "5"}, "at least one condition"),
        ({"cell_0_wanted": "5", "cell_0_when": "a = b"}, "Give the cell a name"),
        (
            {
                **{"cell_0_name": "W", "cell_0_wanted": "5", "cell_0_when": "a = b"},
                **{"cell_1_name": "w", "cell_1_wanted": "5", "cell_1_when": "a = c"},
            },
            "is the name of two cells",
        ),
    ],
)
def test_a_wrong_cell_is_told_at_its_field(owner, bot, typed, says):
    answer = save(owner, bot, **typed)
    assert answer.status_code == 200
    assert says in text_of(answer)
    assert Bot.objects.get(pk=bot.pk).quota_cells == []


def test_all_that_is_wrong_with_cells_is_told_at_once(owner, bot):
    typed = {"cell_0_name": "W", "cell_0_wanted": "x", "cell_0_when": "gender"}
    typed |= {"cell_1_name": "M", "cell_1_wanted": "-1", "cell_1_when": "gender = m"}
    page = text_of(save(owner, bot, **typed))
    assert "“gender” has no value" in page
    assert page.count("Write how many interviews you want") == 2
    assert "at least one condition" not in page
    assert Bot.objects.get(pk=bot.pk).quota_cells == []


def test_a_cell_needs_a_condition():
    with pytest.raises(ValueError):
        QuotaCell(name="W", wanted=1, when={})


def test_simulated_interviews_and_previews_take_no_place(study):
    for fields in ({"preview": True}, {"synthetic": True}):
        TurnFactory(session=SessionFactory(bot=study, cell="Men", **fields))
    assert start(study, gender="m").cell == "Men"


def test_renaming_a_cell_frees_no_places(study, owner):
    Bot.objects.update(quota_cells=[MEN])
    study.refresh_from_db()
    start(study, gender="m")
    assert refusal(study, gender="m") == "full"
    Bot.objects.update(status=Bot.Status.DRAFT)  # else the form wants the other gaps filled
    assert save(owner, study, cell_0_name="Men, all ages").status_code == 302
    Bot.objects.update(status=Bot.Status.LIVE)
    study.refresh_from_db()
    assert refusal(study, gender="m") == "full"
    renamed = bot_document(study)
    [cell] = renamed.quota_cells
    cells = (cell.model_copy(update={"name": "All men"}),)
    apply_bot(renamed.model_copy(update={"quota_cells": cells}), study)
    assert refusal(study, gender="m") == "full"


def test_cells_that_take_each_others_names_keep_their_interviews(study):
    first, second, third = (
        {"name": f"G{number}", "wanted": 9, "when": {"gender": [gender]}}
        for number, gender in enumerate("fmx", start=1)
    )
    Bot.objects.update(quota_cells=[first, second], cells_gone={"G1": 3, "G2": 4})
    study.refresh_from_db()
    for gender in "fmm":
        session = start(study, gender=gender)
        Session.objects.filter(pk=session.pk).update(status=S.COMPLETED)

    def change_to(**named: dict) -> dict[str, int]:
        cells = tuple(QuotaCell(**cell | {"name": name}) for name, cell in named.items())
        apply_bot(bot_document(study).model_copy(update={"quota_cells": cells}), study)
        study.refresh_from_db()
        return {cell.name: cell.completed for cell in cell_counts(study, timezone.now())}

    renumbered = change_to(G1=third, G2=first, G3=second)
    assert renumbered == {"G1": 0, "G2": 4, "G3": 6}
    swapped = change_to(G3=first, G2=second)
    assert swapped == {"G3": 4, "G2": 6}
    assert change_to(G3=second) == {"G3": 6}  # the other one is gone


def test_conditions_that_nobody_meets_or_that_come_twice_are_refused(owner, bot):
    Bot.objects.update(status=Bot.Status.DRAFT)
    typed = {"cell_0_name": "W", "cell_0_wanted": "5"}
    for when, says in (
        ("age = a; Age = b", "“age” is there twice"),
        ("gender", "“gender” has no value"),
        ("age = a; gender =", "“gender” has no value"),
    ):
        assert says in text_of(save(owner, bot, **typed, cell_0_when=when))
        assert Bot.objects.get(pk=bot.pk).quota_cells == []


def test_values_with_commas_stay_when_the_form_is_saved(owner, bot):
    cells = [{"name": "W", "wanted": 5, "when": {"city": ["Washington, DC", "Rome"]}}]
    Bot.objects.update(status=Bot.Status.DRAFT, quota_cells=cells)
    assert save(owner, bot, title="Other").status_code == 302
    bot.refresh_from_db()
    assert (bot.title, bot.quota_cells) == ("Other", cells)


def test_a_parameter_spelled_like_the_language_is_no_condition(study):
    cells = [{"name": tag, "wanted": 5, "when": {"language": [tag]}} for tag in ("it", "en")]
    Bot.objects.update(quota_cells=cells)
    assert start(study, Language="it").cell == "en"


def test_a_condition_may_use_any_spelling_of_a_parameter(study):
    Bot.objects.update(link_params=[{"name": "sex", "aliases": ["Gender"]}])
    assert start(study, gender="m").cell == "Men"
    assert refusal(study, sex="m") == "full"


def test_an_empty_parameter_leaves_the_answer_as_it_is(study):
    Bot.objects.update(quota_cells=[{"name": "5", "wanted": 5, "when": {"experience": ["5"]}}])
    request = StartRequest(study.slug, "", "en", {"experience": ""}, {"experience": "5"})
    assert open_session(request, None)[0].session.cell == "5"


def test_who_may_only_read_a_bot_sees_its_cells(client, db):
    bot = make_bot(quota_cells=[WOMEN])
    user = User.objects.create_user("reader", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_bot"))
    client.force_login(user)
    page = text_of(client.get(f"/admin/plans/bot/{bot.pk}/change/"))
    assert "Women under 40" in page
    assert "18-29" in page


def test_a_cell_stays_full_when_its_interviews_are_past_their_time(study, owner):
    done = start(study, gender="m")
    left = start(study, **YOUNG)
    for session, status in ((done, S.COMPLETED), (left, S.STOPPED)):
        long_ago = {"ended_at": timezone.now() - timedelta(days=9), "status": status}
        Session.objects.filter(pk=session.pk).update(**long_ago)
    Bot.objects.update(keep_days=1)
    assert retention.sweep(True) == 2
    study.refresh_from_db()
    assert refusal(study, gender="m") == "full"
    assert [cell.completed for cell in cell_counts(study, timezone.now())] == [0, 1]
    Bot.objects.update(status=Bot.Status.DRAFT)  # else the form wants the other gaps filled
    assert save(owner, study, cell_1_name="Men, all ages").status_code == 302
    Bot.objects.update(status=Bot.Status.LIVE)
    study.refresh_from_db()
    assert refusal(study, gender="m") == "full"
