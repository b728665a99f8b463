"""What the page of a product shows."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from interviews.admin.listing import who
from interviews.admin.trace import RIGHT as OBSERVATIONS
from interviews.engine.types import Observed
from interviews.models import Session, TranscriptEntry
from interviews.observations import observed_in
from interviews.protocols.technical_assessment.report import Reported
from interviews.protocols.technical_assessment.report.types import Rests, RoadmapStep, TopicReview
from reflections.admin.forms import STATUSES
from reflections.admin.reviewing import Reviewing, as_reported
from reflections.admin.transfers import ADVICE, SHOWN, TransferShown, transfer_shown
from reflections.downloads import Form, forms_of
from reflections.models import Judgement, Reflection, Review, ReviewStep

TRANSCRIPT = "interviews.view_session"
REVIEWS = "reflections.review_reflection"
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
    """One utterance, and what was judged of it."""

    entry: TranscriptEntry
    judged: Observed | None


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
        return ADVICE if self.of_handover else "Advice to a human reviewer. A person decides."

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
    return Page(
        reflection=reflection,
        who=_named(request, reflection.session),
        review=review,
        tone=STATE_TONES[review.state],
        steps=list(review.steps.all()) if review.pk else [],
        content=content,
        report=_shown(reported) if reported else None,
        transfer=transfer_shown(reflection, content),
        downloads=dict(forms_of(reflection.name)) if reflection.content else {},
        original=original,
        said=_said(request, reflection.session),
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


def _named(request: HttpRequest, session: Session) -> str:
    """The name for who may see it, else the pseudonym."""
    named = request.user.has_perm("interviews.view_participant") and session.participant
    return named.name if named and named.name else who(session)


def _said(request: HttpRequest, session: Session) -> list[Said]:
    """The transcript for who may read it, with what was judged for who may see that."""
    if not request.user.has_perm(TRANSCRIPT):
        return []
    judged = observed_in(session) if request.user.has_perm(OBSERVATIONS) else ()
    by_place = {one.position: one for one in judged}
    entries = session.entries.exclude(text="").order_by("position")
    return [Said(entry, by_place.get(entry.position)) for entry in entries]
