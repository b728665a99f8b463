"""Forms for topics, their sub-goals and data fields."""

from typing import Any

from django import forms

from plans.forms.fields import Lines
from plans.forms.rows import KeyedFormSet, OrderedFormSet
from plans.models import SubGoal, Topic

MOST_TOPICS = 60


class TopicFormSet(KeyedFormSet):
    """The topics of a bot."""

    source = "label"
    stem = "topic"

    def clean(self) -> None:
        """No more than an interview can hold."""
        super().clean()
        if len(self.staying()) > MOST_TOPICS:
            raise forms.ValidationError(f"An interview has {MOST_TOPICS} topics at most.")


class DataFieldFormSet(KeyedFormSet):
    """What a bot asks for at the end."""

    source = "label"
    stem = "field"


class SubGoalFormSet(OrderedFormSet):
    """The sub-goals of a topic."""


class TopicForm(forms.ModelForm):  # type: ignore[type-arg]
    """A topic, with a place for several sub-goals at once."""

    more = Lines(
        label="Add sub-goals",
        required=False,
        help_text="One a line; they go to the end of the list below.",
    )

    class Meta:
        model = Topic
        fields = ["label", "key"]

    def clean_more(self) -> list[str]:
        """Lines that fit into a sub-goal each."""
        lines: list[str] = self.cleaned_data["more"]
        longest = SubGoal._meta.get_field("text").max_length or 0
        for number, line in enumerate(lines, 1):
            if len(line) > longest:
                raise forms.ValidationError(f"Line {number} is longer than {longest} characters.")
        return lines


def added_lines(form: Any) -> list[str]:
    """What was written for new sub-goals."""
    return list(form.cleaned_data.get("more") or [])
