from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt

from plans.documents.decoder import decode
from plans.documents.types import Parts, Unit

GOOD, MOST = 40, 120  # lines of a part


def text_parts(content: bytes) -> Parts:
    parts = Parts()
    _add_lines(parts, decode(content).split("\n"))
    return parts


def markdown_parts(content: bytes) -> Parts:
    text = decode(content)
    lines = text.split("\n")
    starts = [(0, ""), *_headings(text), (len(lines), "")]
    parts = Parts()
    for (start, title), (end, _) in pairwise(starts):
        _add_lines(parts, lines[start:end], title, start)
    return parts


def _headings(text: str) -> list[tuple[int, str]]:
    reader = MarkdownIt()
    reader.core.ruler.enableOnly(["normalize", "block"])  # blocks only: no links, no emphasis
    tokens = reader.parse(text)
    return [
        (token.map[0], tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _add_lines(parts: Parts, lines: list[str], title: str = "", before: int = 0) -> None:
    for start, end in _blocks(lines):
        written = [number for number in range(start, end) if lines[number].strip()]
        if written:
            start, end = written[0], written[-1] + 1
            text = "\n".join(lines[start:end])
            parts.add(Unit.LINES, text, title, first=before + start + 1, last=before + end)


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where to cut lines: (first, last) from zero, last excluded.

    A block of at least GOOD lines ends before an unindented line that follows an empty one;
    at the latest it ends after MOST lines.
    """
    start = 0
    for number in range(1, len(lines)):
        length = number - start
        fresh = not lines[number - 1].strip() and lines[number][:1].strip()
        if length >= MOST or (length >= GOOD and fresh):
            yield start, number
            start = number
    yield start, len(lines)
