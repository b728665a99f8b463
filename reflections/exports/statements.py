"""Products as tables: what is said in them, statement by statement; how far each is; and every step
of their reviews."""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, NamedTuple

from interviews.exports.columns import AnyTable, Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from plans.jobs import Job
from reflections.evidence.statements import (
    CurrentStatement,
    CurrentStatements,
    expert_key,
    original_of,
    statements_of,
)
from reflections.exports.review_columns import (
    RIGHT,
    STATES,
    ReviewColumns,
    loaded_review,
    review_columns,
)
from reflections.models import Reflection
from reflections.reviews import FINAL

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


class ProductColumns(NamedTuple):
    """Which product it is."""

    product: Annotated[str, "Name of the product."]
    expert: Annotated[str, "Key of the expert whose reflection it is. Empty for other products."]


class MadeColumns(NamedTuple):
    """Who made it, and when."""

    made_by: Annotated[str, "Who wrote it.", MADE_BY]
    made_at: Annotated[datetime | None, "When it was made (UTC)."]


class ProductRow(NamedTuple):
    """One product of one interview, as far as it is."""

    session: ExportedSession
    product: ProductColumns
    product_status: Annotated[str, "How far it is.", STATUSES]
    reason: Annotated[str, "Why it is not ready. Empty where it is."]
    review: ReviewColumns
    made: MadeColumns


class StatementRow(NamedTuple):
    """One statement of a product, as it stands."""

    session: ExportedSession
    product: ProductColumns
    section: Annotated[str, "Title of its section. Empty where there is only one."]
    number: Annotated[int, "Its number in the product, from 1."]
    statement: Annotated[str, "The statement, as it stands."]
    quotes: Annotated[str, "The participant's words that it rests on, a quote a line."]
    positions: Annotated[
        str,
        "Where in the transcript these were said, in the same order, with semicolons between.",
    ]
    review: ReviewColumns
    change: Annotated[str, "What a reviewer did to it.", CHANGES]
    original: Annotated[str, "The statement as it was made, where it was amended."]
    original_quotes: Annotated[str, "Its quotes as they were made, where it was amended."]
    made: MadeColumns


class ReviewStepRow(NamedTuple):
    """One judgement that was once made of a product."""

    session: ExportedSession
    product: ProductColumns
    version: Annotated[int, "Number of the step in its review, from 1."]
    review: Annotated[str, "How it was judged.", STATES | AGAIN]
    reviewer: Annotated[str, "Who judged it."]
    at: Annotated[datetime, "When (UTC)."]
    comment: Annotated[str, "What the reviewer said."]
    amended: Annotated[str | None, "The product as it was amended in this step, as JSON."]


def statements(chosen: Selection, only_final: bool) -> Iterator[StatementRow]:
    """What is said in products of statements, in the order of interviews and products."""
    for session, made in _products(chosen):
        if loaded_review(made).state in FINAL or not only_final:
            yield from _statements(session, made)


def products(chosen: Selection) -> Iterator[ProductRow]:
    """Every product that was wished for, in the order of interviews."""
    for session, made in _products(chosen):
        review = review_columns(loaded_review(made))
        yield ProductRow(session, _product(made), made.status, made.reason, review, _made(made))


def reviews(chosen: Selection) -> Iterator[ReviewStepRow]:
    """Every step of every review, in the order of interviews and products."""
    for session, made in _products(chosen, "review__steps"):
        review = loaded_review(made)
        for version, step in enumerate(review.steps.all() if review.pk else (), 1):
            yield ReviewStepRow(
                session,
                _product(made),
                version,
                review=step.state,
                reviewer=step.reviewer,
                at=step.at,
                comment=step.comment,
                amended=step.content and json.dumps(step.content, ensure_ascii=False),
            )


def _products(chosen: Selection, *prefetched: str) -> Iterator[tuple[ExportedSession, Reflection]]:
    for batch in batches(chosen.with_content()):
        found = Reflection.objects.filter(session__in=keys(batch)).select_related("review")
        ordered = found.order_by(*IN_ORDER, "id").prefetch_related(*prefetched)
        keyed = ((one.session_id, one) for one in ordered.iterator(chunk_size=CHUNK))
        for session, made in by_session(batch, keyed):
            yield from ((session, one) for _, one in made)


def _product(made: Reflection) -> ProductColumns:
    return ProductColumns(made.name, expert_key(made.name))


def _made(made: Reflection) -> MadeColumns:
    return MadeColumns(str(made.content.get("made_by", "")), made.finished_at)


def _statements(session: ExportedSession, made: Reflection) -> Iterator[StatementRow]:
    review = loaded_review(made)
    now = statements_of(made, review.content or made.content)
    original = statements_of(made, made.content)
    if now is None or original is None:
        return
    product, reviewed, written = _product(made), review_columns(review), _made(made)
    for number, (section, one) in enumerate(_in_sections(now), 1):
        before = original_of(one, original)  # where it was amended
        yield StatementRow(
            session,
            product,
            section,
            number,
            statement=one.text,
            quotes=_quotes(one),
            positions="; ".join(str(quote.position) for quote in one.quotes),
            review=reviewed,
            change=_change(one, before),
            original=before.text if before else "",
            original_quotes=_quotes(before) if before else "",
            made=written,
        )


def _in_sections(told: CurrentStatements) -> Iterator[tuple[str, CurrentStatement]]:
    for section in told.sections:
        yield from ((section.title, one) for one in section.statements)


def _change(statement: CurrentStatement, before: CurrentStatement | None) -> str:
    if statement.was is None:
        return "new"
    return "amended" if before else "kept"


def _quotes(statement: CurrentStatement) -> str:
    """One a line, so line breaks in them are spaces here."""
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
