"""What the page of a product shows."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from interviews.admin.querysets import who_for
from interviews.models import Session, TranscriptEntry
from reflections.admin.quote_spans import TextPiece
from reflections.admin.review_forms import ReviewForms
from reflections.admin.statements import StatementsView, statements_view
from reflections.evidence.statements import statements_of
from reflections.exports.files import formats_of
from reflections.models import Judgement, Reflection, Review, ReviewStep
from reflections.products import (
    ADVICE,
    OUTLINE,
    FileFormat,
    Product,
    ProductView,
    followers,
    known_product,
    results_of,
)

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
    """One utterance, what was judged of it, and what quotes it."""

    entry: TranscriptEntry
    judged: Any
    pieces: list[TextPiece]
    quoted_in: list[int]  # the numbers of statements


@dataclass(frozen=True)
class ProductPage:
    """All that the page shows."""

    reflection: Reflection
    product: Product | None
    who: str
    review: Review
    tone: str
    steps: list[ReviewStep]
    content: dict[str, Any]
    view: ProductView | None
    told: StatementsView | None
    downloads: dict[str, FileFormat]  # what it can be had as
    original: bool  # shown although there is an amended one
    said: list[EntryView]
    may_review: bool
    reviewing: ReviewForms

    @property
    def reviewed(self) -> bool:
        """Whether a person has judged it."""
        return self.review.state != Judgement.State.DRAFT

    @property
    def advice(self) -> str:
        """What a reader is to keep in mind."""
        return self.view.advice if self.view else ADVICE

    @property
    def partials(self) -> tuple[str, ...]:
        """The templates that may show its content, the first that there is."""
        return (self.product.template, OUTLINE) if self.product else (OUTLINE,)

    @property
    def about_a_person(self) -> bool:
        """Whether it is about a person, and not about their work."""
        return self.product is None or self.product.about_a_person

    @property
    def followers(self) -> str:
        """The titles of what is made again after it, in a row; empty where nothing is."""
        titles = [Reflection(name=name).title for name in followers(self.reflection.name)]
        return " and ".join(titles)


def page_of(
    request: HttpRequest, reflection: Reflection, review: Review, reviewing: ReviewForms
) -> ProductPage:
    """The page, as far as this person may see it."""
    original = bool(review.content) and "original" in request.GET
    content = reflection.content if original else review.content or reflection.content
    entries = _entries(request, reflection.session)
    told = _told(reflection, content, entries)
    product = known_product(reflection.name)
    return ProductPage(
        reflection=reflection,
        product=product,
        who=who_for(request, reflection.session),
        review=review,
        tone=STATE_TONES[review.state],
        steps=list(review.steps.all()) if review.pk else [],
        content=content,
        view=_view(product, reflection, content),
        told=told,
        downloads=dict(formats_of(reflection)) if reflection.content else {},
        original=original,
        said=_said(request, reflection.session, entries, told),
        may_review=request.user.has_perm(REVIEWS),
        reviewing=reviewing,
    )


def _view(
    product: Product | None, reflection: Reflection, content: dict[str, Any]
) -> ProductView | None:
    """How this content is shown; None where a template takes it as it is, or there is none yet."""
    return product.view(reflection, content) if product and product.view and content else None


def _told(
    reflection: Reflection, content: dict[str, Any], entries: list[TranscriptEntry]
) -> StatementsView | None:
    """A product of statements beside what it was made as; None for one of another kind."""
    told, original = (statements_of(reflection, one) for one in (content, reflection.content))
    return statements_view(told, original, entries) if told and original else None


def _entries(request: HttpRequest, session: Session) -> list[TranscriptEntry]:
    """The transcript, for people who may read it."""
    if not request.user.has_perm(TRANSCRIPT):
        return []
    return list(session.entries.exclude(text="").order_by("position"))


def _said(
    request: HttpRequest,
    session: Session,
    entries: list[TranscriptEntry],
    told: StatementsView | None,
) -> list[EntryView]:
    """The transcript with its quotes, and with what was judged for people who may see that."""
    results = results_of(session)
    may_see = entries and request.user.has_perm(results.judgements_right)
    judged = results.judgements(session) if results.judgements and may_see else {}
    return [_line(entry, judged.get(entry.position), told) for entry in entries]


def _line(entry: TranscriptEntry, judged: Any, told: StatementsView | None) -> EntryView:
    if told is None:
        return EntryView(entry, judged, [TextPiece(entry.text)], [])
    return EntryView(entry, judged, told.pieces(entry), told.quoted_in(entry))
