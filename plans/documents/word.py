from collections.abc import Iterable, Set
from io import BytesIO
from typing import Any, cast

from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE as TYPE
from docx.oxml.parser import parse_xml, register_element_cls
from docx.oxml.text.paragraph import CT_P
from docx.oxml.xmlchemy import BaseOxmlElement

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
RUNS = ".//w:r[count(ancestor::w:r) = {depth} and not(ancestor::w:del or ancestor::w:moveFrom)]"
# Word writes a text box in two ways, of which readers take the first that they understand.
ONCE = """[not(
    ancestor::*[local-name() = 'Choice' or local-name() = 'Fallback']
    [preceding-sibling::*[.//w:txbxContent]]
)]"""
BOXED = f".//w:txbxContent//w:p{ONCE}"
IN_CELL = f".//w:p{ONCE}"
ASIDE = {  # parts beside the text, in the order in which they are read
    TYPE.HEADER: "Headers",
    TYPE.FOOTER: "Footers",
    TYPE.FOOTNOTES: "Footnotes",
    TYPE.ENDNOTES: "Endnotes",
}
ROWS = "./w:tr | ./w:sdt/w:sdtContent/w:tr"
CELLS = "./w:tc | ./w:sdt/w:sdtContent/w:tc"

for notes in ("w:footnotes", "w:endnotes"):  # unknown to the library
    register_element_cls(notes, BaseOxmlElement)


def word_parts(content: bytes) -> Parts:
    document = _open(rebuild(content))
    parts, title, lines, start = Parts(), "", list[str](), 1
    headings = _heading_styles(document)
    for number, (heading, line) in enumerate(_lines(document.element.body, headings), 1):
        if number > PARAGRAPHS:
            raise Unreadable(Reason.TOO_MANY)
        if heading:
            _add(parts, lines, title, start)
            title, lines, start = line, [], number
        lines.append(line)
    _add(parts, lines, title, start)
    for kind, called in ASIDE.items():
        _add(parts, _lines_aside(document, kind), called, 1)
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


def _lines_aside(document: WordDocument, kind: str) -> list[str]:
    """Return the different lines of all parts of that kind: each section has headers of its own."""
    related = (rel for rel in document.part.rels.values() if rel.reltype == kind)
    roots = (parse_xml(rel.target_part.blob) for rel in related if not rel.is_external)
    lines = (line for root in roots for _, line in _lines(root))
    return list(dict.fromkeys(filter(None, lines)))


def _lines(root: Any, headings: Set[str] = frozenset()) -> Iterable[tuple[bool, str]]:
    for block in root.xpath(BLOCKS):
        if isinstance(block, CT_P):
            yield block.style in headings, tidy(_text(block))
            boxed = (tidy(_text(paragraph)) for paragraph in block.xpath(BOXED))
            yield from ((False, line) for line in boxed if line)
        else:
            yield from ((False, _row_line(row)) for row in block.xpath(ROWS))


def _heading_styles(document: WordDocument) -> set[str]:
    """Return their ids at once: asking each paragraph for its style searches all styles."""
    styles = document.styles
    return {s.style_id for s in styles if (s.name or "").lower().startswith(HEADINGS)}


def _text(paragraph: Any) -> str:
    return "".join(run.text for run in _runs(paragraph))


def _runs(paragraph: Any) -> Iterable[Any]:
    """Return its own runs, not those of text boxes in it."""
    depth = int(paragraph.xpath("count(ancestor::w:r)"))
    return cast(Iterable[Any], paragraph.xpath(RUNS.format(depth=depth)))


def _row_line(row: Any) -> str:
    """Read merged cells once: the library's `cells` repeats each as often as it claims to span."""
    cells = ("\n".join(map(_text, cell.xpath(IN_CELL))) for cell in row.xpath(CELLS))
    return " | ".join(" ".join(tidy(text).split()) for text in cells)
