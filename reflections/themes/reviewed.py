"""The statements of a report that a person has accepted or amended, with their quotes."""

from collections.abc import Sequence
from dataclasses import dataclass

from reflections.models import Review, StudyReport
from reflections.reviews import final, review_of
from reflections.themes.report_content import CitedStatement, cited_statements


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
