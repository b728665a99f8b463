"""Reports as tables: those that a person accepted or amended, and all of them."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.formats.cells import json_cell
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession
from reflections.exports.statements import (
    MADE_BY,
    RIGHT,
    ReviewColumns,
    loaded_review,
    reflections_in,
    review_columns,
)
from reflections.models import Reflection
from reflections.protocols.technical_assessment.report.types import (
    GRADES,
    RECOMMENDATIONS,
    StoredReport,
)
from reflections.reviews import FINAL

WRITERS = MADE_BY | {"rules": "computed from the observations, without a model"}


class ReportRow(NamedTuple):
    session: ExportedSession
    review: ReviewColumns
    made_by: Annotated[str, "Who made it.", WRITERS]
    made_at: Annotated[datetime | None, "When it was made (UTC)."]
    position_applied: Annotated[str, "The position."]
    claimed_grade: Annotated[str, "The grade that was claimed."]
    recommendation: Annotated[
        str,
        "What it recommends, as advice to a person; empty if answers were not judged, or if a "
        "person has to decide because model and rules are far apart or an order was obeyed.",
        dict.fromkeys(RECOMMENDATIONS, ""),
    ]
    grade: Annotated[str, "The grade that it sees.", dict.fromkeys(GRADES, "")]
    confidence_score: Annotated[int | None, "How sure it is, from 0 to 100."]
    rules_recommendation: Annotated[
        str, "What the bot's rules alone give.", dict.fromkeys(RECOMMENDATIONS, "")
    ]
    rules_grade: Annotated[
        str, "The grade that the levels of the questions show.", dict.fromkeys(GRADES, "")
    ]
    scored_answers: Annotated[int, "Answers that count."]
    topics: Annotated[int, "Topics that were talked about."]
    confirmed_topics: Annotated[int, "Confirmed ones."]
    gap_topics: Annotated[int, "Ones with a gap."]
    confirmed_share: Annotated[float | None, "Share of confirmed topics."]
    hallucinations: Annotated[int, "Answers that claim a thing that does not exist."]
    mean_correctness: Annotated[float | None, "Mean over scored answers, from 0 to 1."]
    mean_confidence: Annotated[float | None, "Mean over scored answers, from 0 to 1."]
    clarity: Annotated[str, "How clearly it was said."]
    honesty: Annotated[str, "How gaps were dealt with."]
    engagement: Annotated[str, "How engaged."]
    serious_findings: Annotated[int, "Serious findings."]
    findings: Annotated[str, "What the checks found."]
    report: Annotated[str, "The report as JSON, as it stands now."]
    original: Annotated[str, "The report as it was made, as JSON, where it was amended."]


def rows(selection: Selection, only_final: bool) -> Iterator[ReportRow]:
    which = {"review__state__in": FINAL} if only_final else {}
    for session, reflection in reflections_in(selection, name="report", **which):
        if reflection.content:
            yield _report_row(session, reflection)


def _report_row(session: ExportedSession, reflection: Reflection) -> ReportRow:
    review = loaded_review(reflection)
    stored = StoredReport.model_validate(review.content or reflection.content)
    report, found = stored.report, stored.statistics
    verdict, skills = (report.verdict, report.soft_skills) if report else (None, None)
    return ReportRow(
        session,
        review_columns(review),
        made_by=stored.made_by,
        made_at=reflection.finished_at,
        position_applied=stored.position,
        claimed_grade=stored.claimed_grade,
        recommendation=verdict.recommendation if verdict and not stored.needs_person else "",
        grade=verdict.grade if verdict else "",
        confidence_score=verdict.confidence_score if verdict else None,
        rules_recommendation=stored.ruling.recommendation if stored.ruling else "",
        rules_grade=stored.ruling.grade if stored.ruling else "",
        scored_answers=found.scored,
        topics=found.topics,
        confirmed_topics=found.confirmed,
        gap_topics=found.gaps,
        confirmed_share=round(found.confirmed / found.topics, 3) if found.topics else None,
        hallucinations=found.hallucinations,
        mean_correctness=found.mean_correctness if found.scored else None,
        mean_confidence=found.mean_confidence if found.scored else None,
        clarity=skills.clarity if skills else "",
        honesty=skills.honesty if skills else "",
        engagement=skills.engagement if skills else "",
        serious_findings=sum(one.weight == "serious" for one in stored.findings),
        findings="\n".join(one.text for one in stored.findings),
        report=json_cell(report.model_dump(mode="json")) if report else "",
        original=json_cell(reflection.content["report"]) if review.content else "",
    )


REPORTS = Table(
    "reports",
    "One row a report that a person has accepted or amended.",
    columns_of(ReportRow),
    partial(rows, only_final=True),
    right=RIGHT,
)
ALL_REPORTS = Table(
    "all_reports",
    "One row a report of whichever state, drafts and rejected ones among them. Advice that nobody "
    "has answered for: look at `final`.",
    columns_of(ReportRow),
    partial(rows, only_final=False),
    right=RIGHT,
)
TABLES = (REPORTS, ALL_REPORTS)
