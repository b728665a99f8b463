"""A report on findings as it is stored: statements that cite numbered excerpts.

An excerpt is a place in an answer; its number takes the place of a position in `Quote`, so that a
report is read, amended and checked as statements on one interview are.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from reflections.models import Review, StudyReport
from reflections.products import Content
from reflections.reviews import final, review_of
from reflections.themes.findings import ThemeQuote


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
    """A statement of a report as it stands, with the quotes that it cites on each side."""

    theme: str
    code: int | None  # key of the theme
    statement: CurrentStatement
    backing: Sequence[ThemeQuote]
    against: Sequence[ThemeQuote]
    participants: int  # whose words the report was written from

    @property
    def counts(self) -> tuple[int, int]:
        """How many participants are behind it and against it."""
        return len({one.person for one in self.backing}), len({one.person for one in self.against})

    @property
    def people(self) -> str:
        backing, against = self.counts
        return f"Behind it: {backing} of {self.participants} participants; against it: {against}."


def report_in(content: Content) -> ReportContent:
    return ReportContent.model_validate(content)


def cited_statements(
    report: StudyReport, content: Content, among: Mapping[int, ThemeQuote] | None = None
) -> Iterator[CitedStatement]:
    """Yield the statements of this version of the report, with these quotes or all of its own."""
    original, version = report_in(report.content), report_in(content)
    themes = {one.number: one.code for one in version.excerpts}
    known = quotes_of(version.excerpts) if among is None else among
    quotes = {number: one for number, one in known.items() if one.text}
    participants = len({one.person for one in quotes.values()})
    current = statements_of(report, content)
    for section in current.sections if current else ():
        for one in section.statements:
            numbers = [n for n in dict.fromkeys(q.position for q in one.quotes) if n in themes]
            code = themes[numbers[0]] if numbers else None
            backing, against = list[ThemeQuote](), list[ThemeQuote]()
            for number in (n for n in numbers if n in quotes):
                side = against if original.contradicts(one, number) else backing
                side.append(quotes[number])
            yield CitedStatement(section.title, code, one, backing, against, participants)


def quotes_of(excerpts: Sequence[ReportExcerpt]) -> dict[int, ThemeQuote]:
    """Return the excerpts by number, with words as far as they stand in the answers."""
    sessions = {one.session for one in excerpts}
    people = dict(Session.objects.filter(pk__in=sessions).values_list("pk", "participant"))
    entries = TranscriptEntry.objects.filter(
        session__in=sessions, position__in={one.position for one in excerpts}
    )
    texts = {
        (key, at): text for key, at, text in entries.values_list("session", "position", "text")
    }
    found = {}
    for one in excerpts:
        person, text = people.get(one.session), texts.get((one.session, one.position), "")
        words = text[one.start : one.end] if one.end <= len(text) else ""
        place = (one.session, one.position, one.start)
        found[one.number] = ThemeQuote(person or one.session, *place, words, one.against)
    return found


@dataclass(frozen=True)
class ReviewedReport:
    review: Review
    statements: Sequence[CitedStatement]

    def on(self, code: int) -> list[CitedStatement]:
        return [one for one in self.statements if one.code == code]

    @property
    def basis(self) -> str:
        """Return who wrote and who answers for the statements."""
        state, when = self.review.get_state_display().lower(), self.review.reviewed_at
        by = f"{state} by {self.review.reviewer}{f' on {when:%-d %B %Y}' if when else ''}"
        return (
            "The statements in bold were written by a model from these passages and checked "
            f"against them by a program, and {by}. Participants are counted from the passages that "
            "a statement cites."
        )


def reviewed_report(report: StudyReport | None) -> ReviewedReport | None:
    """Return what may be published of the report, or None as long as nobody has judged it."""
    if report is None:
        return None
    review = review_of(report)
    content = final(report, review)
    return ReviewedReport(review, [*cited_statements(report, content)]) if content else None
