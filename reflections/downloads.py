"""Products as files: those that every product has as JSON, and what else some can be had as."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interviews.protocols.knowledge_transfer.after.files import (
    package_files,
    package_page,
    zipped,
)
from interviews.protocols.knowledge_transfer.after.lines import json_lines
from interviews.protocols.knowledge_transfer.after.pages import page
from interviews.protocols.knowledge_transfer.after.types import Package, Summary
from interviews.protocols.knowledge_transfer.after.writing import (
    package_markdown,
    summary_markdown,
)
from reflections import transfers
from reflections.models import Reflection, Review
from reflections.reviews import review_of
from reflections.told import told_of
from reflections.told_writing import told_markdown

Content = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """A kind of file, and how a product's content becomes one."""

    label: str
    suffix: str
    media_type: str
    make: Callable[[Reflection, Review], bytes]


@dataclass(frozen=True)
class File:
    """A file that is ready to be sent."""

    name: str
    media_type: str
    content: bytes


def forms_of(reflection: Reflection) -> Mapping[str, Form]:
    """What a product can be had as, by short names; JSON always."""
    told = told_of(reflection, reflection.content)
    return {**(TOLD_FORMS if told else FORMS.get(reflection.name, {})), "json": JSON}


def file_of(reflection: Reflection, form: str) -> File | None:
    """The product as it stands, amendments included; None where there is no such file."""
    chosen = forms_of(reflection).get(form)
    if chosen is None or not (reflection.content or chosen is JSON):
        return None
    product = reflection.name.replace(":", "-")
    name = f"{product}-{str(reflection.session_id)[:8]}.{chosen.suffix}"
    return File(name, chosen.media_type, chosen.make(reflection, review_of(reflection)))


def content_of(reflection: Reflection, review: Review) -> Content:
    """The content as it stands."""
    content: Content = review.content or reflection.content
    return content


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
    return _encoded(json.dumps(told, ensure_ascii=False, indent=2))


def _summary_markdown(reflection: Reflection, review: Review) -> bytes:
    summary = Summary.model_validate(content_of(reflection, review))
    project = transfers.held_of(reflection.session).project
    return _encoded(summary_markdown(summary, project))


def _package(reflection: Reflection, review: Review) -> Package:
    return Package.model_validate(content_of(reflection, review))


def _package_zip(reflection: Reflection, review: Review) -> bytes:
    return zipped(package_files(_package(reflection, review), review.state))


def _package_html(reflection: Reflection, review: Review) -> bytes:
    return _encoded(package_page(_package(reflection, review)))


def _package_markdown(reflection: Reflection, review: Review) -> bytes:
    return _encoded(package_markdown(_package(reflection, review)))


def _told_markdown(reflection: Reflection, review: Review) -> bytes:
    return _encoded(_told(reflection, review))


def _told_html(reflection: Reflection, review: Review) -> bytes:
    language = reflection.session.language
    return _encoded(page(_told(reflection, review), reflection.title, language))


def _told(reflection: Reflection, review: Review) -> str:
    """A product of statements as Markdown. Raises ValueError for another one."""
    told = told_of(reflection, content_of(reflection, review))
    if told is None:
        raise ValueError(f"{reflection.name} has no statements")
    return told_markdown(told, reflection.title, str(review.get_state_display()))


def _context_lines(reflection: Reflection, review: Review) -> bytes:
    return json_lines(content_of(reflection, review)["rows"])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


JSON = Form("JSON", "json", "application/json", _json)
MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"
TOLD_FORMS = {
    "markdown": Form("Markdown", "md", MARKDOWN, _told_markdown),
    "html": Form("HTML", "html", HTML, _told_html),
}
FORMS: dict[str, dict[str, Form]] = {
    transfers.SUMMARY: {"markdown": Form("Markdown", "md", MARKDOWN, _summary_markdown)},
    transfers.PACKAGE: {
        "zip": Form("All in one ZIP", "zip", "application/zip", _package_zip),
        "html": Form("HTML", "html", HTML, _package_html),
        "markdown": Form("Markdown", "md", MARKDOWN, _package_markdown),
    },
    transfers.CONTEXT: {
        "jsonl": Form("JSON lines", "jsonl", "application/x-ndjson", _context_lines)
    },
}
