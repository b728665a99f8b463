from django import forms

from plans.forms.fields import Lines
from plans.forms.rows import KeyedFormSet, OrderedFormSet
from plans.models import SubGoal, Topic

MOST_TOPICS = 60


class TopicFormSet(KeyedFormSet):
    source = "label"
    stem = "topic"

    def clean(self) -> None:
        super().clean()
        if len(self.staying()) > MOST_TOPICS:
            raise forms.ValidationError(f"An interview can have at most {MOST_TOPICS} topics.")


class DataFieldFormSet(KeyedFormSet):
    source = "label"
    stem = "field"


class SubGoalFormSet(OrderedFormSet):
    pass


class TopicForm(forms.ModelForm):  # type: ignore[type-arg]
    more = Lines(
        label="Add sub-goals",
        required=False,
        help_text="One per line. They are added to the end of the list below.",
    )

    class Meta:
        model = Topic
        fields = ["label", "key"]

    def clean_more(self) -> list[str]:
        lines: list[str] = self.cleaned_data["more"]
        longest = SubGoal._meta.get_field("text").max_length or 0
        for number, line in enumerate(lines, 1):
            if len(line) > longest:
                raise forms.ValidationError(f"Line {number} is longer than {longest} characters.")
        return lines
