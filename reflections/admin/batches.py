"""The admin of batches: products of many interviews of a bot at one request.

From the bot's page: choose products and interviews, see the estimated cost, follow the progress.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from unfold.decorators import display

from llm.routing.routes import NO_MODEL
from plans.admin.base import require
from reflections.admin.batch_page import BatchForm, BatchView, batch_view, titles_of
from reflections.admin.panel import MAKE, VIEW
from reflections.admin.reflections import RunsAdmin
from reflections.batches.estimates import ASSUMED, estimate_batch
from reflections.batches.offers import BatchOffer, offer_of
from reflections.batches.progress import progress_in, with_progress
from reflections.batches.requests import BegunMeanwhile, begin, latest, request_products, run_failed
from reflections.models import Batch

NEW, PAGE, PROGRESS = (
    f"admin/reflections/{name}.html" for name in ("batch_new", "batch", "batch_progress")
)
EARLIER = 10  # batches that are shown
NOTHING = "There is nothing to do: no interview lacks what you chose."
MEANWHILE = "{who} has started this batch in the meantime. To generate more, check the costs again."


@admin.register(Batch)
class BatchAdmin(RunsAdmin):
    list_display = ["begun", "of_bot", "what", "how_far", "by"]
    list_display_links = ["begun"]
    how_to_begin = (
        "A batch generates results for many interviews at once, such as experts’ reflections. "
        "Open a bot and choose After the interview."
    )

    class Media:
        css = {"all": ["reflections/panel.css"]}

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(VIEW)

    has_module_permission = has_view_permission

    # -- the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Batch]:
        return with_progress(super().get_queryset(request))

    @display(description="Results")
    def what(self, batch: Batch) -> str:
        return ", ".join(titles_of(batch))

    @display(description="Progress")
    def how_far(self, batch: Batch) -> str:
        return progress_in(batch).sentence

    # -- a new one

    def new_page(self, request: HttpRequest, key: int) -> HttpResponse:
        require(request, VIEW, MAKE)
        bot = self.bot_at(request, key)
        offer = offer_of(bot)
        if request.method == "POST":
            return self._begin(request, offer)
        return self._form_page(request, offer, BatchForm(offer, request.GET))

    def _form_page(self, request: HttpRequest, offer: BatchOffer, form: BatchForm) -> HttpResponse:
        estimate = estimate_batch(offer, form.choice) if form.is_bound and form.is_valid() else None
        past = with_progress(offer.bot.batches.all())
        earlier = [BatchView(batch, progress_in(batch)) for batch in past[:EARLIER]]
        return self.page(
            request,
            NEW,
            offer.bot,
            title=f"After the interview: “{offer.bot}”",
            bot=offer.bot,
            form=form,
            estimate=estimate,
            assumed=ASSUMED,
            nothing=NOTHING if estimate and not estimate.products else "",
            after=latest(offer.bot),
            running=[one for one in earlier if one.progress.busy],
            earlier=earlier,
        )

    def _begin(self, request: HttpRequest, offer: BatchOffer) -> HttpResponse:
        form = BatchForm(offer, request.POST)
        if not form.is_valid() or form.cleaned_data["after"] is None:
            return self._form_page(request, offer, form)
        estimate = estimate_batch(offer, form.choice)
        if not estimate.products:
            messages.warning(request, NOTHING)
            return redirect(request.path)
        user, after = request.user.get_username(), form.cleaned_data["after"]
        try:
            batch = begin(offer.bot, form.choice, estimate.cost, user, after)
        except BegunMeanwhile as other:
            batch = other.batch
            if batch.created_by != user:
                messages.warning(request, MEANWHILE.format(who=batch.created_by))
        else:
            request_products(batch, offer)
        return redirect(self.change_url(batch))

    # -- its page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        batch: Batch = self.row(request, object_id or "")
        if request.method == "POST":
            return self._resume_or_run_again(request, batch)
        part = request.GET.get("part") == "progress"
        view = batch_view(batch, refresh=not part)
        if part and request.GET.get("seen") == view.seen:
            return HttpResponse(status=204)
        may_make = request.user.has_perm(MAKE)
        context = {"shown": view, "may_make": may_make, "no_model": NO_MODEL}
        if part:
            return render(request, PROGRESS, context)
        return self.page(request, PAGE, batch, title=str(batch), **context)

    def _resume_or_run_again(self, request: HttpRequest, batch: Batch) -> HttpResponse:
        require(request, MAKE)
        if "go_on" not in request.POST:
            count = run_failed(batch)
            message = f"{count:,} result{pluralize(count)} will be regenerated."
        elif batch.bot is None:
            message = "Its bot has been deleted, so nothing more was requested."
        else:
            count = request_products(batch, offer_of(batch.bot))
            message = f"{count:,} more result{pluralize(count)} requested."
        messages.success(request, message)
        return redirect(self.change_url(batch))
