from collections.abc import Iterable
from io import BytesIO
from typing import Any

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.text.paragraph import CT_P

from plans.documents.containers import rebuild
from plans.documents.limits import PARAGRAPHS
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Parts, Unit
from plans.text import tidy

HEADINGS = ("heading", "title")
# With what the library passes over: changes that are tracked, and content controls.
BLOCKS = (
    ".//w:p[not(ancestor::w:p or ancestor::w:tbl)]"
    " | .//w:tbl[not(ancestor::w:p or ancestor::w:tbl)]"
)
RUNS = ".//w:r[not(ancestor::w:r or ancestor::w:del or ancestor::w:moveFrom)]"
ROWS = "./w:tr | ./w:sdt/w:sdtContent/w:tr"
CELLS = "./w:tc | ./w:sdt/w:sdtContent/w:tc"


def word_parts(content: bytes) -> Parts:
    document = _open(rebuild(content))
    parts, title, lines, start = Parts(), "", list[str](), 1
    for number, (heading, line) in enumerate(_lines(document), 1):
        if number > PARAGRAPHS:
            raise Unreadable(Reason.TOO_MANY)
        if heading:
            _add(parts, lines, title, start)
            title, lines, start = line, [], number
        lines.append(line)
    _add(parts, lines, title, start)
    comments = [f"{comment.author}: {tidy(comment.text)}" for comment in document.comments]
    _add(parts, comments, "Comments", 1)
    return parts


def _add(parts: Parts, lines: list[str], title: str, start: int) -> None:
    last = start + max(len(lines), 1) - 1
    parts.add(Unit.SECTION, "\n".join(lines), title, first=start, last=last)


def _open(container: BytesIO) -> WordDocument:
    try:
        return Document(container)
    except (KeyError, ValueError) as error:  # no main part, or one of another kind
        raise Unreadable(Reason.BROKEN) from error


def _lines(document: WordDocument) -> Iterable[tuple[bool, str]]:
    headings = _heading_styles(document)
    for block in document.element.body.xpath(BLOCKS):
        if isinstance(block, CT_P):
            yield block.style in headings, tidy(_text(block))
        else:
            yield from ((False, _row_line(row)) for row in block.xpath(ROWS))


def _heading_styles(document: WordDocument) -> set[str]:
    """Return their ids at once: asking each paragraph for its style searches all styles."""
    styles = document.styles
    return {s.style_id for s in styles if (s.name or "").lower().startswith(HEADINGS)}


def _text(paragraph: Any) -> str:
    return "".join(run.text for run in paragraph.xpath(RUNS))


def _row_line(row: Any) -> str:
    """Read merged cells once: the library's `cells` repeats each as often as it claims to span."""
    cells = ("\n".join(map(_text, cell.xpath(".//w:p"))) for cell in row.xpath(CELLS))
    return " | ".join(" ".join(tidy(text).split()) for text in cells)
