from django import forms

from plans.forms.fields import ShortLines
from plans.forms.rows import KeyedFormSet
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


class TopicForm(forms.ModelForm):  # type: ignore[type-arg]
    more = ShortLines(
        label="Add sub-goals",
        required=False,
        longest=SubGoal._meta.get_field("text").max_length or 0,
        help_text="One per line. They are added to the end of the list below.",
    )

    class Meta:
        model = Topic
        fields = ["label", "key"]
