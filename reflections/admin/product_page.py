from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from interviews.admin import export_page
from interviews.admin.querysets import who_for
from interviews.models import Session, TranscriptEntry
from plans.admin.base import require
from reflections.admin.review_forms import ReviewForms, forms_for, send
from reflections.admin.statements import Quotable, StatementsView, TextPiece, statements_view
from reflections.evidence.statements import statements_of
from reflections.exports.files import formats_of
from reflections.models import Judgement, Reflection, Review, Reviewed, ReviewStep
from reflections.products import (
    ADVICE,
    Content,
    FileFormat,
    Product,
    ProductView,
    followers,
    known_product,
    results_of,
)
from reflections.reviews import review_of

TRANSCRIPT = "interviews.view_session"
REVIEWS = "reflections.review_reflection"
STATE_TONES = {
    "accepted": "success",
    "amended": "success",
    "rejected": "danger",
    "draft": "warning",
}


@dataclass(frozen=True)
class EntryView:
    """An answer, or whatever else statements quote."""

    entry: Quotable
    pieces: list[TextPiece]
    quoted_in: list[int]  # the numbers of statements
    judged: Any = None


@dataclass(frozen=True)
class ReviewedPage:
    """What the templates of reviews show of a product or a report."""

    reflection: Reviewed
    review: Review
    reviewing: ReviewForms
    may_review: bool
    may_make: bool  # anew
    told: StatementsView | None
    original: bool  # show the original of what was amended
    said: Sequence[EntryView]

    @property
    def reviewed(self) -> bool:
        return self.review.state != Judgement.State.DRAFT

    @property
    def tone(self) -> str:
        return STATE_TONES[self.review.state]

    @cached_property
    def steps(self) -> list[ReviewStep]:
        return [*self.review.steps.all()] if self.review.pk else []


def review_page(
    request: HttpRequest,
    row: Reviewed,
    show: Callable[[Review, ReviewForms], HttpResponse],
    make_again: Callable[[], HttpResponse],
) -> HttpResponse:
    """Show a product or a report; a POST judges it, or has it made again."""
    review = review_of(row)
    if request.method != "POST":
        return show(review, forms_for(row, review))
    require(request, REVIEWS)
    if request.POST.get("do") == "again":
        return make_again()
    sent = send(row, review, request.POST, request.user.get_username())
    if sent.done:
        messages.success(request, sent.done)
        return redirect(request.path)
    response = show(review_of(row), sent)
    response.status_code = 409 if sent.error else 200
    return response


@dataclass(frozen=True)
class ProductPage(ReviewedPage):
    product: Product | None
    who: str
    content: Content
    view: ProductView | None
    downloads: Mapping[str, FileFormat]  # formats by name

    @property
    def advice(self) -> str:
        return self.view.advice if self.view else ADVICE

    @property
    def about_a_person(self) -> bool:
        return self.product is None or self.product.about_a_person

    @property
    def followers(self) -> str:
        titles = [Reflection(name=name).title for name in followers(self.reflection.name)]
        return " and ".join(titles)


def page_of(
    request: HttpRequest, reflection: Reflection, review: Review, reviewing: ReviewForms
) -> ProductPage:
    """Return the page as far as the request's user may see it."""
    original = bool(review.content) and "original" in request.GET
    content = reflection.content if original else review.content or reflection.content
    entries = list[TranscriptEntry]()
    if request.user.has_perm(TRANSCRIPT):
        entries += reflection.session.entries.exclude(text="").order_by("position")
    statements = statements_on(reflection, content, entries)
    product = known_product(reflection.name)
    may_review = request.user.has_perm(REVIEWS)
    may_export = reflection.content and export_page.may_export(request)
    return ProductPage(
        reflection=reflection,
        product=product,
        who=who_for(request, reflection.session),
        review=review,
        content=content,
        view=product.view(reflection, content) if product and product.view and content else None,
        told=statements,
        downloads=formats_of(reflection) if may_export else {},
        original=original,
        said=_entry_views(request, reflection.session, entries, statements),
        may_review=may_review,
        may_make=may_review,
        reviewing=reviewing,
    )


def statements_on(
    reflection: Reviewed, content: Content, entries: Iterable[Quotable]
) -> StatementsView | None:
    current, original = (statements_of(reflection, one) for one in (content, reflection.content))
    return statements_view(current, original, entries) if current and original else None


def _entry_views(
    request: HttpRequest,
    session: Session,
    entries: list[TranscriptEntry],
    statements: StatementsView | None,
) -> list[EntryView]:
    results = results_of(session)
    may_see = entries and request.user.has_perm(results.judgements_right)
    judged = results.judgements(session) if results.judgements and may_see else {}
    return [
        EntryView(
            entry,
            statements.pieces(entry) if statements else [TextPiece(entry.text)],
            statements.quoted_in(entry) if statements else [],
            judged.get(entry.position),
        )
        for entry in entries
    ]
