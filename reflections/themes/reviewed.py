"""The statements of a report that a person has accepted or amended, with their quotes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from interviews.exports.pseudonyms import pseudonym
from reflections.models import Review, StudyReport
from reflections.reviews import final, review_of
from reflections.themes.findings import Person, ThemeQuote
from reflections.themes.report_content import (
    ReportExcerpt,
    cited_statements,
    counted,
    excerpt_texts,
    people_of,
    report_in,
)


@dataclass(frozen=True)
class ReviewedStatement:
    theme: str
    code: int | None  # key of the theme
    text: str
    people: str  # how many are behind it and against it
    backing: Sequence[ThemeQuote]
    against: Sequence[ThemeQuote]


@dataclass(frozen=True)
class ReviewedReport:
    review: Review
    statements: Sequence[ReviewedStatement]

    def on(self, code: int) -> list[ReviewedStatement]:
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
    if not content:
        return None
    excerpts = report_in(content).excerpts
    people, texts = people_of(excerpts), excerpt_texts(excerpts)
    statements = [
        ReviewedStatement(
            one.theme,
            one.code,
            one.statement.text,
            counted(one, people),
            _quotes(one.backing, people, texts),
            _quotes(one.against, people, texts),
        )
        for one in cited_statements(report, content)
    ]
    return ReviewedReport(review, statements)


def _quotes(
    excerpts: Sequence[ReportExcerpt], people: Mapping[UUID, Person], texts: Mapping[int, str]
) -> list[ThemeQuote]:
    return [
        ThemeQuote(
            who=name_of(one.session, people),
            session=one.session,
            position=one.position,
            start=one.start,
            text=texts[one.number],
            against=one.against,
        )
        for one in excerpts
        if one.number in texts
    ]


def name_of(session: UUID, people: Mapping[UUID, Person]) -> str:
    """Return the pseudonym of who was interviewed, or what the interview's id begins with."""
    person = people.get(session)
    if isinstance(person, UUID) and person != session:
        return pseudonym(person)
    return str(session)[:8]
