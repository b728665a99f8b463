"""Themes and merges that a model suggests: only of codes that there are, and nothing by itself."""

from collections.abc import Collection

import pytest
from django.utils import timezone

from interviews.models import Session
from llm.models import LLMCall
from plans.models import Bot
from reflections.coding import suggestions
from reflections.coding.codebook import CodingRefused, change_code, codes_of, merge_codes
from reflections.models import CodebookCode, CodeSuggestions, Excerpt, ThemeSuggestions
from reflections.themes import theme_suggestions
from reflections.themes.theme_suggestions import (
    ORDER,
    OrderedCodebook,
    decide,
    open_proposals,
    proposals_in,
)
from tests.conftest import make_bot
from tests.reflections.telling import told_session
from tests.reflections.test_themes import ALONE, TOGETHER, code, excerpt
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def model(settings):
    settings.LLM_PROVIDER = "scripted"


@pytest.fixture
def study() -> Bot:
    """The codes Alone (1), Door closed (2), Night (3) with Yeast (4) below it, and Solitude (5)."""
    bot = make_bot(title="Bread")
    told = told_session((ALONE, TOGETHER), bot=bot)
    for name, words in (
        ("Alone", "I bake alone"),
        ("Door closed", "alone at night"),
        ("Solitude", "bake alone at night"),
    ):
        excerpt(told, code(bot, name), words)
    code(bot, "Yeast", code(bot, "Night"))
    return bot


def theme(codes: Collection[int], name: str = "", number: int | None = None) -> dict:
    return {"number": number, "name": name, "description": "What it is.", "codes": [*codes]}


def merge(number: int, into: int) -> dict:
    return {"code": number, "into": into}


def suggested(bot: Bot, user, *themes: dict, merges: Collection[dict] = ()) -> ThemeSuggestions:
    given = {"themes": themes, "merges": [*merges]}
    scripted.reply(ORDER.name, OrderedCodebook.model_validate(given))
    theme_suggestions.request(bot, user)
    row = ThemeSuggestions.objects.get()
    theme_suggestions.make(row.pk)
    row.refresh_from_db()
    return row


def waiting(bot: Bot, user) -> list[tuple[str, str, str]]:
    """Kind, code, and where it goes."""
    codes = codes_of(bot, user)
    return [
        (one.kind, codes[one.code].name, codes[one.into].name if one.into else one.name)
        for one in open_proposals(ThemeSuggestions.objects.get(), codes)
    ]


def keys(bot: Bot, user, *names: str) -> list[int]:
    codes = codes_of(bot, user)
    found = open_proposals(ThemeSuggestions.objects.get(), codes)
    return [one.key for one in found if codes[one.code].name in names]


def levels(bot: Bot) -> dict[str, str]:
    rows = CodebookCode.objects.filter(bot=bot).select_related("parent").order_by("name")
    return {one.name: one.parent.name if one.parent else "" for one in rows}


def test_nothing_changes_until_a_person_accepts(study, admin_user):
    before = levels(study)
    new = theme([1, 2], "Away from others")
    row = suggested(study, admin_user, new, theme([5], number=3), merges=[merge(2, 1)])
    assert (row.status, row.reason) == ("ready", "")
    [asked] = scripted.asked(ORDER.name)
    assert "[1] Alone (participants: 1 for it, 0 against it): " in asked.messages[0].text
    assert "[4] Yeast (participants: 0 for it, 0 against it; below [3]): " in asked.messages[0].text
    assert "“I bake alone”" in asked.messages[0].text
    assert waiting(study, admin_user) == [
        ("merge", "Door closed", "Alone"),
        ("place", "Alone", "Away from others"),
        ("place", "Solitude", "Night"),
    ]
    assert levels(study) == before
    assert proposals_in(row).unfounded == 1  # what is merged isn't placed
    before_it = Session.objects.get().changed_at
    assert decide(study, keys(study, admin_user, "Alone"), admin_user, accept=True) == 1
    assert levels(study)["Alone"] == "Away from others"
    assert CodebookCode.objects.get(name="Away from others").description == "What it is."
    assert Session.objects.get().changed_at > before_it  # exports of changes bring it
    rest = keys(study, admin_user, "Door closed", "Solitude")
    assert decide(study, rest, admin_user, accept=True) == 2
    assert levels(study) == {
        "Alone": "Away from others",
        "Away from others": "",
        "Night": "",
        "Solitude": "Night",
        "Yeast": "Night",
    }
    assert Excerpt.objects.filter(code__name="Alone").count() == 2


def test_a_lying_model_invents_no_code_closes_no_circle_and_says_nothing_twice(study, admin_user):
    row = suggested(
        study,
        admin_user,
        theme([1, 77], number=99),  # there is no 99
        theme([77], "Invented"),
        theme([3], number=4),  # Night is above Yeast
        theme([1], "alone"),  # below itself
        theme([4], number=3),  # is there already
        theme([2], number=1),
        theme([1], number=2),  # a circle with the one before
        theme([2], "Again"),  # placed already
        theme([5], " "),
        merges=[merge(5, 5), merge(5, 88), merge(3, 4)],
    )
    assert waiting(study, admin_user) == [("place", "Door closed", "Alone")]
    assert proposals_in(row).unfounded == 12
    assert levels(study) == dict.fromkeys(levels(study), "") | {"Yeast": "Night"}


def test_codes_merged_in_a_ring_go_one_way(study, admin_user):
    ring = [merge(1, 2), merge(2, 5), merge(5, 1)]
    suggested(study, admin_user, merges=ring)
    assert waiting(study, admin_user) == [
        ("merge", "Alone", "Door closed"),
        ("merge", "Door closed", "Solitude"),
    ]
    decide(study, keys(study, admin_user, "Alone", "Door closed"), admin_user, accept=True)
    assert set(levels(study)) == {"Night", "Solitude", "Yeast"}
    assert Excerpt.objects.filter(code__name="Solitude").count() == 3


def test_what_was_refused_does_not_come_again(study, admin_user):
    new = theme([1, 2], "Away from others")
    suggested(study, admin_user, new, merges=[merge(5, 1)])
    decide(study, keys(study, admin_user, "Alone", "Solitude"), admin_user, accept=False)
    suggested(study, admin_user, theme([1, 2], "AWAY from others"), merges=[merge(5, 1)])
    assert waiting(study, admin_user) == [("place", "Door closed", "AWAY from others")]
    with pytest.raises(CodingRefused, match="Choose suggestions"):
        decide(study, [99], admin_user, accept=True)


def test_what_is_suggested_anew_is_not_decided_by_an_old_page(study, admin_user):
    suggested(study, admin_user, theme([5], number=3))
    old = keys(study, admin_user, "Solitude")
    suggested(study, admin_user, merges=[merge(2, 1)])
    with pytest.raises(CodingRefused, match="Choose suggestions"):
        decide(study, old, admin_user, accept=True)
    assert waiting(study, admin_user) == [("merge", "Door closed", "Alone")]


def test_what_was_carried_out_leaves_its_key_to_no_other_suggestion(study, admin_user):
    suggested(study, admin_user, merges=[merge(2, 1)])
    old = keys(study, admin_user, "Door closed")
    decide(study, old, admin_user, accept=True)
    suggested(study, admin_user, theme([4], number=2))
    with pytest.raises(CodingRefused, match="Choose suggestions"):
        decide(study, old, admin_user, accept=True)
    assert waiting(study, admin_user) == [("place", "Solitude", "Night")]


def test_a_theme_that_is_merged_itself_can_be_refused(study, admin_user):
    suggested(study, admin_user, theme([5], number=2), merges=[merge(2, 1)])
    decide(study, keys(study, admin_user, "Solitude"), admin_user, accept=False)
    assert waiting(study, admin_user) == [("merge", "Door closed", "Alone")]


def test_what_waits_follows_a_code_that_is_renamed_or_merged(study, admin_user):
    session = Session.objects.get()
    CodeSuggestions.objects.create(
        session=session,
        status="ready",
        created_by="anna",
        content={
            "suggestions": [{"key": 1, "code": "door closed", "position": 5, "start": 0, "end": 9}]
        },
    )
    merges = [merge(2, 1)]
    suggested(study, admin_user, theme([5], number=2), theme([3], "Hours"), merges=merges)
    night = CodebookCode.objects.get(name="Night")
    change_code(study, admin_user, night.pk, "Late hours", "", "")
    assert waiting(study, admin_user) == [
        ("merge", "Door closed", "Alone"),
        ("place", "Solitude", "Alone"),
        ("place", "Late hours", "Hours"),
    ]
    decide(study, keys(study, admin_user, "Door closed"), admin_user, accept=True)
    assert waiting(study, admin_user)[0] == ("place", "Solitude", "Alone")
    [one] = suggestions.open_suggestions(CodeSuggestions.objects.get())
    suggestions.decide(session, [one.key], admin_user, accept=True)
    assert Excerpt.objects.get(start=0, end=9).code.name == "Alone"
    CodebookCode.objects.get(name="Solitude").delete()
    assert waiting(study, admin_user) == [("place", "Late hours", "Hours")]


def test_a_merge_keeps_memos_and_what_is_below(study, admin_user):
    alone, solitude, night = (
        CodebookCode.objects.get(name=name) for name in ("Alone", "Solitude", "Night")
    )
    session = Session.objects.get()
    same = excerpt(session, night, "I bake alone")
    Excerpt.objects.filter(pk=same.pk).update(memo="And at night.")
    Excerpt.objects.filter(code=alone).update(memo="Why?")
    assert merge_codes(study, admin_user, night.pk, alone.pk) == ("Night", "Alone")
    assert Excerpt.objects.get(code=alone).memo == "Why?\nAnd at night."
    assert levels(study)["Yeast"] == "Alone"
    yeast = CodebookCode.objects.get(name="Yeast")
    for key, into in ((alone.pk, yeast.pk), (alone.pk, alone.pk), (night.pk, solitude.pk)):
        with pytest.raises(CodingRefused):
            merge_codes(study, admin_user, key, into)


def test_a_model_that_fails_is_asked_again_and_what_there_was_stays(study, admin_user):
    suggested(study, admin_user, theme([1, 2], "Away from others"))
    scripted.reply(ORDER.name, *["no JSON"] * 4)
    theme_suggestions.request(study, admin_user)
    with pytest.raises(CodingRefused, match="Decide once"):
        decide(study, keys(study, admin_user, "Alone"), admin_user, accept=True)
    row = ThemeSuggestions.objects.get()
    theme_suggestions.make(row.pk)
    row.refresh_from_db()
    assert row.status == "pending"
    assert "No model suggested themes" in row.reason
    assert len(waiting(study, admin_user)) == 2
    assert {(str(one.request), one.response) for one in LLMCall.objects.all()} == {("{}", "")}
    assert row.claimed_until > timezone.now()


def test_without_a_model_or_codes_nothing_is_requested(study, admin_user, settings):
    with pytest.raises(CodingRefused, match="Code some interviews"):
        theme_suggestions.request(make_bot(slug="new"), admin_user)
    settings.LLM_PROVIDER = ""
    with pytest.raises(CodingRefused, match="model"):
        theme_suggestions.request(study, admin_user)
    assert not ThemeSuggestions.objects.exists()
