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
from interviews.protocols.knowledge_transfer.after.types import Package, Summary
from interviews.protocols.knowledge_transfer.after.writing import (
    package_markdown,
    summary_markdown,
)
from reflections import transfers
from reflections.models import Reflection, Review
from reflections.reviews import review_of

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


def forms_of(name: str) -> Mapping[str, Form]:
    """What a product of that name can be had as, by short names; JSON always."""
    return {**FORMS.get(name, {}), "json": JSON}


def file_of(reflection: Reflection, form: str) -> File | None:
    """The product as it stands, amendments included; None where there is no such file."""
    chosen = forms_of(reflection.name).get(form)
    if chosen is None or not (reflection.content or chosen is JSON):
        return None
    name = f"{reflection.name}-{str(reflection.session_id)[:8]}.{chosen.suffix}"
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


def _context_lines(reflection: Reflection, review: Review) -> bytes:
    return json_lines(content_of(reflection, review)["rows"])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


JSON = Form("JSON", "json", "application/json", _json)
MARKDOWN = "text/markdown; charset=utf-8"
FORMS: dict[str, dict[str, Form]] = {
    transfers.SUMMARY: {"markdown": Form("Markdown", "md", MARKDOWN, _summary_markdown)},
    transfers.PACKAGE: {
        "zip": Form("All in one ZIP", "zip", "application/zip", _package_zip),
        "html": Form("HTML", "html", "text/html; charset=utf-8", _package_html),
        "markdown": Form("Markdown", "md", MARKDOWN, _package_markdown),
    },
    transfers.CONTEXT: {
        "jsonl": Form("JSON lines", "jsonl", "application/x-ndjson", _context_lines)
    },
}
