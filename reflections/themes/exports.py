"""The statements of reports on findings as a table."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, NamedTuple
from uuid import UUID

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from reflections.evidence.statements import original_of, statements_of, support_of
from reflections.exports.statements import (
    CHANGES,
    SUPPORT,
    MadeColumns,
    ReviewColumns,
    change_of,
    made_columns,
    review_columns,
)
from reflections.models import ReportSource, StudyReport
from reflections.reviews import final, review_of
from reflections.themes.findings import ThemeQuote
from reflections.themes.report_content import cited_statements, quotes_of, report_in


class FindingRow(NamedTuple):
    bot: Annotated[str, "Address (slug) of the bot whose study the report is on."]
    code_id: Annotated[int | None, "Number of the code that is the theme; join to `codes`."]
    theme: Annotated[str, "Its name when the report was written."]
    number: Annotated[int, "Number of the statement in the report, from 1."]
    statement: Annotated[str, "The statement, as it stands."]
    participants_for: Annotated[int, "Exported participants who are cited as saying so."]
    participants_against: Annotated[int, "Exported participants cited as saying the opposite."]
    quotes_for: Annotated[str, "What the former said, a quote a line."]
    places_for: Annotated[
        str, "Interview and position of each of these, as id:position, with semicolons between."
    ]
    quotes_against: Annotated[str, "What the latter said, a quote a line."]
    places_against: Annotated[str, "Interview and position of each of these, in the same form."]
    review: ReviewColumns
    change: Annotated[str, "What a reviewer did to it.", CHANGES]
    original: Annotated[str, "The statement as it was made, where it was amended."]
    made: MadeColumns
    support: Annotated[str, "Whether a model found that the quotes support it.", SUPPORT]


def finding_rows(selection: Selection) -> Iterator[FindingRow]:
    selection = replace(selection, changed_since=None)  # counts of changes can't be added up
    chosen = selection.with_content().order_by()
    used = ReportSource.objects.filter(session__in=chosen).values("report")
    for report in StudyReport.objects.filter(pk__in=used).order_by("pk").select_related("bot"):
        sources = report.sources.all()
        if selection.limit(sources).count() == sources.count():
            keys = {*chosen.filter(report_sources__report=report).values_list("pk", flat=True)}
            yield from _rows(report, keys)


def _rows(report: StudyReport, sessions: set[UUID]) -> Iterator[FindingRow]:
    review = review_of(report)
    content, original = final(report, review), statements_of(report, report.content)
    if not content or original is None:
        return
    quotes = quotes_of([one for one in report_in(content).excerpts if one.session in sessions])
    for number, cited in enumerate(cited_statements(report, content, quotes), 1):
        if not (cited.backing or cited.against):
            continue
        before = original_of(cited.statement, original)
        (said, places), (denied, others) = map(_columns, (cited.backing, cited.against))
        behind, against = cited.counts
        yield FindingRow(
            bot=report.bot.slug,
            code_id=cited.code,
            theme=cited.theme,
            number=number,
            statement=cited.statement.text,
            participants_for=behind,
            participants_against=against,
            quotes_for=said,
            places_for=places,
            quotes_against=denied,
            places_against=others,
            review=review_columns(review),
            change=change_of(cited.statement, before),
            original=before.text if before else "",
            made=made_columns(report),
            support=support_of(cited.statement, original),
        )


def _columns(quotes: Iterable[ThemeQuote]) -> tuple[str, str]:
    said = "\n".join(" ".join(one.text.split()) for one in quotes)
    return said, "; ".join(f"{one.session}:{one.position}" for one in quotes)


FINDINGS = Table(
    "findings",
    "One row a statement of a report on the findings of a study that a person has accepted or "
    "amended, with the participants for and against it.",
    columns_of(FindingRow),
    finding_rows,
)
