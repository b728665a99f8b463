"""Forms and files of the way in and out: what is typed, what is refused, and in which words."""

from datetime import UTC, datetime, time
from decimal import Decimal

import pytest
import yaml

from plans.bots.checklist import checklist, gaps
from plans.bots.duplicate import duplicate_bot
from plans.bots.quota import quota
from plans.forms.bot import PLACES
from plans.models import Bot
from plans.models.eligibility import WAYS, is_address, params_of
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.formats import write
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_bot
from tests.each import each
from tests.factories import SessionFactory
from tests.pages import markup
from tests.plans.pages import form_of, text_of, words_of

LIST = "/admin/plans/bot/"
FIELDS = {
    "hours_from": time(20, 30),
    "hours_to": time(2),
    "time_zone": "Europe/Rome",
    "quota": 40,
    "recruitment": "invitations",
    "invited_only": True,
    "invitation_reuse": "refuse",
    "link_params": [
        {"name": "PANELIST", "aliases": ["pid", "panel-id"], "required": True, "once": True},
        {"name": "WAVE", "aliases": [], "required": False, "once": False},
    ],
    "outcomes": {
        "declined": {"code": "NO-1", "url": ""},
        "full": {"code": "", "url": "https://panel.example.org/f?p={PANELIST}"},
    },
    "alert_to": "help@study.example\nlead@study.example",
    "session_budget": Decimal("0.50"),
    "day_budget": Decimal("12.00"),
    "keeps_paradata": False,
    "asks_rating": False,
    "dictation": False,
    "read_aloud": False,
}


def url(bot: Bot) -> str:
    return f"{LIST}{bot.pk}/change/"


@pytest.fixture
def ready(bot) -> Bot:
    """A live bot that lacks nothing."""
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    return bot


@pytest.fixture
def full(ready) -> Bot:
    """A bot with everything set."""
    Bot.objects.filter(pk=ready.pk).update(**FIELDS)
    ready.refresh_from_db()
    return ready


def save(owner, bot, **changes):
    return owner.post(url(bot), form_of(owner.get(url(bot))) | changes)


# -- forms


def test_saving_without_a_change_changes_nothing(owner, full):
    before = bot_document(full)
    assert save(owner, full).status_code == 302
    assert bot_document(Bot.objects.get()) == before


def test_what_is_typed_is_stored(owner, ready):
    answered = save(
        owner,
        ready,
        quota="40",
        recruitment="invitations",
        hours_from="20:30",
        hours_to="02:00",
        time_zone="Europe/Rome",
        param_0_name="PANELIST",
        param_0_aliases="pid, panel-id,, pid",
        param_0_required="on",
        param_0_once="on",
        param_1_name=" WAVE ",
        outcome_declined_code=" NO-1 ",
        outcome_full_url="https://panel.example.org/f?p={PANELIST}",
        alert_to="help@study.example\r\n\r\n lead@study.example \r\nhelp@study.example",
        session_budget="0.5",
        day_budget="12",
    )
    assert answered.status_code == 302
    bot = Bot.objects.get()
    stored = {name: getattr(bot, name) for name in FIELDS}
    switches = ("keeps_paradata", "asks_rating", "dictation", "read_aloud")
    as_before = dict.fromkeys(switches, True) | {
        "invited_only": False,
        "invitation_reuse": "resume",
    }
    outcomes = {"declined": {"code": "NO-1"}, "full": {"url": FIELDS["outcomes"]["full"]["url"]}}
    assert stored == FIELDS | as_before | {"outcomes": outcomes}


def test_another_empty_row_comes_with_each_save(owner, ready):
    assert "param_1_name" in form_of(owner.get(url(ready)))
    save(owner, ready, param_0_name="A", param_1_name="B")
    assert "param_2_name" in form_of(owner.get(url(ready)))
    save(owner, ready, param_0_name="", param_2_name="C")
    assert [param["name"] for param in Bot.objects.get().link_params] == ["B", "C"]


MISTAKES = [
    ({"hours_from": "09:00"}, "Give both times, or neither."),
    ({"hours_to": "09:00"}, "Give both times, or neither."),
    ({"hours_from": "09:00", "hours_to": "09:00"}, "Leave both empty to stay open all day"),
    ({"time_zone": "Europe/Atlantis"}, "Select a valid choice"),
    ({"quota": "0"}, "greater than or equal to 1"),
    ({"param_0_name": "a b"}, "Can only contain Latin letters, digits and _"),
    ({"param_0_name": "language"}, "“language” is reserved"),
    ({"param_0_aliases": "pid"}, "Can only contain Latin letters"),
    ({"param_0_name": "A", "param_0_aliases": "x y"}, "“x y” can&#x27;t be the name"),
    ({"param_0_name": "A", "param_1_name": "a"}, "“a” is the name of two parameters"),
    (
        {"param_0_name": "A", "param_1_name": "B", "param_1_aliases": "b2, A"},
        "“a” is the name of two parameters",
    ),
    ({"outcome_full_url": "panel.example.org"}, "must be a full address"),
    ({"outcome_closed_url": "javascript:alert(1)"}, "must be a full address"),
    ({"outcome_declined_url": "https://{SITE}/x"}, "must be a full address"),
    ({"alert_to": "help@study.example\nnobody"}, "Line 2, “nobody”, is no e-mail address."),
    ({"session_budget": "-1"}, "greater than or equal to 0"),
    ({"day_budget": "1.001"}, "no more than 2 decimal places"),
]


def test_what_does_not_fit_is_refused_in_words(owner, ready):
    before, form = bot_document(ready), form_of(owner.get(url(ready)))
    for changes, says in MISTAKES:
        page = owner.post(url(ready), form | changes)
        assert page.status_code == 200, changes
        assert says in text_of(page), changes
    assert bot_document(Bot.objects.get()) == before


def test_five_places_hold_every_field(owner, ready):
    page = text_of(owner.get(url(ready)))
    for place in PLACES:
        assert f'href="#{place.lower()}"' in page
    for name in set(FIELDS) - {"link_params", "outcomes"}:
        assert f'name="{name}"' in page, name


def test_readers_see_them(reader, full):
    page = text_of(reader.get(url(full)))
    for said in ("PANELIST", "panel-id", "NO-1", "Europe/Rome", "lead@study.example", "12.00"):
        assert said in page, said
    assert 'name="quota"' not in page


# -- places in the admin


def test_the_list_and_the_page_say_how_many_places_are_taken(owner, ready):
    for status in ("COMPLETED", "WAITING_ANSWER", "ARCHIVED", "WITHDRAWN"):
        SessionFactory(bot=ready, status=status)
    SessionFactory(bot=ready, preview=True)
    SessionFactory(bot=ready, synthetic=True)
    assert str(quota(ready)) == "2"
    Bot.objects.filter(pk=ready.pk).update(quota=2)
    assert "2 of 2" in text_of(owner.get(LIST))
    page = text_of(owner.get(url(ready)))
    assert "<b>2 of 2</b> interviews are finished or under way" in page
    assert "nobody else can start" in page


def test_the_list_counts_in_one_query(owner, ready, django_assert_max_num_queries):
    def queries() -> int:
        with django_assert_max_num_queries(60) as found:
            owner.get(LIST)
        return len(found)

    queries()  # the first also notes when the account was last active
    few = queries()
    for _ in range(3):
        SessionFactory()
    assert queries() == few


def test_who_is_written_to_in_distress_is_advised(owner, ready):
    Bot.objects.filter(pk=ready.pk).update(status="draft")
    assert "Say under Interview who is alerted" in words_of(owner.get(url(ready)))
    assert "Ready to go live. Try the preview first." in text_of(owner.get(url(ready)))


# -- files


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_out_and_in(full, form):
    document = bot_document(full)
    text = write(document, form)
    assert bot_changes(full, read_bot(text)) == []
    full.delete()
    again = apply_bot(read_bot(text))
    again.refresh_from_db()
    assert {name: getattr(again, name) for name in FIELDS} == FIELDS
    assert bot_document(again) == document


def test_files_from_before_keep_their_meaning(ready):
    data = yaml.safe_load(write(bot_document(ready), "yaml"))
    for name in FIELDS:
        data.pop(name, None)
    again = apply_bot(read_bot(yaml.safe_dump(data)), ready)
    again.refresh_from_db()
    plain = Bot()
    assert {n: getattr(again, n) for n in FIELDS} == {n: getattr(plain, n) for n in FIELDS}


def test_changes_are_told(full):
    document = bot_document(full)
    changed = document.model_copy(update={"quota": 50, "alert_to": ["new@study.example"]})
    places = {change.place for change in bot_changes(full, changed)}
    assert places == {"quota", "alert to"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hours_from": "09:00"}, "Give both times, or neither."),
        ({"time_zone": "Mars"}, "must be a time zone such as UTC or Europe/Rome"),
        ({"quota": 0}, "must be at least 1"),
        ({"link_params": [{"name": "a b"}]}, "can only contain Latin letters, digits and _"),
        ({"link_params": [{"name": "A"}, {"name": "a"}]}, "is the name of two parameters"),
        ({"link_params": [{"name": "A", "alias": "b"}]}, "is not a known field"),
        ({"outcomes": {"early": {"code": "x"}}}, "must be 'declined', 'full'"),
        ({"outcomes": {"full": {"url": "ftp://x.example"}}}, "must be a full address"),
        ({"alert_to": ["nobody"]}, "“nobody”, is no e-mail address"),
        ({"session_budget": -1}, "must be at least 0"),
        ({"day_budget": "much"}, "day_budget"),
    ],
)
def test_broken_files_are_told(ready, changes, says):
    data = yaml.safe_load(write(bot_document(ready), "yaml")) | changes
    with pytest.raises(BrokenDocument) as broken:
        read_bot(yaml.safe_dump(data))
    assert says in str(broken.value)


def test_a_copy_has_them_all(full):
    copy = duplicate_bot(full)
    copy.refresh_from_db()
    assert {name: getattr(copy, name) for name in FIELDS} == FIELDS
    copy.link_params.clear()
    assert Bot.objects.get(pk=full.pk).link_params


@each(
    ("url", "fits"),
    [
        ("https://p.example/c?id={ID}", True),
        ("http://p.example/{A}/{B-2}", True),
        ("https://{HOST}/x", False),
        ("https://p.example@{HOST}/x", False),
        ("https://p.{HOST}/x", False),
        ("{SCHEME}://p.example/x", False),
        ("//p.example/x", False),
        ("https://[p/x", False),
        ("javascript:alert(1)", False),
        ("", False),
    ],
)
def test_addresses(url, fits):
    assert is_address(url) == fits


RECRUITMENT = Bot.Recruitment
CELL = {"name": "Women", "wanted": 2, "when": {"gender": ["f"]}}
LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("source", [RECRUITMENT.PROLIFIC, RECRUITMENT.PANEL])
def test_a_panels_bot_goes_live_only_with_something_to_give_back(bot, source):
    bot.recruitment = source
    bot.options = {}
    assert "Completion code" in {item.label for item in checklist(bot) if not item.done}
    assert any("Under Ending" in gap for gap in gaps(checklist(bot)))
    bot.options = {"reward": {"kind": "fixed", "code": "C1"}}
    bot.outcomes = {"declined": {"code": "NO-1"}}
    assert not any("Under Ending" in gap for gap in gaps(checklist(bot)))


@pytest.mark.parametrize(
    ("changes", "ways"),
    [
        ({"recruitment": RECRUITMENT.LINK, "quota": 10}, []),
        ({"recruitment": RECRUITMENT.INVITATIONS, "quota": 10}, []),
        ({"recruitment": RECRUITMENT.PANEL}, []),
        ({"recruitment": RECRUITMENT.PANEL, "quota": 10}, ["full"]),
        ({"recruitment": RECRUITMENT.PANEL, "quota_cells": [CELL]}, ["full"]),
        ({"recruitment": RECRUITMENT.PANEL, "cells_only": True}, ["screened"]),
        ({"recruitment": RECRUITMENT.PANEL, "closes_at": LATER}, ["closed"]),
        ({"recruitment": RECRUITMENT.PROLIFIC}, ["declined"]),
    ],
)
def test_a_panels_bot_goes_live_only_with_a_code_for_each_way_to_leave(ready, changes, ways):
    ready.options = {"reward": {"kind": "fixed", "code": "C1"}}
    for name, value in changes.items():
        setattr(ready, name, value)
    missing = gaps(checklist(ready))
    assert [
        way for way in WAYS for gap in missing if f"Under Ending, write “Code when {way}”" in gap
    ] == ways
    assert len(missing) == len(ways)
    ready.outcomes = {way: {"url": "https://panel.example/back"} for way in ways}
    assert gaps(checklist(ready)) == []


def test_another_panels_code_for_declining_is_recommended(bot):
    bot.recruitment = RECRUITMENT.PANEL
    (item,) = [item for item in checklist(bot) if item.label == "Code when declined"]
    assert (item.needed, item.done) == (False, False)


def test_the_page_names_the_codes_that_are_missing_and_leads_to_them(owner, ready):
    Bot.objects.filter(pk=ready.pk).update(status="draft")
    typed = {
        "recruitment": "prolific",
        "quota": "20",
        "option__reward__kind": "fixed",
        "option__reward__code": "C1",
        "outcome_declined_code": "NO-1",
    }
    refused = save(owner, ready, **typed, plans_bot_go_live="1")
    said = markup(refused)
    assert '<a class="study-link" href="#ending">Under Ending</a>, write “Code when full”' in said
    assert "write “Code when declined”" not in said
    assert (
        save(owner, ready, **typed, outcome_full_code="F", plans_bot_go_live="1").status_code == 302
    )
    assert Bot.objects.get().status == Bot.Status.LIVE


def test_a_new_bot_for_prolific_requires_its_id(owner, script):
    data = {"title": "Mine", "slug": "mine", "protocol": "life_story", "minutes": 30}
    data |= {"scripts": [script.pk], "recruitment": "prolific"}
    owner.post("/admin/plans/bot/add/", data)
    made = Bot.objects.get(slug="mine")
    assert [p.name for p in params_of(made.link_params) if p.required] == ["PROLIFIC_PID"]
    assert not made.invited_only


def test_a_bot_that_is_for_prolific_later_is_advised_to_require_its_id(bot):
    bot.recruitment = RECRUITMENT.PROLIFIC
    for params, done in (
        ([], False),
        ([{"name": "PROLIFIC_PID", "once": True}], False),
        ([{"name": "pid", "aliases": ["prolific_pid"], "required": True}], True),
    ):
        bot.link_params = params
        (item,) = [one for one in checklist(bot) if one.label == "PROLIFIC_PID is required"]
        assert (item.done, item.needed) == (done, False)


def test_a_new_bot_for_invited_people_is_for_them_only(owner, script):
    data = {"title": "Mine", "slug": "mine", "protocol": "life_story", "minutes": 30}
    owner.post("/admin/plans/bot/add/", data | {"recruitment": "invitations"})
    assert Bot.objects.get(slug="mine").invited_only
