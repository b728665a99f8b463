"""Texts as they are stored: what was apart on the screen stays apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from plans.documents.decoder import decode
from plans.portability.decoder import text_of
from plans.portability.reader import read_backlog
from plans.text import normalised, strip_blank, tidy, tidy_lines
from tests.each import each

LINE_BREAKS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
SEPARATORS = [*LINE_BREAKS, *" \t\0\x07\x1b\x1c\x7f\x92\ud800\udfff\ufffe\uffff\u00a0\u3000"]
WORDS = st.lists(st.text("aбעé", min_size=1, max_size=4), min_size=1, max_size=6)
APART = st.lists(st.sampled_from(SEPARATORS), min_size=6, max_size=6)


@each("one", LINE_BREAKS)
def test_a_line_break_stays_one(one):
    text = f"loud{one}and heavy"
    assert normalised(text) == tidy(text) == tidy_lines(text) == "loud\nand heavy"
    assert decode(text.encode()) == "loud\nand heavy"


@given(WORDS, APART)
def test_words_apart_stay_apart(words, between):
    text = "".join(word + gap for word, gap in zip(words, between, strict=False))
    for clean in (normalised(text), tidy(text), tidy_lines(text)):
        assert re.findall(r"[^\s\ufffd]+", clean) == words


@given(st.text(st.characters(exclude_categories=())))
def test_a_tidy_text_is_tidy(text):
    clean = tidy(text)
    clean.encode()
    assert tidy(clean) == normalised(clean) == clean
    assert bool(clean) == bool(strip_blank(clean))


@each("one", [one for one in LINE_BREAKS if one not in "\r\n"])
def test_an_imported_line_break_stays_one(one):
    """Word and PowerPoint write them into cells."""
    content = f"question,why\nWho?,loud{one}and heavy\n"
    assert text_of(content.encode()) == content
    assert read_backlog(content.encode(), "csv").questions[0].why == "loud and heavy"
    escaped = f"\\u{ord(one):04x}"
    in_json = f'{{"questions": [{{"question": "Who?", "why": "loud{escaped}and heavy"}}]}}'
    assert read_backlog(in_json, "json").questions[0].why == "loud and heavy"
