"""Topics in the admin: rows on their bot's page, and a page each on which sub-goals are written."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import TabularInline
from unfold.decorators import display

from plans.admin.base import StudyAdmin
from plans.forms.rows import KeyedForm
from plans.forms.topics import (
    DataFieldFormSet,
    SubGoalFormSet,
    TopicForm,
    TopicFormSet,
    added_lines,
)
from plans.models import DataField, SubGoal, Topic
from plans.protocols import protocol_of
from plans.topics.order import add_sub_goals, previous_and_next


class RowsInline(TabularInline):
    """Rows that are dragged into order."""

    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0


class TopicInline(RowsInline):
    """The topics of a bot; their sub-goals are a page each."""

    model = Topic
    form = KeyedForm
    formset = TopicFormSet
    fields = ["label", "sub_goals_of", "key", "position"]
    readonly_fields = ["sub_goals_of"]
    tab = True
    template_before = "admin/plans/topic/before.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        """With the number of sub-goals."""
        topics = super().get_queryset(request).annotate(n_goals=Count("sub_goals"))
        queryset: QuerySet[Topic] = topics.order_by("position", "id")
        return queryset

    @display(description="Sub-goals")
    def sub_goals_of(self, topic: Any) -> SafeString | str:
        """A link to the page on which the topic's sub-goals are written."""
        if topic.pk is None:
            return "Save, then write them"
        url = reverse("admin:plans_topic_change", args=[topic.pk])
        count = topic.n_goals
        words = f"{count} sub-goal{'' if count == 1 else 's'}"
        return format_html('<a class="study-link" href="{}">{} →</a>', url, words)


class DataFieldInline(RowsInline):
    """What a bot asks for at the end, with consent."""

    model = DataField
    form = KeyedForm
    formset = DataFieldFormSet
    fields = ["label", "kind", "key", "position"]
    tab = True
    verbose_name = "field"
    verbose_name_plural = "Contact data"
    template_before = "admin/plans/topic/before_fields.html"


class SubGoalInline(RowsInline):
    """The sub-goals of a topic, in the order in which they are aimed at."""

    model = SubGoal
    formset = SubGoalFormSet
    fields = ["text", "position"]
    verbose_name = "sub-goal"
    verbose_name_plural = "Sub-goals"


@admin.register(Topic)
class TopicAdmin(StudyAdmin):
    """One topic of a bot with its sub-goals. It is reached from its bot."""

    form = TopicForm
    fields = ["label", "key", "more"]
    inlines = [SubGoalInline]
    change_form_outer_before_template = "admin/plans/topic/around.html"

    class Media:
        js = ["plans/rows.js"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Not in the navigation: a topic is found in its bot."""
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Topics are added in their bot."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is no list of all topics; the bots are."""
        return redirect("admin:plans_bot_changelist")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Without a place for new sub-goals for who may only look."""
        return self.fields if self.has_change_permission(request, obj) else ["label", "key"]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """With the topics before and after it."""
        if topic := context.get("original"):
            context["before"], context["after"] = previous_and_next(
                topic, list(topic.bot.topics.all())
            )
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Adds the lines that were written, and wishes for what rests on them."""
        super().save_related(request, form, formsets, change)
        add_sub_goals(form.instance, added_lines(form))
        protocol_of(form.instance.bot).prepare(form.instance.bot)

    def response_post_save_change(self, request: HttpRequest, obj: Topic) -> HttpResponse:
        """Back to the bot's topics."""
        return redirect(topics_url(obj))

    def delete_model(self, request: HttpRequest, obj: Topic) -> None:
        """Remembers the bot, which is shown next."""
        request.topics_url = topics_url(obj)  # type: ignore[attr-defined]
        super().delete_model(request, obj)
        protocol_of(obj.bot).prepare(obj.bot)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        self.message_user(request, f"The topic “{obj_display}” is deleted.")
        return redirect(getattr(request, "topics_url", reverse("admin:plans_bot_changelist")))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """A topic's history is part of its bot's."""
        return redirect("admin:plans_bot_history", self.row(request, object_id).bot_id)


def topics_url(topic: Topic) -> str:
    """The tab of the bot's page that the topic is on."""
    return reverse("admin:plans_bot_change", args=[topic.bot_id]) + "#topics"
