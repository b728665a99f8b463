"""Whatever people say, none of it becomes markup: in Markdown, in HTML, in tables."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from plans.text.markdown import as_words
from reflections.exports.html import fragment, page
from tests.each import each

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[press here](javascript:alert(1))",
    "![](https://example.org/seen.png)",
    "# heading",
    "1. first",
    "- item",
    "> quote",
    "| a | b |",
    "\\| a \\\\| b",
    "~~gone~~ **bold** _it_ `code`",
    "&lt;b&gt; &amp;",
    "C #",
    "***",
    "= = =",
    "<https://example.org>",
    "[1](#fact-1)",
    "    indented",
    "line\n\n# next\n---\n```\nx",
    "\\",
    "$x$",
)
PLACES = {  # Markdown -> what is seen of it
    "{}": "{}",
    "- {}": "{}",
    "1. {}": "{}",
    "## {}": "{}",
    "> {}": "{}",
    "a {} b": "a {} b",
    "1. **{}** (x)\\\n   {}": "{} (x)<br /> {}",
}
texts = st.text(
    alphabet=st.one_of(st.sampled_from("\\`*_{}[]<>()#+-.!|~&=:@$ \n\t1a/'\""), st.characters())
)


def seen(rendered: str) -> str:
    """The text that a reader of this HTML sees; what is no plain container stays visible."""
    shell = re.compile(r"</?(?:p|li|ul|ol|h2|blockquote|strong)(?: dir=\"auto\")?>")
    return " ".join(html.unescape(shell.sub(" ", rendered)).split())


def plain(text: str) -> str:
    """The words without their escapes."""
    escaped = re.compile(r"\\([!-/:-@\[-`{-~])|&lt;")
    return escaped.sub(lambda found: found[1] or "<", as_words(text))


@pytest.mark.parametrize(("place", "visible"), PLACES.items())
@given(text=texts)
@example(text="1) 2. - # x")
def test_any_text_stays_text(place, visible, text):
    if plain(text):
        rendered = seen(READER.render(place.replace("{}", as_words(text))))
        assert rendered == visible.replace("{}", plain(text))


@given(text=texts)
@example(text="&lt;")
def test_a_tables_cell_is_one_cell(text):
    rendered = READER.render(f"| a | b |\n| --- | --- |\n| {as_words(text)} | end |")
    cells = re.findall(r"<td>(.*?)</td>", rendered, re.S)
    assert [html.unescape(cell) for cell in cells] == [plain(text), "end"]


@each("text", HOSTILE)
def test_hostile_words_are_read_as_they_were_said(text):
    rendered = fragment(f"## {as_words(text)}\n\n- {as_words(text)}\n\n{as_words(text)}\n")
    assert not re.search(r"<(?!/?(?:h2|ul|li|p)\b)", rendered)
    assert rendered.count(html.escape(" ".join(text.split()), quote=True)) == 3


def test_words_keep_their_letters():
    assert plain("  two\r\n lines\u2028 \u202eturned ") == "two lines turned"
    assert as_words("price = 48 € × 0.985") == "price = 48 € × 0.985"
    assert (
        as_words("order_process.md has _no_ __name__")
        == "order_process.md has \\_no\\_ \\_\\_name\\_\\_"
    )
    assert as_words("see https://example.org and www.example.org") == (
        "see https\\://example.org and www\\.example.org"
    )


def test_a_page_needs_no_other_place_and_runs_nothing():
    told = page(f"# {as_words(HOSTILE[0])}\n", "</title><script>", 'en"><script>')
    assert "<script" not in told
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?(?!#)\w", told)
    assert "default-src 'none'" in told


def test_a_fact_is_where_links_to_it_lead():
    told = fragment("So it is ([2](#fact-2)).\n\n- [2](#fact-2) The fact.\n- Another.\n")
    assert told.count('id="fact-2"') == 1
    assert '<li dir="auto" id="fact-2"><a href="#fact-2">2</a> The fact.</li>' in told


def test_words_from_right_to_left_go_their_way():
    assert '<li dir="auto">שלום</li>' in fragment("- שלום\n")
    assert '<h2 dir="auto">' in fragment("## مرحبا\n")
