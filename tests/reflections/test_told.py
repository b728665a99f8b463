"""Products of statements: read as documents, with their quotes marked in the transcript."""

import html
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from reflections.admin.statements import QuoteSpan, pieces, span_of
from reflections.evidence.statements import amended_content, original_of, statements_of
from tests.pages import markup
from tests.queries import counted
from tests.reflections.held import wished
from tests.reflections.telling import (
    ACROSS,
    BEES,
    LEFT,
    quote,
    reflected,
    told_product,
    told_session,
)

TEXT = st.text(alphabet="ab c.\n", max_size=30)


@pytest.fixture
def row(db):
    return told_product()


def address(row, suffix="change") -> str:
    return reverse(f"admin:reflections_reflection_{suffix}", args=[row.pk])


def shown(client, row, **query) -> str:
    response = client.get(address(row), query)
    assert response.status_code == 200
    return markup(response)


def marked(text_, id: str) -> str:
    """The words of the transcript that are marked as that quote."""
    marks = re.findall(r'<mark\s+data-quotes="([^"]*)"\s*>(.*?)</mark\s*>', text_, re.S)
    parts = [words for ids, words in marks if id in ids.split()]
    return html.unescape(re.sub(r"<[^>]*>", "", "".join(parts)))


# -- marking


@st.composite
def spans(draw, text):
    places = st.integers(0, len(text))
    ends = draw(st.lists(st.tuples(places, places), max_size=6))
    return [
        QuoteSpan(f"q{n}", min(two), max(two)) for n, two in enumerate(ends) if two[0] != two[1]
    ]


@given(st.data(), TEXT)
def test_pieces_are_the_text_again_and_each_quote_its_words(data, text):
    known = data.draw(spans(text))
    cut = pieces(text, known)
    assert "".join(one.text for one in cut) == text
    for span in known:
        own = [one for one in cut if span.id in one.quotes]
        assert "".join(one.text for one in own) == text[span.start : span.end]
        assert [span.id in one.begin for one in own] == [True] + [False] * (len(own) - 1)


@given(TEXT, TEXT)
def test_a_quote_is_found_as_it_stands_or_not_at_all(words, text):
    span = span_of("q", words, text)
    assert (span is not None) == bool(words and words in text)
    assert span is None or text[span.start : span.end] == words


# -- what is such a product


@pytest.mark.parametrize(
    ("name", "content", "is_told"),
    [
        ("expert:psychologist", reflected(), True),
        ("facts", reflected(expert=None), True),
        ("summary", {"items": [], "made_by": "rules"}, True),
        ("summary", {}, False),
        ("transfer_summary", reflected(), False),
        ("coverage", {"topics": [], "made_by": "rules"}, False),
    ],
)
def test_which_products_are_made_of_statements(db, name, content, is_told):
    row = wished(told_session(), name)
    row.content = content
    assert (statements_of(row, content) is not None) == is_told


def test_an_amended_statement_knows_what_it_was(row):
    made = statements_of(row, row.content)
    first, _, third = made.statements
    said = first.model_copy(update={"text": "In other words."})
    content = amended_content(row.content, [("", said), ("", third)])
    now = statements_of(row, content)
    assert [one.was for one in now.statements] == [1, 3]
    assert original_of(now.statements[0], made) == first
    assert original_of(now.statements[1], made) is None
    assert content["expert"] == row.content["expert"]


# -- the page


def test_the_text_is_a_document(admin_client, row):
    text_ = shown(admin_client, row)
    assert "Reflection: Psychologist on Cassiopeia" in text_
    assert "What somebody leans on." in text_
    assert "Written by a model" in text_
    assert "Check it before others rely on it" in text_
    assert text_.index("Care was learned") < text_.index("The move was decided")
    assert 'id="s3"' in text_


def test_quotes_lead_to_their_very_words(admin_client, row):
    text_ = shown(admin_client, row)
    for id, words in (("q1-1", BEES), ("q2-1", ACROSS), ("q3-1", LEFT)):
        assert f'href="#{id}"' in text_
        assert text_.count(f'id="{id}"') == 1
        assert marked(text_, id) == words
    entry = text_[text_.index('id="e5"') : text_.index('id="e6"')]
    assert 'href="#s2"' in entry
    assert 'href="#s3"' in entry


def test_words_that_are_not_there_lead_to_their_answer(admin_client, row):
    row.content["sections"][0]["statements"][0]["quotes"] = [quote(3, "Never said")]
    row.content["sections"][0]["statements"][1]["quotes"] = [quote(99, "Nowhere said")]
    row.save()
    text_ = shown(admin_client, row)
    assert 'href="#e3"' in text_
    assert "Nowhere said" in text_
    assert 'href="#e99"' not in text_


def test_without_the_right_to_transcripts_quotes_lead_nowhere(client, row):
    user = User.objects.create_user("somebody", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_reflection"))
    client.force_login(user)
    text_ = shown(client, row)
    assert BEES in text_
    assert "#q1-1" not in text_
    assert "I carried the smoker" not in text_
    assert "Cassiopeia" not in text_


def test_words_are_escaped(admin_client):
    bad = "<script>alert(1)</script><b>"
    session = told_session((f"I said {bad} and meant it.",))
    statement = {"text": bad, "quotes": [quote(3, bad)]}
    row = told_product(session, sections=[{"title": bad, "statements": [statement]}])
    text_ = shown(admin_client, row)
    assert bad not in text_
    assert marked(text_, "q1-1") == bad


def test_findings_condensed_and_a_stand_in_are_told(admin_client, row):
    row.content |= {
        "made_by": "fallback_model",
        "reason": "overloaded",
        "condensed": 2,
        "findings": [{"check": "quote", "weight": "notable", "text": "One quote was nobody's."}],
    }
    row.save()
    text_ = shown(admin_client, row)
    for words in (
        "Written by the stand-in model",
        "(overloaded)",
        "2 sections of it were condensed",
    ):
        assert words in text_
    assert "One quote was nobody&#x27;s." in text_


def test_sections_go_on_counting(admin_client, row):
    one = {"text": "A statement.", "quotes": []}
    row.content["sections"] = [
        {"title": "Early", "statements": [one, one]},
        {"title": "Late", "statements": [one]},
    ]
    row.save()
    text_ = shown(admin_client, row)
    assert text_.index("Early") < text_.index('id="s2"') < text_.index("Late")
    assert text_.index("Late") < text_.index('id="s3"')


def test_plain_answers_are_shown_where_nothing_was_written(admin_client, row):
    items = [{"question": "a", "asked": "Where?", "answers": [{"text": "Here.", "position": 3}]}]
    row.name, row.content = "summary", {"items": items, "made_by": "rules"}
    row.save()
    text_ = shown(admin_client, row)
    assert "Here." in text_
    assert 'href="#e3"' in text_
    assert "Amend instead" not in text_


def test_another_product_is_shown_by_its_own_template_or_in_outline(admin_client, row):
    row.name, row.content = "something_else", {"figures": {"answers": 41}}
    row.save()
    assert "41" in shown(admin_client, row)


def test_a_long_product_takes_no_more_queries(admin_client):
    few, many = told_product(), told_product(told_session(("We sat by the river.",) * 60))
    many.content["sections"][0]["statements"] *= 20
    many.save()
    queries = []
    for row in (few, many):
        shown(admin_client, row)  # the first reading is put on record
        with counted() as seen:
            shown(admin_client, row)
        queries.append(len(seen))
    assert queries[1] == queries[0]


# -- files


def test_files_hold_statements_and_quotes(admin_client, row):
    markdown = admin_client.get(address(row, "download"), {"as": "markdown"})
    assert "expert-psychologist-" in markdown["Content-Disposition"]
    text = markdown.content.decode()
    for words in ("# Reflection: Psychologist", "1. Care was learned", f"> {BEES} (answer 3)"):
        assert words in text
    text_ = admin_client.get(address(row, "download"), {"as": "html"}).content.decode()
    assert "<ol" in text_
    assert BEES in text_
    assert admin_client.get(address(row, "download"), {"as": "zip"}).status_code == 404


def test_study_and_plan_version_are_printed_on_each_page(admin_client, row):
    foot = r'@bottom-left { content: "A \22 test\22 \2c  plan version 1"'
    row.session.title = 'A "test"'
    row.session.save()
    assert foot in admin_client.get(address(row, "download"), {"as": "html"}).content.decode()


def test_hostile_words_stay_words_in_files(admin_client, row):
    bad = "<script>alert(1)</script> [x](javascript:alert(2))"
    row.content["sections"][0]["statements"][0]["text"] = bad
    row.save()
    text_ = admin_client.get(address(row, "download"), {"as": "html"}).content.decode()
    assert "<script>" not in text_
    assert 'href="javascript' not in text_
