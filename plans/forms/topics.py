from typing import Any

from django import forms
from django.db.models import QuerySet

from plans.forms.fields import ShortLines
from plans.forms.rows import KeyedFormSet, OrderedFormSet
from plans.forms.seen import SeenForm
from plans.models import SubGoal, Topic
from plans.portability.documents import MOST_TOPICS


class TopicFormSet(KeyedFormSet):
    source = "label"
    stem = "topic"

    def clean(self) -> None:
        super().clean()
        if len(self.staying()) > MOST_TOPICS:
            raise forms.ValidationError(f"An interview can have at most {MOST_TOPICS} topics.")


class SubGoalFormSet(OrderedFormSet):
    def clean(self) -> None:
        super().clean()
        texts = [form.cleaned_data["text"] for form in self.staying()]
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
