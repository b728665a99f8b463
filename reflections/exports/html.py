from html import escape
from pathlib import Path
from string import Template

from markdown_it.token import Token

from plans.text.markdown import parser

PAGE = Path(__file__).parent / "page.html"
FACT = "#fact-"
FONT = "font: 9pt sans-serif; color: #666;"
DIRECTED = {"paragraph_open", "heading_open", "list_item_open", "td_open", "th_open"}


def fragment(markdown: str, under: int = 0) -> str:
    """Return the Markdown as HTML, with raw HTML as text and the direction per element.

    `under` is added to the level of headings.
    """
    tokens = parser().parse(markdown)
    for index, token in enumerate(tokens):
        if token.type in DIRECTED:
            token.attrSet("dir", "auto")
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1:]) + under}"
        if token.type == "list_item_open":
            _set_fact_id(token, tokens[index + 1 : index + 3])
    return str(parser().renderer.render(tokens, parser().options, {}))


def page(markdown: str, title: str, language: str, foot: str = "") -> str:
    """Return one HTML file that needs no other, printed with `foot` or the title on each page."""
    template = Template(PAGE.read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(title),
        language=escape(language),
        foot=_print_foot(foot or title),
        body=fragment(markdown),
    )


def _print_foot(text: str) -> str:
    """Return CSS that prints the text at the foot of each page."""
    safe = "".join(one if one.isalnum() or one == " " else f"\\{ord(one):x} " for one in text)
    return f'@page {{ @bottom-left {{ content: "{safe}"; {FONT} }} }}'


def _set_fact_id(item: Token, following: list[Token]) -> None:
    # An item that begins with a link to a fact is that fact.
    first = next(iter(following[-1].children or ()), None) if len(following) == 2 else None
    target = str(first.attrGet("href") or "") if first and first.type == "link_open" else ""
    if target.startswith(FACT):
        item.attrSet("id", target.removeprefix("#"))
