"""What the pages of a handover's products show."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import mark_safe

from interviews.protocols.knowledge_transfer.after.pages import fragment
from interviews.protocols.knowledge_transfer.after.types import (
    Finding,
    Known,
    Package,
    Section,
    Summary,
)
from interviews.protocols.knowledge_transfer.after.writing import package_markdown
from reflections import transfers
from reflections.models import Reflection

ADVICE = "Written by a program. Check it before others rely on it."
MAKERS = {
    "model": "Written by a model",
    "fallback_model": "Written by the stand-in model",
    "rules": "Put together without a model",
}
AMENDED_ELSEWHERE = (
    "This can be accepted or rejected. To change what it says, edit the facts or amend the "
    "summary, then make it again."
)


@dataclass(frozen=True)
class TransferShown:
    """One product of a handover, in the template that shows it."""

    template: str
    made_by: str
    reason: str = ""
    findings: list[Finding] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    facts: list[Known] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    document: str = ""  # marked as safe
    out_of_date: str = ""
    not_amended: str = ""  # why there is no form to amend it


def transfer_shown(reflection: Reflection, content: dict[str, Any]) -> TransferShown | None:
    """How this content is shown; None where it is of another kind, or nothing is made yet."""
    show = SHOWN.get(reflection.name)
    return show(reflection, content) if show and content else None


def _summary(reflection: Reflection, content: dict[str, Any]) -> TransferShown:
    summary = Summary.model_validate(content)
    return TransferShown(
        template="admin/reflections/transfer_summary.html",
        made_by=MAKERS[summary.made_by],
        reason=summary.reason,
        findings=summary.findings,
        sections=summary.sections,
        items=summary.items,
        facts=list(transfers.held_of(reflection.session).facts),
        out_of_date=transfers.out_of_date(reflection),
    )


def _package(reflection: Reflection, content: dict[str, Any]) -> TransferShown:
    package = Package.model_validate(content)
    # what people said is escaped in the Markdown, and HTML in it stays text
    document = mark_safe(fragment(package_markdown(package), under=1))  # noqa: S308
    return TransferShown(
        template="admin/reflections/onboarding_package.html",
        made_by=MAKERS[package.made_by],
        reason=package.reason,
        findings=package.findings,
        document=document,
        out_of_date=transfers.out_of_date(reflection),
        not_amended=AMENDED_ELSEWHERE,
    )


def _context(reflection: Reflection, content: dict[str, Any]) -> TransferShown:
    return TransferShown(
        template="admin/reflections/qa_context.html",
        made_by=MAKERS[content["made_by"]],
        rows=content["rows"],
        out_of_date=transfers.out_of_date(reflection),
        not_amended=AMENDED_ELSEWHERE,
    )


SHOWN: dict[str, Callable[[Reflection, dict[str, Any]], TransferShown]] = {
    transfers.SUMMARY: _summary,
    transfers.PACKAGE: _package,
    transfers.CONTEXT: _context,
}
