"""The page on which several facts become one."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from interviews.models import Fact
from interviews.protocols.knowledge_transfer import facts
from interviews.protocols.knowledge_transfer.admin import fact_details
from interviews.protocols.knowledge_transfer.admin.forms import WordsForm, sent_again, words_form
from interviews.protocols.knowledge_transfer.facts.checks import MOST_AT_ONCE

TEMPLATE = "admin/interviews/fact/merge.html"


def merge_url(keys: Iterable[int]) -> str:
    chosen = urlencode({"facts": ",".join(str(key) for key in sorted(keys))})
    return f"{reverse('admin:interviews_fact_merge')}?{chosen}"


def merge_page(admin: Any, request: HttpRequest) -> HttpResponse:
    """GET shows the facts with words for all of them, POST makes them one."""
    chosen = _chosen(admin, request)
    form = words_form(chosen, longest(chosen), request.POST or None)
    if request.method == "POST":
        return _merge(admin, request, chosen, form)
    try:
        facts.check_together(chosen)
    except facts.NotSo as error:
        messages.error(request, str(error))
        return redirect("admin:interviews_fact_changelist")
    return _page(admin, request, chosen, form)


def longest(chosen: Sequence[Fact]) -> str:
    """The words that tell most, to begin with."""
    return max((fact.text for fact in chosen), key=len, default="")


def _merge(
    admin: Any, request: HttpRequest, chosen: Sequence[Fact], form: WordsForm
) -> HttpResponse:
    if not form.is_valid():
        return _page(admin, request, chosen, form)
    told, who = form.cleaned_data, request.user.get_username()
    try:
        made = facts.merge(_named(request), told["text"], told["seen"], who)
    except facts.FactError as error:
        return _page(admin, request, chosen, sent_again(form, chosen), str(error))
    done = f"{len(chosen)} facts are one now. It can be taken apart again."
    admin.log_change(request, made, done)
    messages.success(request, done)
    return redirect(admin.change_url(made))


def _named(request: HttpRequest) -> set[int]:
    """What the address names; what is no number names none."""
    named = request.GET.get("facts", "").split(",")
    return {int(key) for key in named if key.isdecimal() and len(key) < 19}


def _chosen(admin: Any, request: HttpRequest) -> list[Fact]:
    """The facts that are there of these, the earliest first."""
    there = admin.get_queryset(request).filter(pk__in=_named(request)).order_by("pk")
    return list(there[: MOST_AT_ONCE + 1])


def _page(
    admin: Any,
    request: HttpRequest,
    chosen: Sequence[Fact],
    form: WordsForm,
    error: str = "",
) -> HttpResponse:
    response: HttpResponse = admin.page(
        request,
        TEMPLATE,
        None,
        title=f"Merge {len(chosen)} facts",
        facts=fact_details.shown(request, chosen),
        form=form,
        error=error,
    )
    response.status_code = 409 if error else 400 if form.errors else 200
    return response
