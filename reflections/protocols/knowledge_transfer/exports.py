"""Handovers as a table: summary and onboarding package, with their reviews."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession
from interviews.turns.store import plan_content
from reflections.exports.statements import (
    MADE_BY,
    RIGHT,
    ReviewColumns,
    loaded_review,
    reflections_in,
    review_columns,
)
from reflections.models import Reflection
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.markdown import package_markdown, summary_markdown
from reflections.protocols.knowledge_transfer.types import Package, TransferSummary

WRITERS = MADE_BY | {"rules": "the plain questions and answers, without a model"}


class TransferRow(NamedTuple):
    session: ExportedSession
    review: ReviewColumns
    made_by: Annotated[str, "Who wrote it.", WRITERS]
    made_at: Annotated[datetime | None, "When it was made (UTC)."]
    statements: Annotated[int, "Statements in it."]
    findings: Annotated[str, "What the checks found."]
    summary: Annotated[str, "The summary as it stands, as Markdown."]
    package_review: Annotated[
        str, "How the onboarding package was reviewed. Empty while there is none."
    ]
    package: Annotated[str, "The onboarding package as Markdown. Empty while there is none."]


def rows(selection: Selection) -> Iterator[TransferRow]:
    found = reflections_in(selection, name__in=(makers.SUMMARY, makers.PACKAGE))
    for session, group in groupby(found, key=itemgetter(0)):
        made = {one.name: one for _, one in group if one.content}
        if makers.SUMMARY in made:
            yield _row(session, made[makers.SUMMARY], made.get(makers.PACKAGE))


def _row(
    session: ExportedSession, reflection: Reflection, package: Reflection | None
) -> TransferRow:
    review = loaded_review(reflection)
    summary = TransferSummary.model_validate(review.content or reflection.content)
    plan = plan_content(session.session.plan_id)
    return TransferRow(
        session,
        review_columns(review),
        made_by=summary.made_by,
        made_at=reflection.finished_at,
        statements=sum(len(section.statements) for section in summary.sections),
        findings="\n".join(one.text for one in summary.findings),
        summary=summary_markdown(summary, plan.material.options.project or plan.title),
        package_review=loaded_review(package).state if package else "",
        package=package_markdown(Package.model_validate(package.content)) if package else "",
    )


TRANSFER_SUMMARIES = Table(
    "transfer_summaries",
    "One row a handover that was summed up, whether a person has let it pass or not: look at "
    "`final`. Facts and open questions one by one are in the Q&A context of each.",
    columns_of(TransferRow),
    rows,
    right=RIGHT,
)
