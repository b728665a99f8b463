import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from interviews.admin.base import session_url
from interviews.choices import ENDED
from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from plans.admin.base import require
from plans.bots.teams import visible
from plans.jobs import MOST_ATTEMPTS, UNDER_WAY, Job
from reflections import jobs
from reflections.exports.statements import loaded_review
from reflections.models import EXPERT, Judgement, Reflection
from reflections.products import Content, known_product

NEWS = "admin/reflections/panel_news.html"
PLACE = "#made"  # the panel's anchor
VIEW, MAKE = "reflections.view_reflection", "reflections.review_reflection"
CALIBRATIONS = "reflections.view_calibration"
LATER = "Available after the interview."
NOTHING_SAID = "Nothing was answered, so there are no results."
NOTHING = "There are no results."
UNASKED = "Nothing has been requested yet."
TONES = {"running": "info", "ready": "success", "failed": "danger"}  # by status


@dataclass(frozen=True)
class PanelProduct:
    """A product as the panel shows it; if its row isn't saved, it was not requested."""

    row: Reflection

    @property
    def requested(self) -> bool:
        return self.row.pk is not None

    @property
    def place(self) -> str:
        return self.row.name.replace(":", "-").replace("_", "-")

    @property
    def ready(self) -> bool:
        return self.row.status == Job.Status.READY

    @property
    def hindered(self) -> bool:
        """Whether it waits for a model that nobody has configured."""
        pending = self.requested and self.row.status == Job.Status.PENDING
        return pending and self.row.name.startswith(EXPERT) and not has_model()

    @property
    def comes(self) -> bool:
        return self.requested and self.row.status in UNDER_WAY and not self.hindered

    @property
    def state(self) -> str:
        return self.row.get_status_display() if self.requested else "Not generated"

    @property
    def tone(self) -> str:
        return "warning" if self.hindered else TONES.get(self.row.status, "")

    @property
    def review(self) -> str:
        review = loaded_review(self.row)
        drafted = review.state == Judgement.State.DRAFT
        return "" if drafted else str(review.get_state_display())

    @property
    def detail(self) -> str:
        row = self.row
        if self.ready:
            return counts(row) or row.content.get("reason", "")
        if self.hindered:
            return NO_MODEL
        if row.status != Job.Status.PENDING or not (row.attempts and row.reason):
            return row.reason
        attempt = f"Attempt {row.attempts} of {MOST_ATTEMPTS} failed"
        return f"{attempt}: {row.reason.rstrip('.')}. It will be retried."

    @property
    def offer(self) -> str:
        if not self.requested:
            return "Generate"
        return "Run again" if self.row.status == Job.Status.FAILED else ""


@dataclass(frozen=True)
class Panel:
    session: Session
    products: Sequence[PanelProduct]
    may_make: bool
    sees_calibrations: bool
    empty: str = ""  # why there is nothing

    @property
    def wished(self) -> int:
        return sum(one.requested for one in self.products)

    @property
    def ready(self) -> int:
        return sum(one.ready for one in self.products)

    @property
    def failed(self) -> int:
        return sum(one.state == "Failed" for one in self.products)

    @property
    def busy(self) -> bool:
        return any(one.comes for one in self.products)

    @property
    def progress(self) -> str:
        if not self.wished:
            return self.empty or UNASKED
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.ready} of {self.wished} ready{failed}."

    @property
    def seen(self) -> str:
        """A hash of what is shown, which changes with it."""
        state = [(one.row.name, one.state, one.detail, one.review) for one in self.products]
        return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def panel_of(request: HttpRequest, session: Session) -> Panel:
    rows = {row.name: row for row in session.reflections.select_related("review")}
    material = jobs.has_material(session)
    wanted = jobs.wanted_products(session) if material else ()
    names = dict.fromkeys((*wanted, *rows))
    return Panel(
        session=session,
        products=[PanelProduct(rows.get(name) or Reflection(name=name)) for name in names],
        may_make=request.user.has_perm(MAKE),
        sees_calibrations=material and request.user.has_perm(CALIBRATIONS),
        empty="" if names else _empty_reason(session),
    )


def _empty_reason(session: Session) -> str:
    if session.is_active:
        return LATER
    return NOTHING_SAID if session.status in ENDED else NOTHING


def news(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return what has changed since the panel was shown, or 204."""
    panel = panel_of(request, _session(request, key, VIEW))
    if request.GET.get("seen") == panel.seen:
        return HttpResponse(status=204)
    unheard = request.GET.get("heard") != panel.progress
    return render(request, NEWS, {"panel": panel, "unheard": unheard})


@require_POST
def make_one(request: HttpRequest, key: UUID) -> HttpResponse:
    """Have one product made, or made again, and redirect to the interview."""
    session = _session(request, key, MAKE)
    try:
        _request_product(session, request.POST.get("name", ""))
    except (jobs.IsReviewed, LookupError) as error:
        messages.error(request, str(error.args[0]))
    return redirect(session_url(session, PLACE))


def _request_product(session: Session, name: str) -> None:
    row = session.reflections.filter(name=name).first()
    if row is not None:
        jobs.run_again(row)
    elif jobs.has_material(session) and name in jobs.wanted_products(session):
        jobs.request(session, name)
    else:
        raise LookupError("This interview has no such result.")


def _session(request: HttpRequest, key: UUID, right: str) -> Session:
    """Return the interview. Raises PermissionDenied or Http404."""
    require(request, right)
    sessions = visible(Session.objects.select_related("bot", "plan"), request.user)
    return get_object_or_404(sessions, pk=key)


def counts(reflection: Reflection) -> str:
    """Return such as “12 statements, 30 quotes”; empty if there is nothing to count."""
    if not reflection.content:
        return ""
    product = known_product(reflection.name)
    count = product.counts if product and product.counts else _default_counts
    parts = (f"{n} {one if n == 1 else many}" for n, one, many in count(reflection.content) if n)
    return ", ".join(parts)


def _default_counts(content: Content) -> list[tuple[int, str, str]]:
    if content.get("sections"):
        statements = [one for part in content["sections"] for one in part.get("statements", ())]
        quotes = sum(len(one.get("quotes", ())) for one in statements)
        return [(len(statements), "statement", "statements"), (quotes, "quote", "quotes")]
    return [(len(content.get("items", ())), "question answered", "questions answered")]
