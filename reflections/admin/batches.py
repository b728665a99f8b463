"""The admin of batches: many interviews of a bot, worked through at one wish.

From the bot's page: what, and which interviews; then what it will cost; then how far it is.
"""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from unfold.decorators import display

from interviews.admin.base import FieldworkAdmin
from plans.admin.base import moment
from plans.models import Bot
from reflections.admin.batch_form import BatchForm, fitting
from reflections.admin.batch_page import BatchView, in_a_list, shown, titles_of
from reflections.admin.panel import MAKE, VIEW
from reflections.batches.estimates import ASSUMED, Estimate, estimated
from reflections.batches.offers import BatchOffer, offer_of
from reflections.batches.progress import batches_of, progress_in, with_progress
from reflections.batches.requests import BegunMeanwhile, begin, latest, request_products, run_failed
from reflections.models import Batch

NEW, PAGE, PROGRESS = (
    f"admin/reflections/{name}.html" for name in ("batch_new", "batch", "batch_progress")
)
EARLIER = 10  # batches that are shown
NOTHING = "There is nothing to make: no interview lacks what you chose."
MEANWHILE = "{who} has begun this batch meanwhile. If more is to be made, look at the costs anew."


@admin.register(Batch)
class BatchAdmin(FieldworkAdmin):
    """Batches: a list, the page on which one is begun, and one on which it is followed."""

    list_display = ["begun", "of_bot", "what", "how_far", "by"]
    list_display_links = ["begun"]
    list_select_related = ["bot"]
    ordering = ["-id"]
    how_to_begin = (
        "A batch makes products of many interviews at once, such as experts’ reflections. Open a "
        "bot and choose After-work."
    )

    class Media:
        css = {"all": ["reflections/panel.css"]}

    def get_urls(self) -> list[Any]:
        """With the page on which one is begun."""
        new = self.admin_site.admin_view(self.of_bot_page)
        return [path("bot/<int:key>/", new, name="reflections_batch_of_bot"), *super().get_urls()]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may see products may see how far they are."""
        return request.user.has_perm(VIEW)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(VIEW)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was begun was begun."""
        return False

    # -- the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Batch]:
        return with_progress(super().get_queryset(request))

    @display(description="Begun", ordering="created_at")
    def begun(self, batch: Batch) -> str:
        """When."""
        return moment(batch.created_at)

    @display(description="Bot", ordering="bot", empty_value="deleted")
    def of_bot(self, batch: Batch) -> str | None:
        """Whose interviews."""
        return str(batch.bot) if batch.bot else None

    @display(description="Products")
    def what(self, batch: Batch) -> str:
        """Their names."""
        return ", ".join(titles_of(batch))

    @display(description="Made")
    def how_far(self, batch: Batch) -> str:
        """Such as “3 of 8”."""
        return progress_in(batch).sentence

    @display(description="By", ordering="created_by")
    def by(self, batch: Batch) -> str:
        """Who began it."""
        return batch.created_by

    # -- a new one

    def of_bot_page(self, request: HttpRequest, key: int) -> HttpResponse:
        """What is to be made of a bot's interviews, what it will cost, and the beginning of it."""
        if not (request.user.has_perm(VIEW) and request.user.has_perm(MAKE)):
            raise PermissionDenied
        bot = get_object_or_404(Bot, pk=key)
        offer = offer_of(bot)
        if request.method == "POST":
            return self._begun(request, offer)
        return self._new(request, offer, fitting(offer, request.GET))

    def _new(self, request: HttpRequest, offer: BatchOffer, form: BatchForm) -> HttpResponse:
        estimate = estimated(offer, form.choice) if form.is_bound and form.is_valid() else None
        earlier = [in_a_list(batch) for batch in batches_of(offer.bot)[:EARLIER]]
        return self.page(
            request,
            NEW,
            None,
            title=f"After-work of “{offer.bot}”",
            bot=offer.bot,
            form=form,
            estimate=estimate,
            assumed=ASSUMED,
            nothing=NOTHING if estimate and not estimate.products else "",
            after=latest(offer.bot),
            running=[one for one in earlier if one.progress.busy],
            earlier=earlier,
        )

    def _begun(self, request: HttpRequest, offer: BatchOffer) -> HttpResponse:
        """Begins it once, however often that is asked for."""
        form = fitting(offer, request.POST)
        if not form.is_valid() or form.latest_then is None:
            return self._new(request, offer, form)
        estimate = estimated(offer, form.choice)
        if not estimate.products:
            messages.warning(request, NOTHING)
            return redirect(request.path)
        return redirect(self.change_url(self._batch(request, offer, form, estimate)))

    def _batch(
        self, request: HttpRequest, offer: BatchOffer, form: BatchForm, estimate: Estimate
    ) -> Batch:
        user = request.user.get_username()
        try:
            batch = begin(offer.bot, form.choice, estimate.cost, user, form.latest_then or 0)
        except BegunMeanwhile as other:
            if other.batch.created_by != user:
                messages.warning(request, MEANWHILE.format(who=other.batch.created_by))
            return other.batch
        request_products(batch, offer)
        return batch

    # -- its page

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """How far it is; `?part=progress` gives that alone."""
        batch: Batch = self.row(request, object_id or "")
        if request.method == "POST":
            return self._done(request, batch)
        part = request.GET.get("part") == "progress"
        told: BatchView = shown(batch, anew=not part)
        if part:
            if request.GET.get("seen") == told.seen:
                return HttpResponse(status=204)
            return render(request, PROGRESS, self._told(request, told))
        context = self._told(request, told)
        return self.page(request, PAGE, batch, title=str(batch), **context)

    def _told(self, request: HttpRequest, told: BatchView) -> dict[str, Any]:
        return {"shown": told, "may_make": request.user.has_perm(MAKE)}

    def _done(self, request: HttpRequest, batch: Batch) -> HttpResponse:
        """Runs failed ones again, or goes on with what wasn't asked for."""
        if not request.user.has_perm(MAKE):
            raise PermissionDenied
        go_on = "go_on" in request.POST
        said = _gone_on(batch) if go_on else f"{_products(run_failed(batch))} will be made again."
        messages.success(request, said)
        return redirect(self.change_url(batch))


def _gone_on(batch: Batch) -> str:
    """Goes on with it, if its bot is still there; what came of that."""
    if batch.bot is None:
        return "Its bot is gone, so nothing more is asked for."
    count = request_products(batch, offer_of(batch.bot))
    return f"{count:,} more product{' is' if count == 1 else 's are'} asked for."


def _products(count: int) -> str:
    return f"{count:,} product{'' if count == 1 else 's'}"
