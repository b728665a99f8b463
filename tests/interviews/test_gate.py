"""The one gate: whatever text comes, it is stored clean or refused."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.validation import RequestRefused, answer, message_id, name, normalised
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
