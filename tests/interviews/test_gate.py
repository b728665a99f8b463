"""The one gate: whatever text comes, it is stored clean or refused."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.validation import RequestRefused, answer, message_id, name
from plans.text import normalised
from tests.each import each

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


@given(ANYTHING)
def test_what_comes_out_can_be_stored(text):
    clean = normalised(text)
    clean.encode("utf-8")
    assert not any(unicodedata.category(c) == "Cc" and c not in "\n\t" for c in clean)
    assert normalised(clean) == clean


@given(ANYTHING)
def test_an_answer_is_text_or_refused(text):
    try:
        assert answer(text).strip()
    except RequestRefused as refused:
        assert refused.code == "empty"


BLANKS = (
    "\u200b\u2800\u3164\u00ad\ufe0f\u115f\u1160\u17b4\u2060\u2062\u2064\U000e0041\ufeff\u200d \n\0"
)


@given(st.text(BLANKS, max_size=20))
def test_what_nobody_can_see_is_no_answer_and_no_name(text):
    with pytest.raises(RequestRefused) as refused:
        answer(text)
    assert refused.value.code == "empty"
    assert name(text) == ""


@each("text", ["❤\ufe0f", "1\ufe0f\u20e3", "👩‍👩‍👧", ".", "\u200bno", "می\u200cخواهم"])
def test_what_can_be_seen_is_an_answer(text):
    assert answer(text) == unicodedata.normalize("NFC", text)


@each("text", ["👩‍👩‍👧", "שלום", "a\u200db", "z̶a̶l̶g̶o̶", "line\nbreak\ttab"])
def test_what_people_write_stays(text):
    assert answer(text) == unicodedata.normalize("NFC", text)


def test_the_limit_is_exact():
    assert len(answer("x" * 16_000)) == 16_000
    with pytest.raises(RequestRefused) as refused:
        answer("x" * 16_001)
    assert refused.value.status == 413


def test_names_are_one_line_and_short():
    assert name(" Ann\n\u0000 Lee ") == "Ann Lee"
    assert len(name("x" * 1000)) == 200


@each("given_id", ["", " ", "x" * 65])
def test_message_ids(given_id):
    with pytest.raises(RequestRefused):
        message_id(given_id)
