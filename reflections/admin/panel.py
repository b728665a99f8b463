"""What is made of an interview, on its page, where it comes in piece by piece."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_POST

from interviews.admin.base import FieldworkAdmin, session_url
from interviews.choices import ENDED
from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from plans.jobs import MOST_ATTEMPTS, UNDER_WAY, Job
from reflections import jobs
from reflections.admin.contents import counts
from reflections.models import EXPERT, Judgement, Reflection

NEWS = "admin/reflections/panel_news.html"
PLACE = "#made"  # where the panel stands on the page
VIEW, MAKE = "reflections.view_reflection", "reflections.review_reflection"
CALIBRATIONS = "reflections.view_calibration"
LATER = "Comes after the interview."
NOTHING_SAID = "Nothing was answered, so nothing is made of it."
NOTHING = "Nothing was made of it."
UNASKED = "Nothing was asked for yet."
IN_WORDS = {  # status -> what it is called, and how much it should catch the eye
    "pending": ("Waiting", ""),
    "running": ("Being made", "info"),
    "ready": ("Ready", "success"),
    "failed": ("Failed", "danger"),
}


@dataclass(frozen=True)
class PanelProduct:
    """One product as the panel shows it; one without a row could be made, but nobody asked."""

    name: str
    row: Reflection | None

    @property
    def title(self) -> str:
        return (self.row or Reflection(name=self.name)).title

    @property
    def place(self) -> str:
        """An id of its own on the page, so that whoever is at it stays there."""
        return self.name.replace(":", "-").replace("_", "-")

    @property
    def readable(self) -> bool:
        """Whether there is something to read, be it from before."""
        return self.row is not None and bool(self.row.content)

    @property
    def ready(self) -> bool:
        return self.row is not None and self.row.status == Job.Status.READY

    @property
    def hindered(self) -> bool:
        """Whether it waits for a model that nobody has set up."""
        pending = self.row is not None and self.row.status == Job.Status.PENDING
        return pending and self.name.startswith(EXPERT) and not has_model()

    @property
    def comes(self) -> bool:
        """Whether something will become of it by itself, soon."""
        return self.row is not None and self.row.status in UNDER_WAY and not self.hindered

    @property
    def state(self) -> str:
        return IN_WORDS[self.row.status][0] if self.row else "Not made"

    @property
    def tone(self) -> str:
        return "warning" if self.hindered else IN_WORDS[self.row.status][1] if self.row else ""

    @property
    def review(self) -> str:
        """What a person has said of it; empty while nobody has."""
        review = getattr(self.row, "review", None)
        judged = review is not None and review.state != Judgement.State.DRAFT
        return review.get_state_display() if review is not None and judged else ""

    @property
    def told(self) -> str:
        """What is in it, or why it isn't there."""
        if self.row is None:
            return ""
        if self.ready:
            return counts(self.row) or self.row.content.get("reason", "")
        return NO_MODEL if self.hindered else self._why(self.row)

    @property
    def offer(self) -> str:
        """What the button says that has it made; empty where there is none."""
        if self.row is None:
            return "Make it"
        return "Run again" if self.row.status == Job.Status.FAILED else ""

    @staticmethod
    def _why(row: Reflection) -> str:
        if row.status != Job.Status.PENDING or not (row.attempts and row.reason):
            return row.reason
        why = row.reason.rstrip(".")
        return (
            f"Attempt {row.attempts} of {MOST_ATTEMPTS} did not succeed: {why}. It is tried again."
        )


@dataclass(frozen=True)
class Panel:
    """All that the panel shows."""

    session: Session
    products: Sequence[PanelProduct]
    may_make: bool
    sees_calibrations: bool
    empty: str = ""  # why there is nothing

    @property
    def wished(self) -> int:
        """How many products were asked for."""
        return sum(one.row is not None for one in self.products)

    @property
    def ready(self) -> int:
        """How many of them are there."""
        return sum(one.ready for one in self.products)

    @property
    def failed(self) -> int:
        """How many will not be there unless somebody asks again."""
        return sum(one.state == "Failed" for one in self.products)

    @property
    def busy(self) -> bool:
        return any(one.comes for one in self.products)

    @property
    def progress(self) -> str:
        """How far it is, in a sentence; what is read out when it changes."""
        if not self.wished:
            return self.empty or UNASKED
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.ready} of {self.wished} ready{failed}."

    @property
    def seen(self) -> str:
        """A mark of all this, which changes with it."""
        told = [(one.name, one.state, one.told, one.review) for one in self.products]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def panel_of(request: HttpRequest, session: Session) -> Panel:
    """What is made of an interview, what is to come and what could be asked for."""
    rows = {row.name: row for row in session.reflections.select_related("review")}
    material = jobs.has_material(session)
    wanted = jobs.wanted_products(session) if material else ()
    names = dict.fromkeys((*(name for name in wanted), *rows))
    return Panel(
        session=session,
        products=[PanelProduct(name, rows.get(name)) for name in names],
        may_make=request.user.has_perm(MAKE),
        sees_calibrations=material and request.user.has_perm(CALIBRATIONS),
        empty="" if names else _empty(session),
    )


def _empty(session: Session) -> str:
    if session.is_active:
        return LATER
    return NOTHING_SAID if session.status in ENDED else NOTHING


class PanelPages(FieldworkAdmin):
    """What the admin of reflections has for the panel."""

    def get_urls(self) -> list[Any]:
        """With what the panel asks for and where its buttons lead."""
        around = self.admin_site.admin_view
        return [
            path("of/<uuid:key>/", around(self.panel), name="reflections_reflection_panel"),
            path("of/<uuid:key>/make/", around(self.make), name="reflections_reflection_make"),
            *super().get_urls(),
        ]

    def panel(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """What has changed since the panel was shown; nothing (204) where nothing has."""
        panel = panel_of(request, _interview(request, key, VIEW))
        if request.GET.get("seen") == panel.seen:
            return HttpResponse(status=204)
        unheard = request.GET.get("heard") != panel.progress
        return render(request, NEWS, {"panel": panel, "unheard": unheard})

    def make(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Has one product made, or made again."""
        made: HttpResponse = require_POST(make_one)(request, key)
        return made


def make_one(request: HttpRequest, key: UUID) -> HttpResponse:
    """The product of that name, if it may be made of the interview; says why where not."""
    session = _interview(request, key, MAKE)
    try:
        _made(session, request.POST.get("name", ""))
    except (jobs.IsReviewed, LookupError) as refused:
        messages.error(request, str(refused.args[0]))
    return redirect(session_url(session, PLACE))


def _made(session: Session, name: str) -> None:
    row = session.reflections.filter(name=name).first()
    if row is not None:
        jobs.run_again(row)
    elif jobs.has_material(session) and name in jobs.wanted_products(session):
        jobs.request(session, name)
    else:
        raise LookupError("This is not made of this interview.")


def _interview(request: HttpRequest, key: UUID, right: str) -> Session:
    """The interview, for who has the right to its products. Raises Http404 and PermissionDenied."""
    if not request.user.has_perm(right):
        raise PermissionDenied
    return get_object_or_404(Session.objects.select_related("bot", "plan"), pk=key)
