"""The admin of topics: rows on their bot's page, and a page each for sub-goals."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import display

from plans.admin.base import PartAdmin, RowsInline, parts_link
from plans.bots.checklist import check_opening
from plans.forms.fields import ShortLines
from plans.forms.rows import ChangesForm, KeyedForm, KeyedFormSet, OrderedFormSet, SeenForm, staying
from plans.models import DataField, SubGoal, Topic
from plans.models.copies import next_position
from plans.portability.documents import MOST_TOPICS
from plans.protocols import protocol_of


class TopicFormSet(KeyedFormSet):
    source = "label"
    stem = "topic"

    def clean(self) -> None:
        super().clean()
        if len(staying(self)) > MOST_TOPICS:
            raise forms.ValidationError(f"An interview can have at most {MOST_TOPICS} topics.")


class SubGoalFormSet(OrderedFormSet):
    def clean(self) -> None:
        super().clean()
        texts = [form.cleaned_data["text"] for form in staying(self)]
        if twice := [text for text in texts if texts.count(text) > 1]:
            raise forms.ValidationError(f"“{twice[0]}” is there twice. Keep one.")


class DataFieldFormSet(KeyedFormSet):
    source = "label"
    stem = "field"


class TopicForm(SeenForm):
    more = ShortLines(
        label="Add sub-goals",
        required=False,
        longest=SubGoal._meta.get_field("text").max_length or 0,
        help_text="One per line. They are added to the end of the list below.",
    )

    def records(self) -> list[QuerySet[Any]]:
        return [Topic.history.filter(id=self.instance.pk)]  # of sub-goals, only changes are saved

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if self.instance.bot.topics.filter(key=key).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Another topic already has this key.")
        return key


class TopicInline(RowsInline):
    model = Topic
    form = KeyedForm
    formset = TopicFormSet
    fields = ["label", "sub_goals_of", "key", "position"]
    readonly_fields = ["sub_goals_of"]
    place = "Interview"
    template_before = "admin/plans/topic/before.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        topics = super().get_queryset(request).annotate(n_goals=Count("sub_goals"))
        queryset: QuerySet[Topic] = topics.order_by("position", "id")
        return queryset

    @display(description="Sub-goals")
    def sub_goals_of(self, topic: Any) -> SafeString | str:
        return parts_link(topic, getattr(topic, "n_goals", 0), "sub-goal")


class DataFieldInline(RowsInline):
    model = DataField
    form = KeyedForm
    formset = DataFieldFormSet
    fields = ["label", "kind", "key", "position"]
    place = "Ending"
    verbose_name = "field"
    verbose_name_plural = "Contact data"
    template_before = "admin/plans/topic/before_fields.html"


class SubGoalInline(RowsInline):
    model = SubGoal
    form = ChangesForm  # a model may draft questions while the page is open
    formset = SubGoalFormSet
    fields = ["text", "question", "position"]
    verbose_name = "sub-goal"
    verbose_name_plural = "Sub-goals"


@admin.register(Topic)
class TopicAdmin(PartAdmin):
    form = TopicForm
    fields = ["label", "key", "more"]
    inlines = [SubGoalInline]
    whole = "bot"
    change_form_outer_before_template = "admin/plans/topic/around.html"
    change_form_before_template = "admin/plans/seen.html"

    class Media:
        js = ["plans/rows.js"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return self.fields if self.has_change_permission(request, obj) else ["label", "key"]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        add_sub_goals(form.instance, list(form.cleaned_data.get("more") or []))
        protocol_of(form.instance.bot).prepare(form.instance.bot)
        for gap in check_opening(form.instance.bot, just_opened=False):
            messages.warning(request, gap)

    def whole_url(self, row: Topic) -> str:
        return f"{super().whole_url(row)}#interview"

    def delete_model(self, request: HttpRequest, obj: Topic) -> None:
        super().delete_model(request, obj)
        protocol_of(obj.bot).prepare(obj.bot)


def add_sub_goals(topic: Topic, texts: Iterable[str]) -> None:
    known = dict(topic.sub_goals.values_list("text", "position"))
    first = next_position(known.values())
    new = (text for text in dict.fromkeys(texts) if text not in known)
    for position, text in enumerate(new, first):
        SubGoal.objects.create(topic=topic, text=text, position=position)
