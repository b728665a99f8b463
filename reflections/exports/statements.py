"""Products as tables: their statements, their reviews, how far they are."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import AnyTable, Table, columns_of
from interviews.exports.formats.cells import json_cell
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from plans.jobs import Job
from reflections.evidence.statements import CurrentStatement, original_of, statements_of, support_of
from reflections.models import EXPERT, Judgement, Reflection, Review, Reviewed
from reflections.reviews import FINAL

RIGHT = "reflections.view_reflection"
STATES = {str(value): str(label).lower() for value, label in Judgement.State.choices}
UNREVIEWED = {"draft": "no person has judged it yet"}
MADE_BY = {
    "model": "the model that was meant to",
    "fallback_model": "its stand-in",
    "rules": "without a model",
}
AGAIN = {"draft": "it was opened for review again"}
STATUSES = {str(value): str(label).lower() for value, label in Job.Status.choices}
CHANGES = {
    "kept": "it is as it was made",
    "amended": "its words or quotes were changed",
    "new": "the reviewer wrote it",
}
SUPPORT = {
    "supported": "yes",
    "not_checked": "the check failed: neither yes nor no",
    "": "nobody asked: a reviewer wrote or changed it, or the interview itself kept it",
}


class ReviewColumns(NamedTuple):
    final: Annotated[bool, "Whether a person has accepted or amended it. Only then may it be used."]
    review: Annotated[str, "How it was reviewed.", STATES | UNREVIEWED]
    reviewer: Annotated[str, "Who reviewed it last."]
    reviewed_at: Annotated[datetime | None, "When (UTC)."]
    comment: Annotated[str, "What the reviewer said."]


def loaded_review(reflection: Reflection) -> Review:
    return getattr(reflection, "review", None) or Review(reflection=reflection)


def review_columns(review: Review) -> ReviewColumns:
    final = review.state in FINAL
    return ReviewColumns(final, review.state, review.reviewer, review.reviewed_at, review.comment)


class ProductColumns(NamedTuple):
    product: Annotated[str, "Name of the product."]
    expert: Annotated[str, "Key of the expert whose reflection it is. Empty for other products."]


class MadeColumns(NamedTuple):
    made_by: Annotated[str, "Who wrote it.", MADE_BY]
    made_at: Annotated[datetime | None, "When it was made (UTC)."]


class ProductRow(NamedTuple):
    session: ExportedSession
    product: ProductColumns
    product_status: Annotated[str, "How far it is.", STATUSES]
    reason: Annotated[str, "Why it is not ready. Empty where it is."]
    review: ReviewColumns
    made: MadeColumns


class StatementRow(NamedTuple):
    session: ExportedSession
    product: ProductColumns
    section: Annotated[str, "Title of its section. Empty where there is only one."]
    number: Annotated[int, "Its number in the product, from 1."]
    statement: Annotated[str, "The statement, as it stands."]
    quotes: Annotated[str, "The participant's words that it rests on, a quote a line."]
    positions: Annotated[
        str, "Where in the transcript these were said, in the same order, with semicolons between."
    ]
    review: ReviewColumns
    change: Annotated[str, "What a reviewer did to it.", CHANGES]
    original: Annotated[str, "The statement as it was made, where it was amended."]
    original_quotes: Annotated[str, "Its quotes as they were made, where it was amended."]
    made: MadeColumns
    support: Annotated[str, "Whether a model found that the quotes support it.", SUPPORT]


class ReviewStepRow(NamedTuple):
    session: ExportedSession
    product: ProductColumns
    version: Annotated[int, "Number of the step in its review, from 1."]
    review: Annotated[str, "How it was judged.", STATES | AGAIN]
    reviewer: Annotated[str, "Who judged it."]
    at: Annotated[datetime, "When (UTC)."]
    comment: Annotated[str, "What the reviewer said."]
    amended: Annotated[str | None, "The product as it was amended in this step, as JSON."]


def statements(chosen: Selection, only_final: bool) -> Iterator[StatementRow]:
    for session, reflection in reflections_in(chosen):
        if loaded_review(reflection).state in FINAL or not only_final:
            yield from _statement_rows(session, reflection)


def products(chosen: Selection) -> Iterator[ProductRow]:
    for session, reflection in reflections_in(chosen):
        review = review_columns(loaded_review(reflection))
        product, made = _product_columns(reflection), made_columns(reflection)
        yield ProductRow(session, product, reflection.status, reflection.reason, review, made)


def reviews(chosen: Selection) -> Iterator[ReviewStepRow]:
    for session, reflection in reflections_in(chosen, "review__steps"):
        review = loaded_review(reflection)
        for version, step in enumerate(review.steps.all() if review.pk else (), 1):
            yield ReviewStepRow(
                session,
                _product_columns(reflection),
                version,
                review=step.state,
                reviewer=step.reviewer,
                at=step.at,
                comment=step.comment,
                amended=json_cell(step.content) if step.content else None,
            )


def reflections_in(
    chosen: Selection, *prefetched: str, **which: Any
) -> Iterator[tuple[ExportedSession, Reflection]]:
    for batch in batches(chosen.with_content()):
        found = Reflection.objects.filter(session__in=keys(batch), **which).select_related("review")
        ordered = found.order_by(*IN_ORDER, "id").prefetch_related(*prefetched)
        keyed = ((one.session_id, one) for one in ordered.iterator(chunk_size=CHUNK))
        for session, group in by_session(batch, keyed):
            yield from ((session, one) for _, one in group)


def _product_columns(reflection: Reflection) -> ProductColumns:
    name = reflection.name
    return ProductColumns(name, name.removeprefix(EXPERT) if name.startswith(EXPERT) else "")


def made_columns(reflection: Reviewed) -> MadeColumns:
    return MadeColumns(str(reflection.content.get("made_by", "")), reflection.finished_at)


def _statement_rows(session: ExportedSession, reflection: Reflection) -> Iterator[StatementRow]:
    review = loaded_review(reflection)
    current = statements_of(reflection, review.content or reflection.content)
    original = statements_of(reflection, reflection.content)
    if current is None or original is None:
        return
    by_section = ((part.title, one) for part in current.sections for one in part.statements)
    for number, (section, one) in enumerate(by_section, 1):
        before = original_of(one, original)  # where it was amended
        yield StatementRow(
            session,
            _product_columns(reflection),
            section,
            number,
            statement=one.text,
            quotes=_quotes(one),
            positions="; ".join(str(quote.position) for quote in one.quotes),
            review=review_columns(review),
            change=change_of(one, before),
            original=before.text if before else "",
            original_quotes=_quotes(before) if before else "",
            made=made_columns(reflection),
            support=support_of(one, original),
        )


def change_of(statement: CurrentStatement, before: CurrentStatement | None) -> str:
    if statement.was is None:
        return "new"
    return "amended" if before else "kept"


def _quotes(statement: CurrentStatement) -> str:
    # One a line, so line breaks in quotes become spaces.
    return "\n".join(" ".join(quote.text.split()) for quote in statement.quotes)


REFLECTIONS = Table(
    "reflections",
    "One row a statement of a reflection, a summary or a list of facts that a person has accepted "
    "or amended.",
    columns_of(StatementRow),
    partial(statements, only_final=True),
    right=RIGHT,
)
ALL_REFLECTIONS = Table(
    "all_reflections",
    "One row a statement of a product of whichever state, drafts and rejected ones among them. "
    "Written by programs, and answered for by nobody yet: look at `final`.",
    columns_of(StatementRow),
    partial(statements, only_final=False),
    right=RIGHT,
)
PRODUCTS = Table(
    "products",
    "One row a product of an interview: how far it is, and how it was reviewed. What it says is in "
    "other tables.",
    columns_of(ProductRow),
    products,
    right=RIGHT,
)
REVIEWS = Table(
    "reviews",
    "One row a step of a review: nothing that a reviewer once said is lost.",
    columns_of(ReviewStepRow),
    reviews,
    right=RIGHT,
)
TABLES: tuple[AnyTable, ...] = (REFLECTIONS, ALL_REFLECTIONS, PRODUCTS, REVIEWS)
