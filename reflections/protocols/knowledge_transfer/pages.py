"""The pages of a handover's products, and how its summary is amended: a statement a line."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.safestring import mark_safe
from unfold.widgets import UnfoldAdminTextareaWidget

from interviews.exports.formats.cells import encode_text
from plans.portability.table import write_rows
from reflections.exports.files import HTML, MARKDOWN, content_of, foot_of
from reflections.exports.html import fragment, page
from reflections.models import Reflection, Review
from reflections.products import MADE_BY, Amendment, Content, FileFormat, ProductView
from reflections.protocols.knowledge_transfer.makers import handover_of, out_of_date
from reflections.protocols.knowledge_transfer.markdown import (
    package_markdown,
    package_title,
    summary_markdown,
)
from reflections.protocols.knowledge_transfer.questions import context_rows, json_lines
from reflections.protocols.knowledge_transfer.summary import amended_summary
from reflections.protocols.knowledge_transfer.types import (
    HEADINGS,
    KnownFact,
    Package,
    SummarySection,
    SummaryStatement,
    TransferSummary,
    phrasebook,
)

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP can hold
COLUMNS = ("name", "kind", "purpose")


def package_page(package: Package, foot: str) -> str:
    return page(package_markdown(package), package_title(package), package.language, foot)


def package_files(package: Package, review: str, foot: str) -> dict[str, bytes]:
    documents = write_rows(COLUMNS, (one.model_dump() for one in package.documents))
    rows = context_rows(package.session, package.questions, package.open_points)
    return {
        "README.txt": _readme(package, review).encode(),
        "onboarding.html": encode_text(package_page(package, foot)),
        "onboarding.md": encode_text(package_markdown(package)),
        "documents.csv": documents.encode("utf-8-sig", "backslashreplace"),
        "facts.jsonl": json_lines(rows),
    }


def zip_files(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def _readme(package: Package, review: str) -> str:
    say = phrasebook(package.language)
    values = {"confidences": say("confidences"), "review": say(f"review_{review}")}
    return say("readme", title=package_title(package), **values)


def _summary_markdown(reflection: Reflection, review: Review) -> bytes:
    summary = TransferSummary.model_validate(content_of(reflection, review))
    return encode_text(summary_markdown(summary, handover_of(reflection.session).project))


def _package(reflection: Reflection, review: Review) -> Package:
    return Package.model_validate(content_of(reflection, review))


def _package_zip(reflection: Reflection, review: Review) -> bytes:
    package, foot = _package(reflection, review), foot_of(reflection.session)
    return zip_files(package_files(package, review.state, foot))


def _package_html(reflection: Reflection, review: Review) -> bytes:
    return encode_text(package_page(_package(reflection, review), foot_of(reflection.session)))


def _package_markdown(reflection: Reflection, review: Review) -> bytes:
    return encode_text(package_markdown(_package(reflection, review)))


def _context_lines(reflection: Reflection, review: Review) -> bytes:
    return json_lines(content_of(reflection, review)["rows"])


SUMMARY_FILES = {"markdown": FileFormat("Markdown", "md", MARKDOWN, _summary_markdown)}
PACKAGE_FILES = {
    "zip": FileFormat("All in one ZIP", "zip", "application/zip", _package_zip),
    "html": FileFormat("HTML", "html", HTML, _package_html),
    "markdown": FileFormat("Markdown", "md", MARKDOWN, _package_markdown),
}
CONTEXT_FILES = {"jsonl": FileFormat("JSON lines", "jsonl", "application/x-ndjson", _context_lines)}


FACTS = re.compile(r"\[([\d,\s]++)\]\s*+$")


class SummaryForm(forms.Form):
    def __init__(self, original: TransferSummary, known: set[int], data: Any = None) -> None:
        super().__init__(data, initial=_initial(original), prefix="summary")
        self.known = known
        self.say = phrasebook(original.language)
        for heading in HEADINGS:
            self.fields[heading] = forms.CharField(
                required=False,
                label=self.say(heading),
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 6}),
                help_text="One statement per line. End it with the facts it rests on: [1, 3].",
            )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        sections = self.sections()
        for section in sections:
            missing = {n for one in section.statements for n in one.facts} - self.known
            if missing:
                named = ", ".join(map(str, sorted(missing)))
                self.add_error(section.heading, f"There is no fact {named}.")
        if not any(section.statements for section in sections):
            self.add_error(HEADINGS[0], "Write at least one statement.")
        return data

    def sections(self) -> list[SummarySection]:
        written = {one: _statements(self.cleaned_data.get(one, "")) for one in HEADINGS}
        return [
            SummarySection(heading=one, title=self.say(one), statements=statements)
            for one, statements in written.items()
        ]


def _initial(summary: TransferSummary) -> dict[str, Any]:
    return {one.heading: "\n".join(map(_line, one.statements)) for one in summary.sections}


def _line(statement: SummaryStatement) -> str:
    facts = ", ".join(map(str, statement.facts))
    return f"{statement.text} [{facts}]" if facts else statement.text


def _statements(text: str) -> list[SummaryStatement]:
    return [_statement(line) for line in text.splitlines() if line.strip()]


def _statement(line: str) -> SummaryStatement:
    found = FACTS.search(line)
    text = line[: found.start()].strip() if found else ""
    if found is None or not text:
        return SummaryStatement(text=line.strip())
    numbers = re.findall(r"\d{1,9}", found[1])
    return SummaryStatement(text=text, facts=list(dict.fromkeys(map(int, numbers))))


AMENDED_ELSEWHERE = (
    "This can be accepted or rejected. To change what it says, edit the facts or amend the "
    "summary, then regenerate it."
)


@dataclass(frozen=True)
class TransferView(ProductView):
    facts: Sequence[KnownFact] = ()
    document: str = ""  # marked as safe


def summary_view(reflection: Reflection, content: Content) -> TransferView:
    return TransferView(
        template="admin/reflections/transfer_summary.html",
        made_by=MADE_BY[content["made_by"]],
        reason=content.get("reason", ""),
        facts=handover_of(reflection.session).facts,
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
        document=document,
        out_of_date=out_of_date(reflection),
        not_amended=AMENDED_ELSEWHERE,
    )


def context_view(reflection: Reflection, content: Content) -> ProductView:
    return ProductView(
        template="admin/reflections/qa_context.html",
        made_by=MADE_BY[content["made_by"]],
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
