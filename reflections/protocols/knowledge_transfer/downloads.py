"""The products of a handover as files."""

from reflections.exports.files import HTML, MARKDOWN, content_of, encoded
from reflections.models import Reflection, Review
from reflections.products import FileFormat
from reflections.protocols.knowledge_transfer.makers import handover_of
from reflections.protocols.knowledge_transfer.markdown import package_markdown, summary_markdown
from reflections.protocols.knowledge_transfer.package_files import (
    package_files,
    package_page,
    zip_files,
)
from reflections.protocols.knowledge_transfer.qa_context import json_lines
from reflections.protocols.knowledge_transfer.types import Package, TransferSummary


def _summary_markdown(reflection: Reflection, review: Review) -> bytes:
    summary = TransferSummary.model_validate(content_of(reflection, review))
    return encoded(summary_markdown(summary, handover_of(reflection.session).project))


def _package(reflection: Reflection, review: Review) -> Package:
    return Package.model_validate(content_of(reflection, review))


def _package_zip(reflection: Reflection, review: Review) -> bytes:
    return zip_files(package_files(_package(reflection, review), review.state))


def _package_html(reflection: Reflection, review: Review) -> bytes:
    return encoded(package_page(_package(reflection, review)))


def _package_markdown(reflection: Reflection, review: Review) -> bytes:
    return encoded(package_markdown(_package(reflection, review)))


def _context_lines(reflection: Reflection, review: Review) -> bytes:
    return json_lines(content_of(reflection, review)["rows"])


SUMMARY_FILES = {"markdown": FileFormat("Markdown", "md", MARKDOWN, _summary_markdown)}
PACKAGE_FILES = {
    "zip": FileFormat("All in one ZIP", "zip", "application/zip", _package_zip),
    "html": FileFormat("HTML", "html", HTML, _package_html),
    "markdown": FileFormat("Markdown", "md", MARKDOWN, _package_markdown),
}
CONTEXT_FILES = {"jsonl": FileFormat("JSON lines", "jsonl", "application/x-ndjson", _context_lines)}
