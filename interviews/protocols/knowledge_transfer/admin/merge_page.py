from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.widgets import UnfoldAdminTextareaWidget

from interviews.models import Fact
from interviews.protocols.knowledge_transfer import fact_changes as facts
from interviews.protocols.knowledge_transfer.admin import fact_details
from interviews.protocols.knowledge_transfer.fact_changes import MAX_LENGTH, MAX_MERGED, version
from plans.forms.fields import TidyText


class WordsForm(forms.Form):
    text = TidyText(
        label="Fact",
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto"}),
        help_text="One sentence that makes sense without the question.",
    )
    seen = forms.CharField(widget=forms.HiddenInput())


def words_form(facts: Sequence[Fact], text: str, data: Any = None) -> WordsForm:
    return WordsForm(data, initial={"text": text, "seen": version(facts)})


def resubmitted_form(form: WordsForm, facts: Sequence[Fact]) -> WordsForm:
    return words_form(facts, form.data.get("text", ""))


TEMPLATE = "admin/interviews/fact/merge.html"


def merge_url(keys: Iterable[int]) -> str:
    chosen = urlencode({"facts": ",".join(str(key) for key in sorted(keys))})
    return f"{reverse('admin:interviews_fact_merge')}?{chosen}"


def merge_page(admin: Any, request: HttpRequest) -> HttpResponse:
    chosen = _chosen_facts(admin, request)
    longest = max((fact.text for fact in chosen), key=len, default="")
    form = words_form(chosen, longest, request.POST or None)
    if request.method == "POST":
        return _merge(admin, request, chosen, form)
    try:
        facts.check_mergeable(chosen)
    except facts.Invalid as error:
        messages.error(request, str(error))
        return redirect("admin:interviews_fact_changelist")
    return _render(admin, request, chosen, form)


def _merge(
    admin: Any, request: HttpRequest, chosen: Sequence[Fact], form: WordsForm
) -> HttpResponse:
    if not form.is_valid():
        return _render(admin, request, chosen, form)
    data, editor = form.cleaned_data, request.user.get_username()
    try:
        merged = facts.merge(_requested_keys(request), data["text"], data["seen"], editor)
    except facts.FactError as error:
        return _render(admin, request, chosen, resubmitted_form(form, chosen), str(error))
    message = f"{len(chosen)} facts merged into one. You can undo the merge."
    admin.log_change(request, merged, message)
    messages.success(request, message)
    return redirect(admin.change_url(merged))


def _requested_keys(request: HttpRequest) -> set[int]:
    keys = request.GET.get("facts", "").split(",")
    return {int(key) for key in keys if key.isdecimal() and len(key) < 19}


def _chosen_facts(admin: Any, request: HttpRequest) -> list[Fact]:
    found = admin.get_queryset(request).filter(pk__in=_requested_keys(request)).order_by("pk")
    return list(found[: MAX_MERGED + 1])


def _render(
    admin: Any, request: HttpRequest, chosen: Sequence[Fact], form: WordsForm, error: str = ""
) -> HttpResponse:
    response: HttpResponse = admin.page(
        request,
        TEMPLATE,
        None,
        title=f"Merge {len(chosen)} facts",
        facts=fact_details.fact_views(request, chosen),
        form=form,
        error=error,
    )
    response.status_code = 409 if error else 400 if form.errors else 200
    return response
