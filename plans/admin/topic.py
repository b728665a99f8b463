"""The admin of topics: rows on their bot's page, and a page each for sub-goals."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import TabularInline
from unfold.decorators import display

from plans.admin.base import StudyAdmin
from plans.forms.rows import KeyedForm
from plans.forms.topics import DataFieldFormSet, SubGoalFormSet, TopicForm, TopicFormSet
from plans.models import DataField, SubGoal, Topic
from plans.protocols import protocol_of
from plans.topics.order import add_sub_goals, previous_and_next


class RowsInline(TabularInline):
    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0


class TopicInline(RowsInline):
    model = Topic
    form = KeyedForm
    formset = TopicFormSet
    fields = ["label", "sub_goals_of", "key", "position"]
    readonly_fields = ["sub_goals_of"]
    tab = True
    template_before = "admin/plans/topic/before.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        topics = super().get_queryset(request).annotate(n_goals=Count("sub_goals"))
        queryset: QuerySet[Topic] = topics.order_by("position", "id")
        return queryset

    @display(description="Sub-goals")
    def sub_goals_of(self, topic: Any) -> SafeString | str:
        if topic.pk is None:
            return "Save, then write them"
        url = reverse("admin:plans_topic_change", args=[topic.pk])
        label = f"{topic.n_goals} sub-goal{pluralize(topic.n_goals)}"
        return format_html('<a class="study-link" href="{}">{} →</a>', url, label)


class DataFieldInline(RowsInline):
    model = DataField
    form = KeyedForm
    formset = DataFieldFormSet
    fields = ["label", "kind", "key", "position"]
    tab = True
    verbose_name = "field"
    verbose_name_plural = "Contact data"
    template_before = "admin/plans/topic/before_fields.html"


class SubGoalInline(RowsInline):
    model = SubGoal
    formset = SubGoalFormSet
    fields = ["text", "question", "position"]
    verbose_name = "sub-goal"
    verbose_name_plural = "Sub-goals"


@admin.register(Topic)
class TopicAdmin(StudyAdmin):
    form = TopicForm
    fields = ["label", "key", "more"]
    inlines = [SubGoalInline]
    change_form_outer_before_template = "admin/plans/topic/around.html"

    class Media:
        js = ["plans/rows.js"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:plans_bot_changelist")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return self.fields if self.has_change_permission(request, obj) else ["label", "key"]

    def change_form_context(self, request: HttpRequest, row: Topic | None) -> dict[str, Any]:
        if row is None:
            return {}
        before, after = previous_and_next(row, list(row.bot.topics.all()))
        return {"before": before, "after": after}

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        add_sub_goals(form.instance, list(form.cleaned_data.get("more") or []))
        protocol_of(form.instance.bot).prepare(form.instance.bot)

    def response_post_save_change(self, request: HttpRequest, obj: Topic) -> HttpResponse:
        return redirect(topics_url(obj))

    def delete_model(self, request: HttpRequest, obj: Topic) -> None:
        request.topics_url = topics_url(obj)  # type: ignore[attr-defined]
        super().delete_model(request, obj)
        protocol_of(obj.bot).prepare(obj.bot)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        self.message_user(request, f"The topic “{obj_display}” is deleted.")
        return redirect(getattr(request, "topics_url", reverse("admin:plans_bot_changelist")))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        return redirect("admin:plans_bot_history", self.row(request, object_id).bot_id)


def topics_url(topic: Topic) -> str:
    return reverse("admin:plans_bot_change", args=[topic.bot_id]) + "#topics"
