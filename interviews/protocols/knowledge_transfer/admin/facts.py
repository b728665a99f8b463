from collections.abc import Iterable, Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import path, reverse
from unfold.contrib.filters.admin import DropdownFilter
from unfold.contrib.filters.admin.choice_filters import RadioFilter
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from interviews.admin.base import FieldworkAdmin, session_link
from interviews.admin.querysets import who_for
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer import fact_changes as facts
from interviews.protocols.knowledge_transfer.admin import fact_details
from interviews.protocols.knowledge_transfer.fact_changes import MAX_LENGTH, MAX_MERGED, version
from interviews.search.queries import containing
from plans.admin.base import StudyAdmin, TeamDropdownFilter, bot_column, by_key, time_column
from plans.bots.teams import visible
from plans.forms.fields import TidyText
from plans.text import shorten


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


class ConditionFilter(RadioFilter):
    """A filter whose choices each stand for a condition; without a choice `otherwise` holds."""

    conditions: ClassVar[dict[str, tuple[str, Q]]]  # value -> label, condition
    otherwise = Q()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, label) for value, (label, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        _, condition = self.conditions.get(self.value() or "", ("", self.otherwise))
        return queryset.filter(condition)


class ConfidenceFilter(ConditionFilter):
    title = parameter_name = "confidence"
    conditions: ClassVar = {
        "high": ("High (0.9)", Q(confidence__gte=0.75, confidence__lt=1.1)),
        "medium": ("Medium (0.6)", Q(confidence__gte=0.45, confidence__lt=0.75)),
        "low": ("Low (0.3)", Q(confidence__gte=0.0, confidence__lt=0.45)),
    }


class EditedFilter(ConditionFilter):
    title, parameter_name = "words", "edited"
    conditions: ClassVar = {
        "yes": ("Edited", Q(edited_at__isnull=False)),
        "no": ("As extracted", Q(edited_at__isnull=True)),
    }


class MergedFilter(ConditionFilter):
    title, parameter_name = "merging", "merged"
    all_option = ["", "Not merged into others"]
    otherwise = Q(merged_into__isnull=True)
    conditions: ClassVar = {
        "yes": ("Merged into others", Q(merged_into__isnull=False)),
        "all": ("All", Q()),
    }


class InterviewFilter(DropdownFilter):
    """Linked from an interview's page, since there are too many interviews to list."""

    title = "interview"
    parameter_name = "interview"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        sessions = visible(Session.objects.select_related("participant"), request.user)
        named = by_key(sessions, request.GET.get("interview", ""))
        return [(str(session.pk), who_for(request, session)) for session in named]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        known = self.value() in dict(self.lookup_choices)
        return queryset.filter(session=self.value()) if known else queryset


PAGE = "admin/interviews/fact/page.html"
CONFIDENCE_BADGES = {fact_details.confidence(v): fact_details.tone(v) for v in (0.9, 0.6, 0.3)}


@admin.register(Fact)
class FactAdmin(FieldworkAdmin):
    list_display = ["words", "question", "badge", "interview", "bot", "marked", "said_at"]
    list_filter = [
        ("session__bot", TeamDropdownFilter),
        ConfidenceFilter,
        EditedFilter,
        MergedFilter,
        InterviewFilter,
    ]
    search_fields = ["text"]
    search_help_text = "Searches facts, their original text and question IDs"
    ordering = ["-id"]
    actions = ["merge_selected"]
    delete_confirmation_template = "admin/interviews/fact/delete_confirmation.html"
    how_to_begin = (
        "Knowledge transfer interviews leave facts here: decisions, numbers, rules of thumb, each "
        "with the answer it comes from."
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("interviews.change_fact"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fact]:
        return fact_details.facts_listed(super().get_queryset(request), request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Fact], search_term: str
    ) -> tuple[QuerySet[Fact], bool]:
        words = search_term.strip()
        if not words:
            return queryset, False
        found = containing("text", words) | containing("original", words)
        return queryset.filter(found | containing("question", words)), False

    def get_urls(self) -> list[Any]:
        merge_view = self.admin_site.admin_view(self.merge)
        return [path("merge/", merge_view, name="interviews_fact_merge"), *super().get_urls()]

    # -- the list

    @display(description="Fact", ordering="text")
    def words(self, fact: Fact) -> str:
        return shorten(fact.text, 200)

    @display(description="Confidence", ordering="confidence", label=CONFIDENCE_BADGES)
    def badge(self, fact: Fact) -> str:
        return fact_details.confidence(fact.confidence)

    @display(description="Interview")
    def interview(self, fact: Fact) -> str:
        return session_link(fact.session, fact_details.who(fact), f"#e{fact.entry.position}")

    bot = bot_column("session__bot")

    @display(description="Marks")
    def marked(self, fact: Fact) -> str:
        marks = fact_details.marks(fact)
        return render_to_string("admin/interviews/marks.html", {"marks": marks})

    said_at = time_column("Said", "entry__at")

    # -- the page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if request.method != "POST":
            fact: Fact = self.row(request, object_id or "")
            return self._render(request, fact, words_form([fact], fact.text))
        if not self.has_change_permission(request):
            raise PermissionDenied
        found: Fact | None = self.get_object(request, object_id or "")
        return self._submit(request, found) if found else self._deleted_meanwhile(request)

    def _deleted_meanwhile(self, request: HttpRequest) -> HttpResponse:
        words = request.POST.get("text", "")
        messages.error(request, f"Somebody has deleted this fact. Your text was: “{words}”")
        return redirect("admin:interviews_fact_changelist")

    def _submit(self, request: HttpRequest, fact: Fact) -> HttpResponse:
        form = words_form([fact], fact.text, request.POST)
        try:
            done = self._apply(request, fact, form)
        except facts.FactError as error:
            current: Fact = self.row(request, str(fact.pk))
            form = words_form([current], request.POST.get("text", ""))
            return self._render(request, current, form, str(error), 409)
        if not done:
            return self._render(request, fact, form, status=400)
        self.log_change(request, fact, done)
        messages.success(request, done)
        return redirect(self.change_url(fact))

    def _apply(self, request: HttpRequest, fact: Fact, form: WordsForm) -> str:
        """Do what was requested and say so; return '' if the form is invalid."""
        action, seen = request.POST.get("do"), request.POST.get("seen", "")
        if action == "apart":
            count = facts.unmerge(fact.pk)
            stand = "fact" if count == 1 else "facts"
            return f"Merge undone: {count} {stand} restored."
        if action == "back":
            facts.restore_original(fact.pk, seen)
            return "Restored the original text."
        if not form.is_valid():
            return ""
        data = form.cleaned_data
        facts.write(fact.pk, data["text"], data["seen"], request.user.get_username())
        return "Saved."

    def _render(
        self, request: HttpRequest, fact: Fact, form: WordsForm, error: str = "", status: int = 200
    ) -> HttpResponse:
        under = self.get_queryset(request).filter(merged_into=fact.pk).order_by("pk")
        one, *merged = fact_details.fact_views(request, [fact, *under])
        response = self.page(
            request,
            PAGE,
            fact,
            title=str(fact),
            one=one,
            merged=merged,
            form=form,
            error=error,
            may_change=self.has_change_permission(request, fact),
            may_delete=self.has_delete_permission(request, fact),
        )
        response.status_code = status
        return response

    # -- merging

    @admin.action(description="Merge", permissions=["change"])
    def merge_selected(self, request: HttpRequest, queryset: QuerySet[Fact]) -> HttpResponse:
        keys = queryset.order_by("pk").values_list("pk", flat=True)
        return redirect(merge_url(keys[: MAX_MERGED + 1]))

    def merge(self, request: HttpRequest) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        return merge_page(self, request)

    # -- deleting

    has_delete_permission = StudyAdmin.has_delete_permission

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        keys = [fact.pk for fact in objs]
        merged = Fact.objects.filter(merged_into__in=keys).exclude(pk__in=keys).count()
        data = [f"“{shorten(fact.text, 80)}”" for fact in objs]
        if merged:
            data.append(f"What was merged into it comes back ({merged})")
        allowed = self.has_delete_permission(request)
        return data, {"fact": len(keys)}, set() if allowed else {"fact"}, []

    def delete_model(self, request: HttpRequest, obj: Fact) -> None:
        facts.remove(Fact.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> None:
        facts.remove(Fact.objects.filter(pk__in=queryset.values("pk")))


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
        merged = facts.merge(_keys_to_merge(admin, request), data["text"], data["seen"], editor)
    except facts.FactError as error:
        form = words_form(chosen, request.POST.get("text", ""))
        return _render(admin, request, chosen, form, str(error))
    message = f"{len(chosen)} facts merged into one. You can undo the merge."
    admin.log_change(request, merged, message)
    messages.success(request, message)
    return redirect(admin.change_url(merged))


def _requested_keys(request: HttpRequest) -> set[int]:
    keys = request.GET.get("facts", "").split(",")
    return {int(key) for key in keys if key.isdecimal() and len(key) < 19}


def _keys_to_merge(admin: Any, request: HttpRequest) -> set[int]:
    """Return the requested keys, also of facts deleted meanwhile, but of no other team's."""
    keys = _requested_keys(request)
    seen = admin.get_queryset(request).values("pk")
    others = Fact.objects.filter(pk__in=keys).exclude(pk__in=seen)
    return keys - set(others.values_list("pk", flat=True))


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
