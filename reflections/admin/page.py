"""What the page of a product shows."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from interviews.admin.listing import who_for
from interviews.admin.trace import RIGHT as OBSERVATIONS
from interviews.engine.types import Observed
from interviews.models import Session, TranscriptEntry
from interviews.observations import observed_in
from interviews.protocols.technical_assessment.report import Reported
from interviews.protocols.technical_assessment.report.types import Rests, RoadmapStep, TopicReview
from reflections.admin.forms import STATUSES
from reflections.admin.marking import Piece
from reflections.admin.reviewing import Reviewing, as_reported
from reflections.admin.told import ToldShown, told_shown
from reflections.admin.transfers import ADVICE, SHOWN, TransferShown, transfer_shown
from reflections.downloads import Form, forms_of
from reflections.models import Judgement, Reflection, Review, ReviewStep
from reflections.told import told_of

TRANSCRIPT = "interviews.view_session"
REVIEWS = "reflections.review_reflection"
PARTIALS = {  # of products that are shown by a template of their own, which takes `content`
    "coverage": "admin/reflections/coverage.html",
    "ladders": "admin/reflections/ladders.html",
}
OUTLINE = "admin/reflections/outline.html"  # of all others
STATE_TONES = {
    "accepted": "success",
    "amended": "success",
    "rejected": "danger",
    "draft": "warning",
}
STATUS_TONES = {"confirmed": "success", "gap": "warning", "hallucination_suspect": "danger"}
MAKERS = {
    "model": "Written by a model",
    "fallback_model": "Written by the stand-in model",
    "rules": "Computed from the observations",
}


@dataclass(frozen=True)
class Topic:
    """One topic of a report with what it rests on."""

    review: TopicReview
    positions: list[int]

    @property
    def status(self) -> str:
        """In words."""
        return STATUSES[self.review.status]

    @property
    def tone(self) -> str:
        """Its colour."""
        return STATUS_TONES[self.review.status]


@dataclass(frozen=True)
class Step:
    """One thing to learn with what it rests on."""

    step: RoadmapStep
    positions: list[int]


@dataclass(frozen=True)
class Said:
    """One utterance, what was judged of it, and what quotes it."""

    entry: TranscriptEntry
    judged: Observed | None
    pieces: list[Piece]
    quoted_in: list[int]  # the numbers of statements


@dataclass(frozen=True)
class ReportShown:
    """A report, part by part."""

    stored: Reported
    made_by: str
    topics: list[Topic]
    skills: list[Rests]
    gaps: list[Rests]
    roadmap: list[Step]


@dataclass(frozen=True)
class Page:
    """All that the page shows."""

    reflection: Reflection
    who: str
    review: Review
    tone: str
    steps: list[ReviewStep]
    content: dict[str, Any]
    report: ReportShown | None
    transfer: TransferShown | None
    told: ToldShown | None
    downloads: dict[str, Form]  # what it can be had as
    original: bool  # shown although there is an amended one
    said: list[Said]
    may_review: bool
    reviewing: Reviewing

    @property
    def reviewed(self) -> bool:
        """Whether a person has judged it."""
        return self.review.state != Judgement.State.DRAFT

    @property
    def advice(self) -> str:
        """What a reader is to keep in mind."""
        return "Advice to a human reviewer. A person decides." if self.report else ADVICE

    @property
    def partials(self) -> tuple[str, ...]:
        """The templates that may show its content, the first that there is."""
        own = PARTIALS.get(self.reflection.name)
        return (own, OUTLINE) if own else (OUTLINE,)

    @property
    def of_handover(self) -> bool:
        """Whether it is about work that is handed over, and not about a person."""
        return self.reflection.name in SHOWN


def page_of(
    request: HttpRequest, reflection: Reflection, review: Review, reviewing: Reviewing
) -> Page:
    """The page, as far as this person may see it."""
    original = bool(review.content) and "original" in request.GET
    content = reflection.content if original else review.content or reflection.content
    reported = as_reported(content)
    entries = _entries(request, reflection.session)
    told = _told(reflection, content, entries)
    return Page(
        reflection=reflection,
        who=who_for(request, reflection.session),
        review=review,
        tone=STATE_TONES[review.state],
        steps=list(review.steps.all()) if review.pk else [],
        content=content,
        report=_shown(reported) if reported else None,
        transfer=transfer_shown(reflection, content),
        told=told,
        downloads=dict(forms_of(reflection)) if reflection.content else {},
        original=original,
        said=_said(request, reflection.session, entries, told),
        may_review=request.user.has_perm(REVIEWS),
        reviewing=reviewing,
    )


def _shown(stored: Reported) -> ReportShown:
    report, evidence = stored.report, stored.evidence
    return ReportShown(
        stored=stored,
        made_by=MAKERS[stored.made_by],
        topics=[
            Topic(review, rests.positions)
            for review, rests in zip(report.technical_review.topics, evidence.topics, strict=True)
        ],
        skills=evidence.confirmed_skills,
        gaps=evidence.knowledge_gaps,
        roadmap=[
            Step(step, rests.positions)
            for step, rests in zip(report.personal_roadmap, evidence.personal_roadmap, strict=True)
        ],
    )


def _told(
    reflection: Reflection, content: dict[str, Any], entries: list[TranscriptEntry]
) -> ToldShown | None:
    """A product of statements beside what it was made as; None for one of another kind."""
    told, original = told_of(reflection, content), told_of(reflection, reflection.content)
    return told_shown(told, original, entries) if told and original else None


def _entries(request: HttpRequest, session: Session) -> list[TranscriptEntry]:
    """The transcript for who may read it."""
    if not request.user.has_perm(TRANSCRIPT):
        return []
    return list(session.entries.exclude(text="").order_by("position"))


def _said(
    request: HttpRequest, session: Session, entries: list[TranscriptEntry], told: ToldShown | None
) -> list[Said]:
    """The transcript with its quotes, and with what was judged for who may see that."""
    may_see = entries and request.user.has_perm(OBSERVATIONS)
    judged = {one.position: one for one in observed_in(session)} if may_see else {}
    return [_one_said(entry, judged.get(entry.position), told) for entry in entries]


def _one_said(entry: TranscriptEntry, judged: Observed | None, told: ToldShown | None) -> Said:
    if told is None:
        return Said(entry, judged, [Piece(entry.text)], [])
    return Said(entry, judged, told.pieces(entry), told.quoted_in(entry))
