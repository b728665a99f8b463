"""The pages of a handover's products, and how its summary is amended."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import mark_safe

from reflections.evidence.types import Finding
from reflections.exports.html import fragment
from reflections.models import Reflection
from reflections.products import MADE_BY, Amendment, Content, ProductView
from reflections.protocols.knowledge_transfer.forms import SummaryForm
from reflections.protocols.knowledge_transfer.makers import handover_of, out_of_date
from reflections.protocols.knowledge_transfer.markdown import package_markdown
from reflections.protocols.knowledge_transfer.summary import amended_summary
from reflections.protocols.knowledge_transfer.types import (
    KnownFact,
    Package,
    SummarySection,
    TransferSummary,
)

AMENDED_ELSEWHERE = (
    "This can be accepted or rejected. To change what it says, edit the facts or amend the "
    "summary, then make it again."
)


@dataclass(frozen=True)
class TransferView(ProductView):
    findings: list[Finding] = field(default_factory=list)
    sections: list[SummarySection] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    facts: list[KnownFact] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    document: str = ""  # marked as safe


def summary_view(reflection: Reflection, content: Content) -> TransferView:
    summary = TransferSummary.model_validate(content)
    return TransferView(
        template="admin/reflections/transfer_summary.html",
        made_by=MADE_BY[summary.made_by],
        reason=summary.reason,
        findings=summary.findings,
        sections=summary.sections,
        items=summary.items,
        facts=list(handover_of(reflection.session).facts),
        out_of_date=out_of_date(reflection),
    )


def package_view(reflection: Reflection, content: Content) -> TransferView:
    package = Package.model_validate(content)
    # what people said is escaped in the Markdown, and HTML in it stays text
    document = mark_safe(fragment(package_markdown(package), under=1))  # noqa: S308
    return TransferView(
        template="admin/reflections/onboarding_package.html",
        made_by=MADE_BY[package.made_by],
        reason=package.reason,
        findings=package.findings,
        document=document,
        out_of_date=out_of_date(reflection),
        not_amended=AMENDED_ELSEWHERE,
    )


def context_view(reflection: Reflection, content: Content) -> TransferView:
    return TransferView(
        template="admin/reflections/qa_context.html",
        made_by=MADE_BY[content["made_by"]],
        rows=content["rows"],
        out_of_date=out_of_date(reflection),
        not_amended=AMENDED_ELSEWHERE,
    )


def _form(reflection: Reflection, content: Content, data: Any) -> SummaryForm:
    known = set(handover_of(reflection.session).by_number)
    return SummaryForm(TransferSummary.model_validate(content), known, data)


def _amended(reflection: Reflection, form: SummaryForm) -> Content:
    summary = TransferSummary.model_validate(reflection.content)
    changed = amended_summary(handover_of(reflection.session), summary, form.sections())
    return changed.model_dump(mode="json")


SUMMARY_AMENDMENT = Amendment(_form, _amended)
