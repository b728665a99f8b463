"""Amending a product of statements: a row a statement, with quotes that were truly said."""

import html

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from reflections.admin.statements_form import PREFIX, parse_quote_lines, statements_form
from reflections.evidence.statements import CurrentStatements, statements_of
from reflections.evidence.types import Quote
from reflections.models import Judgement, Review
from reflections.reviews import Opinion, Stale, judge, made_when, review_of
from tests.reflections.held import again
from tests.reflections.telling import ANSWERS, BEES, LEFT, NOBODY, quote, reflected, told_product

pytestmark = pytest.mark.django_db
State = Judgement.State
SAID = dict(zip((3, 5, 7), ANSWERS, strict=True))


@pytest.fixture
def row():
    return told_product()


def browser_sends(rows) -> dict:
    """All fields as they are offered."""
    bound = [one for form in (rows.management_form, *rows.forms) for one in form]
    return {one.html_name: one.value() for one in bound if one.value() not in (None, False)}


def fields(row, review=None, **changes) -> dict:
    """What a browser sends when nothing but these was changed: `{"0-text": …}`."""
    told = statements_of(row, (review and review.content) or row.content)
    sent = browser_sends(statements_form(told, SAID))
    return sent | {f"{PREFIX}-{name}": value for name, value in changes.items()}


def send(client, row, do="amended", version=0, comment="", **changes):
    address = reverse("admin:reflections_reflection_change", args=[row.pk])
    told = {"do": do, "version": version, "comment": comment, "made": made_when(again(row))}
    given_ = fields(row, **{name.replace("__", "-"): v for name, v in changes.items()})
    given_ = {name: value for name, value in given_.items() if value is not None}
    return client.post(address, told | given_)


def amend(client, row, status=302, version=0, **changes) -> str:
    """Rows are named `_0_text` here, since names can't hold hyphens."""
    named = {name.strip("_").replace("_", "__", 1): value for name, value in changes.items()}
    response = send(client, row, version=version, **named)
    shown = html.unescape(response.content.decode())
    assert response.status_code == status, shown
    return shown


def statements(row) -> list[dict]:
    return review_of(row).content["sections"][0]["statements"]


def test_words_are_changed_and_the_original_stays(admin_client, row):
    amend(admin_client, row, _0_text="She learned care from a woman.")
    first, *others = statements(row)
    assert first["text"] == "She learned care from a woman."
    assert (first["was"], first["quotes"]) == (1, [quote(3, BEES)])
    assert [one["was"] for one in others] == [2, 3]
    assert again(row).content == reflected()
    review = review_of(row)
    assert (review.state, review.reviewer, review.version) == ("amended", "admin", 1)
    assert review.steps.get().content == review.content
    assert review.content["expert"]["name"] == "Psychologist"


def test_statements_and_quotes_are_left_out(admin_client, row):
    amend(admin_client, row, _1_keep=None, _2_quotes=["1"])
    kept = statements(row)
    assert [one["was"] for one in kept] == [1, 3]
    assert [one["text"][:8] for one in kept[1]["quotes"]] == ["The smel"]


def test_a_quote_is_added_as_it_was_said(admin_client, row):
    amend(admin_client, row, _1_more="5 nobody asked us\n„We left when the mill closed“")
    quotes = statements(row)[1]["quotes"]
    assert quotes[1:] == [quote(5, NOBODY), quote(5, LEFT)]


def test_a_wrong_position_is_put_right(admin_client, row):
    amend(admin_client, row, _1_more="[3] Nobody asked us")
    assert statements(row)[1]["quotes"][-1] == quote(5, NOBODY)


def test_a_reviewer_writes_a_statement(admin_client, row):
    amend(admin_client, row, _3_text="Hope comes by smell.", _3_more="7 makes me hopeful")
    new = statements(row)[-1]
    assert (new["text"], new["was"], new["quotes"]) == (
        "Hope comes by smell.",
        None,
        [quote(7, "makes me hopeful")],
    )
    assert (
        "Written by the reviewer"
        in admin_client.get(
            reverse("admin:reflections_reflection_change", args=[row.pk])
        ).content.decode()
    )


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"_1_more": "5 we all wanted to go"}, "No answer contains “we all wanted to go”"),
        ({"_1_more": "Where did it begin?"}, "No answer contains “Where did it begin?”"),
        ({"_1_text": ""}, "Write the statement, or leave it out."),
        ({"_1_quotes": []}, "Keep a quote or add one"),
        ({"_3_text": "On my own authority."}, "Keep a quote or add one"),
        ({"_3_more": "7 makes me hopeful"}, "Write the statement, or leave it out."),
        ({"_1_offered": "no JSON"}, "can’t be read any more"),
        ({"_1_was": "many"}, "can’t be read any more"),
        ({"_1_offered": '[{"position": 5, "text": ""}]'}, "No answer contains “”"),
        ({"_0_keep": None, "_1_keep": None, "_2_keep": None}, "Keep at least one statement"),
    ],
)
def test_what_can_not_be_is_said_beside_it_and_nothing_is_lost(admin_client, row, changes, error):
    shown = amend(admin_client, row, status=200, _2_text="My long own words.", **changes)
    assert error in shown
    assert "My long own words." in shown
    assert all(value in shown for value in changes.values() if isinstance(value, str))
    assert not Review.objects.exists()


def test_a_quote_that_was_tampered_with_is_refused(admin_client, row):
    forged = f'[{{"position": 3, "text": "{LEFT}"}}]'
    assert "No answer contains" in amend(admin_client, row, status=200, _0_offered=forged)
    assert not Review.objects.exists()


def test_the_second_of_two_loses_nothing(admin_client, row):
    stale = fields(row) | {f"{PREFIX}-2-text": "The second’s own words."}
    amend(admin_client, row, _1_keep=None, _2_keep=None)
    address = reverse("admin:reflections_reflection_change", args=[row.pk])
    response = admin_client.post(
        address, {"do": "amended", "version": 0, "comment": "Mine.", **stale}
    )
    shown = html.unescape(response.content.decode())
    assert response.status_code == 409
    assert "admin has reviewed it in the meantime (amended)" in shown
    assert "The second’s own words." in shown
    assert "Mine." in shown
    assert len(statements(row)) == 1


def test_what_was_made_again_meanwhile_is_not_judged_unread(admin_client, row):
    read = made_when(row)
    row.finished_at = row.finished_at.replace(year=2031)
    row.save()
    with pytest.raises(Stale, match="regenerated"):
        judge(row, Opinion(State.ACCEPTED, made=read), "ann", 0)
    judge(row, Opinion(State.ACCEPTED, made=made_when(row)), "ann", 0)


def test_amended_twice_still_knows_the_first(admin_client, row):
    amend(
        admin_client, row, _0_keep=None, _3_text="Hope comes by smell.", _3_more="makes me hopeful"
    )
    review = review_of(row)
    address = reverse("admin:reflections_reflection_change", args=[row.pk])
    sent = fields(row, review) | {f"{PREFIX}-0-text": "Decided by others."}
    told = {"do": "amended", "version": 1, "comment": "", "made": made_when(row)}
    assert admin_client.post(address, told | sent).status_code == 302
    assert [(one["text"], one["was"]) for one in statements(row)] == [
        ("Decided by others.", 2),
        ("Loss is told without complaint.", 3),
        ("Hope comes by smell.", None),
    ]
    shown = admin_client.get(address).content.decode()
    assert "The move was decided over their head." in shown  # as it was made


def test_sections_keep_their_order(admin_client, row):
    one = {"text": "A statement.", "quotes": [quote(3, BEES)]}
    row.content["sections"] = [
        {"title": "Early", "statements": [one]},
        {"title": "Late", "statements": [one]},
    ]
    row.save()
    amend(admin_client, row, _2_text="Added.", _2_more=BEES, _2_section="Early")
    sections = review_of(row).content["sections"]
    assert [(one["title"], len(one["statements"])) for one in sections] == [
        ("Early", 2),
        ("Late", 1),
    ]


@given(st.integers(0, 10**9 - 1), st.text(st.characters(categories=["L"]), min_size=1, max_size=20))
def test_positions_are_read_however_they_are_written(position, words):
    for line in (f"{position} {words}", f"[{position}] {words}", f" {position}: {words} "):
        assert parse_quote_lines(line) == [(position, words, line.strip())]
    assert parse_quote_lines(words) == [(None, words, words)]


@given(st.text(max_size=200))
def test_no_line_that_was_typed_is_passed_over(lines):
    assert [line for _, _, line in parse_quote_lines(lines)] == [
        line.strip() for line in lines.splitlines() if line.strip()
    ]


@given(st.lists(st.sampled_from([BEES, LEFT, NOBODY]), max_size=4))
def test_what_is_sent_untouched_comes_back_as_it_was(quotes):
    offered = tuple(Quote(position=3 if one == BEES else 5, text=one) for one in quotes)
    written = [one.model_dump() for one in offered]
    statement = {"text": "A statement.", "quotes": written, "was": 1}
    told = CurrentStatements.model_validate(
        {"sections": [{"title": "", "statements": [statement]}]}
    )
    bound = statements_form(told, SAID, browser_sends(statements_form(told, SAID)))
    assert bound.is_valid(), bound.errors
    ((_, same),) = bound.statements()
    assert (same.text, same.quotes) == ("A statement.", tuple(dict.fromkeys(offered)))


@pytest.mark.parametrize("kept", [1, 0])
def test_what_was_made_again_with_less_in_it_loses_nothing_typed(admin_client, row, kept):
    sent = fields(row) | {f"{PREFIX}-2-text": "My long own words."}
    told = {"do": "amended", "version": 0, "comment": "Mine.", "made": made_when(row)}
    row.content["sections"][0]["statements"] = row.content["sections"][0]["statements"][:kept]
    row.finished_at = row.finished_at.replace(year=2031)
    row.save()
    address = reverse("admin:reflections_reflection_change", args=[row.pk])
    response = admin_client.post(address, told | sent)
    assert response.status_code == 409
    shown = html.unescape(response.content.decode())
    for words in ("It was regenerated", "My long own words.", "Mine."):
        assert words in shown
    assert not Review.objects.exists()


def test_what_is_being_made_again_is_still_read(admin_client, row):
    row.status = "pending"
    row.save()
    address = reverse("admin:reflections_reflection_change", args=[row.pk])
    shown = html.unescape(admin_client.get(address).content.decode())
    assert "The previous version is below." in shown
    assert "Care was learned" in shown
    assert "Amend instead" not in shown
    assert "It is in progress" in amend(admin_client, row, status=409, _0_text="Kept words.")
