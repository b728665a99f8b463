"""The admin of facts: to find them, to put them in better words, to make several into one."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import path
from unfold.contrib.filters.admin import RelatedDropdownFilter
from unfold.decorators import display

from interviews.admin import querysets
from interviews.admin.base import FieldworkAdmin, session_link
from interviews.models import Fact
from interviews.protocols.knowledge_transfer import facts
from interviews.protocols.knowledge_transfer.admin import fact_details
from interviews.protocols.knowledge_transfer.admin.filters import (
    ConfidenceFilter,
    EditedFilter,
    InterviewFilter,
    MergedFilter,
)
from interviews.protocols.knowledge_transfer.admin.forms import WordsForm, sent_again, words_form
from interviews.protocols.knowledge_transfer.admin.merge_page import merge_page, merge_url
from interviews.protocols.knowledge_transfer.facts.checks import MOST_AT_ONCE
from plans.admin.base import moment

PAGE = "admin/interviews/fact/page.html"
CONFIDENCE_BADGES = {fact_details.confidence(v): fact_details.tone(v) for v in (0.9, 0.6, 0.3)}


@admin.register(Fact)
class FactAdmin(FieldworkAdmin):
    """Facts, each with the answer that it comes from."""

    list_display = ["words", "question", "badge", "interview", "bot", "marked", "said_at"]
    list_filter = [
        ("session__bot", RelatedDropdownFilter),
        ConfidenceFilter,
        EditedFilter,
        MergedFilter,
        InterviewFilter,
    ]
    search_fields = ["text"]
    search_help_text = "Searches facts, also as they were extracted, and ids of questions"
    ordering = ["-id"]
    actions = ["merge_selected"]
    delete_confirmation_template = "admin/interviews/fact/delete_confirmation.html"
    how_to_begin = (
        "Interviews that hand over knowledge leave facts here: decisions, numbers, rules of thumb, "
        "each with the answer that it comes from."
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Facts may be put in other words; what was said stays said."""
        return bool(request.user.has_perm("interviews.change_fact"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fact]:
        """As the list and the page need it."""
        return fact_details.facts_listed(super().get_queryset(request), request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Fact], search_term: str
    ) -> tuple[QuerySet[Fact], bool]:
        """In whichever case and script."""
        words = search_term.strip()
        if not words:
            return queryset, False
        found = querysets.containing("text", words) | querysets.containing("original", words)
        return queryset.filter(found | querysets.containing("question", words)), False

    def get_urls(self) -> list[Any]:
        """With the page on which several become one."""
        merging = self.admin_site.admin_view(self.merge)
        return [path("merge/", merging, name="interviews_fact_merge"), *super().get_urls()]

    # -- the list

    @display(description="Fact", ordering="text")
    def words(self, fact: Fact) -> str:
        """The beginning of it."""
        return fact.text if len(fact.text) <= 200 else fact.text[:199].rstrip() + "…"

    @display(description="Confidence", ordering="confidence", label=CONFIDENCE_BADGES)
    def badge(self, fact: Fact) -> str:
        """In a word and as a number."""
        return fact_details.confidence(fact.confidence)

    @display(description="Interview")
    def interview(self, fact: Fact) -> str:
        """A link to the answer."""
        return session_link(fact.session, fact_details.who(fact), f"#e{fact.entry.position}")

    @display(description="Bot", ordering="session__bot", empty_value="deleted")
    def bot(self, fact: Fact) -> str | None:
        """Whose interview."""
        return str(fact.session.bot) if fact.session.bot else None

    @display(description="Marks")
    def marked(self, fact: Fact) -> str:
        """Edited, merged."""
        marks = fact_details.marks(fact)
        return render_to_string("admin/interviews/marks.html", {"marks": marks})

    @display(description="Said", ordering="entry__at")
    def said_at(self, fact: Fact) -> str:
        """When the answer was given."""
        return moment(fact.entry.at)

    # -- the page

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The words, the original beside them, and what it comes from."""
        if request.method != "POST":
            fact: Fact = self.row(request, object_id or "")
            return self._shown(request, fact, words_form([fact], fact.text))
        if not self.has_change_permission(request):
            raise PermissionDenied
        there: Fact | None = self.get_object(request, object_id or "")
        return self._sent(request, there) if there else self._gone(request)

    def _gone(self, request: HttpRequest) -> HttpResponse:
        """Somebody has deleted it; what was sent is given back."""
        words = request.POST.get("text", "")
        messages.error(request, f"The fact was deleted meanwhile. Your words were: “{words}”")
        return redirect("admin:interviews_fact_changelist")

    def _sent(self, request: HttpRequest, fact: Fact) -> HttpResponse:
        """Does what was asked for, or says why not, with nothing lost."""
        form = words_form([fact], fact.text, request.POST)
        try:
            done = self._do(request, fact, form)
        except facts.FactError as error:
            now: Fact = self.row(request, str(fact.pk))
            return self._shown(request, now, sent_again(form, [now]), str(error), 409)
        if not done:
            return self._shown(request, fact, form, status=400)
        self.log_change(request, fact, done)
        messages.success(request, done)
        return redirect(self.change_url(fact))

    def _do(self, request: HttpRequest, fact: Fact, form: WordsForm) -> str:
        """What was done, in words; empty where what was sent is not fit."""
        wanted, seen = request.POST.get("do"), request.POST.get("seen", "")
        if wanted == "apart":
            count = facts.take_apart(fact.pk)
            stand = "fact stands by itself" if count == 1 else "facts stand by themselves"
            return f"Taken apart: {count} {stand} again."
        if wanted == "back":
            facts.put_back(fact.pk, seen)
            return "Put back to the words in which it was extracted."
        if not form.is_valid():
            return ""
        told = form.cleaned_data
        facts.write(fact.pk, told["text"], told["seen"], request.user.get_username())
        return "Saved."

    def _shown(
        self, request: HttpRequest, fact: Fact, form: WordsForm, error: str = "", status: int = 200
    ) -> HttpResponse:
        under = list(self.get_queryset(request).filter(merged_into=fact.pk).order_by("pk"))
        one, *merged = fact_details.shown(request, [fact, *under])
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
        """The page on which those that were chosen become one."""
        chosen = queryset.order_by("pk").values_list("pk", flat=True)
        return redirect(merge_url(chosen[: MOST_AT_ONCE + 1]))

    def merge(self, request: HttpRequest) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        return merge_page(self, request)

    # -- deleting

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What goes, and what comes back."""
        keys = [fact.pk for fact in objs]
        under = Fact.objects.filter(merged_into__in=keys).exclude(pk__in=keys).count()
        told = [f"“{fact}”" for fact in objs]
        if under:
            told.append(f"What was merged into it comes back ({under})")
        allowed = self.has_delete_permission(request)
        return told, {"fact": len(keys)}, set() if allowed else {"fact"}, []

    def delete_model(self, request: HttpRequest, obj: Fact) -> None:
        facts.remove(Fact.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> None:
        facts.remove(Fact.objects.filter(pk__in=queryset.values("pk")))
