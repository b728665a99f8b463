"""A report on findings as it is stored: statements that cite numbered excerpts.

An excerpt is a place in an answer; its number takes the place of a position in `Quote`, so that a
report is read, amended and checked as statements on one interview are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from interviews.models import Session, TranscriptEntry
from reflections.evidence.statements import (
    CurrentSection,
    CurrentStatement,
    CurrentStatements,
    statements_of,
)
from reflections.evidence.types import StoredModel
from reflections.models import StudyReport
from reflections.products import Content
from reflections.themes.findings import Person


class ReportExcerpt(StoredModel):
    number: int
    session: UUID
    position: int
    start: int
    end: int
    code: int  # key of the theme
    against: bool = False  # it was coded as speaking against it


class ReportStatement(CurrentStatement):
    """`against` holds the numbers of those of its quotes that contradict it."""

    against: tuple[int, ...] = ()


class ReportSection(CurrentSection):
    statements: tuple[ReportStatement, ...] = ()


class ReportContent(CurrentStatements):
    sections: tuple[ReportSection, ...] = ()
    excerpts: tuple[ReportExcerpt, ...] = ()

    @property
    def statements(self) -> tuple[ReportStatement, ...]:
        return tuple(one for section in self.sections for one in section.statements)

    @property
    def by_number(self) -> Mapping[int, ReportExcerpt]:
        return {one.number: one for one in self.excerpts}

    def contradicts(self, statement: CurrentStatement, number: int) -> bool:
        """Return whether the excerpt speaks against a statement of a version of this report.

        What a reviewer has added stands on the side on which it was coded.
        """
        made = self.statements
        if 1 <= (statement.was or 0) <= len(made):
            before = made[(statement.was or 0) - 1]
            if number in {quote.position for quote in before.quotes}:
                return number in before.against
        excerpt = self.by_number.get(number)
        return excerpt is not None and excerpt.against


@dataclass(frozen=True)
class CitedStatement:
    """A statement of a report as it stands, with the excerpts that it cites on each side."""

    theme: str
    code: int | None  # key of the theme
    statement: CurrentStatement
    backing: tuple[ReportExcerpt, ...]
    against: tuple[ReportExcerpt, ...]


def report_in(content: Content) -> ReportContent:
    return ReportContent.model_validate(content)


def cited_statements(report: StudyReport, content: Content) -> Iterator[CitedStatement]:
    """Yield the statements of this version of the report."""
    original, known = report_in(report.content), report_in(content).by_number
    current = statements_of(report, content)
    for section in current.sections if current else ():
        for one in section.statements:
            numbers = dict.fromkeys(quote.position for quote in one.quotes)
            cited = [known[number] for number in numbers if number in known]
            against = tuple(e for e in cited if original.contradicts(one, e.number))
            backing = tuple(e for e in cited if e not in against)
            code = cited[0].code if cited else None
            yield CitedStatement(section.title, code, one, backing, against)


def excerpt_texts(excerpts: Iterable[ReportExcerpt]) -> dict[int, str]:
    """Return the words of the excerpts by number, as they stand in the answers."""
    known = list(excerpts)
    entries = TranscriptEntry.objects.filter(
        session__in={one.session for one in known}, position__in={one.position for one in known}
    )
    texts = {
        (key, at): text for key, at, text in entries.values_list("session", "position", "text")
    }
    found = ((one, texts.get((one.session, one.position), "")) for one in known)
    return {one.number: text[one.start : one.end] for one, text in found if one.end <= len(text)}


def people_of(excerpts: Iterable[ReportExcerpt]) -> dict[UUID, Person]:
    """Return who was interviewed, by interview."""
    rows = Session.objects.filter(pk__in={one.session for one in excerpts})
    return {key: person or key for key, person in rows.values_list("pk", "participant")}


def count_people(excerpts: Iterable[ReportExcerpt], people: Mapping[UUID, Person]) -> int:
    return len({people[one.session] for one in excerpts if one.session in people})


def counted(cited: CitedStatement, people: Mapping[UUID, Person]) -> str:
    """Return in words how many are behind a statement and against it."""
    backing, against = (count_people(side, people) for side in (cited.backing, cited.against))
    return f"Behind it: {backing} of {len({*people.values()})} participants; against it: {against}."
