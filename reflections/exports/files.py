"""Products as files: JSON always, and the formats that each product has besides."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from reflections.evidence.statements import statements_of
from reflections.exports.html import page
from reflections.exports.statements_markdown import statements_markdown
from reflections.models import Reflection, Review
from reflections.products import Content, FileFormat, known_product
from reflections.reviews import review_of

MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class ProductFile:
    """A file that is ready to be sent."""

    name: str
    media_type: str
    content: bytes


def formats_of(reflection: Reflection) -> Mapping[str, FileFormat]:
    """What a product can be downloaded as, by short names; JSON always."""
    if statements_of(reflection, reflection.content):
        return {**STATEMENT_FORMATS, "json": JSON}
    product = known_product(reflection.name)
    return {**(product.files if product else {}), "json": JSON}


def file_of(reflection: Reflection, name: str) -> ProductFile | None:
    """The product as it stands, amendments included; None where there is no such file."""
    chosen = formats_of(reflection).get(name)
    if chosen is None or not (reflection.content or chosen is JSON):
        return None
    product = reflection.name.replace(":", "-")
    filename = f"{product}-{str(reflection.session_id)[:8]}.{chosen.suffix}"
    return ProductFile(filename, chosen.media_type, chosen.write(reflection, review_of(reflection)))


def content_of(reflection: Reflection, review: Review) -> Content:
    """The content as it stands."""
    content: Content = review.content or reflection.content
    return content


def encoded(text: str) -> bytes:
    """The bytes of a text, whatever characters a model wrote."""
    return text.encode("utf-8", "backslashreplace")


def _json(reflection: Reflection, review: Review) -> bytes:
    """All of it with its review, the original beside what was amended."""
    told = {
        "session": str(reflection.session_id),
        "product": reflection.name,
        "made_at": reflection.finished_at and reflection.finished_at.isoformat(),
        "advice": "Advice to a human reviewer.",
        "review": {
            "state": review.state,
            "reviewer": review.reviewer,
            "at": review.reviewed_at and review.reviewed_at.isoformat(),
            "comment": review.comment,
            "amended": review.content or None,
        },
        "content": reflection.content,
    }
    return encoded(json.dumps(told, ensure_ascii=False, indent=2))


def _markdown(reflection: Reflection, review: Review) -> bytes:
    return encoded(_statements(reflection, review))


def _html(reflection: Reflection, review: Review) -> bytes:
    language = reflection.session.language
    return encoded(page(_statements(reflection, review), reflection.title, language))


def _statements(reflection: Reflection, review: Review) -> str:
    """A product of statements as Markdown. Raises ValueError for another one."""
    found = statements_of(reflection, content_of(reflection, review))
    if found is None:
        raise ValueError(f"{reflection.name} has no statements")
    return statements_markdown(found, reflection.title, str(review.get_state_display()))


JSON = FileFormat("JSON", "json", "application/json", _json)
STATEMENT_FORMATS = {
    "markdown": FileFormat("Markdown", "md", MARKDOWN, _markdown),
    "html": FileFormat("HTML", "html", HTML, _html),
}
