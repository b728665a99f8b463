"""Products as tables: what is said in them, statement by statement; how far each is; and every step
of their reviews."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import IN_ORDER
from plans.jobs import Job
from reflections.exports import REVIEW_COLUMNS, RIGHT, STATES
from reflections.models import Reflection, Review, ReviewStep
from reflections.reviews import FINAL
from reflections.told import Rewritten, ToldNow, expert_of, original_of, told_of

MADE_BY = {
    "model": "the model that was meant to",
    "fallback_model": "its stand-in",
    "rules": "without a model",
}
AGAIN = {"draft": "it was opened for review again"}
STATUSES = {str(value): str(label).lower() for value, label in Job.Status.choices}


@dataclass(frozen=True)
class Product:
    """One product of one interview, as far as it is."""

    session: Facts
    made: Reflection
    review: Review

    @property
    def final(self) -> bool:
        """Whether a person has let it pass."""
        return self.review.state in FINAL

    @property
    def expert(self) -> str:
        """The key of the expert whose reflection it is."""
        return expert_of(self.made.name)

    @property
    def made_by(self) -> str:
        """Who made it; empty while nobody has."""
        return str(self.made.content.get("made_by", ""))


@dataclass(frozen=True)
class Stated(Product):
    """One statement of a product, as it stands."""

    section: str
    number: int
    statement: Rewritten
    before: Rewritten | None  # as it was made, where it was amended

    @property
    def quotes(self) -> str:
        """What it rests on, a quote a line."""
        return _quotes(self.statement)

    @property
    def positions(self) -> str:
        """Where these were said."""
        return "; ".join(str(quote.position) for quote in self.statement.quotes)

    @property
    def change(self) -> str:
        """What a reviewer did to it."""
        if self.statement.was is None:
            return "new"
        return "amended" if self.before else "kept"

    @property
    def original(self) -> str:
        """Its words as they were made, where it was amended."""
        return self.before.text if self.before else ""

    @property
    def original_quotes(self) -> str:
        """Its quotes as they were made, where it was amended."""
        return _quotes(self.before) if self.before else ""


@dataclass(frozen=True)
class Step:
    """One judgement that was once made of a product."""

    session: Facts
    step: ReviewStep
    version: int

    @property
    def expert(self) -> str:
        """The key of the expert whose reflection it is of."""
        return expert_of(self.step.review.reflection.name)


def statements(chosen: Selection, only_final: bool) -> Iterator[Stated]:
    """What is said in products of statements, in the order of interviews and products."""
    for product in products(chosen):
        if product.final or not only_final:
            yield from _statements(product)


def products(chosen: Selection) -> Iterator[Product]:
    """Every product that was wished for, in the order of interviews."""
    for batch in batches(chosen.with_content()):
        for session, made in by_session(batch, _made(batch).iterator()):
            yield from (Product(session, one, _review(one)) for one in made)


def steps(chosen: Selection) -> Iterator[Step]:
    """Every step of every review, in the order of interviews and products."""
    for batch in batches(chosen.with_content()):
        made = _made(batch).prefetch_related("review__steps__review__reflection")
        for session, of_session in by_session(batch, made):
            for one in of_session:
                yield from _steps(session, _review(one))


def _made(batch: list[Facts]) -> QuerySet[Reflection]:
    found = Reflection.objects.filter(session__in=keys(batch)).select_related("review")
    return found.order_by(*IN_ORDER, "id")


def _review(made: Reflection) -> Review:
    return getattr(made, "review", None) or Review(reflection=made)


def _steps(session: Facts, review: Review) -> Iterator[Step]:
    if review.pk:
        for version, step in enumerate(review.steps.all(), 1):
            yield Step(session, step, version)


def _statements(product: Product) -> Iterator[Stated]:
    made = product.made
    now = told_of(made, product.review.content or made.content)
    original = told_of(made, made.content)
    if now is None or original is None:
        return
    for number, (section, one) in enumerate(_in_sections(now), 1):
        before = original_of(one, original)
        yield Stated(product.session, made, product.review, section, number, one, before)


def _in_sections(told: ToldNow) -> Iterator[tuple[str, Rewritten]]:
    for section in told.sections:
        yield from ((section.title, one) for one in section.statements)


def _quotes(statement: Rewritten) -> str:
    """One a line, so line breaks in them are spaces here."""
    return "\n".join(" ".join(quote.text.split()) for quote in statement.quotes)


def _product_columns(path: str) -> tuple[Column[Any], ...]:
    """Which product it is; `path` leads from a row to it."""
    return (
        Column("product", Type.STRING, "Name of the product.", attrgetter(f"{path}.name")),
        Column(
            "expert",
            Type.STRING,
            "Key of the expert whose reflection it is. Empty for other products.",
            attrgetter("expert"),
        ),
    )


MADE_AT: Column[Any] = Column(
    "made_at", Type.DATETIME, "When it was made (UTC).", attrgetter("made.finished_at")
)
MADE: tuple[Column[Any], ...] = (
    Column("made_by", Type.STRING, "Who wrote it.", attrgetter("made_by"), MADE_BY),
    MADE_AT,
)
STATED: tuple[Column[Any], ...] = (
    *session_columns(),
    *_product_columns("made"),
    Column(
        "section",
        Type.STRING,
        "Title of its section. Empty where there is only one.",
        attrgetter("section"),
    ),
    Column("number", Type.INTEGER, "Its number in the product, from 1.", attrgetter("number")),
    Column("statement", Type.STRING, "The statement, as it stands.", attrgetter("statement.text")),
    Column(
        "quotes",
        Type.STRING,
        "The participant's words that it rests on, a quote a line.",
        attrgetter("quotes"),
    ),
    Column(
        "positions",
        Type.STRING,
        "Where in the transcript these were said, in the same order, with semicolons between.",
        attrgetter("positions"),
    ),
    *REVIEW_COLUMNS,
    Column(
        "change",
        Type.STRING,
        "What a reviewer did to it.",
        attrgetter("change"),
        {
            "kept": "it is as it was made",
            "amended": "its words or quotes were changed",
            "new": "the reviewer wrote it",
        },
    ),
    Column(
        "original",
        Type.STRING,
        "The statement as it was made, where it was amended.",
        attrgetter("original"),
    ),
    Column(
        "original_quotes",
        Type.STRING,
        "Its quotes as they were made, where it was amended.",
        attrgetter("original_quotes"),
    ),
    *MADE,
)
REFLECTIONS: Table[Stated] = Table(
    "reflections",
    "One row a statement of a reflection, a summary or a list of facts that a person has accepted "
    "or amended.",
    STATED,
    partial(statements, only_final=True),
    shared=SHARED,
    right=RIGHT,
)
ALL_REFLECTIONS: Table[Stated] = Table(
    "all_reflections",
    "One row a statement of a product of whichever state, drafts and rejected ones among them. "
    "Written by programs, and answered for by nobody yet: look at `final`.",
    STATED,
    partial(statements, only_final=False),
    shared=SHARED,
    right=RIGHT,
)
PRODUCTS: Table[Product] = Table(
    "products",
    "One row a product of an interview: how far it is, and how it was reviewed. What it says is in "
    "other tables.",
    (
        *session_columns(),
        *_product_columns("made"),
        Column(
            "product_status",
            Type.STRING,
            "How far it is.",
            attrgetter("made.status"),
            STATUSES,
        ),
        Column(
            "reason",
            Type.STRING,
            "Why it is not ready. Empty where it is.",
            attrgetter("made.reason"),
        ),
        *REVIEW_COLUMNS,
        *MADE,
    ),
    products,
    shared=SHARED,
    right=RIGHT,
)
REVIEWS: Table[Step] = Table(
    "reviews",
    "One row a step of a review: nothing that a reviewer once said is lost.",
    (
        *session_columns(),
        *_product_columns("step.review.reflection"),
        Column(
            "version",
            Type.INTEGER,
            "Number of the step in its review, from 1.",
            attrgetter("version"),
        ),
        Column(
            "review", Type.STRING, "How it was judged.", attrgetter("step.state"), STATES | AGAIN
        ),
        Column("reviewer", Type.STRING, "Who judged it.", attrgetter("step.reviewer")),
        Column("at", Type.DATETIME, "When (UTC).", attrgetter("step.at")),
        Column("comment", Type.STRING, "What the reviewer said.", attrgetter("step.comment")),
        Column(
            "amended",
            Type.STRING,
            "The product as it was amended in this step, as JSON.",
            lambda row: row.step.content and json.dumps(row.step.content, ensure_ascii=False),
        ),
    ),
    steps,
    shared=SHARED,
    right=RIGHT,
)
TABLES = (REFLECTIONS, ALL_REFLECTIONS, PRODUCTS, REVIEWS)
