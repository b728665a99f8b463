"""Products as files: always JSON, and the formats that each product adds."""

import json
from collections.abc import Mapping

from interviews.exports.formats.cells import encode_text
from interviews.models import Session
from reflections.evidence.statements import statements_of
from reflections.exports.html import page
from reflections.exports.statements_markdown import statements_markdown
from reflections.models import Reflection, Review
from reflections.products import Content, FileFormat, known_product
from reflections.reviews import review_of

MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"


def formats_of(reflection: Reflection) -> Mapping[str, FileFormat]:
    if statements_of(reflection, reflection.content):
        return {**STATEMENT_FORMATS, "json": JSON}
    product = known_product(reflection.name)
    return {**(product.files if product else {}), "json": JSON}


def file_of(reflection: Reflection, name: str) -> tuple[str, str, bytes] | None:
    """Return the product with its amendments as a file: its name, media type and content.

    Return None without such a format.
    """
    chosen = formats_of(reflection).get(name)
    if chosen is None or not (reflection.content or chosen is JSON):
        return None
    product = reflection.name.replace(":", "-")
    filename = f"{product}-{str(reflection.session_id)[:8]}.{chosen.suffix}"
    return filename, chosen.media_type, chosen.write(reflection, review_of(reflection))


def content_of(reflection: Reflection, review: Review) -> Content:
    content: Content = review.content or reflection.content
    return content


def foot_of(session: Session) -> str:
    return f"{session.title}, plan version {session.plan.number}"


def _json(reflection: Reflection, review: Review) -> bytes:
    data = {
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
    return encode_text(json.dumps(data, ensure_ascii=False, indent=2))


def _markdown(reflection: Reflection, review: Review) -> bytes:
    return encode_text(_statements_text(reflection, review))


def _html(reflection: Reflection, review: Review) -> bytes:
    text, session = _statements_text(reflection, review), reflection.session
    return encode_text(page(text, reflection.title, session.language, foot_of(session)))


def _statements_text(reflection: Reflection, review: Review) -> str:
    statements = statements_of(reflection, content_of(reflection, review))
    if statements is None:
        raise ValueError(f"{reflection.name} has no statements")
    return statements_markdown(statements, reflection.title, str(review.get_state_display()))


JSON = FileFormat("JSON", "json", "application/json", _json)
STATEMENT_FORMATS = {
    "markdown": FileFormat("Markdown", "md", MARKDOWN, _markdown),
    "html": FileFormat("HTML", "html", HTML, _html),
}
