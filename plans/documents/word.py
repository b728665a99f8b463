"""Word documents: what stands under each heading, tables row by row, and comments."""

from collections.abc import Iterable
from io import BytesIO

from docx import Document
from docx.document import Document as WordDocument
from docx.table import Table
from docx.text.paragraph import Paragraph

from plans.documents.containers import remade
from plans.documents.limits import CELLS, PARAGRAPHS
from plans.documents.parts import Parts
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Unit
from plans.text import tidy

HEADINGS = ("heading", "title")


def word_parts(content: bytes) -> Parts:
    """A part for each heading, and one for the comments."""
    document = _opened(remade(content))
    parts, title, lines, start = Parts(), "", [""], 1
    for number, block in enumerate(document.iter_inner_content(), 1):
        if number > PARAGRAPHS:
            raise Unreadable(Reason.TOO_MANY)
        if isinstance(block, Paragraph) and _is_heading(block):
            parts.add(
                Unit.SECTION, "\n".join(lines), title, first=start, last=max(start, number - 1)
            )
            title, lines, start = tidy(block.text), [], number
        lines += _lines(block)
    parts.add(Unit.SECTION, "\n".join(lines), title, first=start, last=start + len(lines))
    _add_comments(parts, document)
    return parts


def _opened(container: BytesIO) -> WordDocument:
    try:
        return Document(container)
    except (KeyError, ValueError) as error:  # no main part, or one of another kind
        raise Unreadable(Reason.BROKEN) from error


def _is_heading(paragraph: Paragraph) -> bool:
    style = paragraph.style
    return bool(style and (style.name or "").lower().startswith(HEADINGS))


def _lines(block: Paragraph | Table) -> Iterable[str]:
    if isinstance(block, Paragraph):
        return [tidy(block.text)]
    return _table_lines(block)


def _table_lines(table: Table) -> Iterable[str]:
    count = 0
    for row in table.rows:
        cells = []
        for cell in row.cells:
            count += 1
            if count > CELLS:
                raise Unreadable(Reason.TOO_MANY)
            cells.append(" ".join(tidy(cell.text).split()))
        yield " | ".join(cells)


def _add_comments(parts: Parts, document: WordDocument) -> None:
    lines = [f"{comment.author}: {tidy(comment.text)}" for comment in document.comments]
    parts.add(Unit.SECTION, "\n".join(lines), "Comments", last=max(1, len(lines)))
