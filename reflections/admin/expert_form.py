from typing import Any

from django import forms
from django.db.models import Max
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from plans.forms.fields import TidyText
from plans.portability.keys import make_key
from reflections.models import Expert

LONGEST = 12_000  # characters of instructions


class ExpertForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's own is untyped here
    looks_for = TidyText(
        label="What the expert looks for",
        max_length=1_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="In a sentence or two: which sides of a person or a life. The list shows it, and "
        "so does each reflection.",
    )
    instructions = TidyText(
        max_length=LONGEST,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 22}),
        help_text="How the expert works: what to look at, which questions to put to the text, and "
        "what to leave alone. The model reads this before the interview. That every observation "
        "needs a quote, and that nothing is made up, it is told anyway.",
    )
    key = forms.SlugField(
        required=False,
        max_length=50,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "made when left empty"}),
        help_text=Expert._meta.get_field("key").help_text,
    )

    class Meta:
        model = Expert
        fields = ["name", "looks_for", "instructions", "active", "key"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("key") and "key" not in self.errors:
            others = Expert.objects.exclude(pk=self.instance.pk)
            taken = set(others.values_list("key", flat=True))
            data["key"] = make_key(data.get("name") or "", taken, "expert")
        return data

    def save(self, commit: bool = True) -> Expert:
        if self.instance.pk is None:
            last = Expert.objects.aggregate(last=Max("position"))["last"]
            self.instance.position = 0 if last is None else last + 1
        expert: Expert = super().save(commit)
        return expert
