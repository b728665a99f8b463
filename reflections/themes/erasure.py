"""Take an interview out of a report on findings: its words, and what rests on them alone."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from reflections.evidence.statements import numbered
from reflections.evidence.types import finding
from reflections.models import ReportSource, Review, StudyReport
from reflections.products import Content
from reflections.themes.report_content import ReportContent, ReportStatement, report_in

ERASED = finding(
    "erased",
    "What was left out isn’t shown any more, since an interview has been deleted.",
    "plain",
)


def source_deleted(sender: type[ReportSource], instance: ReportSource, **kwargs: Any) -> None:
    """Receive the deletion of a source, with its interview or alone."""
    forget(instance.report_id, [instance.session_id])


@transaction.atomic
def forget(report: int, sessions: Collection[UUID]) -> None:
    """Take the interviews out of the report and of every step of its review."""
    row = StudyReport.objects.select_for_update().filter(pk=report).first()
    if row is None or not row.content:
        return
    original = numbered(report_in(row.content))
    review = Review.objects.select_for_update().filter(report=row).first()
    for judged in (review, *review.steps.all()) if review else ():
        if judged.content:
            version = report_in(judged.content)
            judged.content |= _without(version, sessions, original)
            judged.save(update_fields=["content"])
    if left := _without(original, sessions, original):
        row.content |= left
        row.finished_at = timezone.now()  # or an opinion on what was read before would be taken
        row.save(update_fields=["content", "finished_at"])
        Review.objects.filter(report=row).update(version=F("version") + 1)


def _without(
    version: ReportContent, sessions: Collection[UUID], original: ReportContent
) -> Content:
    """Return what changes in a version of the report; `original` is as it was made."""
    gone = {one.number for one in version.excerpts if one.session in sessions}
    if not gone:
        return {}
    same = version.excerpts == original.excerpts  # else it is a version of an earlier report
    sides = original if same else version.model_copy(update={"sections": ()})
    kept = [one.was for one in original.statements if _stands(one, gone, sides)] if same else []
    places = {was: place for place, was in enumerate(kept, 1)}
    sections = []
    for section in version.sections:
        stand = [
            _shortened(one, gone, places) for one in section.statements if _stands(one, gone, sides)
        ]
        if stand:
            sections.append(section.model_copy(update={"statements": tuple(stand)}))
    excerpts = tuple(one for one in version.excerpts if one.number not in gone)
    found = [one for one in version.findings if not one.before and one.check != ERASED.check]
    found += [ERASED] if len(found) < len(version.findings) else []
    left = ReportContent(sections=tuple(sections), excerpts=excerpts, findings=tuple(found))
    return left.model_dump(mode="json", include={"sections", "excerpts", "findings"})


def _stands(statement: ReportStatement, gone: set[int], sides: ReportContent) -> bool:
    """Return whether it rests on others, too."""
    cited = {quote.position for quote in statement.quotes}
    backing = {number for number in cited if not sides.contradicts(statement, number)}
    return not cited or bool((backing or cited) - gone)


def _shortened(
    statement: ReportStatement, gone: set[int], places: Mapping[int | None, int]
) -> ReportStatement:
    return statement.model_copy(
        update={
            "quotes": tuple(one for one in statement.quotes if one.position not in gone),
            "against": tuple(number for number in statement.against if number not in gone),
            "was": places.get(statement.was),
        }
    )
