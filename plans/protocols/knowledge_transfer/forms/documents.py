from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from plans.documents import limits
from plans.forms.fields import ShortLines, TidyText
from plans.models import Document
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS, LONGEST_PURPOSE
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.statements import LONGEST_ITEM, MOST_ITEMS
from plans.protocols.knowledge_transfer.content import dive_of

LABELS = {
    "decisions": ("Decisions", "What was decided, and why where it says so."),
    "formulas": ("Formulas", "How something is calculated."),
    "thresholds": ("Thresholds", "Numbers from which something is done differently."),
    "people": ("People", "Who does, knows or decides what."),
    "gaps": ("Gaps", "What it doesn't say. Questions come from here."),
}


class PasteForm(forms.Form):
    name = forms.CharField(
        required=False,
        max_length=limits.NAME_CHARACTERS,
        widget=UnfoldAdminTextInputWidget(),
        help_text="As a file would be called: “notes on prices”.",
    )
    text = forms.CharField(
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10}),
        error_messages={"required": "There is no text."},
    )


def _list_field(name: str) -> ShortLines:
    label, help_text = LABELS[name]
    return ShortLines(
        most=MOST_ITEMS,
        longest=LONGEST_ITEM,
        label=label,
        required=False,
        help_text=f"{help_text} One a line.",
    )


class DiveForm(forms.ModelForm):  # type: ignore[type-arg]
    purpose = TidyText(
        required=False,
        max_length=LONGEST_PURPOSE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="What it is for, in a sentence or two.",
    )
    decisions = _list_field("decisions")
    formulas = _list_field("formulas")
    thresholds = _list_field("thresholds")
    people = _list_field("people")
    gaps = _list_field("gaps")

    class Meta:
        model = Document
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dive = dive_of(self.instance)
        self.initial.update({name: getattr(dive, name) for name in ("purpose", *LISTS)})

    def dive(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("purpose", *LISTS)}


class SummaryForm(forms.Form):
    summary = TidyText(
        required=False,
        max_length=LONGEST_SUMMARY,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "spellcheck": "true"}),
        help_text="In Markdown: ## before a heading, - before a point, **bold**. The interviewer "
        "reads it before every question.",
    )
